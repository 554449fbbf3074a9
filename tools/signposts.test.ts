import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCode, root } from './code.ts';
import { readServer, type Server } from './served-by.ts';
import { readWeb, type Web } from './shown-by.ts';

/** A product of a few files, with each of the ways by which a call comes to its store and its reply to a component. */
const given = new Map([
  [
    'contract/x.ts',
    `export const Move = call('POST /api/x/move', {}); export const Shelf = call('GET /api/x/shelf', {});
     export const Bell = call('GET /api/x/bell', {}); export const Save = call('POST /api/x/save', {});`,
  ],
  [
    'server/app.ts',
    `import { examParts } from './exam/parts.ts';
     import { examRoutes } from './exam/routes.ts';
     import { counts } from './exam/finding/count-store.ts';
     import { shelfRoutes } from './course/routes.ts';
     import { access } from './course/access.ts';
     import { bellRoutes } from './notice/routes.ts';
     export function createApp(parts) {
       const exam = examParts(parts);
       buildWebServer({ mayOpenPack: access(parts.db).mayOpen, routes: (serve) => {
         examRoutes(serve, exam);
         shelfRoutes(serve, parts, counts(parts.db));
         bellRoutes(serve, parts, (userId) => exam.gradesFor(userId).hidden());
       } });
     }`,
  ],
  [
    'server/exam/parts.ts',
    `import { gradesReader } from './grading/visible-grades.ts';
     export function examParts({ db }) { const gradesFor = gradesReader(db); return { db, gradesFor }; }`,
  ],
  [
    'server/exam/grading/visible-grades.ts',
    `import { move } from './wrong-list-store.ts';
     import { studied } from './card-store.ts';
     import { openStore } from './open-store.ts';
     export function gradesReader(db) { const stores = { open: openStore(db) }; return (userId) => new VisibleGrades(stores, userId); }
     export class VisibleGrades {
       readonly #stores;
       constructor(stores, userId) { this.#stores = stores; }
       moveWrong(ids) { return move(ids, this.#open()); }
       studied() { return studied(); }
       hidden() { return this.#open(); }
       #open() { return this.#stores.open.list(); }
     }`,
  ],
  ['server/exam/grading/wrong-list-store.ts', 'export function move(ids, hidden) { return ids; }'],
  ['server/exam/grading/card-store.ts', 'export function studied() { return []; }'],
  [
    'server/exam/grading/open-store.ts',
    'export function openStore(db) { return { list: () => [], other: () => [] }; }',
  ],
  [
    'server/exam/finding/count-store.ts',
    'export function counts(db) { return { byPack: async () => new Map(), byChapter: async () => new Map() }; }',
  ],
  [
    'server/exam/routes.ts',
    `import { Move, Save } from '#contract/x.ts';
     import { saver } from './save.ts';
     export function examRoutes(serve, exam) {
       const { db, gradesFor } = exam;
       const save = saver(exam);
       serve(Move, ({ user, input }) => gradesFor(user.userId).moveWrong(input.ids));
       serve(Save, ({ input }) => save(input));
     }`,
  ],
  [
    'server/exam/save.ts',
    `import { grouped } from '#server/db/group.ts';
     import { write } from './answer-store.ts';
     import { accept } from '#rules/exam/x.ts';
     export function saver(parts) { return grouped(parts.db, (trx, saves) => saveAll(trx, saves)); }
     async function saveAll(trx, saves) { return write(trx, saves.filter(accept)); }`,
  ],
  ['server/exam/answer-store.ts', 'export async function write(trx, saves) {}'],
  ['server/db/group.ts', 'export function grouped(db, run) { return async (input) => run(db, [input]); }'],
  ['rules/exam/x.ts', 'export function accept(save) { return true; }'],
  [
    'server/course/routes.ts',
    `import { Shelf } from '#contract/x.ts';
     import { readPacks } from './store.ts';
     export function shelfRoutes(serve, { db }, counts) { serve(Shelf, () => readPacks(db, counts)); }`,
  ],
  ['server/course/store.ts', 'export async function readPacks(db, counts) { return counts.byPack(); }'],
  [
    'server/course/access.ts',
    `import { facts } from './enrolment-store.ts';
     export function access(db) { return { mayOpen: async (userId) => facts(userId) }; }`,
  ],
  ['server/course/enrolment-store.ts', 'export function facts(userId) { return []; }'],
  [
    'server/notice/routes.ts',
    `import { Bell } from '#contract/x.ts';
     import { read } from './store.ts';
     export function bellRoutes(serve, { db }, hiddenFrom) {
       const reader = async (userId) => ({ hidden: await hiddenFrom(userId) });
       serve(Bell, async ({ user }) => read(db, await reader(user.userId)));
     }`,
  ],
  ['server/notice/store.ts', 'export async function read(db, reader) {}'],
  [
    'web/exam/paper.ts',
    `import type { DataOf } from '#contract/call.ts';
     import type { Shelf } from '#contract/x.ts';
     export type Packs = DataOf<typeof Shelf>; export type Pack = Packs['list'][number];`,
  ],
  [
    'web/exam/PackCard.tsx',
    `import type { Pack } from './paper.ts'; interface Props { pack: Pack } export function PackCard({ pack }: Props) { return <b>{pack.name}</b>; }`,
  ],
  [
    'web/exam/useBell.ts',
    `export function useBell() { const { data } = useCall('GET /api/x/bell', {}); return { lines: data.list }; }`,
  ],
  [
    'web/notice/BellList.tsx',
    'export function BellList({ lines }: { lines: readonly object[] }) { return <ul>{lines.length}</ul>; }',
  ],
  ['web/notice/BellCount.tsx', 'export function BellCount({ count }: { count: number }) { return <b>{count}</b>; }'],
  [
    'web/pages/BellPage.tsx',
    `import { useBell } from '#web/exam/useBell.ts'; import { BellList } from '#web/notice/BellList.tsx'; import { BellCount } from '#web/notice/BellCount.tsx';
     export default function BellPage() { const bell = useBell(); const count: number = bell.lines.length;
       return <CallState call={bell}>{(data) => <><BellList lines={data.lines} /><BellCount count={count} /></>}</CallState>; }`,
  ],
  [
    'web/exam/model.ts',
    `export interface Line { name: string } export type ExamEvent = { type: 'came'; line: Line } | { type: 'go'; to: number };`,
  ],
  [
    'web/exam/runner.ts',
    `import type { ExamEvent } from './model.ts';
     export function run(dispatch: (event: ExamEvent) => void) {
       const save = async () => { const { line } = await send('POST /api/x/save', {}); dispatch({ type: 'came', line }); };
     }`,
  ],
  [
    'web/exam/LineCard.tsx',
    `import type { Line } from './model.ts'; export function LineCard({ line }: { line: Line }) { return <b>{line.name}</b>; }`,
  ],
  [
    'web/exam/MoveButton.tsx',
    `export function MoveButton() { const move = useSend('POST /api/x/move', { renews: ['GET /api/x/bell'] }); return <button onClick={() => move.mutate({})} />; }`,
  ],
]);

