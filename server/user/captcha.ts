import { SliderChallenge, SliderProof } from '#contract/user.ts';
import type { CaptchaAction } from '#contract/values/user.ts';
import { CHALLENGE_LIFE, judgeDrag, TICKET_LIFE } from '#rules/user/captcha.ts';
import { addressKey, limits } from '#rules/user/limits.ts';
import type { Query } from '#server/db/open.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts, Random } from '#server/parts.ts';
import { addChallenge, addTicket, takeChallenge, takeTicket } from './captcha-store.ts';
import { countEvent } from './rate-limit.ts';
import { hashToken } from './session.ts';

/** Hands out a challenge: 128 random bits, stored as a hash. @returns its id, as the browser gets it */
async function createChallenge(query: Query, random: Random, action: CaptchaAction, now: number): Promise<string> {
  const id = random(16).toString('base64url');
  await addChallenge(query, { id: hashToken(id), action, created_at: now, expires_at: now + CHALLENGE_LIFE });
  return id;
}

/** Uses a challenge up: it answers once only. @returns null when it is unknown, used or expired */
async function redeemChallenge(
  query: Query,
  id: string,
  now: number,
): Promise<{ action: string; elapsed: number } | null> {
  const taken = await takeChallenge(query, hashToken(id));
  if (!taken || taken.expires_at <= now) return null;
  return { action: taken.action, elapsed: now - taken.created_at };
}

/** Makes a ticket for one action. Only its hash is stored. */
async function createTicket(query: Query, random: Random, action: string, now: number): Promise<string> {
  const ticket = random(24).toString('base64url');
  await addTicket(query, { ticket_hash: hashToken(ticket), action, expires_at: now + TICKET_LIFE });
  return ticket;
}

/** Uses a ticket up. @returns false when it is unknown, used, expired or was made for another action (then it stays) */
export async function redeemTicket(query: Query, ticket: string, action: CaptchaAction, now: number): Promise<boolean> {
  const taken = await takeTicket(query, hashToken(ticket), action);
  return taken !== undefined && taken.expires_at > now;
}

/** Handing out a slider and judging the drag (decisions §7). */
export function serveCaptcha(serve: Serve, { db, random }: Parts): void {
  serve(SliderChallenge, async ({ input, ip, arrivedAt }) => {
    const counted = await countEvent(db.query, `challenge:${addressKey(ip)}`, limits.challengeByAddress, arrivedAt);
    if (!counted.ok) return refuse('tooMany');
    return {
      challengeId: await createChallenge(db.query, random, input.action, arrivedAt),
      expiresIn: CHALLENGE_LIFE,
    };
  });

  serve(SliderProof, async ({ input, arrivedAt }) => {
    const challenge = await redeemChallenge(db.query, input.challengeId, arrivedAt);
    if (!challenge) return refuse('captchaFailed');
    const judged = judgeDrag(input.track, challenge.elapsed);
    if (!judged.ok) return refuse(judged.why);
    return { ticket: await createTicket(db.query, random, challenge.action, arrivedAt) };
  });
}
