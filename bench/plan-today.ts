import { sql } from 'kysely';
import { makeExam } from '#server/exam/paper.test-kit.ts';
import { startServer } from '#server/test-process.ts';
import { makeSchool, median, report } from './measure.ts';

/**
 * The call behind a student's home page in a pack of 20,000 questions in 300 chapters with 600 lessons: the first look of a day, which lays
 * the days out up to an exam in 120 days, and later ones, which only tick. Each student has answered half of the questions, three of ten wrong.
 */
const QUESTIONS = 20_000;
const CHAPTERS = 300;
const STUDENTS = 12;
const PER_RECORD = 50;
const TURNS = 60;
const DAY = 86_400_000;

/** As text: SQLite divides what is bound as fractions. */
const whole = (number: number) => sql.lit(number);

const school = await makeSchool({ students: STUDENTS, questions: QUESTIONS });
const { db, pack, examId, questionIds, students } = school;
const now = Date.now();
const first = questionIds[0] ?? 0;
const examDate = new Date(now + 120 * DAY).toISOString().slice(0, 10);
await sql`pragma synchronous = off`.execute(db.query);
await db.query.updateTable('packs').set({ exam_date: examDate }).where('id', '=', pack.packId).execute();
await sql`
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${whole(CHAPTERS)})
  insert into chapters (pack_id, course_id, parent_id, slug, name, level, position)
  select ${whole(pack.packId)}, ${whole(pack.courseId)}, null, 'bench-' || i, '第' || i || '章', 1, i from n`.execute(
  db.query,
);
const { chapter } = await db.query
  .selectFrom('chapters')
  .select(({ fn }) => fn.max<number>('id').as('chapter'))
  .executeTakeFirstOrThrow();
await sql`update questions set chapter_id = ${whole(chapter)} - id % ${whole(CHAPTERS)}`.execute(db.query);
await sql`
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${whole(2 * CHAPTERS)})
  insert into lessons (pack_id, course_id, chapter_id, slug, name, level, position, kind, media_id, duration)
  select ${whole(pack.packId)}, ${whole(pack.courseId)}, ${whole(chapter)} - i % ${whole(CHAPTERS)}, 'bench-' || i, '课' || i, 2, i, 'video', i, 60 + i
  from n`.execute(db.query);
const from = students[0]?.userId ?? 0;
const records = QUESTIONS / 2 / PER_RECORD;
await sql`
  with recursive n(i) as (select 0 union all select i + 1 from n where i < ${whole(STUDENTS * records - 1)})
  insert into exam_records (user_id, exam_id, pack_id, started_at, ends_at, submitted_at, closed, window_id, attempt, score, right_count, wrong_count, layout, graded)
  select ${whole(from)} + i / ${whole(records)}, ${whole(examId)}, ${whole(pack.packId)}, ${whole(now)} - 9 * ${whole(DAY)}, null,
    ${whole(now)} - 9 * ${whole(DAY)} + i % ${whole(records)}, 'submitted', null, i % ${whole(records)} + 1, 70, 35, 15, null, '{}' from n`.execute(
  db.query,
);
await sql`
  with recursive k(j) as (select 0 union all select j + 1 from k where j < ${whole(PER_RECORD - 1)})
  insert into exam_answers (record_id, question_id, answer, seq, saved_at, total_time)
  select id, ${whole(first)} + (attempt - 1) * ${whole(PER_RECORD)} + j, 'B', 1, submitted_at, j * 30 from exam_records, k`.execute(
  db.query,
);
await sql`
  insert into wrong_questions (user_id, question_id, pack_id, exam_id, state, times_wrong, right_streak, guessed, first_at, last_at)
  select users.id, questions.id, ${whole(pack.packId)}, ${whole(examId)}, 'in', 1, 0, 0, ${whole(now)} - 9 * ${whole(DAY)}, ${whole(now)} - 9 * ${whole(DAY)}
  from users, questions where questions.id < ${whole(first)} + ${whole(QUESTIONS / 2)} and (questions.id - ${whole(first)}) % 10 < 3`.execute(
  db.query,
);
// As a pack that is brought in has it: every question stands in a practice.
await makeExam(school, pack, { kind: 'chapter', questionIds });
await sql`analyze`.execute(db.query);

const server = await startServer({ dataDir: school.dataDir });
async function look(token: string, path = '/app/plan/today'): Promise<number> {
  const began = performance.now();
  const reply = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(text.slice(0, 200));
  return performance.now() - began;
}
const firsts: number[] = [];
for (const { token } of students) firsts.push(await look(token));
const later: number[] = [];
for (let turn = 0; turn < TURNS; turn += 1) later.push(await look(students[turn % STUDENTS]?.token ?? ''));
// The control: what the same students wait for a list that costs next to nothing.
const control: number[] = [];
for (let turn = 0; turn < TURNS; turn += 1)
  control.push(await look(students[turn % STUDENTS]?.token ?? '', '/api/user/course_list'));
await server.stop();
await school.close();
const worst = (took: readonly number[]) => Math.max(...took);
report({
  name: 'plan_first_look',
  value: median(firsts),
  unit: 'ms',
  detail: `median of ${STUDENTS} students with ${QUESTIONS / 2} of ${QUESTIONS} questions answered, slowest ${worst(firsts).toFixed(0)}`,
});
report({
  name: 'plan_later_look',
  value: median(later),
  unit: 'ms',
  detail: `median of ${TURNS} looks at a plan that is laid out, slowest ${worst(later).toFixed(0)}; own packs beside it ${median(control).toFixed(1)} ms`,
});
