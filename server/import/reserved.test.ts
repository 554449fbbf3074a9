import { afterAll, describe, expect, it } from 'vitest';
import { type Calls, calls } from '#contract/all.ts';
import { enrol } from '#server/course/pack.test-kit.ts';
import { databases, START, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { clean, copyOf, csv, loadPack, small } from './import.test-kit.ts';
import { importQuestions } from './questions.ts';

afterAll(clean);

/** `small`, whose mock exam keeps its two questions; each has words that stand nowhere else. */
const reserved = () =>
  copyOf(small(), {
    'papers/1.yaml': (text) => `${text}reserved: true\n`,
    'questions/1.yaml': (text) => text.replace('题 q-1', '留卷甲').replace('题 q-2', '留卷乙'),
  });
const SECRET = /留卷[甲乙]/;

describe.each(databases)('a paper that keeps its questions out of practice, on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused, raw } = kit;
  const load = (folder: string) => loadPack(kit.db, kit.parts.files, folder);

  /** Makes the pack what this folder says. @returns its ids by key */
  async function brought(folder: string) {
    await load(folder);
    const ids = async (table: 'questions' | 'exams' | 'chapters') => {
      const rows = await kit.db.query
        .selectFrom(table)
        .innerJoin('packs', 'packs.id', `${table}.pack_id`)
        .select([`${table}.id`, `${table}.slug`])
        .where('packs.slug', '=', 'small')
        .execute();
      return new Map(rows.map(({ id, slug }) => [slug, id]));
    };
    const { id: packId } = await kit.db.query
      .selectFrom('packs')
      .select('id')
      .where('slug', '=', 'small')
      .executeTakeFirstOrThrow();
    return { packId, questions: await ids('questions'), exams: await ids('exams'), chapters: await ids('chapters') };
  }
  async function student(packId: number) {
    kit.time.now = START;
    const as = await kit.user();
    await enrol(kit, as, packId);
    return as;
  }
  const asked = async (as: TestUser, examId: number) => {
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    const { questions } = await ok('GET /api/exam/details', { recordId }, { as });
    return { recordId, ids: questions.map(({ questionId }) => questionId) };
  };
  const counts = async (as: TestUser, packId: number) => {
    const { courses } = await ok('GET /app/question/index', { packId, type: 1 }, { as });
    interface Node {
      name: string;
      doneCount: number;
      totalQuestion: number;
      childes: readonly (Node | null)[];
    }
    const flat = (nodes: readonly Node[]): [string, number, number][] =>
      nodes.flatMap((node) => [
        [node.name, node.doneCount, node.totalQuestion] as [string, number, number],
        ...flat(node.childes.filter((child) => child !== null)),
      ]);
    return flat(courses.flatMap(({ chapters }) => chapters)).filter(([, , total]) => total > 0);
  };
  const own = (packId: number) => ({ packId, name: '自选', from: 'unanswered' as const });
  const drawn = { name: '随机', examTime: 30 };

  it('leaves the rest to practice: trees, lists, counts, own and random papers', async () => {
    const { packId, questions, exams, chapters } = await brought(reserved());
    const as = await student(packId);
    const free = questions.get('q-3') ?? 0;
    expect(await counts(as, packId)).toEqual([
      ['第一章', 0, 1],
      ['第一节', 0, 1],
    ]);
    expect((await asked(as, exams.get('chapter:a') ?? 0)).ids).toEqual([free]);
    const chapterId = chapters.get('a') ?? 0;
    const listed = await ok('GET /app/question/list', { packId, chapterId }, { as });
    expect(listed).toMatchObject({ total: 1, list: [{ questionId: free }] });
    expect((await asked(as, (await ok('POST /app/exam/own_paper', own(packId), { as })).examId)).ids).toEqual([free]);
    const lines = [{ questionTypesId: 1 as const, count: 2, score: 2 }];
    expect(await refused('POST /app/exam/random_paper', { ...drawn, packId, lines }, { as })).toBe('bankTooSmall');
    const { tasks } = await ok('GET /app/plan/today', {}, { as });
    expect(tasks.filter(({ kind: what }) => what === 'practice').map(({ count }) => count)).toEqual([1]);
  });

  it('tells nothing of what they say before it is begun, whatever names them', async () => {
    const { packId, questions, exams, chapters } = await brought(reserved());
    const as = await student(packId);
    const ids = [questions.get('q-1') ?? 0, questions.get('q-2') ?? 0];
    const known = { packId, examId: exams.get('mock-1'), chapterId: chapters.get('a'), questionIds: ids };
    expect(await worked(kit, as, known, ids)).toEqual(expect.arrayContaining(['GET /app/question/list']));
    const [questionId = 0] = ids;
    expect(await refused('POST /app/exam/collect', { questionId, collect: 1 }, { as })).toBe('notFound');
    const report = { packId, questionId, feedbackType: 13 as const, feedbackDesc: '看看' };
    expect(await refused('POST /app/feedback/lx_submit', report, { as })).toBe('notFound');
    const question = { packId, questionId, feedbackType: 41 as const, feedbackDesc: '看看' };
    expect(await refused('POST /app/feedback/submit', question, { as })).toBe('notFound');
    expect(await refused('GET /app/exam/print', { examId: exams.get('mock-1') ?? 0 }, { as })).toBe('printAfterStart');
    for (const call of ['GET /app/exam/collection', 'GET /app/feedback/history', 'GET /app/feedback/list'] as const)
      expect(JSON.stringify(await raw(call, { packId }, { as }))).not.toMatch(SECRET);
  });

  it('lets who has sat it go on with them: collect, ask, practise what went wrong', async () => {
    const { packId, questions, exams } = await brought(reserved());
    const as = await student(packId);
    const [first = 0, second = 0] = [questions.get('q-1'), questions.get('q-2')];
    const examId = exams.get('mock-1') ?? 0;
    const { recordId, ids } = await asked(as, examId);
    expect(ids).toEqual([second, first]);
    // While it is sat they may be collected, and are asked about as any question is.
    await ok('POST /app/exam/collect', { questionId: first, collect: 1 }, { as });
    const answers = [{ questionId: first, answer: 'B', seq: 1 }];
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
    await ok('POST /app/exam/collect', { questionId: second, collect: 1 }, { as });
    const wrong = await ok('GET /api/exam/error', { packId }, { as });
    expect(wrong.list.map(({ question }) => question.questionId)).toEqual([first]);
    const paper = await ok('POST /app/exam/own_paper', { packId, name: '错题', questionIds: [first] }, { as });
    expect((await asked(as, paper.examId)).ids).toEqual([first]);
    // An answer in the paper is none in the practice of its chapter.
    expect(await counts(as, packId)).toEqual([
      ['第一章', 0, 1],
      ['第一节', 0, 1],
    ]);
    const other = await student(packId);
    expect(await refused('POST /app/exam/collect', { questionId: second, collect: 1 }, { as: other })).toBe('notFound');
  });

  it('gives them to practice when it keeps them no more, and takes them out again; a practice that was begun stays as it is', async () => {
    const folder = reserved();
    const { packId, questions, exams } = await brought(folder);
    const as = await student(packId);
    const practice = exams.get('chapter:a') ?? 0;
    const all = ['q-1', 'q-3', 'q-2'].map((key) => questions.get(key) ?? 0);
    const open = copyOf(folder, { 'papers/1.yaml': (text) => text.replace('reserved: true\n', '') });
    expect(await load(open)).toMatchObject({ different: true, papers: { changed: 1 }, added: 0 });
    const begun = await asked(as, practice);
    expect(begun.ids).toEqual(all);
    expect(await load(folder)).toMatchObject({ different: true, papers: { changed: 1 } });
    expect(await load(folder)).toMatchObject({ different: false });
    expect((await asked(as, practice)).ids).toEqual(all);
    const other = await student(packId);
    expect((await asked(other, practice)).ids).toEqual([questions.get('q-3')]);
    // A spreadsheet makes the practices anew, and does not bring them back.
    const added = await importQuestions(kit.db, {
      files: kit.parts.files,
      file: csv('判断,新来的题,,,,,对,,2,第一章 > 第一节,,'),
      pack: 'small',
    });
    expect(added).toMatchObject({ added: 1 });
    expect(await counts(other, packId)).toEqual([
      ['第一章', 0, 2],
      ['第一节', 0, 2],
    ]);
    // A paper that the pack has no more keeps nothing.
    const without = copyOf(folder, {
      'papers/1.yaml': (text) => text.replace('mock-1', 'mock-2').replace('reserved: true\n', ''),
    });
    expect(await load(without)).toMatchObject({ papers: { added: 1, archived: 1 } });
    expect((await counts(other, packId))[0]).toEqual(['第一章', 0, 4]);
  });
});

