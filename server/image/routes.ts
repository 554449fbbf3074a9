import type { Redrawer } from '#content/apart/redraw-apart.ts';
import { UploadImage } from '#contract/image.ts';
import { AVATAR_SIDE, type ImageOpt, imageOpt } from '#contract/values/image.ts';
import { checkImage, kindOfImage } from '#rules/image/check.ts';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import type { Limit } from '#rules/user/limits.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import { countImages, saveImage } from './store.ts';

const HOUR = 60 * 60_000;
/** Pictures of one person: ten questions with three each in an hour, and more than anybody takes in a day. */
const LIMIT: Limit = [
  { within: HOUR, most: 60 },
  { within: 24 * HOUR, most: 200 },
];
/** What one person may have here in all: years of questions. */
const MOST = { count: 3000, size: 1024 * 1024 * 1024 };

const faults = { otherKind: 'imageFormat', tooManyPixels: 'imageTooManyPixels', broken: 'imageBroken' } as const;

/** Binds the calls of contract/image.ts. */
export function imageRoutes(serve: Serve, { db, files, random }: Parts, redrawer: Redrawer): void {
  serve(UploadImage, async ({ input, user: { userId }, arrivedAt }) => {
    const opt = input.opt as ImageOpt;
    const { bytes } = input.file;
    const checked = checkImage(opt, { size: bytes.byteLength, kind: kindOfImage(bytes) });
    if (!checked.ok) return refuse(checked.why, 'file');
    const { count, size } = await countImages(db.query, userId);
    if (count >= MOST.count || size >= MOST.size) return refuse('imagesFull');
    const counted = await countEvent(db.query, `image:${userId}`, LIMIT, arrivedAt);
    if (!counted.ok) return refuse('tooMany');
    const square = opt === imageOpt.avatar ? AVATAR_SIDE : undefined;
    const done = await redrawer.redraw({ kind: checked.kind, bytes, square });
    if (done === 'busy') {
      await counted.undo();
      return refuse('busy');
    }
    if (!done.ok) return refuse(faults[done.fault], 'file');
    const file = await files.put(done.value, checked.kind);
    const fileName = `${random(16).toString('hex')}.${checked.kind}`;
    await saveImage(db.query, {
      ...{ file_name: fileName, user_id: userId, opt, file },
      ...{ size: done.value.byteLength, created_at: arrivedAt },
    });
    return { fileName, filePath: fileAddress(file) };
  });
}
