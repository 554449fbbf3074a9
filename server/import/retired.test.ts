import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { afterAll, describe, expect, it } from 'vitest';
import { readSpreadsheet } from '#content/question/spreadsheet.ts';
import { type CommandContext, Refused } from '#server/command.ts';
import { questionCommands } from '#server/exam/question-command.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { FIRST, school } from './correction.test-kit.ts';
import { clean, fileOf } from './import.test-kit.ts';
import { importQuestions } from './questions.ts';

afterAll(clean);

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

const xlsx = async (rows: CellValue[][]) =>
  fileOf(
    'bank.xlsx',
    await writeXlsx({
      sheets: [{ name: '题库', rows: [['题型', '题干', '选项A', '选项B', '答案', '分值', '章节', '编号'], ...rows] }],
    }),
  );

describe.each(databases)('records and what is on offer on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;
  const lines: string[] = [];
  const context = {
    openDb: async () => kit.db,
    files: kit.parts.files,
    say: (line: string) => lines.push(line),
    progress: { show: () => {}, end: () => {} },
    signal: new AbortController().signal,
  } satisfies CommandContext;
  /** Types a command. @returns what it says */
  const type = async (name: string, ...args: string[]) => {
    lines.length = 0;
    const code = await questionCommands.find((one) => one.name === `question ${name}`)?.run(args, context);
    expect(code).toBe(0);
    return [...lines];
  };

  it('a retired question is in nothing new; what began with it, its review and the wrong-question list keep it; an import leaves it out; it comes back in its place', async () => {
    const { slug, packId, again, ids, student, start } = await school(kit);
    const { 'q-1': one = 0, 'q-2': two = 0 } = await ids();
    const [over, sitting] = [await student(), await student()];
    const done = await start(over);
    for (const questionId of Object.values(await ids()))
      await ok(SAVE, { ...done, questionId, answer: questionId === two ? 'B' : 'A', seq: questionId }, { as: over });
    await ok(SUBMIT, done, { as: over });
    const open = await start(sitting);
    const shown = await ok('GET /api/exam/details', open, { as: sitting });
    const figures = async () => ({
      list: (await ok('GET /api/user/exam_list', {}, { as: over })).list,
      tip: { ...(await ok('GET /app/exam/result_tip', done, { as: over })), steps: null },
      review: (await ok('GET /app/exam/review', done, { as: over })).questions.map((question) => ({
        ...question,
        correction: null,
      })),
    });
    const before = await figures();
    const drawn = async () =>
      (await ok('GET /app/exam/random_options', { packId }, { as: over })).chapters
        .flatMap(({ types }) => types)
        .reduce((sum, { count }) => sum + count, 0);
    const reviews = async () => (await ok('GET /app/exam/daily_review', { packId }, { as: over })).total;
    expect([await drawn(), await reviews()]).toEqual([3, 1]);

    expect(await type('retire', 'q-2', '--pack', slug, '--reason', '超纲')).toEqual([
      '已停用“q-2”：题 q-2',
      '  试卷“卷”现在 2 题，满分 8 分',
      '  1 份进行中的答卷继续使用开始时的试卷，也按它评分',
    ]);
    await expect(type('retire', 'q-2', '--pack', slug, '--reason', '再来')).rejects.toThrow(Refused);
    expect(await figures()).toEqual(before);
    expect(await ok('GET /api/exam/details', open, { as: sitting })).toEqual(shown);
    expect(await ok('GET /api/exam/cache', open, { as: sitting })).toMatchObject({ totalScore: 12, totalQuestion: 3 });
    expect(await ok(SUBMIT, open, { as: sitting })).toMatchObject({ totalScore: 12 });

    const newcomer = async () => {
      const as = await student();
      const [paper, practice] = [await start(as), await start(as, 'chapter:a')];
      const read = async (of: typeof paper) =>
        (await ok('GET /api/exam/details', of, { as })).questions.map(({ questionId, score }) => [questionId, score]);
      return { paper: await read(paper), practice: await read(practice) };
    };
    const without = {
      paper: [
        [one, 4],
        [one + 2, 4],
      ],
      practice: [
        [one, 2],
        [one + 2, 2],
      ],
    };
    expect(await newcomer()).toEqual(without);
    expect([await drawn(), await reviews()]).toEqual([2, 0]);
    const wrong = await ok('GET /api/exam/error', { packId }, { as: over });
    expect(wrong.list.map(({ question, onOffer }) => [question.questionId, onOffer])).toEqual([[two, 0]]);
    const own = await ok('POST /app/exam/own_paper', { packId, name: '选', questionIds: [one, two] }, { as: over });
    expect(own).toMatchObject({ totalQuestion: 1, leftOut: 1 });

    // The same folder, and one that gives it other points: it stays out, and nothing else changes.
    expect(await again()).toMatchObject({ different: false, retired: ['q-2'] });
    expect(await newcomer()).toEqual(without);
    const changed = { ...FIRST, 'q-2': { analysis: '改过' } };
    expect(await again({ questions: changed, score: 5 })).toMatchObject({ retired: ['q-2'], changed: 1 });
    expect((await newcomer()).paper).toEqual([
      [one, 5],
      [one + 2, 5],
    ]);

    expect(await type('find', '--pack', slug, '--retired')).toEqual([`#${two} q-2 停用（超纲） 题 q-2`]);
    expect(await type('restore', `#${two}`, '--pack', slug)).toEqual([
      '已恢复“q-2”：题 q-2',
      '  试卷“卷”现在 3 题，满分 15 分',
      '  4 份进行中的答卷继续使用开始时的试卷，也按它评分',
    ]);
    expect(await newcomer()).toEqual({
      paper: [
        [one, 5],
        [two, 5],
        [one + 2, 5],
      ],
      practice: [
        [one, 2],
        [two, 2],
        [one + 2, 2],
      ],
    });
    expect([await drawn(), await reviews()]).toEqual([3, 1]);
    expect(await again({ questions: changed, score: 5 })).toMatchObject({ different: false, retired: [] });
    expect((await figures()).list).toEqual(before.list);
    await expect(type('restore', 'q-2', '--pack', slug)).rejects.toThrow('没有停用');
    await expect(type('retire', 'nothing', '--pack', slug, '--reason', '无')).rejects.toThrow('没有“nothing”这道题');
  });

  it('the only question of a paper is not retired', async () => {
    const { slug } = await school(kit, { paper: ['q-3'] });
    await expect(type('retire', 'q-3', '--pack', slug, '--reason', '超纲')).rejects.toThrow('试卷“卷”只有这一道题');
  });

  it('of a spreadsheet: corrected by a near match, records that are over and in progress stay; retired by 编号, no file brings it back', async () => {
    const { slug, packId, student, start } = await school(kit);
    const into = { pack: slug, course: 'one', now: kit.time.now, files: kit.parts.files, read: readSpreadsheet };
    const row = (topic: string, answer: string, key: string | null): CellValue[] => [
      '单选',
      topic,
      '甲',
      '乙',
      answer,
      2,
      '表格章',
      key,
    ];
    const written = [
      row('下列各项中属于流动资产的时（　）。', 'A', null),
      row('光合作用放出的气体是（　）。', 'B', '生-1'),
    ];
    await importQuestions(kit.db, { ...into, file: await xlsx(written) });
    const stored = () =>
      kit.db.query
        .selectFrom('questions')
        .select(['id', 'topic', 'archived', 'school_key'])
        .where('pack_id', '=', packId)
        .where('slug', 'like', 'sheet:%')
        .orderBy('id')
        .execute();
    const [first, second] = (await stored()).map(({ id }) => id);
    const chapter = await kit.db.query
      .selectFrom('exams')
      .select('slug')
      .where('pack_id', '=', packId)
      .where('name', '=', '表格章')
      .executeTakeFirstOrThrow();
    const [over, sitting] = [await student(), await student()];
    const done = await start(over, chapter.slug);
    await ok(SAVE, { ...done, questionId: first ?? 0, answer: 'A', seq: 1 }, { as: over });
    const submitted = await ok(SUBMIT, done, { as: over });
    const open = await start(sitting, chapter.slug);
    const shown = await ok('GET /api/exam/details', open, { as: sitting });
    const list = async () => (await ok('GET /api/user/exam_list', {}, { as: over })).list;
    const before = await list();

    const corrected = await xlsx([row('下列各项中属于流动资产的是（　）。', 'A', null), ...written.slice(1)]);
    expect(await importQuestions(kit.db, { ...into, file: corrected })).toMatchObject({
      imported: false,
      undecided: 1,
    });
    const report = await importQuestions(kit.db, {
      ...into,
      file: corrected,
      answer: { corrections: 'take', except: [] },
    });
    expect(report).toMatchObject({ added: 0, changed: 1, unchanged: 1, touched: { open: 1, over: 1 } });
    expect((await stored()).map(({ id }) => id)).toEqual([first, second]);
    expect(await list()).toEqual(before);
    expect((await ok('GET /app/exam/review', done, { as: over })).questions.map(({ topic }) => topic)).toEqual(
      shown.questions.map(({ topic }) => topic),
    );
    expect(await ok('GET /api/exam/details', open, { as: sitting })).toEqual(shown);
    expect(await ok(SUBMIT, open, { as: sitting })).toMatchObject({ totalScore: submitted.totalScore });

    expect(await type('retire', '生-1', '--pack', slug, '--reason', '教材改版')).toEqual([
      '已停用“生-1”：光合作用放出的气体是（　）。',
    ]);
    for (const file of [
      corrected,
      await xlsx([row('光合作用放出的气体是（　）。', 'A', null)]),
      await xlsx([row('光合作用放出什么气体（　）。', 'A', '生-1')]),
    ])
      expect(await importQuestions(kit.db, { ...into, file })).toMatchObject({ retired: ['生-1'], added: 0 });
    expect(
      await importQuestions(kit.db, {
        ...into,
        file: await xlsx([row('光合作用放出的气体是（　）。', 'A', '生-1')]),
        whole: true,
      }),
    ).toMatchObject({ archived: 1, gone: [{}] });
    expect((await stored()).map(({ archived }) => archived)).toEqual([1, 1]);
    await type('restore', '生-1', '--pack', slug);
    expect((await stored()).map(({ archived }) => archived)).toEqual([1, 0]);
    expect(await type('find', '--pack', slug, '--text', '属于流动')).toEqual([
      expect.stringMatching(/^#\d+ sheet:\w+ 文件里不再有 下列各项中属于流动资产的是（　）。$/),
    ]);
    await expect(type('restore', `#${first}`, '--pack', slug)).rejects.toThrow('文件里不再有它');
  }, 60_000);
});
