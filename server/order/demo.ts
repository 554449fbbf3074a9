import { randomBytes } from 'node:crypto';
import type { Db } from '#server/db/open.ts';
import { findUserByPhone } from '#server/user/store.ts';
import { makeCouponKind } from './coupon-kind.ts';
import { findCoupon } from './coupon-store.ts';
import { addKeeper } from './desk-store.ts';

/** The demo teacher of every demo installation (server/user/demo-accounts.ts). */
const TEACHER = '13900000001';
const COUPON = 'demo';

/**
 * What buying needs in a demonstration: its teacher keeps the orders, and the code LIXUE20 gives everybody a coupon. Called at a
 * start with DEMO only, and harmless to repeat.
 */
export async function prepareDemoOrders(db: Db, now: number): Promise<void> {
  const teacher = await findUserByPhone(db.query, TEACHER);
  if (teacher?.demo === 1 && teacher.role === 'teacher') await addKeeper(db.query, teacher.id, now);
  if (await findCoupon(db.query, COUPON)) return;
  const terms = { name: '新学员立减 20 元', kind: 'amount' as const, off: 2000, threshold: 5000, until: '2099-12-31' };
  await makeCouponKind({ db, random: randomBytes }, { slug: COUPON, ...terms, code: 'LIXUE20', perPerson: 3 }, now);
}
