import type { CaptchaAction, SmsPurpose } from '#contract/values/user.ts';
import { EASIEST } from '#rules/user/work.ts';
import type { TestApp, TestUser } from '#server/test-kit.ts';
import { captchaKey } from './captcha.ts';
import { solve } from './work.test-kit.ts';

/** A drag that a person could have made, 900 ms after the challenge by the hand-set clock. */
export const GOOD_TRACK = [0, 120, 380, 700, 930, 1000].map((x, n) => ({ at: n * 60, x }));

let drawn = 0;
/** A number that no other test has. */
export function newPhone(): string {
  drawn += 1;
  return `1${String(9_000_000_000 - process.pid * 1000 - drawn)}`;
}

/**
 * The challenge as it would have been handed out just before it became dearer, which the server takes too: an eighth of
 * the work. Who pays in full is `captcha.test.ts`.
 */
async function easier(t: TestApp, challengeId: string): Promise<{ challengeId: string; work: number }> {
  const { sign } = await captchaKey(t.parts);
  const challenge = JSON.parse(Buffer.from(challengeId.split('.')[0] ?? '', 'base64url').toString()) as {
    bits: number;
  };
  const bits = Math.max(EASIEST, challenge.bits - 3);
  const body = Buffer.from(JSON.stringify({ ...challenge, bits })).toString('base64url');
  const seed = sign(body);
  return { challengeId: `${body}.${seed}`, work: solve({ seed, bits }) };
}

/** Who asks where nobody sends a cookie: the address of the test. */
export const HERE = 'address:127.0.0.1';

type Headers = { headers?: Record<string, string>; as?: TestUser | undefined };

/** Drags the slider for a ticket and does its work, or an eighth of it where it is dear. */
export async function ticketFor(
  t: TestApp,
  action: CaptchaAction,
  phone: string,
  sender: Headers = {},
): Promise<string> {
  const { challengeId } = await t.ok('GET /api/captcha/slider', { action, phone }, sender);
  t.time.now += 900;
  const proof = { ...(await easier(t, challengeId)), track: GOOD_TRACK };
  return (await t.ok('POST /api/captcha/slider', proof, sender)).ticket;
}

/** Has a code sent and gives it. */
export async function codeFor(
  t: TestApp,
  phone: string,
  purpose: SmsPurpose,
  as?: TestUser,
  headers: Record<string, string> = {},
): Promise<string> {
  const ticket = await ticketFor(t, 'sms_code', phone, { as, headers });
  await t.ok('POST /api/user/sms_code', { phone, purpose, ticket }, { as, headers });
  const sent = t.sms.at(-1);
  if (!sent) throw new Error('no SMS was sent');
  return sent.code;
}

/** A code that is surely another one. */
export function wrongCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

/** Repeats the newest counted event whose bucket starts so, as if as many others had come from the same place just now. */
export async function repeatEvents(t: TestApp, bucketStart: string, times: number): Promise<void> {
  const event = await t.db.query
    .selectFrom('rate_events')
    .select(['bucket', 'at'])
    .where('bucket', 'like', `${bucketStart}%`)
    .orderBy('at', 'desc')
    .executeTakeFirstOrThrow();
  for (let left = times; left > 0; left -= 1000) {
    const rows = Array.from({ length: Math.min(left, 1000) }, () => ({ bucket: event.bucket, at: event.at }));
    await t.db.query.insertInto('rate_events').values(rows).execute();
  }
}
