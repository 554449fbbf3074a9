import type { InputOf } from '#contract/call.ts';
import { Login } from '#contract/user.ts';
import { addressKey, FREE_FAILURES, type Limit, limits, signInLane } from '#rules/user/limits.ts';
import { firstNickname } from '#rules/user/nickname.ts';
import { readPhone } from '#rules/user/phone.ts';
import { needsSecondFact } from '#rules/user/second-fact.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { askerOf, deviceHashOf, knowsDevice, rememberDevice } from './asker.ts';
import { type CaptchaKey, redeemTicket } from './captcha.ts';
import { isDeviceCode } from './device-code.ts';
import { type HashIdNumber, knowsFact } from './identity.ts';
import { checkHash } from './password-hash.ts';
import { type Counted, countEvent, forgetEvents, noteEvent, wouldAllow } from './rate-limit.ts';
import { createSession } from './session.ts';
import { endSession } from './session-store.ts';
import { keepTry, redeemCode, tryCode } from './sms-code.ts';
import { ownTries } from './sms-code-store.ts';
import { addUser, findUserByPhone, noteUserSeen, releasePhone, type User, userInfoOf } from './store.ts';
import { TooBusy } from './turnstile.ts';

/** What a sign-in is counted by: past `free` it needs a ticket, past `most` it is refused. */
interface Count {
  bucket: string;
  free: Limit;
  most: Limit | null;
}

/** Whether a number is one of a paid order of this person. */
export type OwnsOrder = (userId: number, typed: string) => Promise<boolean>;

