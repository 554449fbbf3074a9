import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { afterAll, describe, expect, test } from 'vitest';
import type { RejectedRow } from '#content/question/file-question.ts';
import { readSpreadsheet } from '#content/question/spreadsheet.ts';
import type { Db } from '#server/db/open.ts';
import { databases } from '#server/test-kit.ts';
import { beginEmpty, clean, copyOf, csv, fileOf, loadPack, small } from './import.test-kit.ts';
import { importQuestions } from './questions.ts';

afterAll(clean);

const COLUMNS = ['题型', '题干', '选项A', '选项B', '选项C', '选项D', '答案', '材料', '章节', '编号'] as const;
type Written = Partial<Record<(typeof COLUMNS)[number], string>>;

const xlsx = async (rows: readonly Written[], columns: readonly (typeof COLUMNS)[number][] = COLUMNS) =>
  fileOf(
    'bank.xlsx',
    await writeXlsx({
      sheets: [
        {
          name: '题库',
          rows: [[...columns], ...rows.map((row) => columns.map((column): CellValue => row[column] ?? null))],
        },
      ],
    }),
  );

const judge = (topic: string, more: Written = {}): Written => ({ 题型: '判断', 题干: topic, 答案: '对', ...more });
const NAMES = [
  '流动资产',
  '固定资产',
  '无形资产',
  '应付账款',
  '实收资本',
  '资本公积',
  '营业收入',
  '管理费用',
  '财务费用',
  '递延收益',
];
const DOES = [
  '应当在资产负债表日',
  '不得于会计年度中间',
  '可以在董事会批准以后',
  '须按照企业会计准则',
  '由审计委员会每季度',
  '经股东大会表决以后',
  '通常随市场价格变动',
  '在合并报表层面',
  '按照历史成本原则',
  '因税法规定不同',
];
/** A hundred questions of every type, as banks have them: much alike, and none the same. */
const bank = (): Written[] =>
  Array.from({ length: 100 }, (_, at) => {
    const [name = '', does = ''] = [NAMES[at % 10], DOES[Math.floor(at / 10)]];
    const topic = `关于${name}，企业${does}进行${['确认', '计量', '列报', '重分类'][at % 4]}的说法`;
    if (at % 4 === 0) return judge(`${topic}是正确的。`);
    if (at % 4 === 1) return { 题型: '简答', 题干: `请说明：${topic}有哪些要求？`, 答案: `要点${at}` };
    return {
      题型: '单选',
      题干: `${topic}，正确的是（　）。`,
      选项A: `${name}的甲`,
      选项B: '乙',
      选项C: `丙${at}`,
      选项D: '丁',
      答案: 'B',
    };
  });
