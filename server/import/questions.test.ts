import { mkdirSync, readdirSync } from 'node:fs';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { RejectedRow } from '#content/question/file-question.ts';
import { HEADER } from '#content/question/header.test-kit.ts';
import { anchor, drawings, inline, pic, pixels } from '#content/question/spreadsheet.test-kit.ts';
import { readSpreadsheet } from '#content/question/spreadsheet.ts';
import { templateCsv } from '#content/question/template.ts';
import { workbookOf } from '#content/sheet/xlsx.test-kit.ts';
import type { Db } from '#server/db/open.ts';
import { databases } from '#server/test-kit.ts';
import {
  beginEmpty,
  clean,
  copyOf,
  count,
  csv,
  everything,
  fileOf,
  fresh,
  loadPack,
  small,
  TABLES,
} from './import.test-kit.ts';
import { importQuestions } from './questions.ts';

afterAll(clean);

describe.each(databases)('on $name', ({ kind }) => {
  let db: Db;
  const files = beginEmpty(kind, (empty) => {
    db = empty;
  });
  const sheet = async (file: string, more: Partial<Parameters<typeof importQuestions>[1]> = {}) => {
    const rows: RejectedRow[] = [];
    const report = await importQuestions(db, {
      file,
      files,
      read: readSpreadsheet,
      pack: 'school',
      packName: '学校题库',
      rejected: (row) => rows.push(row),
      ...more,
    });
    return { report, rows: rows.map(({ row, why }) => `${row}: ${why.join('；')}`) };
  };

  test('makes pack, course, chapters, case and practice, and finds all of it the next time', async () => {
    const file = fileOf('t.csv', templateCsv());
    const first = await sheet(file);
    expect(first).toMatchObject({ rows: [], report: { good: 6, added: 6, imported: true } });
    const before = await everything(db);
    const again = await sheet(file);
    expect(again.report).toMatchObject({ added: 0, changed: 0, unchanged: 6 });
    expect(await everything(db)).toEqual(before);
    const chapters = await db.query.selectFrom('chapters').select(['name', 'level']).orderBy('id').execute();
    expect(chapters.map(({ name, level }) => `${level} ${name}`)).toEqual([
      '1 第一章',
      '2 第一节',
      '2 第二节',
      '3 城市',
      '1 第二章',
    ]);
    expect(await count(db, 'cases')).toBe(1);
    const practice = await db.query
      .selectFrom('exams')
      .select(['name', 'kind', 'total_question'])
      .orderBy('position')
      .execute();
    expect(practice.map((exam) => `${exam.kind} ${exam.name} ${exam.total_question}`)).toEqual([
      'chapter 第一章 3',
      'chapter 第一节 2',
      'chapter 第二节 1',
      'chapter 城市 1',
      'chapter 第二章 3',
    ]);
  });

  test('a file with thousands of bad rows is read no further than that, unless its good rows are taken', async () => {
    const lines = Array.from({ length: 6000 }, (_, at) => `判断,题${at},,,,,也许,,,,,`);
    const file = csv(...lines, '判断,好,,,,,对,,,,,');
    const { report, rows } = await sheet(file);
    expect(rows).toHaveLength(5000);
    expect(report).toMatchObject({
      ...{ imported: false, good: 0, bad: 5000 },
      notes: ['不合格的行已有 5000 行，检查到第 5001 行为止，后面的没有检查'],
    });
    const kept = await sheet(file, { keepGood: true });
    expect(kept.rows).toHaveLength(6000);
    expect(kept.report).toMatchObject({ imported: true, added: 1, bad: 6000, notes: [] });
    const most = csv(...Array.from({ length: 4 }, () => lines).flat(), '判断,好,,,,,对,,,,,');
    const stopped = await sheet(most, { keepGood: true, dryRun: true });
    expect(stopped.rows).toHaveLength(20_000);
    expect(stopped.report).toMatchObject({
      ...{ imported: false, stopped: true, added: 0, bad: 20_000 },
      notes: [
        expect.stringMatching(/^不合格的行已有 20000 行，检查到第 20001 行为止，后面的没有检查，合格的行也没有导入/),
      ],
    });
  });

  test('leaves no answer key behind, whenever it is killed', async () => {
    const temporary = fresh('temporary');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    const seen: string[][] = [];
    const progress = () => seen.push(readdirSync(temporary));
    const lines = Array.from({ length: 1200 }, (_, at) => `单选,甲${at},1,2,,,A,，,2,,,`);
    expect((await sheet(csv(...lines), { progress })).report).toMatchObject({ added: 1200 });
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.flat()).toEqual([]);
    vi.unstubAllEnvs();
  });

  test('pictures of a spreadsheet are stored once, shown by their question, and belong to the pack', async () => {
    const shown = '<c t="str"><f>DISPIMG("ID_1",1)</f><v>=DISPIMG("ID_1",1)</v></c>';
    const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;
    const relation = (type: string, target: string) =>
      `<Relationships><Relationship Id="r1" Type="x/${type}" Target="${target}"/>`;
    const file = fileOf(
      'pictures.xlsx',
      workbookOf({
        'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${row(...['题型', '题干', '答案', '材料', '选项A', '选项B'].map(inline))}${row(inline('判断'), inline('甲'), inline('对'), shown)}${row(inline('单选'), inline('乙'), inline('A'), '<c/>', shown, inline('丙'))}</sheetData></worksheet>`,
        'xl/_rels/workbook.xml.rels': `${relation('worksheet', 'worksheets/sheet1.xml')}<Relationship Id="r2" Type="x/cellImage" Target="cellimages.xml"/></Relationships>`,
        'xl/cellimages.xml':
          '<cellImages><cellImage><pic><cNvPr name="ID_1"/><blip embed="r1"/></pic></cellImage></cellImages>',
        'xl/_rels/cellimages.xml.rels': `${relation('image', 'media/image1.png')}</Relationships>`,
        'xl/media/image1.png': await pixels(8, 4),
      }),
    );
    // As a foreign file is read: pictures come through the process that reads it.
    expect((await sheet(file, { read: undefined })).report).toMatchObject({ bad: 0, added: 2, warned: 0 });
    const stored = await db.query.selectFrom('pack_files').select(['name', 'open', 'title']).execute();
    expect(stored).toEqual([{ name: expect.stringMatching(/\.png$/), open: 0, title: '图片.png' }]);
    expect(await files.find(stored[0]?.name ?? '')).toMatchObject({ size: expect.any(Number) });
    const html = `<img src="/files/${stored[0]?.name}" alt="" width="8" height="4" />`;
    const [material] = await db.query.selectFrom('cases').select('text').execute();
    expect(material?.text).toBe(html);
    const questions = await db.query.selectFrom('questions').select('options').orderBy('id').execute();
    expect(JSON.parse(questions[1]?.options ?? '')).toEqual({ A: html, B: '丙' });
    expect((await sheet(file)).report).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
  });

  test('what is said of pictures later changes their questions, and makes no others', async () => {
    const one = await pixels(8, 4);
    const cells = (...texts: string[]) => `<row>${texts.map(inline).join('')}</row>`;
    const picture = (row: number, column: number, said: string) =>
      anchor(row, column, pic('r:embed="p1"', '', said && `descr="${said}"`));
    // Of each question all that tells it: text, an option, the material.
    const book = (said: string, topic = '如图，下列说法正确的是') =>
      fileOf(
        'said.xlsx',
        workbookOf({
          'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells('题型', '题干', '选项A', '选项B', '答案', '材料')}${cells('单选', topic, '面积是 12', '面积是 7', 'A', '某厂的图纸')}${cells('判断', '图是红的', '', '', '对')}</sheetData></worksheet>`,
          ...drawings(picture(1, 1, said), picture(1, 2, said), picture(1, 5, said), picture(2, 1, said)),
          'xl/media/image1.png': one,
        }),
      );
    const stored = () =>
      db.query
        .selectFrom('questions')
        .leftJoin('cases', 'cases.id', 'questions.case_id')
        .select(['questions.id', 'questions.slug', 'questions.archived', 'topic', 'options', 'cases.text as material'])
        .orderBy('questions.id')
        .execute();
    const same = (rows: Awaited<ReturnType<typeof stored>>) =>
      rows.map(({ id, slug, archived }) => ({ id, slug, archived }));
    expect((await sheet(book(''))).report).toMatchObject({ added: 2 });
    const before = await stored();
    const listed = await db.query.selectFrom('exam_questions').select(['exam_id', 'question_id']).execute();
    const said = await sheet(book('红色矩形，宽 4 高 3'));
    expect(said).toMatchObject({ rows: [], report: { added: 0, changed: 2, undecided: 0, gone: [] } });
    const after = await stored();
    expect(same(after)).toEqual(same(before));
    expect(await db.query.selectFrom('exam_questions').select(['exam_id', 'question_id']).execute()).toEqual(listed);
    const texts = (rows: typeof before) =>
      rows.flatMap(({ topic, options, material }) => [topic, String(JSON.parse(options).A), material ?? '']);
    const described = texts(before).map((text) => text.replace('alt=""', 'alt="红色矩形，宽 4 高 3"'));
    expect(texts(after)).toEqual(described);
    expect(described.join().match(/红色矩形/g)).toHaveLength(4);
    expect((await sheet(book('红色矩形，宽 4 高 3'))).report).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
    // The whole bank again: what is stored is all in the file.
    expect((await sheet(book('红色'), { whole: true })).report).toMatchObject({ added: 0, changed: 2, archived: 0 });
    // Corrected besides: one part of the question is another, however many pictures are.
    const both = await sheet(book('蓝色', '如图，下列说法错误的是'));
    expect(both.report).toMatchObject({ imported: false, undecided: 1 });
    const answer = { corrections: 'take', except: [] } as const;
    const taken = await sheet(book('蓝色', '如图，下列说法错误的是'), { answer });
    expect(taken.report).toMatchObject({ added: 0, changed: 2 });
    expect(same(await stored())).toEqual(same(before));
    // A file that says nothing takes it back.
    expect((await sheet(book('', '如图，下列说法错误的是'))).report).toMatchObject({ added: 0, changed: 2 });
    expect(texts(await stored()).join()).not.toMatch(/alt="[^"]/);
  });

  test('a corrected answer changes the question in place', async () => {
    await sheet(csv('单选,甲,1,2,,,A,旧,2,,,'));
    const [before] = await db.query.selectFrom('questions').select('id').execute();
    expect((await sheet(csv('单选,甲,1,2,,,B,新,3,,,'))).report).toMatchObject({ added: 0, changed: 1 });
    const rows = await db.query
      .selectFrom('questions')
      .select(['id', 'right_answer', 'answer_analysis', 'score'])
      .execute();
    expect(rows).toEqual([{ id: before?.id, right_answer: 'B', answer_analysis: '新', score: 3 }]);
  });

  test('a corrected text leaves its old form behind, unless the file is said to be whole', async () => {
    await sheet(csv('判断,错别子,,,,,对,,,第一章,,', '判断,留下,,,,,对,,,第一章,,', '判断,不要了,,,,,对,,,第二章,,'));
    const corrected = csv('判断,错别字,,,,,对,,,第一章,,', '判断,留下,,,,,对,,,第一章,,');
    const standing = async () =>
      (await db.query.selectFrom('questions').select('topic').where('archived', '=', 0).orderBy('id').execute()).map(
        ({ topic }) => topic,
      );
    // One character of three: it is asked first.
    expect((await sheet(corrected)).report).toMatchObject({ imported: false, undecided: 1 });
    const answer = { corrections: 'new', except: [] } as const;
    expect((await sheet(corrected, { answer })).report).toMatchObject({ added: 1, unchanged: 1, archived: 0 });
    expect(await standing()).toEqual(['错别子', '留下', '不要了', '错别字']);
    expect((await sheet(corrected, { whole: true, dryRun: true })).report).toMatchObject({ archived: 2 });
    expect(await standing()).toHaveLength(4);
    expect((await sheet(corrected, { whole: true })).report).toMatchObject({ added: 0, unchanged: 2, archived: 2 });
    expect(await standing()).toEqual(['留下', '错别字']);
    const practice = db.query.selectFrom('exams').select(['name', 'total_question']).where('archived', '=', 0);
    expect(await practice.execute()).toEqual([{ name: '第一章', total_question: 2 }]);
    const again = await sheet(csv('判断,不要了,,,,,对,,,第二章,,'));
    expect(again.report).toMatchObject({ added: 0, changed: 1 });
    expect(await standing()).toHaveLength(3);
  });

  test('a whole file archives nothing where a row is bad, nor what a pack or another course has', async () => {
    await loadPack(db, files, small());
    await sheet(csv('判断,甲,,,,,对,,,,,'), { pack: 'small' });
    const half = csv('判断,乙,,,,,对,,,,,', '判断,丙,,,,,Z,,,,,');
    expect((await sheet(half, { pack: 'small', whole: true, keepGood: true })).report).toMatchObject({
      imported: false,
      archived: 0,
    });
    const done = await sheet(csv('判断,乙,,,,,对,,,,,'), { pack: 'small', whole: true });
    expect(done.report).toMatchObject({ added: 1, archived: 1 });
    const standing = await db.query.selectFrom('questions').select('topic').where('archived', '=', 0).execute();
    expect(standing.map(({ topic }) => topic).sort()).toEqual(['乙', '题 q-1', '题 q-2', '题 q-3']);
  });

  test('line ends of Unicode inside a cell are text like any other', async () => {
    const { report } = await sheet(csv('简答,一\u2028二,,,,,甲\u2029乙,,,,,', '判断,又一题,,,,,对,,,,,'));
    expect(report).toMatchObject({ bad: 0, added: 2 });
  });

  test('with a bad row it imports nothing and lists every bad row; --keep-good imports the others', async () => {
    const file = csv(
      '判断,好题,,,,,对,,,,,',
      '单选,坏题,1,2,,,E,,,,,',
      '判断,又一好题,,,,,错,,,,,',
      '填空,坏题,,,,,x,,0,,,',
    );
    const refused = await sheet(file);
    expect(refused.report).toMatchObject({ good: 2, bad: 2, added: 0, imported: false });
    expect(refused.rows).toEqual([
      expect.stringMatching(/^3: .*没有对应的选项/),
      expect.stringMatching(/^5: .*题型.*；分值/),
    ]);
    for (const table of TABLES) expect(await count(db, table)).toBe(0);
    const partly = await sheet(file, { keepGood: true });
    expect(partly.report).toMatchObject({ good: 2, bad: 2, added: 2, imported: true });
    expect(partly.rows).toEqual(refused.rows);
  });

  test('a dry run says what it would do and does nothing', async () => {
    const done = await sheet(fileOf('t.csv', templateCsv()), { dryRun: true });
    expect(done.report).toMatchObject({ added: 6, imported: false });
    for (const table of TABLES) expect(await count(db, table)).toBe(0);
  });

  test('from xlsx, several batches long, with rows of one case apart', async () => {
    const rows: CellValue[][] = [HEADER];
    for (let at = 0; at < 1203; at += 1) {
      rows.push([
        '不定项',
        `第 ${at} 题 $x<${at}$`,
        '甲',
        '乙',
        null,
        null,
        'B',
        null,
        2,
        `第${at % 3}章`,
        3,
        at % 100 === 0 ? '同一材料' : null,
      ]);
    }
    const { report } = await sheet(fileOf('long.xlsx', await writeXlsx({ sheets: [{ name: '题库', rows }] })));
    expect(report).toMatchObject({ added: 1203, bad: 0 });
    expect(await count(db, 'cases')).toBe(1);
    const cases = await db.query.selectFrom('questions').select('id').where('case_id', 'is not', null).execute();
    expect(cases).toHaveLength(13);
    const exams = await db.query.selectFrom('exams').select('total_question').execute();
    expect(exams.map(({ total_question }) => total_question)).toEqual([401, 401, 401]);
  });

  test.each([
    [{ pack: 'nobody', packName: undefined }, /没有课程包“nobody”/],
    [{ pack: 'No Body', packName: '新' }, /只能用小写字母/],
    [{ file: '/nowhere.xlsx' }, /打不开文件/],
  ])('refuses %o with a sentence', async (more, why) => {
    await expect(sheet(csv('判断,甲,,,,,对,,,,,'), more)).rejects.toThrow(why);
  });

  test('a pack with several courses needs one named', async () => {
    const folder = copyOf(small(), {
      'pack.yaml': (text) => `${text}  - { slug: two, name: 又一门, chapters: [] }\n`,
    });
    await loadPack(db, files, folder);
    const file = csv('判断,甲,,,,,对,,,,,');
    await expect(sheet(file, { pack: 'small' })).rejects.toThrow(/one、two.*--course/);
    await expect(sheet(file, { pack: 'small', course: 'three' })).rejects.toThrow(/没有课程“three”/);
    expect((await sheet(file, { pack: 'small', course: 'two' })).report.added).toBe(1);
  });

  test('stopped while it is read, or before it is written, it leaves nothing', async () => {
    // 90 are written at once, 150 in parts.
    for (const [length, stopAt] of [
      [90, 90],
      [150, 100],
      [150, 150],
    ] as const) {
      const lines = Array.from({ length }, (_, at) => `判断,第 ${at} 题,,,,,对,,,,,`);
      const stop = new AbortController();
      const progress = (_: string, done: number) => {
        if (done >= stopAt) stop.abort();
      };
      await expect(sheet(csv(...lines), { signal: stop.signal, progress })).rejects.toThrow();
      for (const table of TABLES) expect(await count(db, table)).toBe(0);
    }
  });
});
