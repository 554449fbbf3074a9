import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { afterAll, describe, expect, test } from 'vitest';
import type { RejectedRow } from '#content/question/file-question.ts';
import { readSpreadsheet } from '#content/question/spreadsheet.ts';
import { enrol } from '#server/course/pack.test-kit.ts';
import type { Db } from '#server/db/open.ts';
import { databases, START, testApp } from '#server/test-kit.ts';
import { beginEmpty, clean, everything, fileOf, loadPack, small } from './import.test-kit.ts';
import { importQuestions } from './questions.ts';

afterAll(clean);

const BANK = ['题型', '题干', '答案', '分值', '材料', '编号'] as const;
const PAPERS = [
  '试卷',
  '类型',
  '时长',
  '总分',
  '及格分',
  '年份',
  '大题',
  '顺序',
  '编号',
  '题目行号',
  '分值',
  '试卷编号',
] as const;
type Question = Partial<Record<(typeof BANK)[number], CellValue>>;
type Line = Partial<Record<(typeof PAPERS)[number], CellValue>>;

const table = <Column extends string>(
  columns: readonly Column[],
  rows: readonly Partial<Record<Column, CellValue>>[],
) => [[...columns], ...rows.map((row) => columns.map((column): CellValue => row[column] ?? null))];
/** A workbook with a bank, a sheet of papers, or both. */
const book = async (bank: readonly Question[] | null, papers: readonly Line[] | null) =>
  fileOf(
    'papers.xlsx',
    await writeXlsx({
      sheets: [
        ...(bank ? [{ name: '题库', rows: table(BANK, bank) }] : []),
        ...(papers ? [{ name: '试卷', rows: table(PAPERS, papers) }] : []),
      ],
    }),
  );

const judge = (key: string, more: Question = {}): Question => ({
  题型: '判断',
  题干: `第 ${key} 题：${key.repeat(3)}`,
  答案: '对',
  分值: 2,
  编号: key,
  ...more,
});
const bank = (...keys: string[]) => keys.map((key) => judge(key));
/** Rows of a paper; what is said of it stands in the first. */
const paper = (name: string, head: Line, ...rows: Line[]): Line[] =>
  rows.map((row, at) => ({ 试卷: name, ...(at === 0 ? head : {}), ...row }));
const MOCK: Line = { 类型: '模拟考试', 时长: 60 };
const of = (编号: string, more: Line = {}): Line => ({ 编号, ...more });

