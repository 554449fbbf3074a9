import { sql } from 'kysely';
import { makeExam } from '#server/exam/paper.test-kit.ts';
import { startServer } from '#server/test-process.ts';
import { makeSchool, report } from './measure.ts';

/**
 * Lists and reviews of students who have answered 20,000 questions, in a database of 5 million answers; two of five were wrong. Each
 * call is asked for by itself, one after the other, by another student each time; the figure is the slowest call's 99th percentile.
 * The same while a scored exam of a hundred questions is open, whose questions and knowledge points are withheld; of students who
 * got all 20,000 wrong, the worst that can be; and of students with 100 wrong questions: what grows with the student.
 */
const QUESTIONS = 20_000;
const STUDENTS = 250;
const PER_RECORD = 50;
const TURNS = 200;
/** Students with all wrong, with an exam open, and with few wrong. One person may ask 120 times a minute. */
const GROUP = 5;
const OPEN_QUESTIONS = 100;
const DAY = 86_400_000;

const school = await makeSchool({ students: STUDENTS + GROUP, questions: QUESTIONS });
const { db, pack, examId, questionIds, students } = school;
const now = Date.now();
const first = questionIds[0] ?? 0;
const [heavy, light] = [students[0], students[STUDENTS]];
if (!heavy || !light || questionIds.length !== QUESTIONS) throw new Error('the school is not whole');
if ((questionIds.at(-1) ?? 0) - first !== QUESTIONS - 1) throw new Error('ids of questions have gaps');
const [from, records] = [heavy.userId, QUESTIONS / PER_RECORD];

/** As text: SQLite divides what is bound as fractions. */
const whole = (number: number) => sql.lit(number);

// As a school of some years would have it, written by the database itself: millions of rows one by one would take an hour. They count as counted:
// else the server counts them all, as after an update from a version without statistics, while it is measured.
await sql`pragma synchronous = off`.execute(db.query);
await sql`
  with recursive n(i) as (select 0 union all select i + 1 from n where i < ${whole(STUDENTS * records - 1)})
  insert into exam_records (user_id, exam_id, pack_id, started_at, ends_at, submitted_at, closed, window_id, attempt, score, layout, graded, counted)
  select ${whole(from)} + i / ${whole(records)}, ${whole(examId)}, ${whole(pack.packId)}, ${whole(now)} - (i % ${whole(records)} + 1) * 3600000, null,
    ${whole(now)} - (i % ${whole(records)} + 1) * 3600000 + 60000, 'submitted', null, i % ${whole(records)} + 1, 0, null,
    (with recursive q(k) as (select 0 union all select k + 1 from q where k < ${whole(PER_RECORD - 1)})
     select json_group_object(${whole(first)} + (i % ${whole(records)}) * ${whole(PER_RECORD)} + k, json('[2,0,null]')) from q), '{}'
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
  where users.id < ${whole(from + GROUP)} or (users.id >= ${whole(light.userId)} and questions.id < ${whole(first)} + 100)
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
await sql`update questions set knowledge_point = 'P' || (id / 20)`.execute(db.query);
const openExam = await makeExam({ db }, pack, {
  questionIds: questionIds.slice(200, 200 + OPEN_QUESTIONS),
  minutes: 120,
});
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
const ask = async (path: string, token: string): Promise<number> => {
  const began = performance.now();
  const reply = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await reply.text();
  const took = performance.now() - began;
  if (reply.status !== 200) throw new Error(`${path}: ${text.slice(0, 200)}`);
  return took;
};

const tokensOf = (some: readonly { token: string }[]) => some.map(({ token }) => token);
const sitting = tokensOf(students.slice(GROUP, 2 * GROUP));
const groups = {
  usual: tokensOf(students.slice(2 * GROUP, STUDENTS)),
  sitting,
  all: tokensOf(students.slice(0, GROUP)),
  few: tokensOf(students.slice(STUDENTS)),
};
/** Milliseconds of one of the calls, ascending, by the students of a group in turn. */
async function times(path: string, tokens: readonly string[], turns = TURNS): Promise<number[]> {
  const took: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) took.push(await ask(path, tokens[turn % tokens.length] ?? ''));
  return took.sort((a, b) => a - b);
}

/** Of lists and of reviews, the slowest 99th percentile; and all of them in words. */
async function measure(tokens: readonly string[]): Promise<{ lists: number; reviews: number; detail: string }> {
  const found = { lists: 0, reviews: 0 };
  const lines: string[] = [];
  for (const [name, path] of calls) {
    const took = await times(path, tokens);
    const p99 = took[Math.ceil(TURNS * 0.99) - 1] ?? 0;
    const which = name.startsWith('daily') ? 'reviews' : 'lists';
    found[which] = Math.max(found[which], p99);
    lines.push(`${name} ${p99.toFixed(0)} (median ${(took[TURNS / 2] ?? 0).toFixed(1)})`);
  }
  return { ...found, detail: lines.join(' · ') };
}

const said = {
  usual: `20,000 answered, two of five wrong, among ${answers} answers`,
  sitting: `the same while an exam of ${OPEN_QUESTIONS} questions is open`,
  all: 'all 20,000 wrong',
  few: '100 wrong',
};
try {
  for (const token of sitting) await ask(`/app/exam/test_start?examId=${openExam}&windowId=window-bench`, token);
  // A server that has just begun compiles what it runs: that is not what a student waits for.
  for (const [, path] of calls) await times(path, groups.few, 20);
  for (const name of ['usual', 'sitting', 'all', 'few'] as const) {
    const { lists, reviews, detail } = await measure(groups[name]);
    const suffix = name === 'usual' ? '' : `_${name}`;
    report({ name: `wrong_list${suffix}_p99`, value: lists, unit: 'ms', detail: `${said[name]}: ${detail}` });
    report({ name: `daily_review${suffix}_p99`, value: reviews, unit: 'ms', detail: 'as above' });
  }
} finally {
  await server.stop();
  await school.close();
}