describe('where a call leads to', () => {
  let server: Server;
  let web: Web;
  beforeAll(() => {
    const code = readCode([], given);
    server = readServer(code);
    web = readWeb(code);
  });
  const served = (constant: string, enrolled = false) => {
    const [handler] = server.handlers.get(`contract/x.ts ${constant}`) ?? [];
    if (!handler) throw new Error(`${constant} is not served`);
    return server.trace(handler, `POST /api/x/${constant.toLowerCase()}`, enrolled);
  };

  it('follows what is taken out of the parts by its name, and of a class the methods that are called', () => {
    expect(served('Move')).toMatchObject({
      works: ['server/exam/routes.ts', 'server/exam/grading/visible-grades.ts'],
      stores: ['server/exam/grading/wrong-list-store.ts', 'server/exam/grading/open-store.ts'],
    });
  });

  it('follows an argument to where app.ts gives it: an object, or a function', () => {
    expect(served('Shelf').stores).toEqual(['server/course/store.ts', 'server/exam/finding/count-store.ts']);
    expect(served('Bell').stores).toEqual(['server/notice/store.ts', 'server/exam/grading/open-store.ts']);
  });

  it('follows what is given to something that cannot be followed', () => {
    expect(served('Save')).toMatchObject({
      works: ['server/exam/save.ts'],
      stores: ['server/exam/answer-store.ts'],
      rules: ['rules/exam/x.ts'],
    });
  });

  it('names what is asked before a call for the enrolled, after its own', () => {
    const { works, stores } = served('Shelf', true);
    expect(works).toEqual(['server/course/routes.ts', 'server/course/access.ts']);
    expect(stores.at(-1)).toBe('server/course/enrolment-store.ts');
  });

  it('finds a component by its properties’ types, through aliases', () => {
    expect(web.trace('GET /api/x/shelf', 'contract/x.ts Shelf')).toEqual({
      senders: [],
      components: ['web/exam/PackCard.tsx'],
    });
  });

  it('finds a component that is given the reply, through a hook and CallState; a number is no reply, a renewal no sending', () => {
    expect(web.trace('GET /api/x/bell', 'contract/x.ts Bell')).toEqual({
      senders: ['web/exam/useBell.ts'],
      components: ['web/notice/BellList.tsx'],
    });
  });

  it('finds a component behind a reducer, by the type that its event declares', () => {
    expect(web.trace('POST /api/x/save', 'contract/x.ts Save').components).toEqual(['web/exam/LineCard.tsx']);
  });

  it('names the component that sends it, where none is given the reply', () => {
    expect(web.trace('POST /api/x/move', 'contract/x.ts Move').components).toEqual(['web/exam/MoveButton.tsx']);
  });
});

