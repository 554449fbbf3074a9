import { imageOpt } from '#contract/values/image.ts';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import type { TakeAvatar } from '#server/user/update.ts';
import { ImageNotYours, releaseImages, takeImages } from './take.ts';

/** Takes a picture as somebody's avatar in place of the one before. */
export const takeAvatar: TakeAvatar = async (trx, userId, fileName) => {
  const takenFor = `avatar:${userId}`;
  const fileNames = fileName === '' ? [] : [fileName];
  try {
    const [file] = await takeImages(trx, { userId, opt: imageOpt.avatar, fileNames, takenFor });
    await releaseImages(trx, takenFor, fileNames);
    return file === undefined ? '' : fileAddress(file);
  } catch (error) {
    if (error instanceof ImageNotYours) return null;
    throw error;
  }
};
