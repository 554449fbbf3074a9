import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { LiveCatalog, LiveRoom, SaveLive } from '#contract/live.ts';
import { ENDED, OTHER_PLATFORM, REPLAY, THIS_SITE } from '#contract/values/live.ts';
import { chinaTime } from '#rules/clock/china-day.ts';
import { mayOpen } from '#rules/course/access.ts';
import { addressesNow, checkLive, mayBook } from '#rules/live/lesson.ts';
import { isEnrolled, readEnrolledOf } from '#server/course/enrolment-store.ts';
import { findStudiedPack, listPacks, readFreePacks } from '#server/course/pack-store.ts';
import { packsOpenTo, readPackNames } from '#server/course/store.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { SignedIn } from '#server/http/answer.ts';
import { type Notice, saveNotices } from '#server/notice/store.ts';
import type { Parts } from '#server/parts.ts';
import { listTeachers, readPeople } from '#server/user/store.ts';
import { calendarOf } from './calendar.ts';
import { readReplays, standingOf } from './room-state.ts';
import {
  addBooking,
  addLive,
  changeLive,
  claimBegun,
  countBookings,
  deleteBooking,
  findLive,
  lockLive,
  readBegun,
  readBooked,
  readBookers,
  readLives,
  readNextLives,
  type StoredLive,
} from './store.ts';
import { newStream } from './stream-names.ts';
import { addStream } from './stream-store.ts';

/** What the calls and the chore of live lessons need. */
export type LiveParts = Pick<Parts, 'db' | 'random'>;

type PlannedLive = DataOf<typeof LiveCatalog>['list'][number];
type LiveLesson = DataOf<typeof LiveRoom>;
type TaughtLive = DataOf<typeof SaveLive>;
type Paged = { pageNum: number; pageSize: number };
/** So many are shown to everybody as what comes next. */
const NEXT = 10;
/** So many of a pack are shown in its catalogue. */
const CATALOGUE = 200;

/** The beginning by China's clocks, as a sentence says it. */
const saidTime = (at: number) => chinaTime(at).slice(0, 16);

/** What everybody may know of these lessons, in their order. */
async function planned(
  query: Query,
  rows: readonly StoredLive[],
  now: number,
  replays?: ReadonlySet<number>,
): Promise<PlannedLive[]> {
  const hasReplay = replays ?? (await readReplays(query, rows));
  const packs = await readPackNames(
    query,
    rows.map(({ pack_id }) => pack_id),
  );
  const people = await readPeople(
    query,
    rows.map(({ teacher_id }) => teacher_id),
  );
  return rows.map((row) => ({
    id: row.id,
    packId: row.pack_id,
    packName: packs.get(row.pack_id) ?? '',
    title: row.title,
    state: standingOf(row, hasReplay.has(row.id), now).state,
    startDateExt: chinaTime(row.starts_at).slice(0, 10),
    startTime: row.starts_at,
    endTime: row.ends_at,
    teacherName: people.get(row.teacher_id)?.nickname ?? '',
    teacherAvatarUrl: people.get(row.teacher_id)?.avatarUrl ?? '',
  }));
}

/** These lessons as one person sees them: addresses only where they may enter, and while there is something to open. */
async function shownTo(
  query: Query,
  { userId, role }: Visitor,
  rows: readonly StoredLive[],
  now: number,
): Promise<LiveLesson[]> {
  const replays = await readReplays(query, rows);
  const known = await planned(query, rows, now, replays);
  const joined = new Set(await packsOpenTo(query, userId));
  const free = await readFreePacks(
    query,
    rows.map(({ pack_id }) => pack_id),
  );
  const booked = await readBooked(
    query,
    userId,
    rows.map(({ id }) => id),
  );
  return known.flatMap((lesson, at) => {
    const row = rows[at];
    if (!row) return [];
    const mayEnter = role === 'teacher' || joined.has(row.pack_id);
    const { stream } = standingOf(row, replays.has(row.id), now);
    const addresses = mayEnter
      ? addressesNow(
          { liveUrlPc: row.live_url_pc, liveUrlH5: row.live_url_h5, replayUrl: row.replay_url },
          lesson.state,
        )
      : { liveUrlPc: '', liveUrlH5: '' };
    return [
      {
        ...lesson,
        ...addresses,
        appointmentState: booked.has(lesson.id) ? 1 : 0,
        freeState: free.has(lesson.packId) ? 1 : 0,
        buyState: mayEnter ? 1 : 0,
        livePlatform: row.live_platform,
        roomId: row.live_platform === OTHER_PLATFORM ? 0 : lesson.id,
        connectState: stream === 'live' ? 1 : 0,
        streamState: stream,
        replayFileId: mayEnter && lesson.state === REPLAY ? (row.replay_media_id ?? 0) : 0,
      },
    ];
  });
}