/** The docs themselves, which `npm run check` holds against the code. */
describe('the rows of', () => {
  const rowsOf = (file: string) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
  const rows = rowsOf('docs/calls.md');
  const row = (name: string) => {
    const [, contract, , work, stores, rules, sentFrom, shownIn] =
      rows.find(([first, ...cells]) => first === `\`${name}\`` && cells.length === 7) ?? [];
    return { contract, work, stores, rules, sentFrom, shownIn };
  };

  it.each([
    ['POST /api/exam/error_rm', 'stores', 'grading/wrong-list-store.ts'],
    ['POST /app/exam/error_restore', 'stores', 'grading/wrong-list-store.ts'],
    ['POST /api/exam/error_rm', 'contract', 'exam-wrong.ts'],
    ['POST /api/exam/error_rm', 'work', 'grading/visible-grades.ts'],
    ['GET /api/user/course_list', 'stores', 'exam/finding/count-store.ts'],
    ['GET /api/common/course_list', 'shownIn', 'course/PackCard.tsx'],
    ['POST /api/exam/save_question', 'work', 'sitting/save-question.ts'],
    ['POST /api/exam/save_question', 'stores', 'record/answer-store.ts'],
    ['POST /api/exam/submit', 'work', 'grading/close-records.ts'],
    ['GET /api/exam/exam_list', 'work', 'course/access.ts'],
    ['GET /api/exam/exam_list', 'shownIn', 'exam/center/PaperList.tsx'],
    ['GET /app/question/index', 'shownIn', 'exam/center/ChapterTree.tsx'],
    ['GET /app/question/index', 'rules', 'exam/tree.ts'],
    ['GET /app/common/notice', 'stores', 'exam/grading/open-exam-store.ts'],
    ['GET /app/university/list', 'work', 'all-universities.ts'],
    ['GET /app/exam/result_tip', 'shownIn', 'exam/results/ResultSummary.tsx'],
    ['POST /app/exam/show_answer', 'shownIn', 'exam/question/AnswerBlock.tsx'],
    ['GET /app/question/list', 'sentFrom', 'not sent'],
  ] as const)('docs/calls.md: %s, %s: %s', (name, cell, file) => {
    expect(row(name)[cell]).toContain(file);
  });

  it('docs/calls.md name no store that a call does not come to', () => {
    expect(row('GET /app/question/index').stores).not.toMatch(/card-store|wrong-list-store|retake-store/);
  });

  it.each([
    ['/exam/result/:recordId', 'pages/ExamResultPage.tsx', 'exam/results/ResultList.tsx', 'GET /app/exam/result_tip'],
    ['/wrongQuestions', 'exam/wrong/wrong-filter.ts', 'exam/wrong/WrongQuestionList.tsx', 'POST /app/exam/own_paper'],
    ['/exam/:examId', 'exam/session/exam-state.ts', 'exam/screen/ExamScreen.tsx', 'POST /api/exam/save_question'],
  ])('docs/pages.md: %s', (address, ...named) => {
    const cells = rowsOf('docs/pages.md')
      .find(([first]) => first === `\`${address}\``)
      ?.join(' ');
    for (const name of named) expect(cells).toContain(name);
  });
});
