import { CloseAccount, WithdrawClosing } from '#contract/account.ts';
import { closesAt, mayClose } from '#rules/user/closing.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import type { PersonPart } from '#server/person-part.ts';
import { proveSelf, spendOwnCode } from '#server/user/proof.ts';
import { endAllSessions } from '#server/user/session-store.ts';
import { CodeGone } from '#server/user/sms-code.ts';
import { changeUser, emptyUser, findUser, lockOtherTeachers } from '#server/user/store.ts';
import { deleteExportsOf } from './export-store.ts';

/** What an account is called of which nobody is left. */
const NOBODY = '已注销用户';

/** The last teacher cannot go: nothing of the call is done. */
class LastTeacher extends Error {}

/** Closing the own account (decisions §7): asked for with a proof, thought over for 15 days, then done by a chore. */
export function serveClosing(serve: Serve, { db }: Pick<Parts, 'db'>, parts: readonly PersonPart[]): void {
  serve(CloseAccount, async (ask) => {
    const { userId } = ask.user;
    const now = ask.arrivedAt;
    const user = await findUser(db.query, userId);
    if (!user) return refuse('notSignedIn');
    const proof = await proveSelf(db.query, ask, user, ask.input, 'account');
    if (!proof.ok) return refuse(proof.why, proof.field);
    for (const part of parts) if (!((await part.settle?.(userId, now)) ?? true)) return refuse('payUnsure');
    const at = user.closes_at ?? closesAt(now);
    try {
      await db.changePeople(async (trx) => {
        await spendOwnCode(trx, proof.code, userId, now);
        const otherTeachers = user.role === 'teacher' ? await lockOtherTeachers(trx, userId) : 0;
        if (!mayClose({ role: user.role, otherTeachers })) throw new LastTeacher();
        await changeUser(trx, userId, { closes_at: at });
        await endAllSessions(trx, userId);
      });
    } catch (error) {
      if (error instanceof LastTeacher) return refuse('lastTeacher');
      if (error instanceof CodeGone) return refuse('smsCodeWrong', 'smsCode');
      throw error;
    }
    ask.setSession(null);
    return { closesAt: at };
  });
  serve(WithdrawClosing, async ({ user: { userId } }) => {
    await db.changePeople((trx) => changeUser(trx, userId, { closes_at: null }));
    return {};
  });
}

/**
 * Closes an account whose time is over: every part lets go of the person, in one transaction. What was taken back in the last
 * moment stays; what cannot be settled now is tried again.
 */
export async function closeAccount(
  { db }: Pick<Parts, 'db'>,
  parts: readonly PersonPart[],
  userId: number,
  now: number,
): Promise<boolean> {
  for (const part of parts) if (!((await part.settle?.(userId, now)) ?? true)) return false;
  return db.changePeople(async (trx) => {
    const user = await findUser(trx, userId);
    // The others may have gone, or were switched off, since this one asked.
    const otherTeachers = user?.role === 'teacher' ? await lockOtherTeachers(trx, userId) : 0;
    if (!user || !mayClose({ role: user.role, otherTeachers })) return false;
    if (!(await emptyUser(trx, userId, NOBODY, now))) return false;
    for (const part of parts) await part.forget?.(trx, userId);
    await deleteExportsOf(trx, userId);
    return true;
  });
}
