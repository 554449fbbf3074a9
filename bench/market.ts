import { sql } from 'kysely';
import { startServer } from '#server/test-process.ts';
import { makeSchool, median, report } from './measure.ts';

/**
 * Home, the market and the page of a pack in a school of 2,000 packs (100 questions, 20 lessons, 5 papers each, as many enrolments and
 * orders as a million), asked one after the other for all that each screen asks. The figure is the slowest call's 99th percentile, and
 * beside it its median as a multiple of a call that reads nothing of packs.
 */
const PACKS = 2000;
const QUESTIONS = 100;
const LESSONS = 20;
const ORDERS = Number(process.env.MARKET_ORDERS ?? 1_000_000);
const PEOPLE = 20_000;
const TURNS = 100;

const school = await makeSchool({ students: 40, questions: 10 });
const { db, pack, students } = school;
const [student] = students;
if (!student) throw new Error('the school has no students');
const now = Date.now();
const begun = performance.now();
/** As text: SQLite divides what is bound as fractions. */
const whole = (number: number) => sql.lit(number);
await sql`pragma synchronous = off`.execute(db.query);
await sql`pragma foreign_keys = off`.execute(db.query);

const subjects = ['高等数学', '会计实务', '经济法基础', '考研英语', '行政能力', '教育综合', '护理学', '建筑工程'];
const styles = ['精讲班', '冲刺班', '题海班', '零基础班', '押题班', '周末班', '案例班', '串讲班', '真题班', '系统班'];
const description = `<p>${'本课程按章节组织，每章配练习与整卷，逐题讲清思路与误区。'.repeat(60)}</p>`;
for (let big = 0; big < 8; big += 1) {
  await sql`insert into pack_categories (id, parent_id, name, position) values (${big + 1}, 0, ${`大类${big}`}, ${big})`.execute(
    db.query,
  );
  for (let little = 0; little < 6; little += 1)
    await sql`insert into pack_categories (id, parent_id, name, position) values (${100 + big * 6 + little}, ${big + 1}, ${`小类${big}${little}`}, ${little})`.execute(
      db.query,
    );
}
const first = pack.packId + 1;
for (let at = 0; at < PACKS; at += 1)
  await db.query
    .insertInto('packs')
    .values({
      ...{
        id: first + at,
        slug: `bench-${at}`,
        name: `${subjects[at % 8]}${styles[at % 10]}第${at}期`,
        summary: '摘要'.repeat(20),
      },
      ...{ description, exam_date: at % 3 ? '2099-12-19' : null, enrol: 'open', unlock: 'free', position: at + 10 },
      ...{ price: at % 4 ? 9900 + at : null, category_id: 100 + (at % 48), listed_at: now - at * 1000 },
    })
    .execute();
await sql`
  with recursive t(j) as (select 0 union all select j + 1 from t where j < 2)
  insert into pack_teachers (pack_id, position, name, title, words)
  select id, j, '老师' || (id * 3 + j) % 500, '主讲', '讲得慢，写得清楚。' from packs, t where id >= ${whole(first)}`.execute(
  db.query,
);
await sql`insert into courses (id, pack_id, slug, name, position)
  select id + 1000000, id, 'course', '课程', 1 from packs where id >= ${whole(first)}`.execute(db.query);
