import { CallError, isPassing } from './send.ts';
import { msg } from './t.ts';

const broken = msg('上传出错了,请重新上传!');

/**
 * What is said of a picture that did not arrive, in Chinese (spec §8): what the server says of the picture itself, and that there is no network,
 * as it is; a broken server in the words of the spec.
 */
export function uploadFailure(error: unknown): string {
  if (!(error instanceof CallError)) return broken;
  return isPassing(error) && error.code !== 0 ? broken : error.msg;
}