const pageOf = <T>(list: T[], total: number, { pageNum, pageSize }: Paged) => ({
  list,
  total,
  pages: Math.ceil(total / pageSize),
  pageNum,
});

/** A page of the lessons of a pack on offer, or of all packs of somebody; null: there is no such pack. */
export async function listLives(
  { db: { query } }: LiveParts,
  visitor: Visitor,
  { packId, now, ...paged }: Paged & { packId?: number | undefined; now: number },
) {
  if (packId !== undefined && !(await findStudiedPack(query, packId))) return null;
  const packIds = packId === undefined ? await packsOpenTo(query, visitor.userId) : [packId];
  const bounds = { limit: paged.pageSize, offset: (paged.pageNum - 1) * paged.pageSize };
  const { lives, total } = await readLives(query, { packIds, withCancelled: false, now }, bounds);
  return pageOf(await shownTo(query, visitor, lives, now), total, paged);
}

/** What is live or comes next in all packs on offer. */
export async function listSchoolLives({ db: { query } }: LiveParts, now: number): Promise<PlannedLive[]> {
  const packIds = (await listPacks(query)).map(({ packId }) => packId);
  return planned(query, await readNextLives(query, { packIds, now, limit: NEXT }), now);
}

/** The lessons of a pack on offer, the first first; null: there is no such pack. */
export async function listLiveCatalog(
  { db: { query } }: LiveParts,
  packId: number,
  now: number,
): Promise<PlannedLive[] | null> {
  if (!(await findStudiedPack(query, packId))) return null;
  const filter = { packIds: [packId], withCancelled: false, now };
  const { lives } = await readLives(query, filter, { limit: CATALOGUE, offset: 0 });
  return planned(
    query,
    lives.toSorted((one, other) => one.starts_at - other.starts_at || one.id - other.id),
    now,
  );
}

type Found = { ok: true; lesson: LiveLesson } | { ok: false; why: Why };

/** Who asks to enter a lesson. */
export type Visitor = Pick<SignedIn, 'userId' | 'role'>;

/**
 * Whether somebody may enter a lesson: it is held, and they teach, or its pack is on offer and they have it (spec §6).
 * @param visitor null: somebody without a session, who hears of a lesson on offer alone that it is for those enrolled
 */
export async function mayEnter(
  query: Query,
  row: StoredLive | undefined,
  visitor: Visitor | null,
): Promise<ReturnType<typeof mayOpen>> {
  if (!row || row.cancelled_at !== null) return mayOpen(null);
  if (visitor?.role === 'teacher') return { ok: true };
  const onOffer = (await findStudiedPack(query, row.pack_id)) !== undefined;
  const enrolled = visitor !== null && (await isEnrolled(query, visitor.userId, row.pack_id));
  return mayOpen({ archived: !onOffer, enrolled });
}

async function shownOne(query: Query, visitor: Visitor, row: StoredLive, now: number): Promise<Found> {
  const [lesson] = await shownTo(query, visitor, [row], now);
  return lesson ? { ok: true, lesson } : { ok: false, why: 'notFound' };
}

/** One lesson for who may enter it. */
export async function findRoom(
  { db: { query } }: LiveParts,
  visitor: Visitor,
  liveId: number,
  now: number,
): Promise<Found> {
  const row = await findLive(query, liveId);
  const access = await mayEnter(query, row, visitor);
  if (!access.ok || !row) return access.ok ? { ok: false, why: 'notFound' } : access;
  return shownOne(query, visitor, row, now);
}

