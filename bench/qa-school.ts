import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { termsOf } from '#rules/qa/terms.ts';
import type { Query } from '#server/db/open.ts';
import { createSession } from '#server/user/session.ts';
import { makeSchool, type School } from './measure.ts';

const STUDENTS = 1000;
/** As many different texts; a multiple of everything that varies in them. */
const TEXTS = 7000;
const TEACHERS = 20;

/** A school with questions and answers, and who is signed in there. */
interface QaSchool extends School {
  /** Sessions of teachers. */
  teachers: string[];
}

const subjects = ['极限', '定积分', '会计分录', '增值税', '矩阵', '概率', '虚拟语气', '函数', '级数', '微分'];
const asks = ['怎么求', '为什么这样', '的条件是什么', '老师讲错了吗', '与书上不同', '能举例吗', '如何记住'];
const questionOf = (n: number) => `${subjects[n % 10]}${asks[n % 7]}第${n % 997}题${n % 89 === 0 ? '洛必达' : ''}`;
const answerOf = (n: number) => `见${subjects[n % 10]}例${n % 50}${n % 97 === 0 ? '，用夹逼准则' : ''}`;

/**
 * A school with so many questions in one pack, three entries under each (an answer and two comments), one in ten waiting, and every one
 * findable by its words and its answer's. Rows are made by the database itself, in the order of their tables, so that a million
 * takes minutes.
 */
export async function makeQaSchool(questions: number, databaseUrl?: string): Promise<QaSchool> {
  const school = await makeSchool({ students: STUDENTS, questions: 100, databaseUrl });
  const { db, pack, students } = school;
  const { packId, courseId } = pack;
  const [first] = students;
  if (!first) throw new Error('the school has no students');
  const now = Date.now();
  const teachers: string[] = [];
  let teacherId = 0;
  for (let at = 0; at < TEACHERS; at += 1) {
    const phone = String(14_900_000_000 + at);
    const { id } = await db.query
      .insertInto('users')
      .values({ phone, password_hash: null, nickname: '老师', role: 'teacher', created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    teacherId = id;
    teachers.push((await createSession(db.query, randomBytes, id, now)).token);
  }
  /** As text: SQLite divides what is bound as fractions. */
  const whole = (number: number) => sql.lit(number);
  const fill = async (query: Query) => {
    const run = (text: string) => sql.raw(text).execute(query);
    if (db.kind === 'sqlite') {
      await run('pragma synchronous = off');
      await run('pragma foreign_keys = off');
    } else {
      // Foreign keys of these rows would be looked up one by one: they are sound by how they are made.
      for (const table of ['qa_entries', 'qa_threads']) {
        const { rows } = await sql<{
          conname: string;
        }>`select conname from pg_constraint where contype = 'f' and conrelid = ${table}::regclass`.execute(query);
        for (const { conname } of rows) await run(`alter table ${table} drop constraint ${conname}`);
      }
    }
    await run('create table bench_texts (n integer primary key, text text not null, answer text not null)');
    for (let from = 0; from < TEXTS; from += 500)
      await sql`insert into bench_texts (n, text, answer) values ${sql.join(
        Array.from(
          { length: 500 },
          (_, at) => sql`(${whole(from + at)}, ${questionOf(from + at)}, ${answerOf(from + at)})`,
        ),
      )}`.execute(query);
    await run(`create table bench_numbers (i bigint primary key)`);
    await run(
      `insert into bench_numbers with recursive n(i) as (select 0 union all select i + 1 from n where i < ${questions}) select i from n`,
    );
    const writer = `${first.userId} + i % ${STUDENTS}`;
    const asked = `${now - questions * 1000} + i * 1000`;
    await run(`insert into qa_entries (id, kind, user_id, feedback_desc, created_at)
      select i, 'question', ${writer}, text, ${asked} from bench_numbers, bench_texts where i > 0 and n = i % ${TEXTS} order by i`);
    await run(`insert into qa_threads (id, user_id, pack_id, course_id, feedback_type, state, waiting, due_at, listed, comment_count, created_at, answered_by)
      select i, ${writer}, ${packId}, ${courseId}, case when i % 20 = 0 then 32 else 41 end, case when i % 10 = 0 then 0 else 1 end,
        case when i % 10 = 0 then 1 else 0 end, ${asked}, case when i % 20 = 0 then 0 else 1 end, 2, ${asked},
        case when i % 10 = 0 then null else ${teacherId} end
      from bench_numbers where i > 0 order by i`);
    const replies: readonly [kind: string, by: string, text: string, of: string][] = [
      ['answer', String(teacherId), 'answer', 'i % 10 > 0'],
      ['comment', writer, 'answer', 'i % 10 = 0'],
      ['comment', writer, 'text', 'i > 0'],
      ['comment', `${first.userId} + (i + 7) % ${STUDENTS}`, 'text', 'i > 0'],
    ];
    let from = questions;
    for (const [kind, by, text, of] of replies) {
      await run(`insert into qa_entries (id, thread_id, parent_id, kind, user_id, feedback_desc, state, created_at)
        select ${from} + i, i, i, '${kind}', ${by}, ${text}, 1, ${asked} + 1 from bench_numbers, bench_texts where i > 0 and ${of} and n = i % ${TEXTS} order by i`);
      // The first two share their numbers: a question has an answer or one comment more.
      if (kind !== 'answer') from += questions;
    }
    if (db.kind === 'postgres')
      await run(`select setval(pg_get_serial_sequence('qa_entries', 'id'), ${4 * questions + 1})`);
    const textsOf = new Map<number, number[]>();
    for (let n = 0; n < TEXTS; n += 1)
      for (const term of new Set([...termsOf(questionOf(n)), ...(n % 10 > 0 ? termsOf(answerOf(n)) : [])]))
        textsOf.set(term, [...(textsOf.get(term) ?? []), n]);
    await run('create table bench_terms (term bigint, n integer, primary key (term, n))');
    for (const [term, ns] of textsOf)
      await sql`insert into bench_terms (term, n) values ${sql.join(ns.map((n) => sql`(${whole(term)}, ${whole(n)})`))}`.execute(
        query,
      );
    for (const term of [...textsOf.keys()].sort((one, other) => one - other))
      await run(`insert into qa_terms (pack_id, term, thread_id)
        select ${packId}, ${term}, i * ${TEXTS} + n from bench_numbers cross join bench_terms
        where term = ${term} and i <= ${Math.floor(questions / TEXTS)} and i * ${TEXTS} + n between 1 and ${questions} order by i, n`);
    for (const table of ['bench_terms', 'bench_texts', 'bench_numbers']) await run(`drop table ${table}`);
    await run('analyze');
  };
  // One connection: what is set stays with it.
  if (db.kind === 'sqlite') await db.query.connection().execute(fill);
  else await db.transaction(fill, { long: true });
  return { ...school, teachers };
}
