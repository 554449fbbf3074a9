import { demoStudent } from '#rules/user/demo.ts';
import { firstNickname } from '#rules/user/nickname.ts';
import type { Db } from '#server/db/open.ts';
import { hashPassword } from './password-hash.ts';
import { addUser, findUserByPhone, type User } from './store.ts';

/** The password of every demo account (architecture §3). */
export const DEMO_PASSWORD = demoStudent.password;

const accounts = [
  { phone: demoStudent.phone, role: 'student', nickname: '小砺', user_name: '李小砺' },
  { phone: '13800000002', role: 'student', nickname: firstNickname('13800000002'), user_name: '' },
  { phone: '13900000001', role: 'teacher', nickname: '王老师', user_name: '王学明' },
] as const;

/**
 * Makes the demo accounts that are not there yet; called at a start with DEMO only, and harmless to repeat. An account of
 * the same phone that a real person has is left as it is.
 */
export async function createDemoAccounts(db: Db, now: number): Promise<void> {
  for (const account of accounts) {
    // Looked up first: hashing a password takes its time, and a later start should not wait for it.
    if (await findUserByPhone(db.query, account.phone)) continue;
    await addUser(db.query, { ...account, password_hash: await hashPassword(DEMO_PASSWORD), demo: 1 }, now);
  }
}

/** The demo's people that are there: an account of the same phone that a real person has is none. */
async function demoPeople(db: Db): Promise<User[]> {
  const people: User[] = [];
  for (const { phone } of accounts) {
    const user = await findUserByPhone(db.query, phone);
    if (user?.demo === 1) people.push(user);
  }
  return people;
}

/** Every one of them. */
export const demoPeopleIds = async (db: Db): Promise<number[]> => (await demoPeople(db)).map(({ id }) => id);

/** The students among them. */
export const demoStudentIds = async (db: Db): Promise<number[]> =>
  (await demoPeople(db)).filter(({ role }) => role === 'student').map(({ id }) => id);
