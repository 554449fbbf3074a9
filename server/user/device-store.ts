import type { Query, Trx } from '#server/db/open.ts';

/** Notes that a person signed in on a device, which is known by the hash of its cookie until `expires_at`. */
export async function putKnownDevice(
  query: Query,
  device: { device_hash: string; user_id: number; seen_at: number; expires_at: number },
): Promise<void> {
  const { seen_at, expires_at } = device;
  await query
    .insertInto('known_devices')
    .values(device)
    .onConflict((conflict) => conflict.columns(['device_hash', 'user_id']).doUpdateSet({ seen_at, expires_at }))
    .execute();
}

/** Whether this person signed in on this device before. */
export async function isKnownDevice(query: Query, deviceHash: string, userId: number, now: number): Promise<boolean> {
  const row = await query
    .selectFrom('known_devices')
    .select('user_id')
    .where('device_hash', '=', deviceHash)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets a person's devices but the named one: after a change of phone or password each has to prove itself anew. */
export async function forgetDevices(trx: Trx, userId: number, keepHash: string | null): Promise<void> {
  await trx
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('device_hash', '!=', keepHash ?? '')
    .execute();
}

/** Deletes devices that nobody signed in on for long. */
export async function deleteExpiredDevices(query: Query, now: number): Promise<void> {
  await query.deleteFrom('known_devices').where('expires_at', '<=', now).execute();
}
