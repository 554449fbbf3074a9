import { GetIdentity, SaveIdentity } from '#contract/account.ts';
import { fourteenOn } from '#rules/agreement/agreement.ts';
import { checkIdCard, type IdCardFault, maskIdCard } from '#rules/user/id-card.ts';
import { limits } from '#rules/user/limits.ts';
import { checkRealName } from '#rules/user/nickname.ts';
import { isDuplicate } from '#server/db/open.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import type { HashIdNumber } from '#server/user/identity.ts';
import { addIdentity, findIdentity } from '#server/user/identity-store.ts';
import { proveSelf, spendOwnCode } from '#server/user/proof.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import { CodeGone } from '#server/user/sms-code.ts';
import { changeUser, findUser } from '#server/user/store.ts';
import { TooBusy } from '#server/user/turnstile.ts';

const faults = {
  required: 'idCardRequired',
  length: 'idCardLength',
  digits: 'idCardDigits',
  region: 'idCardRegion',
  birth: 'idCardBirth',
  checksum: 'idCardChecksum',
} as const satisfies Record<IdCardFault, string>;

/** Whether somebody may give a number that says they are 14 or older; what they said of themselves is passed in by `app.ts`. */
export type MayTurnGrown = (userId: number, now: number) => Promise<boolean>;

/**
 * Real name and identity number (spec §5). The number is checked for its form, not asked of an office. It is given once, with a
 * proof: it proves its person later, so whoever finds a session open must not put in their own.
 */
export function serveIdentity(
  serve: Serve,
  { db }: Pick<Parts, 'db'>,
  { hashId, mayTurnGrown }: { hashId: HashIdNumber; mayTurnGrown: MayTurnGrown },
): void {
  serve(GetIdentity, async ({ user: { userId } }) => {
    const [user, identity] = [await findUser(db.query, userId), await findIdentity(db.query, userId)];
    if (!user || !identity) return { identity: null };
    return { identity: { userName: user.user_name, idNumber: identity.masked, createdAt: identity.created_at } };
  });
  serve(SaveIdentity, async (ask) => {
    const { userId } = ask.user;
    const now = ask.arrivedAt;
    const user = await findUser(db.query, userId);
    if (!user) return refuse('notSignedIn');
    const name = checkRealName(ask.input.userName);
    if (!name.ok || name.name === '') return refuse('realNameWrong', 'userName');
    const checked = checkIdCard(ask.input.idNumber, now);
    if (!checked.ok) return refuse(faults[checked.why], 'idNumber');
    if (await findIdentity(db.query, userId)) return refuse('identitySet');
    const turns14 = fourteenOn(checked.birth, now);
    if (turns14 === null && !(await mayTurnGrown(userId, now))) return refuse('identityNotGrown', 'idNumber');
    const proof = await proveSelf(db.query, ask, user, ask.input, 'account');
    if (!proof.ok) return refuse(proof.why, proof.field);
    // Each answer says whether a number is known here: nobody asks often.
    const counted = await countEvent(db.query, `identity:${userId}`, limits.identityByUser, now);
    if (!counted.ok) return refuse('tooMany');
    try {
      const numberHash = await hashId(checked.number);
      await db.changePeople(async (trx) => {
        await spendOwnCode(trx, proof.code, userId, now);
        const masked = maskIdCard(checked.number);
        await addIdentity(trx, {
          ...{ user_id: userId, number_hash: numberHash, masked, fourteen_on: turns14, created_at: now },
        });
        await changeUser(trx, userId, { user_name: name.name });
      });
    } catch (error) {
      // What nobody looked at told nothing, and was no try.
      if (!isDuplicate(error)) await counted.undo();
      if (error instanceof CodeGone) return refuse('smsCodeWrong', 'smsCode');
      if (error instanceof TooBusy) return refuse('tooMany');
      if (!isDuplicate(error)) throw error;
      return (await findIdentity(db.query, userId)) ? refuse('identitySet') : refuse('identityTaken', 'idNumber');
    }
    return {};
  });
}
