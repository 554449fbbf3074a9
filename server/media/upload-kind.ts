import { containerOf, HEAD_BYTES } from '#rules/media/container.ts';
import type { Trx } from '#server/db/open.ts';
import type { Parts } from '#server/parts.ts';
import type { UploadKind } from '#server/upload/keeper.ts';
import { addSource, titleOf } from './bring-in.ts';
import { probe, readContainer } from './probe.ts';
import type { FindFfmpeg } from './transcode-job.ts';

/**
 * Films and sounds that teachers upload. What one is, its first bytes say at once and FFmpeg when all are here; the same bytes uploaded again
 * are the same video. Without an FFmpeg it is kept, and its conversion says what is missing.
 */
export function mediaUploads(
  { files, clock }: Pick<Parts, 'files' | 'clock'>,
  ffmpegOfMachine: FindFfmpeg,
): UploadKind {
  return {
    purpose: 'media',
    headBytes: HEAD_BYTES,
    wrong: ['notMedia'],
    refuses: (head) => (containerOf(head) ? null : 'notMedia'),
    takeIn: async ({ path, fileName, userId }, { signal }) => {
      const { extension } = await readContainer(path);
      const ffmpeg = await ffmpegOfMachine();
      if (ffmpeg) await probe(ffmpeg, path, { signal });
      const { name, size } = await files.putFile(path, extension, signal);
      return async (trx: Trx) => {
        await addSource(trx, { source: name, bytes: size, title: titleOf(fileName), broughtBy: userId }, clock());
      };
    },
  };
}
