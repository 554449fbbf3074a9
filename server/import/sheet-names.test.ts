import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { describeMistake } from '#content/pack/mistake.ts';
import { readPack } from '#content/pack/pack.ts';
import { readSpreadsheet } from '#content/question/spreadsheet.ts';
import type { Db } from '#server/db/open.ts';
import { databases } from '#server/test-kit.ts';
import { beginEmpty, clean, copyOf, everything, fileOf, loadPack, small } from './import.test-kit.ts';
import { importPack } from './pack.ts';
import { importQuestions } from './questions.ts';

afterAll(clean);

const HEADER = '题型,题干,答案,分值,编号';
const bank = (...lines: string[]) => fileOf('bank.csv', [HEADER, ...lines].join('\r\n'));
/** `small` with this list of questions in its paper, and what else is said of that. */
const naming = (folder: string, questions: string, more = '') =>
  copyOf(folder, {
    'papers/1.yaml': (text) =>
      text.replace('questions: [q-2, q-1]', `questions: [${questions}]`).replace('score: 4, ', '') + more,
  });

describe.each(databases)('papers of a folder that name questions of spreadsheets, on $name', ({ kind }) => {
  let db: Db;
  const files = beginEmpty(kind, (empty) => {
    db = empty;
  });
  const take = (file: string, more: Partial<Parameters<typeof importQuestions>[1]> = {}) =>
    importQuestions(db, { file, files, read: readSpreadsheet, pack: 'small', ...more });
  const mistakes = async (folder: string) => {
    const done = await importPack(db, files, folder, { read: readPack });
    return done.ok ? [] : done.mistakes.map(describeMistake);
  };
  const shown = async () => {
    const rows = await db.query
      .selectFrom('exam_questions')
      .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
      .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
      .select(['questions.slug', 'school_key', 'exam_questions.score', 'exams.total_score'])
      .where('exams.slug', '=', 'mock-1')
      .orderBy('exam_questions.position')
      .execute();
    return [...rows.map((row) => `${row.school_key ?? row.slug}=${row.score}`), rows[0]?.total_score];
  };

  test('by 编号, among those of the folder; loaded again nothing changes', async () => {
    const folder = small();
    await loadPack(db, files, folder);
    await take(bank('判断,表格甲,对,3,DL-001', '判断,表格乙,错,5,"甲 2"'));
    const mixed = naming(folder, 'q-2, 编号: DL-001, { 编号: 甲 2 }, q-1', 'total: 12\npassScore: 12\n');
    expect(await loadPack(db, files, mixed)).toMatchObject({ papers: { changed: 1 } });
    expect(await shown()).toEqual(['q-2=2', 'DL-001=3', '甲 2=5', 'q-1=2', 12]);
    const before = await everything(db);
    expect(await loadPack(db, files, mixed)).toMatchObject({ different: false });
    expect(await everything(db)).toEqual(before);
    // A corrected text of the spreadsheet is the same question of the paper.
    await take(bank('判断,表格甲（改）,对,3,DL-001', '判断,表格乙,错,5,甲 2'));
    expect(await shown()).toEqual(['q-2=2', 'DL-001=3', '甲 2=5', 'q-1=2', 12]);
    await expect(take(bank('判断,表格乙,错,5,甲 2'), { whole: true })).rejects.toThrow(
      '试卷里还在用的题：DL-001（试卷“卷”）',
    );
  });

  test('what is not there is a mistake with its place, and nothing is stored', async () => {
    const folder = small();
    expect(await mistakes(naming(folder, 'q-1, 编号: DL-001'))).toEqual([
      expect.stringMatching(
        /^papers\/1.yaml:6 {2}sections\[1\].questions\[2\].编号 {2}没有编号是“DL-001”的试题，课程包也还没有：先不带这份试卷/,
      ),
    ]);
    expect(await everything(db)).toMatchObject({ packs: [], questions: [] });
    await loadPack(db, files, folder);
    await take(bank('判断,甲,对,3,A', '判断,乙,对,3,B'));
    await take(bank('判断,甲,对,3,A'), { whole: true });
    const before = await everything(db);
    expect(await mistakes(naming(folder, '编号: B, 编号: A, 编号: A'))).toEqual([
      expect.stringContaining('试题 编号 A 在这份试卷里出现了两次'),
    ]);
    expect(await mistakes(naming(folder, '编号: B, 编号: C'))).toEqual([
      expect.stringContaining('编号“B”的试题已停用'),
      expect.stringContaining('没有编号是“C”的试题'),
    ]);
    expect(await mistakes(naming(folder, '{ 编号: A, 分值: 3 }, { key: A }'))).toEqual(
      expect.arrayContaining([expect.stringContaining('不认识的字段“分值”'), expect.stringContaining('没有写 编号')]),
    );
    expect(await everything(db)).toEqual(before);
  });

  test('points that do not add up to the total are named, those of the bank too', async () => {
    const folder = small();
    const total = (folder: string, more: string) => copyOf(folder, { 'papers/1.yaml': (text) => text + more });
    expect(await mistakes(total(folder, 'total: 9.5\n'))).toEqual([
      'papers/1.yaml:7  total  总分写的是 9.5，各题分值合计 8，少 1.5 分',
    ]);
    expect(await mistakes(total(folder, 'total: 8\n'))).toEqual([]);
    await take(bank('判断,甲,对,3,A'));
    expect(await mistakes(naming(folder, 'q-1, 编号: A', 'total: 4\npassScore: 6\n'))).toEqual([
      'papers/1.yaml:8  passScore  及格分 6 高于总分 5',
      'papers/1.yaml:7  total  总分写的是 4，各题分值合计 5，多 1 分',
    ]);
    expect(await mistakes(naming(folder, 'q-1, 编号: A', 'total: 5\n'))).toEqual([]);
  });

  test('a key of the folder that is a 编号 is refused from both sides', async () => {
    const folder = small();
    await loadPack(db, files, folder);
    const rows: string[] = [];
    await take(bank('判断,甲,对,3,q-1'), { rejected: ({ why }) => rows.push(why.join('；')) });
    expect(rows).toEqual([expect.stringContaining('编号“q-1”是课程包文件夹里一道题的 key')]);
    await take(bank('判断,甲,对,3,q-9'));
    const clash = copyOf(folder, { 'questions/1.yaml': (text) => text.replace('key: q-3', 'key: q-9') });
    const line =
      readFileSync(join(clash, 'questions/1.yaml'), 'utf8')
        .split('\n')
        .findIndex((one) => one.includes('q-9')) + 1;
    expect(await mistakes(clash)).toEqual([
      `questions/1.yaml:${line}  questions[3].key  试题 q-9 的 key 是表格里一道题的编号，请换一个 key，或在表格里换一个编号`,
    ]);
  });

  test('a paper of the folder is not called as one of a spreadsheet in its course', async () => {
    const folder = small();
    const renamed = (name: string, more = '') =>
      copyOf(folder, { 'papers/1.yaml': (text) => text.replace(/name: 卷/, `name: ${name}`) + more });
    await loadPack(db, files, renamed('旧卷'));
    await take(bank('判断,甲,对,3,A'));
    await take(fileOf('papers.csv', '试卷,类型,时长,编号\r\nA卷,模拟,60,A\r\n'));
    const before = await everything(db);
    expect(await mistakes(renamed('ａ卷'))).toEqual([
      expect.stringMatching(/^papers\/1.yaml:\d+ {2}name {2}这门课里已有一份从表格导入的试卷叫“ａ卷”/),
    ]);
    expect(await mistakes(renamed('A卷', 'course: one\n'))).toHaveLength(1);
    expect(await everything(db)).toEqual(before);
    // The paper of another course may be called so.
    const two = {
      'pack.yaml': (text: string) => `${text}  - { slug: two, name: 另一门, chapters: [{ slug: c, name: 章 }] }\n`,
    };
    expect(await mistakes(copyOf(renamed('A卷', 'course: two\n'), two))).toEqual([]);
  });

  test('reserved, they leave practice, and stand in no after-class paper', async () => {
    const folder = small();
    await loadPack(db, files, folder);
    await take(bank('判断,留卷甲,对,3,A', '判断,题 q-3,对,3,B'));
    const reserved = naming(folder, '编号: A', 'reserved: true\n');
    await loadPack(db, files, reserved);
    const practised = await db.query
      .selectFrom('exam_questions')
      .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
      .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
      .select('questions.school_key')
      .where('exams.kind', '=', 'chapter')
      .where('school_key', 'is not', null)
      .execute();
    expect(practised).toEqual([{ school_key: 'B' }]);
    expect(await mistakes(naming(folder, '编号: B', 'reserved: true\n'))).toEqual([
      expect.stringMatching(/保留的试题（编号“B”）与试题 q-3 的题干、选项和材料相同/),
    ]);
  });
});