await sql`
  with recursive c(j) as (select 0 union all select j + 1 from c where j < 9)
  insert into chapters (id, pack_id, course_id, parent_id, slug, name, level, position)
  select id * 10 + j + 1000000, id, id + 1000000, null, 'chapter-' || j, '第' || j || '章', 1, j from packs, c where id >= ${whole(first)}`.execute(
  db.query,
);
const copies = async (
  table: 'questions' | 'lessons' | 'exams',
  count: number,
  set: Record<string, string>,
  from?: string,
) => {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db.query);
  const columns = rows.map(({ name }) => name).filter((name) => name !== 'id');
  const values = columns.map((name) => set[name] ?? `of_one."${name}"`);
  await sql
    .raw(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})
       insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')})
       select ${values.join(', ')} from packs, n, (select * from ${table} ${from ?? ''} limit 1) as of_one where packs.id >= ${first}`,
    )
    .execute(db.query);
};
await copies('questions', QUESTIONS, {
  pack_id: 'packs.id',
  chapter_id: 'packs.id * 10 + i % 10 + 1000000',
  slug: "'q-' || i",
  position: 'i',
});
await copies('exams', 5, { pack_id: 'packs.id', slug: "'exam-' || i", kind: "'mock'" });
const { makeLesson } = await import('#server/play/lesson.test-kit.ts');
await makeLesson({ db, time: { now } } as Parameters<typeof makeLesson>[0], pack);
await copies('lessons', LESSONS, {
  pack_id: 'packs.id',
  course_id: 'packs.id + 1000000',
  chapter_id: 'packs.id * 10 + i % 10 + 1000000',
  slug: "'lesson-' || i",
  position: 'i',
  trial: 'case when i = 0 then 1 else 0 end',
});
await sql`
  with recursive n(i) as (select 1 union all select i + 1 from n where i <= ${whole(PEOPLE)})
  insert into users (id, phone, nickname, created_at) select 5000000 + i, '1' || (5000000000 + i), '学员', ${whole(now)} from n`.execute(
  db.query,
);
await sql`
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${whole(ORDERS)})
  insert into orders (id, order_no, user_id, pack_id, request_id, title, price, discount, total, state, access, seat, created_at, expires_at, paid_at)
  select 9000000 + i, 'L' || (9000000 + i), 5000001 + i % ${whole(PEOPLE)}, ${whole(first)} + (i / ${whole(PEOPLE)} * 37 + i) % ${whole(PACKS)}, 'request-' || i, '课程', 9900, 0, 9900,
    'paid', 1, 1, ${whole(now)} - i, ${whole(now)} - i + 1800000, ${whole(now)} - i from n`.execute(db.query);
await sql`insert or ignore into enrolments (user_id, pack_id, created_at, by_order)
  select user_id, pack_id, created_at, 1 from orders`.execute(db.query);
await sql`analyze`.execute(db.query);
process.stderr.write(`written in ${Math.round((performance.now() - begun) / 1000)} s\n`);

const typed = (text: string) => encodeURIComponent(text);
const calls: readonly [name: string, path: string][] = [
  ['banner', '/api/test/banner'],
  ['categories', '/app/test/list_category'],
  ['newest', '/api/common/newest'],
  ['exam days', '/app/common/test'],
  ['list', '/api/common/course_list'],
  ['list, of a category by price', '/api/common/course_list?categoryId=3&sort=cheap'],
  ['list, read on', '/api/common/course_list?afterPlace=1500_1500'],
  ['list, with lessons and papers', '/api/common/course_list?hasLessons=1&hasExams=1'],
  ['search', `/api/common/course_list?keyword=${typed('会计冲刺')}`],
  ['search, pinyin', '/api/common/course_list?keyword=kuaiji'],
  ['suggest', '/api/common/course_suggest?keyword=gdsx'],
  ['pack', `/api/common/course_details?packId=${first + 1000}`],
  ['catalogue', `/app/course/chapters?packId=${first + 1000}`],
  ['comments', `/api/common/pack_comment?packId=${first + 1000}`],
  ['file names', `/api/common/course_file_names?packId=${first + 1000}`],
];
const server = await startServer({ dataDir: school.dataDir });
const ask = async (path: string, turn: number) => {
  const asked = performance.now();
  const reply = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${students[turn % students.length]?.token}` },
  });
  const body = await reply.text();
  const took = performance.now() - asked;
  if (reply.status !== 200) throw new Error(`${path}: ${body.slice(0, 200)}`);
  return took;
};
const slow: string[] = [];
let worst = { name: '', p99: 0, median: 0 };
try {
  const control: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) control.push(await ask('/app/common/ad', turn));
  for (const [name, path] of calls) {
    for (let turn = 0; turn < 5; turn += 1) await ask(path, turn);
    const took: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) took.push(await ask(path, turn));
    const p99 = took.toSorted((a, b) => a - b)[Math.ceil(TURNS * 0.99) - 1] ?? 0;
    slow.push(`${name} ${median(took).toFixed(1)}/${p99.toFixed(1)}`);
    if (p99 > worst.p99) worst = { name, p99, median: median(took) };
  }
  report({
    name: 'market_p99',
    value: worst.p99,
    unit: 'ms',
    detail: `${worst.name}, median ${(worst.median / median(control)).toFixed(1)}× an empty call; median/p99 ms: ${slow.join(', ')}`,
  });
} finally {
  await server.stop();
  await school.close();
}
