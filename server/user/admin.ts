import type { Role } from '#contract/values/user.ts';
import { checkNickname, checkRealName, firstNickname } from '#rules/user/nickname.ts';
import { checkPassword } from '#rules/user/password.ts';
import { readPhone } from '#rules/user/phone.ts';
import { type Db, isDuplicate } from '#server/db/open.ts';
import { forgetDevices } from './device-store.ts';
import { forgetSecret } from './identity-secret.ts';
import { deleteIdentity, forgetAllIdentities } from './identity-store.ts';
import { hashPassword } from './password-hash.ts';
import { endAllSessions } from './session-store.ts';
import { addUser, changeUser, findUser, findUserByPhone } from './store.ts';

/** What the operator's command line may be told. */
export type AdminAnswer =
  | { ok: true; userId: number }
  | { ok: false; why: 'phoneWrong' | 'phoneTaken' | 'nicknameWrong' | 'nicknameStaff' | 'passwordWeak' | 'notFound' };

interface NewAccount {
  phone: string;
  role: Role;
  nickname?: string | undefined;
  userName?: string | undefined;
  /** Left out: the person signs in by SMS code. */
  password?: string | undefined;
}

/** Creates a student or a teacher. `phoneTaken`: the number has an account already, which stays as it is. */
export async function createAccount(db: Db, account: NewAccount, now: number): Promise<AdminAnswer> {
  const read = readPhone(account.phone);
  if (!read.ok) return read;
  const nickname = checkNickname(account.nickname ?? firstNickname(read.phone), account.role);
  if (!nickname.ok) return nickname;
  const realName = checkRealName(account.userName ?? '');
  if (!realName.ok) return realName;
  const hashed = account.password === undefined ? null : await hashNew(account.password);
  if (hashed !== null && !hashed.ok) return hashed;
  const added = await addUser(
    db.query,
    {
      phone: read.phone,
      role: account.role,
      nickname: nickname.name,
      user_name: realName.name,
      password_hash: hashed?.hash ?? null,
    },
    now,
  );
  if (!added) return { ok: false, why: 'phoneTaken' };
  return found(db, read.phone);
}

/** Sets a person's password and ends all their sessions: for people who lost both password and phone. */
export async function setPassword(db: Db, phone: string, password: string): Promise<AdminAnswer> {
  const answer = await findByTyped(db, phone);
  if (!answer.ok) return answer;
  const hashed = await hashNew(password);
  if (!hashed.ok) return hashed;
  await db.changePeople(async (trx) => {
    await changeUser(trx, answer.userId, { password_hash: hashed.hash });
    await endAllSessions(trx, answer.userId);
    await forgetDevices(trx, answer.userId, null);
  });
  return answer;
}

/** Switches an account off, which ends its sessions at once, or on again. Nothing the person did is deleted. */
export async function setDisabled(db: Db, phone: string, disabled: boolean): Promise<AdminAnswer> {
  const answer = await findByTyped(db, phone);
  if (!answer.ok) return answer;
  await db.changePeople(async (trx) => {
    await changeUser(trx, answer.userId, { disabled: disabled ? 1 : 0 });
    if (!disabled) return;
    await endAllSessions(trx, answer.userId);
    await forgetDevices(trx, answer.userId, null);
  });
  return answer;
}

/** Makes a student a teacher or the other way round. Takes effect with the next request. */
export async function setRole(db: Db, phone: string, role: Role): Promise<AdminAnswer> {
  const answer = await findByTyped(db, phone);
  if (answer.ok) await db.changePeople((trx) => changeUser(trx, answer.userId, { role }));
  return answer;
}

/**
 * Gives an account another number, and ends its sessions: for somebody who lost theirs, or whose number was released because another
 * person came with it. `notFound`: no such account, or one that was closed.
 */
export async function setPhone(db: Db, userId: number, phone: string, now: number): Promise<AdminAnswer> {
  const read = readPhone(phone);
  if (!read.ok) return read;
  const user = await findUser(db.query, userId);
  if (!user || user.phone.startsWith('gone:')) return { ok: false, why: 'notFound' };
  try {
    await db.changePeople(async (trx) => {
      // The school has looked at who it is: nobody asks them for a password that they may have forgotten with the old phone.
      await changeUser(trx, userId, { phone: read.phone, phone_proven_at: now });
      await endAllSessions(trx, userId);
      await forgetDevices(trx, userId, null);
    });
  } catch (error) {
    if (isDuplicate(error)) return { ok: false, why: 'phoneTaken' };
    throw error;
  }
  return { ok: true, userId };
}

/** Takes real name and identity number from an account that gave wrong ones. `notFound`: it gave none. */
export async function forgetIdentity(db: Db, phone: string): Promise<AdminAnswer> {
  const answer = await findByTyped(db, phone);
  if (!answer.ok) return answer;
  const known = await db.changePeople(async (trx) => {
    if (!(await deleteIdentity(trx, answer.userId))) return false;
    await changeUser(trx, answer.userId, { user_name: '' });
    return true;
  });
  return known ? answer : { ok: false, why: 'notFound' };
}

/** Gives up all identity numbers, because what sealed them is lost. @returns how many */
export async function forgetIdentities(db: Db): Promise<number> {
  return db.changePeople(async (trx) => {
    const count = await forgetAllIdentities(trx);
    await forgetSecret(trx);
    return count;
  });
}

async function hashNew(password: string): Promise<{ ok: true; hash: string } | { ok: false; why: 'passwordWeak' }> {
  const checked = checkPassword(password);
  return checked.ok ? { ok: true, hash: await hashPassword(password) } : checked;
}

async function findByTyped(db: Db, phone: string): Promise<AdminAnswer> {
  const read = readPhone(phone);
  return read.ok ? found(db, read.phone) : read;
}

async function found(db: Db, phone: string): Promise<AdminAnswer> {
  const user = await findUserByPhone(db.query, phone);
  return user ? { ok: true, userId: user.id } : { ok: false, why: 'notFound' };
}
