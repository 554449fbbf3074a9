import { ListExports, MakeExport } from '#contract/account.ts';
import { EXPORT_DAYS } from '#contract/values/account.ts';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import { limits } from '#rules/user/limits.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import { addJob } from '#server/job/store.ts';
import type { Parts } from '#server/parts.ts';
import { proveSelf, spendOwnCode } from '#server/user/proof.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import { CodeGone } from '#server/user/sms-code.ts';
import { findUser, lockUser } from '#server/user/store.ts';
import { EXPORT_JOB } from './export-job.ts';
import { addExport, listExports, type StoredExport } from './export-store.ts';
import { type HiddenFrom, isWithheld } from './export-withheld.ts';

/** Of a copy that is still to be made nothing is withheld. */
const NOTHING: ReadonlySet<number> = new Set();
const KEPT = EXPORT_DAYS * 24 * 60 * 60 * 1000;

function shown(of: StoredExport, hidden: ReadonlySet<number>) {
  const { id, state, file, bytes, reason, created_at, expires_at } = of;
  const withheld = isWithheld(of, hidden);
  return {
    // Its size hangs on what it tells.
    ...{ id, state, bytes: withheld ? 0 : bytes, reason, withheld, createdAt: created_at, expiresAt: expires_at },
    url: state === 'ready' && !withheld ? fileAddress(file) : '',
  };
}

/** A copy of all that one has here: asked for with a proof, since it is all at once; made by a job; kept for a week. */
export function serveExport(serve: Serve, { db, random }: Pick<Parts, 'db' | 'random'>, hiddenFrom: HiddenFrom): void {
  serve(ListExports, async ({ user: { userId }, arrivedAt }) => {
    const hidden = await hiddenFrom(userId);
    return { list: (await listExports(db.query, userId, arrivedAt)).map((one) => shown(one, hidden)) };
  });
  serve(MakeExport, async (ask) => {
    const { userId } = ask.user;
    const now = ask.arrivedAt;
    const user = await findUser(db.query, userId);
    if (!user) return refuse('notSignedIn');
    const proof = await proveSelf(db.query, ask, user, ask.input, 'account');
    if (!proof.ok) return refuse(proof.why, proof.field);
    const waiting = (await listExports(db.query, userId, now)).find(({ state }) => state === 'waiting');
    if (waiting) return shown(waiting, NOTHING);
    const counted = await countEvent(db.query, `export:${userId}`, limits.exportsByUser, now);
    if (!counted.ok) return refuse('tooMany');
    try {
      const { asked, again } = await db.changePeople(async (trx) => {
        await lockUser(trx, userId);
        // The other press of the button was a moment faster.
        const same = (await listExports(trx, userId, now)).find(({ state }) => state === 'waiting');
        if (same) return { asked: same, again: true };
        await spendOwnCode(trx, proof.code, userId, now);
        const id = random(6).readUIntBE(0, 6) + 1;
        const made = await addExport(trx, { id, userId, now, expiresAt: now + KEPT });
        await addJob(trx, { kind: EXPORT_JOB, key: `${id}`, input: { exportId: id } }, now);
        return { asked: made, again: false };
      });
      if (again) await counted.undo();
      return shown(asked, NOTHING);
    } catch (error) {
      await counted.undo();
      if (error instanceof CodeGone) return refuse('smsCodeWrong', 'smsCode');
      throw error;
    }
  });
}