describe.each(databases)('on $name', ({ kind }) => {
  let db: Db;
  const files = beginEmpty(kind, (empty) => {
    db = empty;
  });
  const take = async (file: string, more: Partial<Parameters<typeof importQuestions>[1]> = {}) => {
    const rows: RejectedRow[] = [];
    const warned: string[] = [];
    const report = await importQuestions(db, {
      file,
      files,
      read: readSpreadsheet,
      pack: 'school',
      packName: '学校题库',
      rejected: (row) => rows.push(row),
      warned: ({ row, why }) => warned.push(`${row}: ${why.join('；')}`),
      ...more,
    });
    return {
      report,
      rows: rows.map(({ sheet, row, why }) => `${sheet} ${row}: ${why.join('；')}`),
      columns: rows.map(({ columns }) => columns),
      warned,
    };
  };
  const papers = async () => {
    const exams = await db.query
      .selectFrom('exams')
      .selectAll()
      .where('kind', 'in', ['mock', 'past', 'timed'])
      .orderBy('position')
      .execute();
    const listed = await db.query
      .selectFrom('exam_questions')
      .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
      .select(['exam_id', 'questions.id', 'school_key', 'exam_questions.score'])
      .orderBy('exam_questions.position')
      .execute();
    return exams.map((exam) => ({
      ...exam,
      shown: (JSON.parse(exam.sections) as { title: string; questionIds: number[] }[])
        .map(({ title, questionIds }) => {
          const own = questionIds.flatMap((id) => listed.find((one) => one.id === id && one.exam_id === exam.id) ?? []);
          return `${title}:${own.map(({ school_key, score }) => `${school_key}=${score}`).join(',')}`;
        })
        .join(' '),
    }));
  };

  test('a workbook of a bank and two papers; the same file again changes nothing', async () => {
    const file = await book(bank('甲', '乙', '丙'), [
      ...paper(
        '期中卷',
        { ...MOCK, 总分: 9, 及格分: 6 },
        of('丙', { 大题: '一、判断', 顺序: 2, 分值: 3 }),
        of('甲', { 大题: '一、判断', 顺序: 1 }),
        { 题目行号: '题库!3', 大题: '二、再判断', 顺序: 1, 分值: 4 },
      ),
      ...paper('2024 真题', { 类型: '真题', 时长: '90分钟', 年份: 2024 }, of('乙'), { 题目行号: 2 }),
    ]);
    const tried = await take(file, { dryRun: true });
    expect(tried.report).toMatchObject({ added: 3, papers: { added: 2 }, imported: false });
    expect(await papers()).toEqual([]);
    const { report, rows, warned } = await take(file);
    expect({ rows, warned }).toEqual({ rows: [], warned: [] });
    expect(report).toMatchObject({
      good: 8,
      bad: 0,
      added: 3,
      papers: { added: 2, left: [], gone: [], otherwise: [] },
    });
    expect(await papers()).toMatchObject([
      {
        name: '期中卷',
        kind: 'mock',
        exam_time: 60,
        total_score: 9,
        total_question: 3,
        pass_score: 6,
        shown: '一、判断:甲=2,丙=3 二、再判断:乙=4',
      },
      { name: '2024 真题', kind: 'past', exam_time: 90, year: 2024, total_score: 4, shown: ':乙=2,甲=2' },
    ]);
    const before = await everything(db);
    expect((await take(file)).report).toMatchObject({ unchanged: 3, papers: { added: 0, changed: 0, unchanged: 2 } });
    expect(await everything(db)).toEqual(before);
  });

  test('a file of papers alone names what was imported before, and changes its paper in place', async () => {
    await take(await book(bank('甲', '乙', '丙'), null));
    const csv = fileOf('papers.csv', '试卷,类型,时长,编号,分值\r\n期末卷,限时,30,甲,5\r\n期末卷,,,乙,5\r\n');
    expect((await take(csv)).report).toMatchObject({ good: 2, added: 0, gone: [], papers: { added: 1 } });
    const [first] = await papers();
    expect(first).toMatchObject({ kind: 'timed', test_type: 11, shown: ':甲=5,乙=5', archived: 0 });
    const other = await book(null, paper('期末卷', { ...MOCK, 总分: 7 }, of('丙', { 分值: 7 })));
    expect((await take(other)).report).toMatchObject({ papers: { added: 0, changed: 1 } });
    const [again] = await papers();
    expect(again).toMatchObject({ id: first?.id, kind: 'mock', shown: ':丙=7' });
    await expect(take(other, { whole: true })).rejects.toThrow('只有试卷，没有试题');
  });

  test('试卷编号 keeps a paper when its name is corrected, also one that had none before', async () => {
    await take(await book(bank('甲'), paper('期中', MOCK, of('甲'))));
    const [before] = await papers();
    const named = (name: string, head: Line = {}) => book(null, paper(name, { ...MOCK, ...head }, of('甲')));
    expect((await take(await named('期中', { 试卷编号: 'P1' }))).report.papers).toMatchObject({ added: 0 });
    expect((await take(await named('期中考试', { 试卷编号: 'P1' }))).report.papers).toMatchObject({
      changed: 1,
      gone: [],
    });
    // Without 试卷编号 it is the paper of that name.
    expect((await take(await named('期中考试'))).report.papers).toMatchObject({ added: 0, unchanged: 1 });
    const all = await papers();
    expect(all.map(({ id, name }) => [id, name])).toEqual([[before?.id, '期中考试']]);
    const { rows } = await take(await named('期中考试', { 试卷编号: 'P2' }));
    expect(rows).toEqual([expect.stringContaining('课程包里已有另一份试卷叫“期中考试”')]);
    const both = await book(null, [
      ...paper('上', { ...MOCK, 试卷编号: 'P3' }, of('甲')),
      ...paper('下', { ...MOCK, 试卷编号: 'P3' }, of('甲')),
    ]);
    expect((await take(both)).rows).toEqual(['试卷 3: 试卷编号“P3”在第 2 行已经给了试卷“上”（L 列）']);
    // A name that another paper gives up is free in the same file.
    const swapped = await book(null, [
      ...paper('旧名', { ...MOCK, 试卷编号: 'P1' }, of('甲')),
      ...paper('期中考试', MOCK, of('甲')),
    ]);
    expect((await take(swapped)).report.papers).toMatchObject({ added: 1, changed: 1 });
    expect((await papers()).map(({ name }) => name)).toEqual(['旧名', '期中考试']);
  });

  test('points that do not add up to the total are named with the difference, and nothing is stored', async () => {
    const short = await take(
      await book(
        bank('甲', '乙'),
        paper('卷', { 类型: '模拟', 时长: 60 }, of('甲', { 分值: 3 }), of('乙', { 总分: 6 })),
      ),
    );
    expect(short.rows).toEqual(['试卷 3: 试卷“卷”的总分写的是 6，各题分值合计 5，少 1 分（D 列）']);
    expect(short.columns).toEqual([['D']]);
    expect(short.report).toMatchObject({ good: 3, bad: 1, imported: false });
    expect(await everything(db)).toMatchObject({ questions: [], exams: [] });
    const long = await take(
      await book(bank('甲', '乙'), paper('卷', { ...MOCK, 总分: 3.5, 及格分: 5 }, of('甲'), of('乙'))),
    );
    expect(long.rows).toEqual([
      '试卷 2: 试卷“卷”的总分写的是 3.5，各题分值合计 4，多 0.5 分（D 列）；试卷“卷”的及格分 5 高于各题分值合计 4（E 列）',
    ]);
  });

  test.each<[string, Line[], string[]]>([
    [
      'a key that nobody has',
      paper('卷', MOCK, of('甲'), of('无')),
      ['试卷 3: 没有编号是“无”的题：这份文件合格的行里没有，题库里从表格导入的题里也没有（I 列）'],
    ],
    ['a row that is empty', paper('卷', MOCK, { 题目行号: 99 }), ['试卷 2: 题库 第 99 行没有试题（J 列）']],
    [
      'a sheet that is none',
      paper('卷', MOCK, { 题目行号: '表三!2' }),
      ['试卷 2: 没有写着试题的工作表“表三”（有：题库）（J 列）'],
    ],
    [
      'the same question twice',
      paper('卷', MOCK, of('甲'), of('乙'), { 题目行号: 2 }),
      ['试卷 4: 这道题在第 2 行已经放进试卷“卷”，一份试卷里一道题只能出现一次（J 列）'],
    ],
    [
      'an order that is mixed',
      paper('卷', MOCK, of('甲', { 顺序: 1 }), of('乙')),
      ['试卷 3: 没有写顺序，而这份试卷的第 2 行写了 1：要么都写，要么都不写（H 列）'],
    ],
    [
      'an order twice',
      paper('卷', MOCK, of('甲', { 顺序: 1 }), of('乙', { 顺序: 1 })),
      ['试卷 3: 顺序 1 在第 2 行已经用过（H 列）'],
    ],
    [
      'a section that goes on',
      paper('卷', MOCK, of('甲', { 大题: '一' }), of('乙', { 大题: '二' }), of('丙', { 大题: '一' })),
      ['试卷 4: 大题“一”在第 3 行（“二”）之前已经结束：同一大题的题要放在一起（G 列）'],
    ],
    [
      'a section that is left out',
      paper('卷', MOCK, of('甲', { 大题: '一' }), of('乙')),
      ['试卷 3: 没有写大题，而这份试卷的第 2 行写了“一”：要么都写，要么都不写（G 列）'],
    ],
    [
      'two spellings of one name',
      [...paper('A卷', MOCK, of('甲')), ...paper('ａ卷', {}, of('乙'))],
      ['试卷 3: 试卷名称“ａ卷”和第 2 行的“A卷”只有大小写或全角半角不同，请写成一样（A 列）'],
    ],
    [
      'two kinds',
      [...paper('卷', MOCK, of('甲')), ...paper('卷', { 类型: '限时' }, of('乙'))],
      ['试卷 3: “类型”和第 2 行写的不一样，同一份试卷只能有一个（写一次就够了）（B 列）'],
    ],
    [
      'no kind and no time',
      paper('卷', {}, of('甲')),
      ['试卷 2: 试卷“卷”没有写类型，可用：模拟考试、历年真题、限时测试（B 列）；试卷“卷”没有写时长（分钟）（C 列）'],
    ],
    [
      'a past exam of no year',
      paper('卷', { 类型: '真题', 时长: 1 }, of('甲')),
      ['试卷 2: 试卷“卷”是历年真题，没有写年份（F 列）'],
    ],
    [
      'a year that means nothing',
      paper('卷', { ...MOCK, 年份: 2024 }, of('甲')),
      ['试卷 2: 试卷“卷”写了年份，只有历年真题写年份（现在的类型是模拟考试）（F 列）'],
    ],
    [
      'a paper without a question',
      paper('卷', { ...MOCK, 总分: 100 }, {}),
      ['试卷 2: 没有写这是哪道题：请写编号，或写题目行号（I、J 列）'],
    ],
    [
      'cells, and no total against what is not known',
      paper('卷', { ...MOCK, 总分: 100 }, of('甲'), of('乙', { 分值: -1 })),
      ['试卷 3: 分值“-1”不正确，须为 0.5 到 100 之间、以 0.5 为单位的数（K 列）'],
    ],
  ])('refuses %s, at its row', async (_, lines, expected) => {
    const { rows, report } = await take(await book(bank('甲', '乙', '丙'), lines));
    expect(rows).toEqual(expected);
    expect(report).toMatchObject({ imported: false, bad: expected.length, good: 3 + lines.length - expected.length });
    expect(await everything(db)).toMatchObject({ questions: [], exams: [] });
  });

  test('a question of another pack, of the folder, one that no file has any more, and one whose row is bad', async () => {
    await take(await book(bank('外'), null), { pack: 'other', packName: '别的' });
    await loadPack(db, files, small());
    const into = { pack: 'small' };
    await take(await book(bank('旧', '甲'), null), into);
    await take(await book(bank('甲'), null), { ...into, whole: true });
    const { rows } = await take(
      await book(
        [judge('甲'), judge('坏', { 答案: '也许' })],
        paper('表格卷', MOCK, of('外'), of('q-1'), of('旧'), of('坏'), { 题目行号: 3 }),
      ),
      into,
    );
    expect(rows.slice(1)).toEqual([
      '试卷 2: 编号“外”是另一个课程包的题，试卷只能用本课程包的题（I 列）',
      expect.stringMatching(/^试卷 3: “q-1”是课程包文件夹里一道题的 key/),
      '试卷 4: 编号“旧”的题已停用（以前导入的文件里不再有它），要用它请把它写进文件（I 列）',
      expect.stringMatching(/^试卷 5: 没有编号是“坏”的题/),
      '试卷 6: 题库 第 3 行的题不合格（J 列）',
    ]);
    const named = await take(await book(bank('甲'), paper('卷', MOCK, of('甲'))), into);
    expect(named.rows).toEqual(['试卷 2: 课程包的文件夹里已有一份试卷叫“卷”，请在文件夹里改它，或改名（A 列）']);
  });

  test('--keep-good leaves out a paper with a bad row, whole', async () => {
    const { report, rows } = await take(
      await book(bank('甲', '乙'), [
        ...paper('坏卷', MOCK, of('甲'), of('无')),
        ...paper('好卷', MOCK, of('甲'), of('乙')),
      ]),
      { keepGood: true },
    );
    expect(rows).toHaveLength(1);
    expect(report).toMatchObject({ imported: true, added: 2, papers: { added: 1, left: ['坏卷'] } });
    expect((await papers()).map(({ name }) => name)).toEqual(['好卷']);
  });

  test('a row that does not say its paper leaves out the papers beside it, unless their total is met', async () => {
    const nameless: Line = { ...of('丙'), 试卷: '' };
    const rows = [
      ...paper('一', MOCK, of('甲'), of('乙')),
      ...paper('二', MOCK, of('甲'), of('乙')),
      nameless,
      ...paper('三', { ...MOCK, 总分: 4 }, of('甲'), of('乙')),
      ...paper('四', MOCK, of('甲'), of('乙')),
    ];
    const { report } = await take(await book(bank('甲', '乙', '丙'), rows), { keepGood: true });
    expect(report.papers).toMatchObject({ added: 3, left: ['二'] });
    // Where the papers of a sheet are mixed it may be of each.
    const mixed = [...rows, { ...of('丙'), 试卷: '一' }];
    const again = await take(await book(bank('甲', '乙', '丙'), mixed), { keepGood: true });
    expect(again.report.papers).toMatchObject({ unchanged: 1, left: ['一', '二', '四'] });
  });

  test('what a teacher should look at is said: a case that is torn apart, numbers that are missing', async () => {
    const ask = (key: string) => judge(key, { 材料: '甲公司购入设备一台。' });
    const { warned, report } = await take(
      await book(
        [ask('甲'), ask('乙'), ask('丙'), judge('丁')],
        paper('卷', MOCK, of('丁', { 顺序: 1 }), of('乙', { 顺序: 3 })),
      ),
    );
    expect(warned).toEqual([
      '2: 试卷“卷”的顺序里没有 2，是不是漏了题（H 列）',
      '3: 这道题的材料还有 2 题没有放进试卷“卷”（I 列）',
    ]);
    expect(report).toMatchObject({ warned: 2, imported: true });
    // Also where the case is in the bank alone.
    const later = await take(await book(null, paper('卷二', MOCK, of('甲'), of('乙'))));
    expect(later.warned).toEqual(['2: 这道题的材料还有 1 题没有放进试卷“卷二”（I 列）']);
  });

  test('a paper that a later file does not name is said and left alone; --whole takes it out, a file without papers none', async () => {
    const both = [...paper('上', MOCK, of('甲')), ...paper('下', MOCK, of('乙'))];
    await take(await book(bank('甲', '乙'), both));
    expect((await take(await book(bank('甲', '乙'), null), { whole: true })).report.papers).toMatchObject({
      archived: 0,
      gone: [],
    });
    const one = await book(bank('甲', '乙'), paper('上', MOCK, of('甲')));
    expect((await take(one)).report.papers).toMatchObject({ unchanged: 1, archived: 0, gone: ['下'] });
    expect((await papers()).map(({ archived }) => archived)).toEqual([0, 0]);
    expect((await take(one, { whole: true })).report.papers).toMatchObject({ archived: 1, gone: ['下'] });
    expect((await papers()).map(({ archived }) => archived)).toEqual([0, 1]);
    expect((await take(await book(null, both))).report.papers).toMatchObject({ changed: 1, unchanged: 1 });
    expect((await papers()).map(({ archived }) => archived)).toEqual([0, 0]);
  });

  test('--whole takes no question out that a paper on offer has', async () => {
    await take(await book(bank('甲', '乙'), paper('卷', MOCK, of('甲'), of('乙'))));
    const before = await everything(db);
    const without = take(await book(bank('甲'), null), { whole: true });
    await expect(without).rejects.toThrow('--whole 会停用试卷里还在用的题：乙（试卷“卷”）');
    expect(await everything(db)).toEqual(before);
    const fits = await take(await book(bank('甲'), paper('卷', MOCK, of('甲'))), { whole: true });
    expect(fits.report).toMatchObject({ archived: 1, papers: { changed: 1 } });
  });

  test('two courses of a pack may each have a paper of a name; none takes that of the other', async () => {
    const folder = small();
    appendFileSync(
      join(folder, 'pack.yaml'),
      '  - { slug: two, name: 另一门, chapters: [{ slug: c, name: 第三章 }] }\n',
    );
    await loadPack(db, files, folder);
    const courses = await db.query.selectFrom('courses').select(['id', 'slug']).orderBy('slug').execute();
    const [one, two] = courses.map(({ id }) => id);
    const into = async (course: string, key: string, head: Line = {}, name = '期中') =>
      take(await book(bank(key), paper(name, { ...MOCK, ...head }, of(key))), { pack: 'small', course });
    const now = async () =>
      (await papers())
        .filter(({ slug }) => slug.startsWith('sheet:'))
        .map(({ id, course_id, name, shown }) => ({ id, course_id, name, shown }));
    expect((await into('one', '甲')).report.papers).toMatchObject({ added: 1 });
    expect((await into('two', '乙')).report.papers).toMatchObject({ added: 1, changed: 0, gone: [] });
    const both = await now();
    expect(both).toMatchObject([
      { course_id: one, name: '期中', shown: ':甲=2' },
      { course_id: two, name: '期中', shown: ':乙=2' },
    ]);
    for (const [course, key] of [
      ['one', '甲'],
      ['two', '乙'],
    ] as const)
      expect((await into(course, key)).report.papers).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
    // Each keeps its records when it gets a 试卷编号, which the whole pack has once.
    expect((await into('two', '乙', { 试卷编号: 'P' })).report.imported).toBe(true);
    expect(await now()).toEqual(both);
    expect((await into('one', '甲', { 试卷编号: 'P' })).rows).toEqual([
      expect.stringContaining('试卷编号“P”是这个课程包另一门课里的试卷“期中”的'),
    ]);
    expect(await now()).toEqual(both);
  });

  test('a sheet is found by its name in other widths, and one that is called so in both by what is written', async () => {
    const sheets = (...names: string[]) =>
      names.map((name, at) => ({ name, rows: table(BANK, [judge(`${name}${at}`)]) }));
    const of = async (where: string, ...names: string[]) =>
      take(
        fileOf(
          'widths.xlsx',
          await writeXlsx({
            sheets: [...sheets(...names), { name: '卷', rows: table(PAPERS, paper('卷', MOCK, { 题目行号: where })) }],
          }),
        ),
        { dryRun: true },
      );
    expect((await of('题库（一）!2', '题库（一）', '题库二')).rows).toEqual([]);
    expect((await of("'题库(一)'！第 2 行", '题库（一）', '题库二')).rows).toEqual([]);
    expect((await of('题库（一）!2', '题库（一）', '题库(一)')).rows).toEqual([]);
    expect((await of('题库（三）!2', '题库（一）', '题库(一)')).rows).toEqual([
      '卷 2: 没有写着试题的工作表“题库（三）”（有：题库（一）、题库(一)）（J 列）',
    ]);
  });

  test('a paper whose row is refused is not said to be gone from the file', async () => {
    await take(await book(bank('甲'), paper('期中', MOCK, of('甲'))));
    const { report } = await take(await book(bank('甲'), paper('期中', { ...MOCK, 试卷编号: 'P' }, of('无'))), {
      keepGood: true,
    });
    expect(report.papers).toMatchObject({ left: ['期中'], gone: [] });
  });

  test('forty thousand papers of one question are looked through in seconds', async () => {
    const lines = Array.from({ length: 40_000 }, (_, at) => paper(`卷${at}`, MOCK, of(at === 5 ? '无' : '甲'))).flat();
    const { report } = await take(await book(bank('甲'), lines));
    expect(report).toMatchObject({ bad: 1, imported: false });
    // With the square of the papers it took minutes.
  }, 60_000);

  test('a folder that is loaded again leaves papers of spreadsheets alone', async () => {
    const folder = small();
    await loadPack(db, files, folder);
    await take(await book(bank('甲'), paper('表格卷', MOCK, of('甲'))), { pack: 'small' });
    expect(await loadPack(db, files, folder)).toMatchObject({ different: false, papers: { archived: 0 } });
    expect((await papers()).map(({ name, archived }) => [name, archived])).toEqual([
      ['卷', 0],
      ['表格卷', 0],
    ]);
  });

  test('five hundred papers of twenty questions', async () => {
    const keys = Array.from({ length: 100 }, (_, at) => `K${at}`);
    const lines = Array.from({ length: 500 }, (_, at) =>
      paper(
        `第 ${at} 套`,
        { ...MOCK, 总分: 40 },
        ...Array.from({ length: 20 }, (_, turn) => of(`K${(at * 7 + turn * 3) % 100}`)),
      ),
    ).flat();
    const file = await book(bank(...keys), lines);
    const { report, rows } = await take(file);
    expect(rows).toEqual([]);
    expect(report).toMatchObject({ good: 10_100, papers: { added: 500 } });
    expect((await take(file)).report.papers).toMatchObject({ added: 0, changed: 0, unchanged: 500 });
  }, 120_000);
});