/** Asks every call of a student that can be asked with what is known, and looks for the words. @returns those that worked */
async function worked(kit: TestApp, as: TestUser, known: Record<string, unknown>, ids: readonly number[]) {
  const names: string[] = [];
  const said: Record<string, unknown> = {
    ...known,
    ...{ type: 1, pageNum: 1, pageSize: 100, questionTypesId: 0, name: '自选', collect: 1, answer: 'A' },
    ...{ feedbackType: 13, feedbackDesc: '看看', examTime: 30, lines: [{ questionTypesId: 1, count: 1, score: 2 }] },
  };
  for (const { call } of calls) {
    // The first begins the paper, the second ends the session.
    if (['GET /app/exam/test_start', 'POST /api/user/logout'].includes(call.name) || call.who === 'teacher') continue;
    const fields = Object.keys(call.input.properties);
    if ((call.input.required ?? []).some((field) => !(field in said) && field !== 'questionId')) continue;
    for (const questionId of fields.includes('questionId') ? ids : [0])
      for (const from of fields.includes('from') ? ['collected', 'unanswered', 'flagged'] : [undefined]) {
        const value = (field: string) => (field === 'questionId' ? questionId : field === 'from' ? from : said[field]);
        const input = Object.fromEntries(
          fields.flatMap((field) => (value(field) === undefined ? [] : [[field, value(field)]])),
        );
        const reply = await kit.raw(call.name as keyof Calls, input, { as });
        if (reply.code === 200) names.push(call.name);
        expect(JSON.stringify(reply), call.name).not.toMatch(SECRET);
      }
  }
  return names;
}
