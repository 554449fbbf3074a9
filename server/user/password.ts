import { ChangePassword } from '#contract/user.ts';
import { limits } from '#rules/user/limits.ts';
import { checkPassword } from '#rules/user/password.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { askerOf, deviceHashOf } from './asker.ts';
import { forgetDevices } from './device-store.ts';
import { checkHash, hashPassword } from './password-hash.ts';
import { spendOwnCode } from './proof.ts';
import { countEvent } from './rate-limit.ts';
import { endOtherSessions } from './session-store.ts';
import { CodeGone, tryCode } from './sms-code.ts';
import { changeUser, findUser } from './store.ts';
import { TooBusy } from './turnstile.ts';

/** Setting or changing the own password (decisions §2, §7). */
export function servePassword(serve: Serve, { db }: Parts): void {
  serve(ChangePassword, async (ask) => {
    const { input, arrivedAt } = ask;
    const { userId, tokenHash } = ask.user;
    const user = await findUser(db.query, userId);
    if (!user) return refuse('notSignedIn');
    const checked = checkPassword(input.newPassword);
    if (!checked.ok) return refuse(checked.why, 'newPassword');
    const counted = await countEvent(db.query, `proof:${userId}`, limits.proofByUser, arrivedAt);
    if (!counted.ok) return refuse('tooMany');
    try {
      const code =
        input.smsCode === undefined
          ? null
          : await tryCode(
              db.query,
              { phone: user.phone, purpose: 'password', asker: askerOf(ask) },
              input.smsCode,
              arrivedAt,
            );
      if (input.smsCode !== undefined) {
        if (!code) return refuse('smsCodeWrong', 'smsCode');
      } else if (!(await checkHash(user.password_hash, input.oldPassword ?? ''))) {
        return refuse('passwordWrong', 'oldPassword');
      }
      const passwordHash = await hashPassword(input.newPassword);
      await db.changePeople(async (trx) => {
        await spendOwnCode(trx, code, userId, arrivedAt);
        await changeUser(trx, userId, { password_hash: passwordHash });
        await endOtherSessions(trx, userId, tokenHash);
        await forgetDevices(trx, userId, deviceHashOf(ask));
      });
    } catch (error) {
      if (error instanceof CodeGone) return refuse('smsCodeWrong', 'smsCode');
      if (error instanceof TooBusy) {
        await counted.undo();
        return refuse('tooMany');
      }
      throw error;
    }
    await counted.undo();
    return {};
  });
}
