import { sql } from 'kysely';
import { startServer } from '#server/test-process.ts';
import { makeSchool, report } from './measure.ts';

/**
 * Lists and reviews of a student who has answered 20,000 questions and got all of them wrong, in a database of 5 million
 * answers. Each call is asked for by itself, one after the other; the figure is the slowest call's 99th percentile. The same
 * calls of a student with 100 wrong questions say what grows with the student.
 */
const QUESTIONS = 20_000;
const STUDENTS = 250;
const PER_RECORD = 50;
/** Of each other student's answers, the share that is wrong: two of five. */
const TURNS = 100;
/** Students with all wrong: each call is asked for as one of them, since one person may ask 120 times a minute. */
const HEAVY = 3;
const DAY = 86_400_000;

const school = await makeSchool({ students: STUDENTS + HEAVY, questions: QUESTIONS });
const { db, pack, examId, questionIds, students } = school;
const now = Date.now();
const first = questionIds[0] ?? 0;
const [heavy, light] = [students[0], students[STUDENTS]];
if (!heavy || !light || questionIds.length !== QUESTIONS) throw new Error('the school is not whole');
if ((questionIds.at(-1) ?? 0) - first !== QUESTIONS - 1) throw new Error('ids of questions have gaps');
const [from, records] = [heavy.userId, QUESTIONS / PER_RECORD];

/** As text: SQLite divides what is bound as fractions. */
const whole = (number: number) => sql.lit(number);

// As a school of some years would have it, written by the database itself: millions of rows one by one would take an hour.
await sql`pragma synchronous = off`.execute(db.query);
await sql`
  with recursive n(i) as (select 0 union all select i + 1 from n where i < ${whole(STUDENTS * records - 1)})
  insert into exam_records (user_id, exam_id, pack_id, started_at, ends_at, submitted_at, closed, window_id, attempt, score, layout, graded)
  select ${whole(from)} + i / ${whole(records)}, ${whole(examId)}, ${whole(pack.packId)}, ${whole(now)} - (i % ${whole(records)} + 1) * 3600000, null,
    ${whole(now)} - (i % ${whole(records)} + 1) * 3600000 + 60000, 'submitted', null, i % ${whole(records)} + 1, 0, null,
    (with recursive q(k) as (select 0 union all select k + 1 from q where k < ${whole(PER_RECORD - 1)})
     select json_group_object(${whole(first)} + (i % ${whole(records)}) * ${whole(PER_RECORD)} + k, json('[2,0,null]')) from q)
  from n`.execute(db.query);
await sql`
  with recursive k(j) as (select 0 union all select j + 1 from k where j < ${whole(PER_RECORD - 1)})
  insert into exam_answers (record_id, question_id, answer, seq, saved_at)
  select id, ${whole(first)} + (attempt - 1) * ${whole(PER_RECORD)} + j, 'B', 1, submitted_at from exam_records, k`.execute(
  db.query,
);
await sql`
  insert into wrong_questions (user_id, question_id, pack_id, exam_id, state, times_wrong, right_streak, guessed, first_at, last_at)
  select users.id, questions.id, ${whole(pack.packId)}, ${whole(examId)},
    case when questions.id % 10 = 0 then 'left' else 'in' end, questions.id % 4 + 1, 0, 0, ${whole(now)} - 9 * ${whole(DAY)}, ${whole(now)} - questions.id * 1000
  from users, questions
  where users.id < ${whole(from + HEAVY)} or (users.id >= ${whole(light.userId)} and questions.id < ${whole(first)} + 100)
    or (users.id between ${whole(from)} + 1 and ${whole(from + STUDENTS - 1)} and questions.id % 5 < 2)`.execute(
  db.query,
);
await sql`
  insert into review_cards (user_id, question_id, due, stability, difficulty, reps, lapses, last_review_at, foretold)
  select user_id, question_id, ${whole(now)} - question_id % 20 * ${whole(DAY)}, 1 + question_id % 30, 5, question_id % 5, 0, ${whole(now)} - 30 * ${whole(DAY)}, 1
  from wrong_questions where question_id % 2 = 0`.execute(db.query);
await sql`
  insert into collected_questions (user_id, question_id, pack_id, note, collected_at)
  select user_id, question_id, pack_id, '', last_at from wrong_questions where question_id % 4 = 0`.execute(db.query);
await sql`analyze`.execute(db.query);
const { answers } = await db.query
  .selectFrom('exam_answers')
  .select(({ fn }) => fn.countAll<number>().as('answers'))
  .executeTakeFirstOrThrow();

const { packId, chapterIds } = pack;
const calls: readonly [name: string, path: string][] = [
  ['error', `/api/exam/error?packId=${packId}`],
  ['error, by times', `/api/exam/error?packId=${packId}&order=timesWrong`],
  ['error, by type, page 100', `/api/exam/error?packId=${packId}&questionTypesId=2&pageNum=100`],
  ['error_list', `/app/question/error_list?packId=${packId}&chapterId=${chapterIds[0]}`],
  ['error_index', `/app/exam/error_index?packId=${packId}`],
  ['error_opt', `/api/exam/error_opt?packId=${packId}`],
  ['error_type', `/api/exam/error_type?packId=${packId}`],
  ['error_pack_list', '/app/question/error_pack_list'],
  ['question_history', `/app/exam/question_history?questionId=${first + 7}`],
  ['collection', `/app/exam/collection?packId=${packId}`],
  ['daily_review', `/app/exam/daily_review?packId=${packId}`],
  ['daily_reviews', '/app/exam/daily_reviews'],
];

const server = await startServer({ dataDir: school.dataDir });
/** Milliseconds of each of the calls, one after the other, for one student. */
async function times(path: string, token: string): Promise<number[]> {
  const took: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const began = performance.now();
    const reply = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await reply.text();
    took.push(performance.now() - began);
    if (reply.status !== 200) throw new Error(`${path}: ${text.slice(0, 200)}`);
  }
  return took.sort((a, b) => a - b);
}
const slowest = { all: 0, lists: 0 };
const lines: string[] = [];
for (const [at, [name, path]] of calls.entries()) {
  const [much, little] = [
    await times(path, students[at % HEAVY]?.token ?? ''),
    await times(path, students[STUDENTS + (at % HEAVY)]?.token ?? ''),
  ];
  const p99 = much[Math.ceil(TURNS * 0.99) - 1] ?? 0;
  if (name.startsWith('daily')) slowest.all = Math.max(slowest.all, p99);
  else slowest.lists = Math.max(slowest.lists, p99);
  const middle = (sorted: readonly number[]) => (sorted[TURNS / 2] ?? 0).toFixed(1);
  lines.push(`${name} ${p99.toFixed(0)} (median ${middle(much)}, with 100 wrong ${middle(little)})`);
}
await server.stop();
await school.close();
const detail = `${QUESTIONS} wrong questions of one student among ${answers} answers: ${lines.join(' · ')}`;
report({ name: 'wrong_list_p99', value: slowest.lists, unit: 'ms', detail });
report({ name: 'daily_review_p99', value: slowest.all, unit: 'ms', detail: 'as above' });
