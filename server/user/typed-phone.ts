import { maskPhone, readPhone } from '#rules/user/phone.ts';
import type { Query } from '#server/db/open.ts';
import { findUser, isReleased } from './store.ts';

/**
 * The number that somebody means: as they typed it, or their own as the page shows it to them, masked. An account whose number went to
 * somebody else has none to mean.
 * @param userId who is signed in; null: a visitor, who has no number of their own
 */
export async function phoneMeant(
  query: Query,
  typed: string,
  userId: number | null,
): Promise<{ ok: true; phone: string } | { ok: false; why: 'phoneWrong' }> {
  const read = readPhone(typed);
  if (read.ok || userId === null) return read;
  const found = await findUser(query, userId);
  return found && !isReleased(found) && typed === maskPhone(found.phone) ? { ok: true, phone: found.phone } : read;
}
