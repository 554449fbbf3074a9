import { sql } from 'kysely';
import { startServer } from '#server/test-process.ts';
import { makeSchool, median, report, type School } from './measure.ts';

/**
 * Figures of a student who has answered 20,000 questions, three of ten wrong, in a database of 5 million answers: the page of
 * statistics, and the result of a record with rank, medians and next steps. Each call is asked for by itself, one after the other; the
 * figure is the slowest call's 99th percentile. The control is the same student alone in the database: what a call costs must not
 * grow with the table. And what the same figures cost without counters, added up from the student's records and answers.
 */
const QUESTIONS = 20_000;
const PER_RECORD = 50;
const RECORDS = QUESTIONS / PER_RECORD;
const PAPERS = 20;
const CHAPTERS = 300;
const TURNS = 100;
/** Students like this one: each call is asked for as one of them, since one person may ask 120 times a minute. */
const HEAVY = 3;
const DAY = 86_400_000;

/** As text: SQLite divides what is bound as fractions. */
const whole = (number: number) => sql.lit(number);

interface Figures {
  /** Milliseconds of each turn, ascending, by call. */
  calls: Map<string, number[]>;
  answers: number;
  /** Milliseconds of adding up without counters. */
  adding: number;
}

/** Fills a school with so many students who have all answered all questions, by the database itself. */
async function fill({ db, pack, examId, questionIds, students }: School, among: number): Promise<void> {
  const now = Date.now();
  const [first, from] = [questionIds[0] ?? 0, students[0]?.userId ?? 0];
  if ((questionIds.at(-1) ?? 0) - first !== QUESTIONS - 1) throw new Error('ids of questions have gaps');
  await sql`pragma synchronous = off`.execute(db.query);
  // Papers of fifty questions, and chapters as a large pack has them.
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
  await sql`update questions set chapter_id = ${whole(chapter)} - id % ${whole(CHAPTERS)}, difficulty = id % 5 + 1`.execute(
    db.query,
  );
  await sql`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${whole(RECORDS)})
    insert into exams (pack_id, course_id, chapter_id, slug, kind, name, year, exam_time, test_type, partial, shuffle_questions, shuffle_options,
      pass_score, total_question, total_score, sections, position)
    select ${whole(pack.packId)}, ${whole(pack.courseId)}, ${whole(chapter)} - i % ${whole(CHAPTERS)}, 'bench-' || i,
      case when i <= ${whole(PAPERS)} then 'mock' else 'chapter' end, '卷' || i, null, null, 0, null, 0, 0, null, ${whole(PER_RECORD)}, 100, '[]', i from n`.execute(
    db.query,
  );
  const base = sql`(select max(id) from exams) - ${whole(RECORDS)} + 1`;
  const { exam } = (await sql<{ exam: number }>`select ${base} as exam`.execute(db.query)).rows[0] ?? { exam: examId };
  await sql`
    insert into exam_questions (exam_id, question_id, position, score)
    select ${whole(exam)} + (id - ${whole(first)}) / ${whole(PER_RECORD)}, id, id, 2 from questions`.execute(db.query);
  await sql`
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${whole(among * RECORDS - 1)})
    insert into exam_records (user_id, exam_id, pack_id, started_at, ends_at, submitted_at, closed, window_id, attempt, score, right_count, wrong_count,
      layout, graded, counted)
    select ${whole(from)} + i / ${whole(RECORDS)}, ${whole(exam)} + i % ${whole(RECORDS)}, ${whole(pack.packId)},
      ${whole(now)} - (i % ${whole(RECORDS)} + 1) * 10800000, null, ${whole(now)} - (i % ${whole(RECORDS)} + 1) * 10800000 + 3000000, 'submitted', null, 1,
      70 - i % 7, 35, 15, null,
      (with recursive q(k) as (select 0 union all select k + 1 from q where k < ${whole(PER_RECORD - 1)})
       select json_group_object(${whole(first)} + (i % ${whole(RECORDS)}) * ${whole(PER_RECORD)} + k,
         json(case when k % 10 < 3 then '[2,0,null]' else '[1,2,null]' end)) from q),
      (with recursive q(k) as (select 0 union all select k + 1 from q where k < ${whole(PER_RECORD - 1)})
       select json_group_object(${whole(first)} + (i % ${whole(RECORDS)}) * ${whole(PER_RECORD)} + k, json_array(20 + k, 1)) from q)
    from n`.execute(db.query);
  await sql`
    with recursive k(j) as (select 0 union all select j + 1 from k where j < ${whole(PER_RECORD - 1)})
    insert into exam_answers (record_id, question_id, answer, seq, saved_at, total_time)
    select id, ${whole(first)} + (exam_id - ${whole(exam)}) * ${whole(PER_RECORD)} + j, 'B', 1, submitted_at, j * 30 from exam_records, k`.execute(
    db.query,
  );
  // Counters as grading writes them.
  await sql`
    insert into study_counts (user_id, pack_id, chapter_id, question_types_id, difficulty, done, right_count, seconds, points, lost)
    select users.id, ${whole(pack.packId)}, chapter_id, question_types_id, difficulty, count(*), count(*) * 7 / 10, count(*) * 45, count(*) * 200, count(*) * 60
    from users, questions group by users.id, chapter_id, question_types_id, difficulty`.execute(db.query);
  await sql`
    insert into study_days (user_id, pack_id, day, answered, seconds)
    select user_id, pack_id, (submitted_at + 28800000) / ${whole(DAY)}, 50 * count(*), 2200 * count(*) from exam_records
    group by user_id, pack_id, (submitted_at + 28800000) / ${whole(DAY)}`.execute(db.query);
  await sql`
    with recursive b(k) as (select 4 union all select k + 1 from b where k < 15)
    insert into question_times (question_id, bucket, taken) select id, k, ${whole(among)} / 12 + 1 from questions, b`.execute(
    db.query,
  );
  await sql`
    insert into wrong_questions (user_id, question_id, pack_id, exam_id, state, times_wrong, right_streak, guessed, first_at, last_at)
    select users.id, questions.id, ${whole(pack.packId)}, ${whole(exam)} + (questions.id - ${whole(first)}) / ${whole(PER_RECORD)}, 'in', 1, 0, 0, ${whole(now)} - 9 * ${whole(DAY)}, ${whole(now)} - questions.id * 1000
    from users, questions where (questions.id - ${whole(first)}) % 10 < 3`.execute(db.query);
  await sql`analyze`.execute(db.query);
}

