import { UpdateUser } from '#contract/user.ts';
import { limits } from '#rules/user/limits.ts';
import { checkNickname, checkRealName } from '#rules/user/nickname.ts';
import { readPhone } from '#rules/user/phone.ts';
import { isDuplicate, type PeopleTrx } from '#server/db/open.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { askerOf, deviceHashOf } from './asker.ts';
import { forgetDevices } from './device-store.ts';
import { type HashIdNumber, knowsFact } from './identity.ts';
import { findIdentity } from './identity-store.ts';
import { countEvent } from './rate-limit.ts';
import { endOtherSessions } from './session-store.ts';
import { CodeGone, type RightCode, spendCode, tryCode } from './sms-code.ts';
import { changeUser, findUser, findUserByPhone, isReleased, userInfoOf } from './store.ts';

/**
 * Takes an uploaded picture as somebody's avatar, in the transaction that changes them; '' takes the one they have away.
 * @returns its address; null: the picture is not to be had
 */
export type TakeAvatar = (trx: PeopleTrx, userId: number, fileName: string) => Promise<string | null>;

/** The picture is not theirs, or was used before: nothing of the call is done. */
class PictureGone extends Error {}

/** Changing the own names, picture and phone (decisions §2, §7). */
export function serveUpdate(serve: Serve, { db }: Parts, takeAvatar: TakeAvatar, hashId: HashIdNumber): void {
  serve(UpdateUser, async (ask) => {
    const { input, arrivedAt } = ask;
    const { userId, tokenHash } = ask.user;
    const user = await findUser(db.query, userId);
    if (!user) return refuse('notSignedIn');
    const change: Parameters<typeof changeUser>[2] = {};
    if (input.nickname !== undefined) {
      const checked = checkNickname(input.nickname, user.role);
      if (!checked.ok) return refuse(checked.why, 'nickname');
      change.nickname = checked.name;
    }
    if (input.userName !== undefined) {
      const checked = checkRealName(input.userName);
      if (!checked.ok) return refuse('badInput', 'userName');
      // The name that belongs to an identity number stays with it.
      const fixed = checked.name !== user.user_name && (await findIdentity(db.query, userId)) !== undefined;
      if (fixed) return refuse('identitySet', 'userName');
      change.user_name = checked.name;
    }
    const codes: RightCode[] = [];
    if (input.phone !== undefined) {
      const read = readPhone(input.phone);
      if (!read.ok) return refuse(read.why, 'phone');
      const released = isReleased(user);
      if (!released && input.oldSmsCode === undefined) return refuse('smsCodeWrong', 'oldSmsCode');
      if (input.newSmsCode === undefined) return refuse('smsCodeWrong', 'newSmsCode');
      const counted = await countEvent(db.query, `proof:${userId}`, limits.proofByUser, arrivedAt);
      if (!counted.ok) return refuse('tooMany');
      const asker = askerOf(ask);
      const oldOwner = { phone: user.phone, purpose: 'phone_old', asker };
      const old = released ? null : await tryCode(db.query, oldOwner, input.oldSmsCode ?? '', arrivedAt);
      if (!released && !old) return refuse('smsCodeWrong', 'oldSmsCode');
      // No code reaches a number that is somebody else's now: what only the person knows stands in for it.
      const fact = !released || (await knowsFact(db.query, hashId, user, input, arrivedAt));
      if (fact === 'tooBusy') {
        await counted.undo();
        return refuse('tooMany');
      }
      if (!fact) return refuse('secondFactWrong');
      const newOwner = { phone: read.phone, purpose: 'phone_new', asker };
      const fresh = await tryCode(db.query, newOwner, input.newSmsCode, arrivedAt);
      if (!fresh) return refuse('smsCodeWrong', 'newSmsCode');
      // Told only to someone who holds the number: nobody else learns which numbers are known here.
      if (await findUserByPhone(db.query, read.phone)) return refuse('phoneTaken', 'phone');
      await counted.undo();
      change.phone = read.phone;
      change.phone_proven_at = arrivedAt;
      if (old) codes.push(old);
      codes.push(fresh);
    }
    try {
      await db.changePeople(async (trx) => {
        for (const code of codes) await spendCode(trx, code);
        if (input.avatar !== undefined) {
          const url = await takeAvatar(trx, userId, input.avatar);
          if (url === null) throw new PictureGone();
          change.avatar_url = url;
        }
        await changeUser(trx, userId, change);
        if (change.phone !== undefined) {
          await endOtherSessions(trx, userId, tokenHash);
          await forgetDevices(trx, userId, deviceHashOf(ask));
        }
      });
    } catch (error) {
      if (error instanceof CodeGone) return refuse('smsCodeWrong');
      if (error instanceof PictureGone) return refuse('imageNotYours', 'avatar');
      if (isDuplicate(error)) return refuse('phoneTaken', 'phone');
      throw error;
    }
    return { user: userInfoOf({ ...user, ...change }) };
  });
}
