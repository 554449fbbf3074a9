import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { addKeeper } from '#server/order/desk-store.ts';
import { startServer } from '#server/test-process.ts';
import { createSession } from '#server/user/session.ts';
import { makeSchool, median, report } from './measure.ts';

/**
 * Lists of orders of a school with a million of them: a student's own, and the school's, by what it is narrowed to. The figure is the
 * slowest call's 99th percentile; the issue asks for 30 ms.
 */
/** `ORDERS` for a machine that has less time. */
const ORDERS = Number(process.env.ORDERS ?? 1_000_000);
const TURNS = 60;
const STUDENTS = 1000;
const BUYERS = 200_000;
const TEACHERS = 12;

const school = await makeSchool({ students: STUDENTS, questions: 10 });
const { db, pack, students } = school;
const now = Date.now();
const begun = performance.now();
/** As text: SQLite divides what is bound as fractions. */
const whole = (number: number) => sql.lit(number);
const [first] = students;
if (!first) throw new Error('the school has no students');

await sql`pragma synchronous = off`.execute(db.query);
await sql`pragma foreign_keys = off`.execute(db.query);
const teachers: string[] = [];
// Each call is asked for by a session of its own, and no person asks for one more often than one may.
for (let at = 0; at < TEACHERS; at += 1) {
  const { id } = await db.query
    .insertInto('users')
    .values({
      phone: String(14_900_000_001 + at),
      password_hash: null,
      nickname: '老师',
      role: 'teacher',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addKeeper(db.query, id, now);
  teachers.push((await createSession(db.query, randomBytes, id, now)).token);
}
// Nine of ten were paid, one student has some hundred; what waits for the school is some hundred of each kind.
await sql`
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${whole(ORDERS)})
  insert into orders (id, order_no, user_id, pack_id, request_id, title, price, discount, total, user_coupon_id, state, access, seat,
    payment_id, created_at, expires_at, paid_at, closed_at)
  select i, '20261120' || printf('%016x', i), case when i % 10000 = 0 then ${whole(first.userId)} else ${whole(first.userId)} + i % ${whole(BUYERS)} end,
    ${whole(pack.packId)}, 'bench-' || i, '考研数学', 19900, 0, 19900, null, case when i % 10 = 0 then 'closed' else 'paid' end,
    case when i % 10 = 0 then 0 else 1 end, 0, case when i % 10 = 0 then null else i end,
    ${whole(now - ORDERS * 1000)} + i * 1000, ${whole(now - ORDERS * 1000)} + i * 1000 + 1800000, ${whole(now - ORDERS * 1000)} + i * 1000, null
  from n`.execute(db.query);
await sql`
  insert into payments (id, order_id, out_trade_no, channel, amount, state, paid, provider_no, created_at, expires_at, paid_at)
  select id, id, printf('%032x', id), 'wechat', total, 'paid', total, '4200' || id, created_at, expires_at, paid_at
  from orders where state = 'paid'`.execute(db.query);
await sql`
  insert into refund_asks (id, order_id, user_id, reason, state, refund_id, created_at, answered_at)
  select id, id, user_id, '不想学了', 'waiting', null, created_at, null from orders where id % 5003 = 1 and state = 'paid'`.execute(
  db.query,
);
await sql`analyze`.execute(db.query);
process.stderr.write(`written in ${Math.round((performance.now() - begun) / 1000)} s\n`);

const middle = ORDERS / 2 + 1;
const day = new Date(now - (ORDERS / 2) * 1000).toISOString().slice(0, 10);
const calls: readonly [name: string, path: string, byTeacher?: true][] = [
  ['own', '/api/order/list'],
  ['own, of a state', '/api/order/list?state=paid'],
  ['school', '/api/order/desk_list', true],
  ['school, page 400', '/api/order/desk_list?pageNum=400&pageSize=20', true],
  ['school, closed', '/api/order/desk_list?state=closed', true],
  ['school, open', '/api/order/desk_list?state=open', true],
  ['school, a day', `/api/order/desk_list?from=${day}&until=${day}`, true],
  ['school, waiting refunds', '/api/order/desk_list?waits=refund', true],
  ['school, by number', `/api/order/desk_list?keyword=20261120${middle.toString(16).padStart(16, '0')}`, true],
  ['school, by payment', `/api/order/desk_list?keyword=${middle.toString(16).padStart(32, '0')}`, true],
  ['school, by provider', `/api/order/desk_list?keyword=4200${middle}`, true],
  ['details', `/api/order/desk_details?orderId=${middle}`, true],
];
const server = await startServer({ dataDir: school.dataDir });
const ask = async (path: string, token: string) => {
  const asked = performance.now();
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { code, msg } = (await answer.json()) as { code: number; msg: string };
  if (code !== 200) throw new Error(`${path} answered ${code} ${msg}`);
  return performance.now() - asked;
};
const measure = async (path: string, byTeacher = false) => {
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1)
    times.push(await ask(path, byTeacher ? (teachers[turn % TEACHERS] ?? '') : (students[turn % 20]?.token ?? '')));
  times.sort((one, other) => one - other);
  return { p99: times[Math.floor(TURNS * 0.99) - 1] ?? 0, median: median(times) };
};
await measure('/api/order/list');
let slowest = { name: '', p99: 0 };
for (const [name, path, byTeacher] of calls) {
  const { p99, median: half } = await measure(path, byTeacher);
  process.stderr.write(`${name}: median ${half.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`);
  if (p99 > slowest.p99) slowest = { name, p99 };
}
report({ name: 'orders_p99', value: slowest.p99, unit: 'ms', detail: `${slowest.name}; ${ORDERS} orders` });
await server.stop();
await school.close();
