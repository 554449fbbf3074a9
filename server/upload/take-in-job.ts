import { stat } from 'node:fs/promises';
import { type JobKind, JobRefused, JobTrouble } from '#server/job/worker.ts';
import type { Parts } from '#server/parts.ts';
import { ENDED_KEPT, TAKE_IN, type TakeInInput, type UploadKind, uploadPath } from './keeper.ts';
import { endUpload, readUpload } from './store.ts';

/** Tries before a file that came whole is given up: it is somebody's only copy here. */
const MOST_ATTEMPTS = 8;

/** The job that looks at a file whose bytes are all here, and stores it; its bytes stay until that is noted. */
export function takeInJob(
  parts: Pick<Parts, 'db' | 'workFolder' | 'clock'>,
  kinds: readonly UploadKind[],
): JobKind<TakeInInput> {
  const { db, clock } = parts;
  return {
    kind: TAKE_IN,
    mostAttempts: MOST_ATTEMPTS,
    light: true,
    run: async ({ uploadId }, job) => {
      const upload = await readUpload(db.query, uploadId);
      if (upload?.state !== 'checking') throw new JobRefused('这次上传已取消');
      const kind = kinds.find(({ purpose }) => purpose === upload.purpose);
      if (!kind) throw new JobRefused('不再接收这种文件');
      const path = uploadPath(parts, upload.address);
      const there = await stat(path).catch(() => null);
      if (!there) throw new JobTrouble('上传的文件不在这台服务器上，请管理员检查各服务器是否共用同一个数据文件夹');
      if (there.size !== upload.bytes) throw new JobRefused('文件没有传完整，请重新上传');
      const store = await kind.takeIn({ path, fileName: upload.file_name, userId: upload.user_id }, job);
      return async (trx) => {
        await store(trx);
        await endUpload(trx, uploadId, { state: 'done', until: clock() + ENDED_KEPT.done });
      };
    },
    givenUp: (trx, { uploadId }, reason) =>
      endUpload(trx, uploadId, { state: 'refused', reason, until: clock() + ENDED_KEPT.refused }),
  };
}