describe.each(databases)('a student and a paper of a spreadsheet, on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  test('sees the sections, the order and the points of the file, and keeps the paper that was begun', async () => {
    const take = async (file: string) =>
      (
        await importQuestions(kit.db, {
          file,
          files: kit.parts.files,
          read: readSpreadsheet,
          pack: 'seen',
          packName: '看卷',
        })
      ).papers;
    const lines = (points: number) =>
      paper(
        '期中卷',
        { ...MOCK, 总分: 5 + points },
        of('丙', { 大题: '一、热身', 顺序: 1, 分值: 5 }),
        of('甲', { 大题: '二、正题', 顺序: 3, 分值: points - 1 }),
        of('乙', { 大题: '二、正题', 顺序: 2, 分值: 1 }),
      );
    await take(await book(bank('甲', '乙', '丙'), lines(4)));
    const { id: packId } = await kit.db.query
      .selectFrom('packs')
      .select('id')
      .where('slug', '=', 'seen')
      .executeTakeFirstOrThrow();
    const { id: examId } = await kit.db.query
      .selectFrom('exams')
      .select('id')
      .where('name', '=', '期中卷')
      .executeTakeFirstOrThrow();
    const start = async () => {
      kit.time.now = START;
      const as = await kit.user();
      await enrol(kit, as, packId);
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      return { as, recordId };
    };
    const shown = async ({ as, recordId }: Awaited<ReturnType<typeof start>>) => {
      const { sections, questions } = await ok('GET /api/exam/details', { recordId }, { as });
      const told = new Map(questions.map((one) => [one.questionId, `${one.topic.slice(2, 3)}=${one.score}`]));
      return sections.map(({ title, questionIds }) => `${title}:${questionIds.map((id) => told.get(id)).join(',')}`);
    };
    const early = await start();
    const begun = ['一、热身:丙=5', '二、正题:乙=1,甲=3'];
    expect(await shown(early)).toEqual(begun);
    expect(await take(await book(bank('甲', '乙', '丙'), lines(9)))).toMatchObject({ changed: 1 });
    expect(await shown(early)).toEqual(begun);
    const late = await start();
    expect(await shown(late)).toEqual(['一、热身:丙=5', '二、正题:乙=1,甲=8']);
    const ids = (await ok('GET /api/exam/details', { recordId: early.recordId }, { as: early.as })).questions.map(
      ({ questionId }) => questionId,
    );
    const answers = ids.map((questionId, at) => ({ questionId, answer: 'A', seq: at + 1 }));
    await ok('POST /api/exam/submit', { examId, recordId: early.recordId, answers }, { as: early.as });
    expect(await ok('GET /app/exam/result_tip', { recordId: early.recordId }, { as: early.as })).toMatchObject({
      score: 9,
      totalScore: 9,
    });
  });

  test('a question that was retired is left out, and the import says so with both sums', async () => {
    const file = await book(bank('子', '丑'), paper('停用卷', { ...MOCK, 总分: 4 }, of('子'), of('丑')));
    const task = { file, files: kit.parts.files, read: readSpreadsheet, pack: 'kept', packName: '停用' };
    await importQuestions(kit.db, task);
    await kit.db.query
      .updateTable('questions')
      .set({ archived: 1, retired: JSON.stringify({ at: 1, by: 'op', reason: '错题', places: {} }) })
      .where('school_key', '=', '丑')
      .execute();
    const warned: string[] = [];
    const { papers } = await importQuestions(kit.db, { ...task, warned: ({ why }) => warned.push(why.join('；')) });
    expect(warned).toEqual([expect.stringContaining('这道题是人工停用的，试卷里不出现，学员看到的总分少 2 分')]);
    expect(papers.otherwise).toEqual([{ name: '停用卷', filed: 4, shown: 2 }]);
  });

  test('records that are over are graded again by other points where that is asked for, also of questions that the file has not', async () => {
    const task = { files: kit.parts.files, read: readSpreadsheet, pack: 'again', packName: '再评' };
    kit.time.now = START;
    await importQuestions(kit.db, {
      ...task,
      file: await book(bank('午', '未'), paper('再评卷', MOCK, of('午'), of('未'))),
    });
    const find = async (table: 'packs' | 'exams', name: string) =>
      (await kit.db.query.selectFrom(table).select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;
    const [packId, examId] = [await find('packs', '再评'), await find('exams', '再评卷')];
    const as = await kit.user();
    await enrol(kit, as, packId);
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    const { questions } = await ok('GET /api/exam/details', { recordId }, { as });
    const answers = questions.map(({ questionId }, at) => ({ questionId, answer: at === 0 ? 'A' : 'B', seq: 1 }));
    const before = await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
    expect(before).toMatchObject({ score: 2, totalScore: 4 });
    const file = await book(null, paper('再评卷', { ...MOCK, 总分: 7 }, of('午', { 分值: 5 }), of('未')));
    const now = kit.time.now;
    expect((await importQuestions(kit.db, { ...task, file, now, dryRun: true })).rescore).toMatchObject({
      questions: [{ preview: expect.anything() }],
      records: 1,
      asked: false,
    });
    const teacher = await kit.user('teacher');
    const rescore = { teacherId: teacher.userId, reason: '改了分值' };
    const report = await importQuestions(kit.db, { ...task, file, now, rescore });
    expect(report).toMatchObject({ rescore: { records: 1, asked: true }, papers: { otherwise: [] } });
    await kit.chore('exam: re-score corrected records');
    expect(await ok('GET /app/exam/result_tip', { recordId }, { as })).toMatchObject({ score: 5, totalScore: 7 });
  });
});
