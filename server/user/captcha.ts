import type { CaptchaAction } from '#contract/values/user.ts';
import { CHALLENGE_LIFE, TICKET_LIFE } from '#rules/user/captcha.ts';
import type { Query } from '#server/db/open.ts';
import type { Random } from '#server/parts.ts';
import { addChallenge, addTicket, takeChallenge, takeTicket } from './captcha-store.ts';
import { hashToken } from './session.ts';

/** Hands out a challenge: 128 random bits, stored as a hash. @returns its id, as the browser gets it */
export async function createChallenge(
  query: Query,
  random: Random,
  action: CaptchaAction,
  now: number,
): Promise<string> {
  const id = random(16).toString('base64url');
  await addChallenge(query, { id: hashToken(id), action, created_at: now, expires_at: now + CHALLENGE_LIFE });
  return id;
}

/** Uses a challenge up: it answers once only. @returns null when it is unknown, used or expired */
export async function redeemChallenge(
  query: Query,
  id: string,
  now: number,
): Promise<{ action: string; elapsed: number } | null> {
  const taken = await takeChallenge(query, hashToken(id));
  if (!taken || taken.expires_at <= now) return null;
  return { action: taken.action, elapsed: now - taken.created_at };
}

/** Makes a ticket for one action. Only its hash is stored. */
export async function createTicket(query: Query, random: Random, action: string, now: number): Promise<string> {
  const ticket = random(24).toString('base64url');
  await addTicket(query, { ticket_hash: hashToken(ticket), action, expires_at: now + TICKET_LIFE });
  return ticket;
}

/** Uses a ticket up. @returns false when it is unknown, used, expired or was made for another action (then it stays) */
export async function redeemTicket(query: Query, ticket: string, action: CaptchaAction, now: number): Promise<boolean> {
  const taken = await takeTicket(query, hashToken(ticket), action);
  return taken !== undefined && taken.expires_at > now;
}
