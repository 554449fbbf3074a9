import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { Announce, ListAnnouncements } from '#contract/notice.ts';
import { announcementState, checkAnnouncement } from '#rules/notice/announcement.ts';
import { listPacks } from '#server/course/pack-store.ts';
import { readPackNames } from '#server/course/store.ts';
import type { Query } from '#server/db/open.ts';
import type { Parts } from '#server/parts.ts';
import { readPeople } from '#server/user/store.ts';
import {
  addAnnouncement,
  countReaders,
  findAnnouncement,
  readAnnouncements,
  type StoredAnnouncement,
  withdrawAnnouncement,
} from './announcement-store.ts';

type Announcement = DataOf<typeof Announce>;

/**
 * Announces something, checked by the rules. Nothing is written for those who are told: they ask (unread.ts), so that whoever comes to
 * a pack later is told too, and what is withdrawn is gone for all.
 * @param by the teacher; null: a command
 */
export async function announce(
  { db, random }: Pick<Parts, 'db' | 'random'>,
  asked: InputOf<typeof Announce>,
  { by, now }: { by: number | null; now: number },
): Promise<{ ok: true; announcement: StoredAnnouncement } | { ok: false; why: Why; field: string }> {
  const checked = checkAnnouncement(asked, now);
  if (!checked.ok) return checked;
  const { name, content, fromAt, untilAt } = checked;
  const { packId = null, clientId = null } = asked;
  if (packId !== null && !(await readPackNames(db.query, [packId])).has(packId))
    return { ok: false, why: 'notFound', field: 'packId' };
  const id = random(6).readUIntBE(0, 6) + 1;
  const announcement = await db.transaction(
    (trx) =>
      addAnnouncement(trx, {
        ...{ id, name, content, pack_id: packId, from_at: fromAt, until_at: untilAt },
        ...{ user_id: by, client_id: clientId, created_at: now, withdrawn_at: null, withdrawn_by: null },
      }),
    // The same number again is the same row, or meets the press's own name.
    { idempotent: () => clientId !== null },
  );
  return { ok: true, announcement };
}

/** Announcements as teachers see them. */
async function shown(query: Query, rows: readonly StoredAnnouncement[], now: number): Promise<Announcement[]> {
  const packs = await readPackNames(
    query,
    rows.flatMap(({ pack_id }) => pack_id ?? []),
  );
  const people = await readPeople(
    query,
    rows.flatMap(({ user_id, withdrawn_by }) => [user_id ?? [], withdrawn_by ?? []].flat()),
  );
  const readers = await countReaders(
    query,
    rows.map(({ id }) => id),
  );
  const nameOf = (id: number | null) => (id === null ? '' : (people.get(id)?.nickname ?? ''));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    content: row.content,
    packId: row.pack_id,
    packName: packs.get(row.pack_id ?? 0) ?? '',
    fromAt: row.from_at,
    untilAt: row.until_at,
    createdAt: row.created_at,
    userName: nameOf(row.user_id),
    state: announcementState({ fromAt: row.from_at, untilAt: row.until_at, withdrawnAt: row.withdrawn_at }, now),
    withdrawnAt: row.withdrawn_at,
    withdrawnBy: nameOf(row.withdrawn_by),
    readers: readers.get(row.id) ?? 0,
  }));
}

/** One announcement as teachers see it; null: there is none. */
export async function readAnnouncement(query: Query, id: number, now: number): Promise<Announcement | null> {
  const row = await findAnnouncement(query, id);
  return row ? ((await shown(query, [row], now))[0] ?? null) : null;
}

/** A page of what was announced, with the packs whose students can be told something. */
export async function listAnnouncements(
  query: Query,
  { pageNum, pageSize, now }: { pageNum: number; pageSize: number; now: number },
): Promise<DataOf<typeof ListAnnouncements>> {
  const bounds = { limit: pageSize, offset: (pageNum - 1) * pageSize };
  const { announcements, total } = await readAnnouncements(query, bounds);
  return {
    list: await shown(query, announcements, now),
    total,
    pages: Math.ceil(total / pageSize),
    pageNum,
    packs: await listPacks(query),
  };
}

/** Takes an announcement back; null: there is none. */
export async function withdraw(
  query: Query,
  id: number,
  { by, now }: { by: number | null; now: number },
): Promise<Announcement | null> {
  return (await withdrawAnnouncement(query, { id, by, now })) ? readAnnouncement(query, id, now) : null;
}
