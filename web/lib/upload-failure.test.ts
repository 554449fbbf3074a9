import { describe, expect, it } from 'vitest';
import { CallError } from './send.ts';
import { uploadFailure } from './upload-failure.ts';

describe('a picture that did not arrive', () => {
  it.each([
    [new CallError(502, 'busy', '服务器正忙，请稍后重试'), '上传出错了,请重新上传!'],
    [new CallError(500, 'broken', '服务器出错了，请稍后重试'), '上传出错了,请重新上传!'],
    [new TypeError('not a call'), '上传出错了,请重新上传!'],
    [new CallError(0, 'offline', '网络连接不上，请检查网络后重试'), '网络连接不上，请检查网络后重试'],
    [new CallError(415, 'imageFormat', '图片格式不正确'), '图片格式不正确'],
    [new CallError(429, 'tooMany', '操作太频繁，请稍后再试'), '操作太频繁，请稍后再试'],
  ])('%s', (error, said) => expect(uploadFailure(error)).toBe(said));
});
