import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { UserInfo } from '#contract/user.ts';
import type { Role } from '#contract/values/user.ts';
import { maskPhone, readPhone } from '#rules/user/phone.ts';
import { inLists } from '#server/db/batches.ts';
import type { PeopleTrx, Query } from '#server/db/open.ts';

/** A person as sign-in needs them. */
export interface User {
  id: number;
  phone: string;
  password_hash: string | null;
  user_name: string;
  nickname: string;
  avatar_url: string;
  role: Role;
  demo: number;
  disabled: number;
  created_at: number;
  last_used_at: number;
  phone_proven_at: number | null;
  closes_at: number | null;
}

const columns = [
  'id',
  'phone',
  'password_hash',
  'user_name',
  'nickname',
  'avatar_url',
  'role',
  'demo',
  'disabled',
  'created_at',
  'last_used_at',
  'phone_proven_at',
  'closes_at',
] as const;

/** The person with this id. */
export async function findUser(query: Query, id: number): Promise<User | undefined> {
  return query.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst();
}

/** What others may know of people, by id: nickname and picture; the masked phone is for teachers, '' of whom has none (any more). */
export async function readPeople(
  query: Query,
  ids: readonly number[],
): Promise<Map<number, { nickname: string; avatarUrl: string; validPhoneExt: string }>> {
  const people = new Map<number, { nickname: string; avatarUrl: string; validPhoneExt: string }>();
  for (const some of inLists([...new Set(ids)])) {
    const rows = await query
      .selectFrom('users')
      .select(['id', 'phone', 'nickname', 'avatar_url'])
      .where('id', 'in', some)
      .execute();
    for (const { id, phone, nickname, avatar_url } of rows) {
      const { ok } = readPhone(phone);
      people.set(id, { nickname, avatarUrl: avatar_url, validPhoneExt: ok ? maskPhone(phone) : '' });
    }
  }
  return people;
}

/** Which of these addresses are somebody's avatar. */
export async function readAvatarUrls(query: Query, urls: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of inLists(urls)) {
    const rows = await query
      .selectFrom('users')
      .select('avatar_url')
      .distinct()
      .where('avatar_url', 'in', some)
      .execute();
    for (const { avatar_url } of rows) found.add(avatar_url);
  }
  return found;
}

/** The person with this phone, written as 11 digits. */
export async function findUserByPhone(query: Query, phone: string): Promise<User | undefined> {
  return query.selectFrom('users').select(columns).where('phone', '=', phone).executeTakeFirst();
}

interface NewUser {
  phone: string;
  nickname: string;
  role?: Role;
  user_name?: string;
  password_hash?: string | null;
  demo?: number;
}

/**
 * Adds a person; a phone that is already there is left as it is, so two logins of a new number at once make one student.
 * @returns whether this call added the person
 */