/** Signing in by phone and SMS code, or by phone and password (decisions §7). */
export function serveLogin(
  serve: Serve,
  { db, random, demo }: Parts,
  { key, hashId, ownsOrder }: { key: CaptchaKey; hashId: HashIdNumber; ownsOrder: OwnsOrder },
): void {
  serve(Login, async (ask) => {
    const { input, user: presented, ip, arrivedAt, setSession } = ask;
    const { smsCode, password, ticket } = input;
    if ((smsCode === undefined) === (password === undefined)) return refuse('badInput');
    const read = readPhone(input.phone);
    if (!read.ok) return refuse(read.why, 'phone');
    const { phone } = read;
    const asker = askerOf(ask);
    const byCode = smsCode !== undefined;

    const owner = await findUserByPhone(db.query, phone);
    const device = `login-on:${deviceHashOf(ask)}:${phone}`;
    const known = owner !== undefined && (await knowsDevice(db.query, ask, owner.id, arrivedAt));
    const { lane, ticket: needed } = signInLane({
      ownTries: byCode ? await ownTries(db.query, { phone, purpose: 'login', asker }, arrivedAt) : null,
      knownDevice: known && (await wouldAllow(db.query, device, limits.loginByDevice, arrivedAt)).ok,
    });
    // Guesses at the password and at the code are counted apart, so that a stranger who burns one leaves the other.
    const number = byCode ? `login-code:${phone}` : `login:${phone}`;
    const counts: Record<typeof lane, Count[]> = {
      code: [],
      device: [{ bucket: device, free: FREE_FAILURES, most: limits.loginByDevice }],
      stranger: [
        // First, so that a flood from one address is answered by reading alone.
        { bucket: `login-from:${addressKey(ip)}`, free: limits.loginByAddress, most: null },
        { bucket: number, free: FREE_FAILURES, most: byCode ? null : limits.passwordByStrangers },
      ],
    };
    const passed = await countAll(counts[lane], needed, async () => {
      const use = { action: 'login', phone, asker } as const;
      return ticket !== undefined && redeemTicket(db.query, key, ticket, use, arrivedAt);
    });
    if (passed === 'ticketNeeded') return refuse('ticketNeeded', 'ticket');
    if (passed === 'tooMany') return refuse('tooMany');

    const proven = byCode
      ? await byCodeOf(phone, smsCode, { asker, known, input, now: arrivedAt }).catch((error: unknown) => {
          if (error instanceof TooBusy) return 'tooMany' as const;
          throw error;
        })
      : await byPasswordOf(owner, password ?? '').catch((error: unknown) => {
          if (error instanceof TooBusy) return 'tooMany' as const;
          throw error;
        });
    if (proven === 'tooMany') {
      await undoAll(passed);
      return refuse('tooMany');
    }
    if (proven === 'secondFactNeeded' || proven === 'secondFactWrong') {
      // The code was right: nothing of this is a guess at it.
      await undoAll(passed);
      return refuse(proven);
    }
    if (proven === null) return byCode ? refuse('smsCodeWrong', 'smsCode') : refuse('loginWrong');

    // Only failures count: the right ones are taken back, and forgive those before them in the same budget.
    await undoAll(passed);
    if (lane === 'device') await forgetEvents(db.query, device);
    if (lane === 'stranger') await forgetEvents(db.query, number);
    const session = await db.changePeople(async (trx) => {
      if (presented) await endSession(trx, presented.tokenHash);
      await noteUserSeen(trx, proven.id, arrivedAt, { byCode });
      return createSession(trx, random, proven.id, arrivedAt, ask);
    });
    await rememberDevice(db.query, ask, random, proven.id, arrivedAt);
    setSession(session);
    return { user: userInfoOf(proven), token: session.token };

    /**
     * Counts the sign-in before its proof is looked at, so that parallel guesses cannot pass a limit together. The ticket
     * is used up only where it is needed; what is refused leaves nothing behind.
     */
    async function countAll(
      all: readonly Count[],
      needed: boolean,
      redeem: () => Promise<boolean>,
    ): Promise<Counted[] | 'ticketNeeded' | 'tooMany'> {
      const counted: Counted[] = [];
      const full: Count[] = [];
      for (const count of all) {
        const free = await countEvent(db.query, count.bucket, count.free, arrivedAt);
        if (free.ok) counted.push(free);
        else full.push(count);
        if (!free.ok && ticket === undefined) break;
      }
      if ((full.length > 0 || needed) && !(await redeem())) {
        await undoAll(counted);
        return 'ticketNeeded';
      }
      for (const { bucket, most } of full) {
        const more =
          most === null
            ? await noteEvent(db.query, bucket, arrivedAt)
            : await countEvent(db.query, bucket, most, arrivedAt);
        if (!more.ok) {
          await undoAll(counted);
          return 'tooMany';
        }
        counted.push(more);
      }
      return counted;
    }
  });

  async function undoAll(counted: readonly Counted[]): Promise<void> {
    for (const one of counted) await one.undo();
  }

  /** Whether the account may be signed in to at all. */
  const isOpen = (user: User) => user.disabled === 0 && (user.demo === 0 || demo);

  /**
   * Who the holder of a number is, by the code that was sent there. Where the number may have changed hands, the code stays good until
   * the holder has proven more, or has said that they are somebody else (decision 048).
   */
  async function byCodeOf(
    phone: string,
    typed: string,
    { asker, known, input, now }: { asker: string; known: boolean; input: InputOf<typeof Login>; now: number },
  ): Promise<User | 'secondFactNeeded' | 'secondFactWrong' | 'tooMany' | null> {
    const right = await tryCode(db.query, { phone, purpose: 'login', asker }, typed, now);
    if (!right) return null;
    const owner = await findUserByPhone(db.query, phone);
    if (owner && !isOpen(owner)) {
      await redeemCode(db.query, right);
      return null;
    }
    const doubtful = owner !== undefined && mayBeSomebodyElses(owner, known, now);
    if (doubtful && input.startAnew !== 1) {
      const fact = await secondFactOf(owner, input, now);
      if (fact !== 'right') {
        await keepTry(db.query, right);
        return fact;
      }
    }
    if (!(await redeemCode(db.query, right))) return null;
    if (doubtful && input.startAnew === 1) await db.changePeople((trx) => releasePhone(trx, owner.id, phone));
    if (owner === undefined || (doubtful && input.startAnew === 1))
      await addUser(db.query, { phone, nickname: firstNickname(phone) }, now);
    const user = await findUserByPhone(db.query, phone);
    return user && isOpen(user) ? user : null;
  }

  const mayBeSomebodyElses = (owner: User, knownDevice: boolean, now: number) =>
    needsSecondFact({
      lastUsedAt: owner.last_used_at,
      provenAt: owner.phone_proven_at,
      createdAt: owner.created_at,
      knownDevice,
      now,
    });

  /** Whether somebody knows what only the person of the account knows. Wrong facts count for the account. */
  async function secondFactOf(
    owner: User,
    { secondPassword, idNumber, deviceCode, orderNo }: InputOf<typeof Login>,
    now: number,
  ): Promise<'right' | 'secondFactNeeded' | 'secondFactWrong' | 'tooMany'> {
    if ([secondPassword, idNumber, deviceCode, orderNo].every((fact) => fact === undefined)) return 'secondFactNeeded';
    const counted = await countEvent(db.query, `second:${owner.id}`, limits.secondFact, now);
    // Not looked at: that it is wrong would be a lie to its person.
    if (!counted.ok) return 'tooMany';
    const right =
      deviceCode !== undefined
        ? isDeviceCode(key, owner.id, deviceCode, now)
        : orderNo !== undefined
          ? await ownsOrder(owner.id, orderNo)
          : await knowsFact(db.query, hashId, owner, { password: secondPassword, idNumber }, now);
    // Where nobody could look at it, it was no wrong fact.
    if (right !== false) await counted.undo();
    return right === 'tooBusy' ? 'tooMany' : right ? 'right' : 'secondFactWrong';
  }

  async function byPasswordOf(user: User | undefined, password: string): Promise<User | null> {
    const right = await checkHash(user && isOpen(user) ? user.password_hash : null, password);
    return user && right ? user : null;
  }
}
