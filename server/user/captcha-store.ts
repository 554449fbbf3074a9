import type { Query } from '#server/db/open.ts';

/** A slider challenge as it is stored: `id` is the hash of the one that the browser has. */
interface StoredChallenge {
  id: string;
  action: string;
  created_at: number;
  expires_at: number;
}

/** Stores a challenge. */
export async function addChallenge(query: Query, challenge: StoredChallenge): Promise<void> {
  await query.insertInto('captcha_challenges').values(challenge).execute();
}

/** Takes a challenge out of the database, so that it answers once only. @returns undefined when it is unknown or was used */
export async function takeChallenge(query: Query, id: string): Promise<Omit<StoredChallenge, 'id'> | undefined> {
  return query
    .deleteFrom('captcha_challenges')
    .where('id', '=', id)
    .returning(['action', 'created_at', 'expires_at'])
    .executeTakeFirst();
}

/** Stores a ticket for one action by its hash. */
export async function addTicket(
  query: Query,
  ticket: { ticket_hash: string; action: string; expires_at: number },
): Promise<void> {
  await query.insertInto('captcha_tickets').values(ticket).execute();
}

/** Takes a ticket out of the database if it was made for this action. @returns undefined when there is none */
export async function takeTicket(
  query: Query,
  ticketHash: string,
  action: string,
): Promise<{ expires_at: number } | undefined> {
  return query
    .deleteFrom('captcha_tickets')
    .where('ticket_hash', '=', ticketHash)
    .where('action', '=', action)
    .returning('expires_at')
    .executeTakeFirst();
}

/** Deletes challenges and tickets that have expired. */
export async function deleteExpiredCaptchas(query: Query, now: number): Promise<void> {
  await query.deleteFrom('captcha_challenges').where('expires_at', '<=', now).execute();
  await query.deleteFrom('captcha_tickets').where('expires_at', '<=', now).execute();
}
