import { ListUploads, UPLOADS } from '#contract/upload.ts';
import { isHeld } from '#rules/upload/room.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ServeResumable, UploadKeeper } from '#server/http/serve-resumable.ts';
import { readLastJobs } from '#server/job/store.ts';
import type { Parts } from '#server/parts.ts';
import { readPeople } from '#server/user/store.ts';
import { TAKE_IN } from './keeper.ts';
import { readOpenUploads } from './store.ts';

/** Uploads that are listed at once: of a handful of teachers. */
const LISTED = 100;

/** Binds uploads (contract/upload.ts). */
export function uploadRoutes(
  serve: Serve,
  serveResumable: ServeResumable,
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
  keeper: UploadKeeper,
): void {
  serveResumable(UPLOADS, keeper);

  serve(ListUploads, async ({ input: { uploadFor: purpose }, user }) => {
    const rows = await readOpenUploads(db.query, purpose, LISTED);
    const people = await readPeople(
      db.query,
      rows.map(({ user_id }) => user_id),
    );
    const looked = rows.filter(({ state }) => state === 'checking').map(({ id }) => String(id));
    const jobs = await readLastJobs(db.query, TAKE_IN, looked);
    const list = rows.flatMap((row) => {
      if (row.state === 'done') return [];
      const mine = row.user_id === user.userId;
      return [
        {
          uploadId: row.id,
          address: mine ? `${UPLOADS.path}/${row.address}` : null,
          fingerprint: mine ? row.fingerprint : '',
          fileName: row.file_name,
          bytes: row.bytes,
          received: row.received,
          state: row.state,
          active: isHeld(row.heard_at, clock()),
          reason: row.reason || (jobs.get(String(row.id))?.reason ?? ''),
          broughtBy: people.get(row.user_id)?.nickname ?? '',
          expiresAt: row.expires_at,
        },
      ];
    });
    return { list };
  });
}
