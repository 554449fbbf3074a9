import type { SmsPurpose } from '#contract/values/user.ts';
import { limits } from '#rules/user/limits.ts';
import type { PeopleTrx, Query } from '#server/db/open.ts';
import { askerOf, type Browser } from './asker.ts';
import { checkHash } from './password-hash.ts';
import { countEvent } from './rate-limit.ts';
import { type RightCode, spendCode, tryCode } from './sms-code.ts';
import { changeUser, type User } from './store.ts';
import { TooBusy } from './turnstile.ts';

type Proven =
  | {
      ok: true /** To be spent (`spendOwnCode`) in the transaction of what was proven for; null: it was the password. */;
      code: RightCode | null;
    }
  | { ok: false; why: 'passwordWrong' | 'smsCodeWrong' | 'tooMany'; field?: string };

/**
 * Whether a signed-in person is who they are, by password or by a code that was sent to their number: a session that was left open, or
 * stolen, is not enough for what cannot be undone. Wrong proofs count.
 */
export async function proveSelf(
  query: Query,
  ask: Browser & { arrivedAt: number },
  user: User,
  { password, smsCode }: { password?: string | undefined; smsCode?: string | undefined },
  purpose: SmsPurpose,
): Promise<Proven> {
  const counted = await countEvent(query, `proof:${user.id}`, limits.proofByUser, ask.arrivedAt);
  if (!counted.ok) return { ok: false, why: 'tooMany' };
  if (smsCode !== undefined) {
    const code = await tryCode(query, { phone: user.phone, purpose, asker: askerOf(ask) }, smsCode, ask.arrivedAt);
    if (!code) return { ok: false, why: 'smsCodeWrong', field: 'smsCode' };
    await counted.undo();
    return { ok: true, code };
  }
  try {
    if (!(await checkHash(user.password_hash, password ?? '')))
      return { ok: false, why: 'passwordWrong', field: 'password' };
  } catch (error) {
    if (!(error instanceof TooBusy)) throw error;
    await counted.undo();
    return { ok: false, why: 'tooMany' };
  }
  await counted.undo();
  return { ok: true, code: null };
}

/**
 * Uses up a code that was sent to a person's own number, within the change that it proves: the number is theirs still.
 * @param code null: another proof was given
 * @throws CodeGone when it cannot be used up
 */
export async function spendOwnCode(trx: PeopleTrx, code: RightCode | null, userId: number, now: number): Promise<void> {
  if (code === null) return;
  await spendCode(trx, code);
  await changeUser(trx, userId, { phone_proven_at: now });
}