/** Thirteen of them with a corrected text: of a question, of an option, of a material. */
const corrected = (rows: readonly Written[]): Written[] =>
  rows
    .map((row, at) => {
      if (at % 8 !== 0 && at !== 99) return row;
      return at === 99
        ? { ...row, 选项C: `${row.选项C ?? ''}（修订）` }
        : { ...row, 题干: (row.题干 ?? '').replace('企业', '企业单位') };
    })
    .map((row, at) => (at === 96 ? (rows[96] ?? row) : row));

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
    return { report, rows: rows.map(({ row, why }) => `${row}: ${why.join('；')}`), warned };
  };
  const stored = () =>
    db.query
      .selectFrom('questions')
      .leftJoin('cases', 'cases.id', 'questions.case_id')
      .select(['questions.id', 'topic', 'right_answer', 'school_key', 'cases.text as material'])
      .where('archived', '=', 0)
      .orderBy('questions.id')
      .execute();
  const TAKE = { corrections: 'take', except: [] } as const;
  const NEW = { corrections: 'new', except: [] } as const;

  test('two materials make two questions, in one file and in two, and each is found again', async () => {
    const ask = (material: string, answer: string): Written => ({
      题型: '简答',
      题干: '根据材料，回答下列问题',
      材料: material,
      答案: answer,
    });
    const [one, two, three] = [
      ask('材料一：甲公司购入一台设备。', '一'),
      ask('材料二：乙企业对外销售商品，款未收。', '二'),
      ask('材料三：丙厂向银行借入三年期款项，按年付息。', '三'),
    ];
    expect((await take(await xlsx([one, two]))).report).toMatchObject({ bad: 0, added: 2 });
    const before = await stored();
    expect((await take(await xlsx([three]))).report).toMatchObject({ added: 1, changed: 0, bad: 0 });
    expect((await stored()).slice(0, 2)).toEqual(before);
    expect((await take(await xlsx([one, two, three]))).report).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 3,
      gone: [],
    });
    expect((await take(await xlsx([{ ...two, 答案: '改' }]))).report).toMatchObject({ changed: 1, added: 0 });
    expect((await stored()).map(({ right_answer }) => right_answer)).toEqual(['一', '改', '三']);
  });

  test('thirteen corrected texts in a bank of a hundred leave a hundred questions', async () => {
    expect((await take(await xlsx(bank()))).report).toMatchObject({ added: 100 });
    const before = await stored();
    const file = await xlsx(corrected(bank()));
    const refused = await take(file);
    expect(refused.report).toMatchObject({ imported: false, undecided: 13, bad: 13, good: 87, added: 0 });
    expect(refused.rows).toHaveLength(13);
    expect(refused.rows[0]).toBe(
      '2: 可能是题库里“关于流动资产，企业应当在资产负债表日进行确认的说法是正确的。”的更正，只有题干不同：原为“…于流动资产，企业应当在资产负债表…”，现为“…于流动资产，企业单位应当在资产负债表…”',
    );
    expect(await stored()).toEqual(before);
    expect((await take(file, { answer: TAKE, dryRun: true })).report).toMatchObject({ changed: 13, imported: false });
    expect(await stored()).toEqual(before);
    const done = await take(file, { answer: TAKE });
    expect(done.report).toMatchObject({ imported: true, added: 0, changed: 13, unchanged: 87, bad: 0, gone: [] });
    const after = await stored();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.filter(({ topic }, at) => topic !== before[at]?.topic)).toHaveLength(12);
    // Under the key that it came with it is found by what it asks now.
    expect((await take(file)).report).toMatchObject({ added: 0, changed: 0, unchanged: 100, undecided: 0 });
    // And what it asked before is a question of its own again, which nothing stored is overwritten by.
    expect((await take(await xlsx(bank()), { answer: NEW })).report).toMatchObject({
      added: 13,
      changed: 0,
      unchanged: 87,
    });
    expect((await stored()).slice(0, 100)).toEqual(after);
    expect((await take(await xlsx(bank()))).report).toMatchObject({ added: 0, unchanged: 100 });
  });

  test('by 编号 corrected texts need no answer, whatever was corrected, and files without it find their questions too', async () => {
    const keyed = (rows: readonly Written[]) => rows.map((row, at) => ({ ...row, 编号: `CW-${at}` }));
    // First without, then the column comes in together with corrections.
    await take(await xlsx(bank(), COLUMNS.slice(0, -1)));
    const before = await stored();
    expect((await take(await xlsx(keyed(bank())))).report).toMatchObject({ added: 0, changed: 100, bad: 0 });
    const file = await xlsx(keyed(corrected(bank())));
    expect((await take(file)).report).toMatchObject({ added: 0, changed: 13, unchanged: 87, undecided: 0 });
    const both = keyed(corrected(bank())).map((row, at) =>
      at === 2 ? { ...row, 题干: `${row.题干 ?? ''}请选择`, 选项A: '甲甲', 材料: '一份材料' } : row,
    );
    expect((await take(await xlsx(both))).report).toMatchObject({ added: 0, changed: 1, undecided: 0 });
    const after = await stored();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[2]).toMatchObject({ school_key: 'CW-2', material: '一份材料' });
    const without = await xlsx(
      both.map(({ 编号: _, ...row }) => row),
      COLUMNS.slice(0, -1),
    );
    expect((await take(without)).report).toMatchObject({ added: 0, changed: 0, unchanged: 100 });
    expect(await stored()).toEqual(after);
  });

  test('编号 twice in a file names both rows; a school key that is no longer the same question is not overwritten', async () => {
    const twice = await take(
      await xlsx([judge('太阳从东方升起。', { 编号: 'A 1' }), judge('水往低处流。', { 编号: 'Ａ 1' })]),
    );
    expect(twice.rows).toEqual([
      expect.stringMatching(/^3: 编号“A 1”在第 2 行已经用过，第 3 行要写另一个（[A-Z] 列）$/),
    ]);
    expect(twice.report.imported).toBe(false);
    await take(await xlsx([judge('太阳从东方升起。', { 编号: '1' }), judge('水往低处流。', { 编号: '2' })]));
    const before = await stored();
    // Another file that counts from 1 again.
    const other = await xlsx([
      judge('光合作用放出氧气。', { 编号: '1' }),
      judge('企业应当编制利润表。', { 编号: '2' }),
    ]);
    const refused = await take(other);
    expect(refused.rows[0]).toMatch(/^2: 编号“1”在题库里是另一道题“太阳从东方升起。”/);
    expect(refused.report).toMatchObject({ imported: false, undecided: 2 });
    expect((await take(other, { answer: NEW })).report.imported).toBe(false);
    expect(await stored()).toEqual(before);
    expect((await take(other, { answer: TAKE })).report).toMatchObject({ changed: 2, added: 0 });
    expect((await stored()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test('编号 numbered anew, as after a row was put in at the top: no record goes to the question of another row unasked', async () => {
    const choice = (key: string, ...[A = '', B = '', C = '']: string[]): Written => ({
      ...{ 题型: '单选', 题干: '下列说法正确的是（　）。', 选项A: A, 选项B: B, 选项C: C, 答案: 'A', 编号: key },
    });
    const texts = [
      ['水往低处流', '水往高处流', '水不流'],
      ['光沿直线传播', '光拐弯', '光不动'],
      ['铁能导电', '木能导电', '纸能导电'],
    ];
    await take(await xlsx(texts.map((options, at) => choice(String(at + 1), ...options))));
    const before = await stored();
    const anew = await xlsx(
      [['月亮绕地球转', '地球绕月亮转', '都不转'], ...texts].map((options, at) => choice(String(at + 1), ...options)),
    );
    const refused = await take(anew);
    expect(refused.report).toMatchObject({ imported: false, undecided: 3 });
    expect([...refused.rows].sort().slice(0, 3)).toEqual([
      expect.stringMatching(/^2: 编号“1”在题库里是另一道题“下列说法正确的是（　）。”/),
      expect.stringMatching(/^3: 这道题在题库里的编号是“1”，这里写的“2”在题库里是另一道题：编号像是重新排过/),
      expect.stringMatching(/^4: 这道题在题库里的编号是“2”，这里写的“3”在题库里是另一道题：编号像是重新排过/),
    ]);
    expect(await stored()).toEqual(before);
    const swapped = await xlsx([choice('2', ...(texts[0] ?? [])), choice('1', ...(texts[1] ?? []))]);
    expect((await take(swapped)).report).toMatchObject({ imported: false, undecided: 2 });
    expect((await take(swapped, { answer: TAKE })).report).toMatchObject({ imported: true, changed: 2, added: 0 });
  });

  test('编号 against what is stored: another one for the same text, a text that another has, and a key of the folder', async () => {
    await loadPack(db, files, copyOf(small()));
    const into = { pack: 'small' };
    await take(
      await xlsx([
        judge('太阳从东方升起。', { 编号: '甲' }),
        judge('水往低处流。', { 编号: '乙' }),
        judge('月有阴晴圆缺。'),
      ]),
      into,
    );
    const before = await stored();
    const rows = async (row: Written) => (await take(await xlsx([row]), into)).rows;
    expect(await rows(judge('太阳从东方升起。', { 编号: '丙' }))).toEqual([
      '2: 这道题在题库里的编号是“甲”，这一行写的是“丙”',
    ]);
    expect(await rows(judge('水往低处流。', { 编号: '甲' }))).toEqual([
      expect.stringContaining('改成了与题库里另一道题一样（编号“乙”）'),
    ]);
    expect(await rows(judge('月有阴晴圆缺。', { 编号: '甲' }))).toEqual([
      expect.stringContaining('改成了与题库里另一道题一样'),
    ]);
    expect(await rows(judge('铁在空气里会生锈。', { 编号: 'q-1' }))).toEqual([
      expect.stringContaining('课程包文件夹里一道题的 key'),
    ]);
    expect(await stored()).toEqual(before);
    // Two questions that take each other's text are two questions.
    const swapped = await xlsx([judge('水往低处流。', { 编号: '甲' }), judge('太阳从东方升起。', { 编号: '乙' })]);
    expect((await take(swapped, { ...into, answer: TAKE })).report).toMatchObject({ changed: 2, added: 0, bad: 0 });
  });

  test('an answer for one row is the other one, and a row that nobody asked about is a slip of the pen', async () => {
    await take(await xlsx([judge('太阳从东方升起来。'), judge('水总是往低处流。')]));
    const file = await xlsx([judge('太阳从西方升起来。'), judge('水总是往高处流。'), judge('铁在空气里会生锈。')]);
    const answer = { corrections: 'take', except: ['题库!3'] } as const;
    expect((await take(file, { answer })).report).toMatchObject({ added: 2, changed: 1 });
    expect((await stored()).map(({ topic }) => topic)).toEqual([
      '太阳从西方升起来。',
      '水总是往低处流。',
      '水总是往高处流。',
      '铁在空气里会生锈。',
    ]);
    await expect(take(file, { answer: { corrections: 'take', except: ['9'] } })).rejects.toThrow(
      '--except 里的 9 不是可能的更正',
    );
  });

  test('--keep-good leaves out what waits for an answer, and nothing is doubled', async () => {
    await take(await xlsx([judge('太阳从东方升起来。')]));
    const file = await xlsx([judge('太阳从西方升起来。'), judge('铁在空气里会生锈。')]);
    expect((await take(file, { keepGood: true })).report).toMatchObject({
      imported: true,
      added: 1,
      changed: 0,
      bad: 1,
    });
    expect((await stored()).map(({ topic }) => topic)).toEqual(['太阳从东方升起来。', '铁在空气里会生锈。']);
  });

  test('a row beside the one that it corrects is taken, and said', async () => {
    const old = judge('企业应当在资产负债表日对流动资产进行确认。');
    await take(await xlsx([old]));
    const done = await take(await xlsx([old, { ...old, 题干: '企业应当在资产负债表日对流动资产进行计量。' }]));
    expect(done.report).toMatchObject({ added: 1, unchanged: 1, warned: 1, bad: 0 });
    expect(done.warned).toEqual(['3: 与第 2 行只有题干不同，可能是它的更正；两题都会留在题库里']);
  });

  test('what the file no longer has is said and left alone, or taken out where that is asked for', async () => {
    const [one, two] = [
      judge('太阳从东方升起。', { 编号: '甲', 章节: '第一章' }),
      judge('铁在空气里会生锈。', { 章节: '第一章' }),
    ];
    await take(await xlsx([one, two]));
    const file = await xlsx([two]);
    const said = await take(file);
    expect(said.report).toMatchObject({ archived: 0, gone: [{ schoolKey: '甲', topic: '太阳从东方升起。' }] });
    expect(await stored()).toHaveLength(2);
    expect((await take(file, { whole: true, dryRun: true })).report).toMatchObject({
      archived: 1,
      gone: [{ schoolKey: '甲' }],
    });
    expect(await stored()).toHaveLength(2);
    expect((await take(file, { whole: true })).report).toMatchObject({ archived: 1 });
    expect(await stored()).toHaveLength(1);
    expect((await take(await xlsx([one, two]))).report).toMatchObject({ added: 0, changed: 1, unchanged: 1, gone: [] });
    expect(await stored()).toHaveLength(2);
  });

  test('another import between the look and the writing: nothing is written', async () => {
    await take(csv('判断,太阳从东方升起来。,,,,,对,,,,,'));
    const file = csv('判断,太阳从西方升起来。,,,,,对,,,,,');
    const write = db.transaction.bind(db);
    db.transaction = (async (...args: Parameters<Db['transaction']>) => {
      db.transaction = write;
      await db.query.updateTable('questions').set({ topic: '太阳从南方升起来。' }).execute();
      return write(...args);
    }) as Db['transaction'];
    await expect(take(file, { answer: TAKE })).rejects.toThrow('题库在检查这份文件时被别的导入改动了');
    expect((await stored()).map(({ topic }) => topic)).toEqual(['太阳从南方升起来。']);
  });
});