async function measure(among: number): Promise<Figures> {
  const school = await makeSchool({ students: Math.max(among, HEAVY), questions: QUESTIONS });
  await fill(school, among);
  const { db, pack, students } = school;
  const own = await db.query
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .select(['exam_records.id', 'exam_records.user_id'])
    .where('exams.kind', '=', 'mock')
    .where('exam_records.user_id', '<', (students[0]?.userId ?? 0) + HEAVY)
    .orderBy('exam_records.id')
    .execute();
  const server = await startServer({ dataDir: school.dataDir });
  const calls = new Map<string, number[]>();
  const asks = {
    statistics: () => `/api/exam/statistics?packId=${pack.packId}`,
    result_tip: (userId: number) => `/app/exam/result_tip?recordId=${own.find((row) => row.user_id === userId)?.id}`,
  };
  for (const [at, [name, path]] of Object.entries(asks).entries()) {
    const { userId, token } = students[at % Math.min(among, HEAVY)] ?? { userId: 0, token: '' };
    const took: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const began = performance.now();
      const reply = await fetch(`http://127.0.0.1:${server.port}${path(userId)}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const text = await reply.text();
      took.push(performance.now() - began);
      if (reply.status !== 200) throw new Error(`${name}: ${text.slice(0, 200)}`);
    }
    calls.set(
      name,
      took.sort((a, b) => a - b),
    );
  }
  await server.stop();
  const began = performance.now();
  await sql`
    select questions.chapter_id, question_types_id, difficulty, count(*), sum(json_extract(graded, '$."' || question_id || '"[0]') = 1)
    from exam_records join exam_answers on record_id = exam_records.id join questions on questions.id = question_id
    where user_id = ${students[0]?.userId ?? 0} group by 1, 2, 3`.execute(db.query);
  const adding = performance.now() - began;
  const { answers } = await db.query
    .selectFrom('exam_answers')
    .select(({ fn }) => fn.countAll<number>().as('answers'))
    .executeTakeFirstOrThrow();
  await school.close();
  return { calls, answers, adding };
}

const alone = await measure(HEAVY);
const all = await measure(250);
const p99 = (took: readonly number[]) => took[Math.ceil(TURNS * 0.99) - 1] ?? 0;
const of = (figures: Figures) =>
  [...figures.calls]
    .map(([name, took]) => `${name} ${p99(took).toFixed(1)} (median ${median(took).toFixed(1)})`)
    .join(' · ');
report({
  name: 'statistics_p99',
  value: Math.max(...[...all.calls.values()].map(p99)),
  unit: 'ms',
  detail: `${QUESTIONS} answers of one student among ${all.answers}: ${of(all)}; added up without counters ${all.adding.toFixed(0)} ms`,
});
report({
  name: 'statistics_of_table',
  value: Math.max(...[...all.calls].map(([name, took]) => median(took) / median(alone.calls.get(name) ?? [1]))),
  unit: 'times',
  detail: `among ${alone.answers} answers: ${of(alone)}`,
});
