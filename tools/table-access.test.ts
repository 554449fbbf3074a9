import { describe, expect, it } from 'vitest';
import { tableFaults } from './table-access.ts';

const HEAD = `
import { sql, sql as text } from 'kysely';
import * as kysely from 'kysely';
import type { Db, PeopleTrx, Query, Trx } from '#server/db/open.ts';
import { Prepared } from '#server/db/prepared.ts';
declare const query: Query;
declare const db: Db;
`;
const EXAM = 'server/exam/fixture-store.ts';

/** What stands in a file, and everything that is wrong with it; nothing: it is permitted. */
const cases: readonly { form: string; file: string; code: string; faults: readonly string[] }[] = [
  {
    form: 'the own tables',
    file: EXAM,
    code: "query.selectFrom('exams').innerJoin('exam_questions', 'exam_questions.exam_id', 'exams.id').selectAll();",
    faults: [],
  },
  {
    form: 'a literal',
    file: EXAM,
    code: "query.selectFrom('packs').selectAll();",
    faults: ['reads packs, which belongs to course'],
  },
  {
    form: 'an alias',
    file: 'server/course/fixture-store.ts',
    code: "query.selectFrom('exam_records as r').select('r.id');",
    faults: ['reads exam_records, which belongs to exam'],
  },
  {
    form: 'a list',
    file: EXAM,
    code: "query.selectFrom(['exams', 'packs as p']).selectAll();",
    faults: ['reads packs, which belongs to course'],
  },
  {
    form: 'a join of each kind',
    file: EXAM,
    code: `query.selectFrom('exams').leftJoin('packs', 'packs.id', 'exams.pack_id')
      .rightJoin('courses', 'courses.id', 'exams.course_id').innerJoin('users as u', (join) => join.onTrue())
      .fullJoin('settings', (join) => join.onTrue()).crossJoin('exam_feedback').selectAll();`,
    faults: [
      'reads courses, which belongs to course',
      'reads exam_feedback, which belongs to feedback',
      'reads packs, which belongs to course',
      'reads settings, which belongs to db',
      'reads users, which belongs to user',
    ],
  },
  {
    form: 'an insert, also one from a query',
    file: 'server/user/fixture-store.ts',
    code: `query.insertInto('enrolments').columns(['user_id', 'pack_id', 'created_at'])
      .expression((from) => from.selectFrom('users').innerJoin('packs', (join) => join.onTrue())
      .select(['users.id as user_id', 'packs.id as pack_id', 'users.created_at']));`,
    faults: ['adds to enrolments, which belongs to course', 'reads packs, which belongs to course'],
  },
  {
    form: 'an upsert',
    file: EXAM,
    code: "query.insertInto('settings').values({ key: 'a', value: 'b' }).onConflict((on) => on.column('key').doUpdateSet({ value: 'c' }));",
    faults: ['changes settings, which belongs to db'],
  },
  {
    form: 'an update from another table, a delete using one',
    file: EXAM,
    code: `query.updateTable('exams').from('packs').set({ name: 'a' });
      query.deleteFrom('exams').using('courses').where('exams.id', '=', 1);`,
    faults: ['reads courses, which belongs to course', 'reads packs, which belongs to course'],
  },
  {
    form: 'an update, a delete, a replacement',
    file: EXAM,
    code: `query.updateTable('packs').set({ name: 'a' });
      query.deleteFrom('courses');
      query.replaceInto('settings').values({ key: 'a', value: 'b' });`,
    faults: [
      'changes courses, which belongs to course',
      'changes packs, which belongs to course',
      'changes settings, which belongs to db',
    ],
  },
  {
    form: 'a query inside a query',
    file: EXAM,
    code: "query.selectFrom('exams').select(({ selectFrom }) => selectFrom('packs').select('name').limit(1).as('pack'));",
    faults: ['reads packs, which belongs to course'],
  },
  {
    form: 'a name that the query gives itself, over a foreign table',
    file: EXAM,
    code: "query.with('recent', (inner) => inner.selectFrom('packs').select('id')).selectFrom('recent').selectAll();",
    faults: ['reads packs, which belongs to course'],
  },
  {
    form: 'a loop over names',
    file: 'server/course/fixture-loop-store.ts',
    code: "for (const table of ['enrolments', 'exam_records'] as const) query.selectFrom(table).select('pack_id');",
    faults: ['reads exam_records, which belongs to exam'],
  },
  {
    form: 'a parameter of a union type',
    file: EXAM,
    code: "export const inPack = (table: 'courses' | 'questions', id: number) => query.selectFrom(table).select('id').where('id', '=', id);",
    faults: ['reads courses, which belongs to course'],
  },
  {
    form: 'a parameter that can be any table',
    file: 'server/feedback/fixture-store.ts',
    code: "import type { Tables } from '#server/db/schema.ts';\nexport const all = (table: keyof Pick<Tables, 'exams' | 'packs'>) => query.selectFrom(table).selectAll();",
    faults: ['reads exams, which belongs to exam', 'reads packs, which belongs to course'],
  },
  {
    form: 'a type parameter',
    file: EXAM,
    code: "export function all<T extends 'packs'>(table: T) { return query.selectFrom(table as T).selectAll(); }",
    faults: ['reads packs, which belongs to course'],
  },
  {
    form: 'a constant, and a choice of two',
    file: EXAM,
    code: "const TABLE = 'packs';\nquery.selectFrom(TABLE).selectAll();\nquery.selectFrom(db.kind === 'sqlite' ? 'courses' : 'exams').selectAll();",
    faults: ['reads courses, which belongs to course', 'reads packs, which belongs to course'],
  },
  {
    form: 'a template',
    file: EXAM,
    code: `for (const table of ['packs', 'exams'] as const) query.selectFrom(\`\${table} as t\`).selectAll();`,
    faults: ['reads packs, which belongs to course'],
  },
  {
    form: 'a name that only the run knows',
    file: EXAM,
    code: "export const any = (name: string) => query.selectFrom(name as never);\nquery.selectFrom(query.dynamic.table(String(1)).as('t')).selectAll();",
    faults: [
      'names a table in a way that the code does not tell',
      'names a table in a way that the code does not tell',
    ],
  },
  {
    form: 'the method by its text, by another name, passed on',
    file: EXAM,
    code: "query['selectFrom']('packs');\nconst { selectFrom: from } = query;\nfrom('courses');\nexport const later = query.selectFrom.bind(query);",
    faults: [
      'names a table in a way that the code does not tell',
      'names a table in a way that the code does not tell',
      'reads packs, which belongs to course',
    ],
  },
  {
    form: 'SQL as text',
    file: EXAM,
    code: `sql\`select id from packs where name = \${'x'}\`.execute(query);`,
    faults: ['reads packs, which belongs to course'],
  },
  {
    form: 'SQL as text by another name',
    file: EXAM,
    code: 'text`update "packs" set name = null`;\nkysely.sql`delete from courses`;',
    faults: ['changes courses, which belongs to course', 'changes packs, which belongs to course'],
  },
  {
    form: 'a table inside SQL, a raw piece of it',
    file: EXAM,
    code: `sql\`select * from \${sql.table('packs')}, \${sql.raw('courses')} where \${sql.ref('users.id')} = 1\`;`,
    faults: [
      'reads courses, which belongs to course',
      'reads packs, which belongs to course',
      'reads users, which belongs to user',
    ],
  },
  {
    form: 'a table inside SQL that only the run knows',
    file: EXAM,
    code: `export const any = (name: string) => sql\`select * from \${sql.table(name)}\`;`,
    faults: ['names a table in a way that the code does not tell'],
  },
  {
    form: 'names in texts and comments of SQL, and a lock',
    file: EXAM,
    code: "sql`select id /* packs */ from exams where name = 'packs' -- packs\n for update`;",
    faults: [],
  },
  {
    form: 'a prepared query',
    file: EXAM,
    code: "export const one = new Prepared(() => query.selectFrom('packs').selectAll());",
    faults: ['reads packs, which belongs to course'],
  },
  {
    form: 'ready SQL',
    file: EXAM,
    code: "import { CompiledQuery } from 'kysely';\ndb.look('select 1', []);\nquery.executeQuery(CompiledQuery.raw('select 1'));\nquery.executeQuery(query.selectFrom('exams').selectAll());",
    faults: [
      'runs ready SQL beside the query builder',
      'runs ready SQL beside the query builder',
      'runs ready SQL beside the query builder',
      'runs ready SQL beside the query builder',
    ],
  },
  {
    form: 'SQL in a file that is no store',
    file: 'server/exam/fixture.ts',
    code: "query.selectFrom('exams').selectAll();\nsql`select 1`;\nArray.from('ab');",
    faults: ['has SQL and is no store', 'has SQL and is no store'],
  },
  {
    form: 'a query of a store that another file goes on with or runs',
    file: 'server/exam/fixture-goes-on.ts',
    code: `import { openRows } from './fixture-open-store.ts';
      export const more = () => openRows().where('id', '=', 1);
      export const run = (rows: ReturnType<typeof openRows> | null) => rows?.execute();
      export const taken = () => {
        const { execute } = openRows();
        return execute;
      };
      export const byName = () => openRows()['execute']();
      export const passed = (use: (rows: ReturnType<typeof openRows>) => void) => use(openRows());
      export const found = async (rows: Promise<{ id: number }[]>) => (await rows).map(({ id }) => id);`,
    faults: [
      'has SQL and is no store',
      'has SQL and is no store',
      'has SQL and is no store',
      'has SQL and is no store',
    ],
  },
  {
    form: 'a store that hands out its query',
    file: 'server/exam/fixture-open-store.ts',
    code: "export const openRows = () => query.selectFrom('exams').selectAll();",
    faults: [],
  },
  {
    form: 'SQL in content',
    file: 'content/fixture-store.ts',
    code: "query.selectFrom('exams').selectAll();",
    faults: ['reads exams, which belongs to exam'],
  },
  {
    form: 'a whole database, read',
    file: 'server/operate/whole-database-store.ts',
    code: `export const all = (name: string) => sql\`select count(*) from \${sql.table(name)}, exams\`;`,
    faults: [],
  },
  {
    form: 'a whole database, written',
    file: 'server/operate/whole-database-store.ts',
    code: "query.deleteFrom('exams');",
    faults: ['changes exams, which belongs to exam'],
  },
  {
    form: 'a change of people that is told',
    file: 'server/user/fixture-told-store.ts',
    code: `export const off = (trx: PeopleTrx) => trx.updateTable('users').set({ disabled: 1 });
      export const gone = () => db.changePeople((trx) => trx.with('a', (q) => q.selectFrom('users').select('id'))
        .deleteFrom('sessions').where('user_id', 'in', (q) => q.selectFrom('a').select('id')).execute());`,
    faults: [],
  },
  {
    form: 'a change of people beside a PeopleTrx that it does not use',
    file: 'server/user/fixture-beside-store.ts',
    code: `export const off = (_trx: PeopleTrx) => query.updateTable('users').set({ disabled: 1 });
      export const text = (_trx: PeopleTrx) => sql\`update users set disabled = 1\`.execute(query);
      export const told = (trx: PeopleTrx) => sql\`update users set disabled = 1\`.execute(trx);
      export const later = (_trx: PeopleTrx) => sql\`delete from sessions\`;
      export const again = (_trx: PeopleTrx) => query.insertInto('sessions').values({} as never)
        .onConflict((on) => on.column('token_hash').doUpdateSet({ expires_at: 1 }));
      export const inside = (_trx: PeopleTrx, trx: Trx) =>
        trx.with('a', (q) => q.deleteFrom('sessions').returning('user_id')).selectFrom('a').selectAll();`,
    faults: [
      'changes sessions without a PeopleTrx',
      'changes sessions without a PeopleTrx',
      'changes sessions without a PeopleTrx',
      'changes users without a PeopleTrx',
      'changes users without a PeopleTrx',
    ],
  },
  {
    form: 'what hangs on correctness, outside of the room of grading',
    file: EXAM,
    code: `query.selectFrom('chapter_progress').select('chapter_id');
      query.selectFrom('exam_records').select(['id', 'exam_records.score']).where('graded', 'is', null);
      query.selectFrom('exam_records').selectAll();
      query.selectFrom('exam_records').select(['id', 'closed']);
      query.selectFrom('exam_questions').select('score');`,
    faults: [
      'reads all of exam_records, which has what hangs on correctness, outside of server/exam/grading/',
      'reads chapter_progress, which hangs on correctness, outside of server/exam/grading/',
      'reads exam_records.graded, which hangs on correctness, outside of server/exam/grading/',
      'reads exam_records.score, which hangs on correctness, outside of server/exam/grading/',
    ],
  },
  {
    form: 'what hangs on correctness, in the room of grading',
    file: 'server/exam/grading/fixture-store.ts',
    code: "query.selectFrom('exam_records').select('score');",
    faults: [],
  },
  {
    form: 'a PeopleTrx that nobody gave',
    file: 'server/exam/fixture-says.ts',
    code: `import { endAllSessions } from '#server/user/session-store.ts';
      type Mine = PeopleTrx & { mine: true };
      export const cast = (trx: Trx) => trx as PeopleTrx;
      export const twice = (trx: Trx) => trx as unknown as Mine;
      export const never = (trx: Trx) => endAllSessions(trx as never, 1);
      export const is = (trx: Trx): trx is PeopleTrx => trx !== undefined;
      export const given = (trx: PeopleTrx) => endAllSessions(trx as PeopleTrx, 1);`,
    faults: [
      'makes a PeopleTrx by saying so',
      'makes a PeopleTrx by saying so',
      'makes a PeopleTrx by saying so',
      'makes a PeopleTrx by saying so',
    ],
  },
  {
    form: 'a change of people that is not told',
    file: 'server/user/fixture-untold-store.ts',
    code: `export const off = (trx: Trx) => trx.updateTable('users').set({ disabled: 1 });
      export const again = (trx: Trx) => trx.insertInto('sessions').values({} as never)
        .onConflict((on) => on.column('token_hash').doUpdateSet({ expires_at: 1 }));
      export const text = (trx: Trx) => sql\`with a as (select 1) update users set disabled = 1\`.execute(trx);
      export const add = (trx: Trx) => trx.insertInto('users').values({} as never).onConflict((on) => on.doNothing());`,
    faults: [
      'changes sessions without a PeopleTrx',
      'changes users without a PeopleTrx',
      'changes users without a PeopleTrx',
    ],
  },
];

describe('tables and their owners', () => {
  // One program over all of them, so each has a file of its own; the named exception has but one name.
  const placed = cases.map((example, at) => ({
    ...example,
    place:
      example.file in { 'server/operate/whole-database-store.ts': 1 }
        ? example.file
        : example.file.replace(/fixture(?!-open)/, `fixture-${at}`),
  }));
  const named = placed.filter(({ place }) => place.includes('fixture'));
  const found = tableFaults(new Map(named.map(({ place, code }) => [place, `${HEAD}${code}`])));
  const wholeDatabase = placed.filter(({ place }) => !place.includes('fixture'));

  it.each(named)('$form', ({ place, faults }) => {
    expect(
      found
        .filter(({ file }) => file === place)
        .map(({ what }) => what)
        .sort(),
    ).toEqual([...faults]);
  });

  it.each(wholeDatabase)('$form', ({ place, code, faults }) => {
    expect(tableFaults(new Map([[place, `${HEAD}${code}`]])).map(({ what }) => what)).toEqual([...faults]);
  });
});