export async function addUser(query: Query, user: NewUser, now: number): Promise<boolean> {
  const added = await query
    .insertInto('users')
    .values({ ...user, created_at: now })
    .onConflict((conflict) => conflict.column('phone').doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** Changes a person. Throws a duplicate error (`isDuplicate`) when the new phone belongs to someone else. */
export async function changeUser(
  trx: PeopleTrx,
  id: number,
  change: Partial<
    Pick<
      User,
      | 'phone'
      | 'nickname'
      | 'user_name'
      | 'avatar_url'
      | 'password_hash'
      | 'role'
      | 'disabled'
      | 'closes_at'
      | 'phone_proven_at'
    >
  >,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await trx.updateTable('users').set(change).where('id', '=', id).execute();
}

/** A person as they may see themself: the phone masked, nothing of the password but whether there is one. */
export function userInfoOf(user: User): Static<typeof UserInfo> {
  return {
    studentId: user.id,
    userName: user.user_name,
    nickname: user.nickname,
    avatarUrlExt: user.avatar_url,
    validPhoneExt: maskPhone(user.phone),
    role: user.role,
    hasPassword: user.password_hash === null ? 0 : 1,
    closesAt: user.closes_at,
  };
}

/** Every account of a teacher, whoever can sign in: a school has few. What they try out is none of its students' results. */
export async function readTeacherIds(query: Query): Promise<Set<number>> {
  const rows = await query.selectFrom('users').select('id').where(sql<boolean>`role = 'teacher'`).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Every teacher who can sign in, by nickname. */
export async function listTeachers(query: Query): Promise<{ id: number; nickname: string }[]> {
  return query
    .selectFrom('users')
    .select(['id', 'nickname'])
    .where('role', '=', 'teacher')
    .where('disabled', '=', 0)
    .orderBy('nickname')
    .orderBy('id')
    .execute();
}

/** Whether an account was closed: its row is there, and nobody's. */
export async function isGone(query: Query, id: number): Promise<boolean> {
  const row = await query.selectFrom('users').select('gone_at').where('id', '=', id).executeTakeFirst();
  return (row?.gone_at ?? null) !== null;
}

/** Whether an account has lost its number to somebody who has it now (`releasePhone`). */
export const isReleased = ({ phone }: Pick<User, 'phone'>): boolean => phone.startsWith('released:');

/** Takes a number from an account, which keeps all else: somebody else has the number now. @returns whether it still had it */
export async function releasePhone(trx: PeopleTrx, id: number, phone: string): Promise<boolean> {
  const released = await trx
    .updateTable('users')
    .set({ phone: `released:${id}`, phone_proven_at: null })
    .where('id', '=', id)
    .where('phone', '=', phone)
    .executeTakeFirst();
  return released.numUpdatedRows > 0n;
}

/** Holds a person's row until the transaction ends, so that two of their calls go one after the other. */
export async function lockUser(trx: PeopleTrx, id: number): Promise<void> {
  await trx
    .updateTable('users')
    .set(({ ref }) => ({ id: ref('id') }))
    .where('id', '=', id)
    .execute();
}

/** How many other teachers can sign in and stay. Their rows are held until the transaction ends, so that two cannot leave at once. */
export async function lockOtherTeachers(trx: PeopleTrx, id: number): Promise<number> {
  const teachers = await trx
    .updateTable('users')
    .set(({ ref }) => ({ id: ref('id') }))
    .where('role', '=', 'teacher')
    .where('disabled', '=', 0)
    .where('closes_at', 'is', null)
    .returning('id')
    .execute();
  return teachers.filter((teacher) => teacher.id !== id).length;
}

/** The accounts whose time to think the closing over is past, some of them, from where the ones before ended. */
export async function readAccountsToClose(
  query: Query,
  now: number,
  { after, limit }: { after: { closesAt: number; id: number }; limit: number },
): Promise<{ id: number; closesAt: number }[]> {
  const rows = await query
    .selectFrom('users')
    .select(['id', 'closes_at as closesAt'])
    .where('closes_at', '<=', now)
    .where((is) =>
      is.or([
        is('closes_at', '>', after.closesAt),
        is.and([is('closes_at', '=', after.closesAt), is('id', '>', after.id)]),
      ]),
    )
    .orderBy('closes_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, closesAt }) => ({ id, closesAt: closesAt ?? 0 }));
}

/** Takes what names a person out of their row, if their closing is due and was not taken back. @returns whether it was */
export async function emptyUser(trx: PeopleTrx, id: number, nickname: string, now: number): Promise<boolean> {
  const emptied = await trx
    .updateTable('users')
    .set({
      ...{ phone: `gone:${id}`, password_hash: null, user_name: '', nickname, avatar_url: '', disabled: 1 },
      ...{ closes_at: null, gone_at: now },
    })
    .where('id', '=', id)
    .where('closes_at', '<=', now)
    .executeTakeFirst();
  return emptied.numUpdatedRows > 0n;
}

/** Writes down that somebody is here. @param byCode a code that was sent to their number brought them */
export async function noteUserSeen(
  trx: PeopleTrx,
  id: number,
  now: number,
  { byCode = false }: { byCode?: boolean } = {},
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ last_used_at: now, ...(byCode && { phone_proven_at: now }) })
    .where('id', '=', id)
    .execute();
}
