import type { Query } from '#server/db/open.ts';

/** Marks a challenge as answered, so that it answers once only. @returns false when it was answered before */
export async function markAnswered(
  query: Query,
  challenge: { id: string; action: string; created_at: number; expires_at: number },
): Promise<boolean> {
  const marked = await query
    .insertInto('captcha_challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** What a ticket is good for: one action with one number, by whoever earned it. */
interface TicketUse {
  action: string;
  /** The number, as the keyed hash that a challenge carries. */
  phone_key: string;
  asker: string;
}

/** Stores a ticket by its hash. */
export async function addTicket(
  query: Query,
  ticket: TicketUse & { ticket_hash: string; expires_at: number },
): Promise<void> {
  await query.insertInto('captcha_tickets').values(ticket).execute();
}

/** Takes a ticket out of the database if it was made for this use. @returns undefined when there is none */
export async function takeTicket(
  query: Query,
  ticketHash: string,
  use: TicketUse,
): Promise<{ expires_at: number } | undefined> {
  return query
    .deleteFrom('captcha_tickets')
    .where('ticket_hash', '=', ticketHash)
    .where('action', '=', use.action)
    .where('phone_key', '=', use.phone_key)
    .where('asker', '=', use.asker)
    .returning('expires_at')
    .executeTakeFirst();
}

/** Deletes marks of challenges, and tickets, that have expired. */
export async function deleteExpiredCaptchas(query: Query, now: number): Promise<void> {
  await query.deleteFrom('captcha_challenges').where('expires_at', '<=', now).execute();
  await query.deleteFrom('captcha_tickets').where('expires_at', '<=', now).execute();
}