/** Books a lesson, or takes the booking back. */
export async function book(
  { db }: LiveParts,
  { visitor, liveId, booked, now }: { visitor: Visitor; liveId: number; booked: boolean; now: number },
): Promise<Found> {
  const { userId } = visitor;
  const refused = await db.transaction(
    async (trx): Promise<Why | null> => {
      const row = await lockLive(trx, liveId);
      const access = await mayEnter(trx, row, visitor);
      if (!access.ok || !row) return access.ok ? 'notFound' : access.why;
      if (!booked) await deleteBooking(trx, liveId, userId);
      else if (mayBook(standingOf(row, false, now).state)) await addBooking(trx, liveId, userId, now);
      else if (!(await readBooked(trx, userId, [liveId])).has(liveId)) return 'liveBegun';
      return null;
    },
    { idempotent: () => true },
  );
  if (refused !== null) return { ok: false, why: refused };
  return findRoom({ db } as LiveParts, visitor, liveId, now);
}

/** One lesson as a calendar file. @param site what the caller's browser calls this site */
export async function readCalendar(
  parts: LiveParts,
  { visitor, liveId, site, now }: { visitor: Visitor; liveId: number; site?: string | undefined; now: number },
): Promise<{ ok: true; fileName: string; text: string } | { ok: false; why: Why }> {
  const found = await findRoom(parts, visitor, liveId, now);
  if (!found.ok) return found;
  const { id, title, packName, startTime, endTime, state } = found.lesson;
  const url = site === undefined ? '' : `${site}/livePage/index.html?liveId=${id}&state=${state}`;
  const text = calendarOf({ id, title, packName, startTime, endTime, createdAt: now, url });
  return { ok: true, fileName: `${title}.ics`, text };
}

// ---- what teachers do ----

