import { imageOpt } from '#contract/values/image.ts';
import type { Db } from '#server/db/open.ts';
import { allOf, type PersonPart } from '#server/person-part.ts';
import { deleteImagesOf, readImagesOf } from './store.ts';

/** Of a person: the pictures they uploaded. Those of Q&A and reports come with these, so here is only the avatar's file. */
export function imagePart({ query }: Db): PersonPart {
  return {
    name: '上传的图片',
    rows: (userId) =>
      allOf(async () =>
        (await readImagesOf(query, userId)).map(({ file_name, opt, size, created_at }) => ({
          ...{ fileName: file_name, opt, size, createdAt: created_at },
        })),
      ),
    files: async (userId) =>
      (await readImagesOf(query, userId))
        .filter(({ opt }) => opt === imageOpt.avatar)
        .map(({ file }) => ({ stored: file, title: '头像' })),
    forget: deleteImagesOf,
  };
}