/** These lessons as teachers see them. */
async function taught(query: Query, rows: readonly StoredLive[], now: number): Promise<TaughtLive[]> {
  const known = await planned(query, rows, now);
  const bookings = await countBookings(
    query,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((row, at) => {
    const lesson = known[at];
    if (!lesson) return [];
    return [
      {
        ...lesson,
        teacherId: row.teacher_id,
        livePlatform: row.live_platform === OTHER_PLATFORM ? OTHER_PLATFORM : THIS_SITE,
        streamState: standingOf(row, false, now).stream,
        liveUrlPc: row.live_url_pc,
        liveUrlH5: row.live_url_h5,
        replayUrl: row.replay_url,
        bookings: bookings.get(row.id) ?? 0,
        cancelledAt: row.cancelled_at,
      },
    ];
  });
}

async function taughtOne(query: Query, id: number, now: number): Promise<TaughtLive | null> {
  const row = await findLive(query, id);
  return row ? ((await taught(query, [row], now))[0] ?? null) : null;
}

/** A page of all lessons, with the packs and teachers that one can have. */
export async function listTaughtLives({ db: { query } }: LiveParts, { now, ...paged }: Paged & { now: number }) {
  const bounds = { limit: paged.pageSize, offset: (paged.pageNum - 1) * paged.pageSize };
  const { lives, total } = await readLives(query, { withCancelled: true, now }, bounds);
  return {
    ...pageOf(await taught(query, lives, now), total, paged),
    packs: await listPacks(query),
    teachers: await listTeachers(query),
  };
}

type Saved = { ok: true; lesson: TaughtLive } | { ok: false; why: Why; field?: string };

/**
 * Plans a lesson or changes one, checked by the rules. Another beginning is told to who booked it, and they are told anew when it begins.
 * A lesson keeps its pack: who booked it has that one.
 */
export async function saveLive(
  { db, random }: LiveParts,
  asked: InputOf<typeof SaveLive>,
  { by, now }: { by: number; now: number },
): Promise<Saved> {
  const { id = null, packId, teacherId, clientId = null } = asked;
  const saved = await db.transaction(
    async (trx): Promise<{ ok: true; id: number } | { ok: false; why: Why; field?: string }> => {
      const row = id === null ? null : await lockLive(trx, id);
      if (row === undefined || (row && row.pack_id !== packId)) return { ok: false, why: 'notFound' };
      if (row && row.cancelled_at !== null) return { ok: false, why: 'liveCancelled' };
      const was = row && {
        ...{ startTime: row.starts_at, endTime: row.ends_at },
        ...{ startedAt: row.started_at, endedAt: row.ended_at },
      };
      // Where it is held stays: who booked it was told so.
      const livePlatform = row
        ? row.live_platform === OTHER_PLATFORM
          ? OTHER_PLATFORM
          : THIS_SITE
        : (asked.livePlatform ?? OTHER_PLATFORM);
      const checked = checkLive({ ...asked, livePlatform }, was, now);
      if (!checked.ok) return checked;
      if (!row && !(await listPacks(trx)).some((pack) => pack.packId === packId))
        return { ok: false, why: 'notFound', field: 'packId' };
      if (row?.teacher_id !== teacherId && !(await listTeachers(trx)).some((one) => one.id === teacherId))
        return { ok: false, why: 'notFound', field: 'teacherId' };
      const { title, startTime, endTime, liveUrlPc, liveUrlH5, replayUrl } = checked;
      const fields = {
        ...{ title, teacher_id: teacherId, starts_at: startTime, ends_at: endTime },
        ...{ live_url_pc: liveUrlPc, live_url_h5: liveUrlH5, replay_url: replayUrl },
      };
      if (!row) {
        const added = await addLive(trx, {
          ...{ ...fields, pack_id: packId, live_platform: livePlatform, told_at: null, cancelled_at: null },
          ...{ created_by: by, client_id: clientId, created_at: now },
        });
        if (added.live_platform !== OTHER_PLATFORM) await addStream(trx, newStream(random, added.id));
        return { ok: true, id: added.id };
      }
      const moved = startTime !== row.starts_at;
      await changeLive(trx, row.id, { ...fields, ...(moved ? { told_at: null } : {}) });
      if (moved && startTime > now)
        await tellBookers({ trx, random, now }, { ...row, title }, (liveId) => ({
          event: `liveMoved:${liveId}:${startTime}:${now}`,
          kind: 'liveMoved',
          words: { title, liveId, startTime: saidTime(startTime) },
        }));
      return { ok: true, id: row.id };
    },
    { idempotent: () => clientId !== null || id !== null },
  );
  if (!saved.ok) return saved;
  const lesson = await taughtOne(db.query, saved.id, now);
  return lesson ? { ok: true, lesson } : { ok: false, why: 'notFound' };
}

/** Calls off a lesson that is not over, and tells who booked it. */
export async function cancelLive({ db, random }: LiveParts, { id, now }: { id: number; now: number }): Promise<Saved> {
  const refused = await db.transaction(
    async (trx): Promise<Why | null> => {
      const row = await lockLive(trx, id);
      if (!row) return 'notFound';
      if (row.cancelled_at !== null) return null;
      const { state } = standingOf(row, false, now);
      if (state === ENDED || state === REPLAY) return 'liveOver';
      await changeLive(trx, id, { cancelled_at: now });
      await tellBookers({ trx, random, now }, row, (liveId) => ({
        event: `liveCancelled:${liveId}`,
        kind: 'liveCancelled',
        words: { title: row.title, liveId, startTime: saidTime(row.starts_at) },
      }));
      return null;
    },
    { idempotent: () => true },
  );
  if (refused !== null) return { ok: false, why: refused };
  const lesson = await taughtOne(db.query, id, now);
  return lesson ? { ok: true, lesson } : { ok: false, why: 'notFound' };
}

/** Tells who booked a lesson and still has its pack. */
async function tellBookers(
  { trx, random, now }: { trx: Trx; random: Parts['random']; now: number },
  row: StoredLive,
  worded: (liveId: number) => Omit<Notice, 'userId'>,
): Promise<void> {
  const enrolled = await readEnrolledOf(trx, row.pack_id, await readBookers(trx, row.id));
  const told = [...enrolled].map((userId) => ({ userId, ...worded(row.id) }));
  await saveNotices(trx, random, now, told);
}

/** Tells who booked a lesson that it begins: once for each beginning, by whichever process comes first. */
export async function tellOfBegun({ db, random }: LiveParts, now: number): Promise<void> {
  for (const row of await readBegun(db.query, now))
    await db.transaction(async (trx) => {
      if (!(await claimBegun(trx, row, now))) return;
      await tellBookers({ trx, random, now }, row, (liveId) => ({
        event: `liveStarts:${liveId}:${row.starts_at}`,
        kind: 'liveStarts',
        words: { title: row.title, liveId },
      }));
    });
}
