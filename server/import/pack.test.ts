import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import type { Db } from '#server/db/open.ts';
import { databases } from '#server/test-kit.ts';
import {
  beginEmpty,
  clean,
  copyOf,
  count,
  csv,
  everything,
  loadPack,
  nasty,
  root,
  small,
  TABLES,
} from './import.test-kit.ts';
import { importPack } from './pack.ts';
import { packCommand } from './pack-command.ts';
import { importQuestions } from './questions.ts';

afterAll(clean);

describe.each(databases)('on $name', ({ kind }) => {
  let db: Db;
  const files = beginEmpty(kind, (empty) => {
    db = empty;
  });
  const load = (folder: string) => loadPack(db, files, folder);
  const sheet = (file: string, pack: string) => importQuestions(db, { file, files, pack });

  describe('a pack', () => {
    test('stands in the database as its folder says, with chapter practice for every chapter that has questions', async () => {
      expect(await load(small())).toMatchObject({ added: 3, changed: 0, unchanged: 0, archived: 0, different: true });
      const exams = await db.query.selectFrom('exams').selectAll().orderBy('position').orderBy('slug').execute();
      const questions = new Map(
        (await db.query.selectFrom('questions').select(['id', 'slug']).execute()).map(({ id, slug }) => [id, slug]),
      );
      const lists = await db.query
        .selectFrom('exam_questions')
        .selectAll()
        .orderBy('exam_id')
        .orderBy('position')
        .execute();
      const of = (slug: string) => {
        const exam = exams.find((row) => row.slug === slug);
        return lists
          .filter(({ exam_id }) => exam_id === exam?.id)
          .map(({ question_id, score }) => [questions.get(question_id), score]);
      };
      expect(
        exams
          .map(({ slug, kind: what, total_question, total_score }) => [slug, what, total_question, total_score])
          .sort(),
      ).toEqual([
        ['chapter:a', 'chapter', 3, 6],
        ['chapter:a-1', 'chapter', 2, 4],
        ['chapter:a-2', 'chapter', 1, 2],
        ['mock-1', 'mock', 2, 8],
      ]);
      expect(of('chapter:a')).toEqual([
        ['q-1', 2],
        ['q-3', 2],
        ['q-2', 2],
      ]);
      expect(of('mock-1')).toEqual([
        ['q-2', 4],
        ['q-1', 4],
      ]);
      const mock = exams.find(({ slug }) => slug === 'mock-1');
      const ids = lists.filter(({ exam_id }) => exam_id === mock?.id).map(({ question_id }) => question_id);
      expect(JSON.parse(mock?.sections ?? '')).toEqual([{ title: '一', questionIds: ids }]);
    });

    test('loaded again unchanged it changes nothing', async () => {
      await load(nasty);
      const before = await everything(db);
      expect(await load(nasty)).toMatchObject({ added: 0, changed: 0, archived: 0, exams: 0, different: false });
      expect(await everything(db)).toEqual(before);
    });

    test('its pictures are stored under the address of their content, and texts show that address', async () => {
      await load(nasty);
      const rows = await db.query.selectFrom('questions').select('topic').where('slug', '=', 'only-image').execute();
      const address = /src="([^"]+)"/.exec(rows[0]?.topic ?? '')?.[1] ?? '';
      const name = address.slice(fileAddress('').length);
      expect(address).toBe(fileAddress(name));
      expect(await files.find(name)).toMatchObject({ size: expect.any(Number) });
      const texts = JSON.stringify(await everything(db));
      expect(texts).not.toContain('src=\\"media/');
    });

    test('what changed is changed in place, what is gone is archived, what comes back is there again', async () => {
      const folder = small();
      await load(folder);
      const before = await db.query.selectFrom('questions').select(['slug', 'id']).orderBy('slug').execute();
      const versions = async () =>
        Object.fromEntries(
          (await db.query.selectFrom('exams').select(['slug', 'version']).execute()).map(({ slug, version }) => [
            slug,
            version,
          ]),
        );
      const first = await versions();

      const edited = copyOf(folder, { 'questions/1.yaml': (text) => text.replace('题 q-2', '改过的题') });
      expect(await load(edited)).toMatchObject({ added: 0, changed: 1, unchanged: 2, archived: 0 });
      expect(await db.query.selectFrom('questions').select(['slug', 'id']).orderBy('slug').execute()).toEqual(before);
      const second = await versions();
      expect(second['chapter:a-2']).toBeGreaterThan(first['chapter:a-2'] ?? 0);
      expect(second['mock-1']).toBeGreaterThan(first['mock-1'] ?? 0);
      expect(second['chapter:a-1']).toBe(first['chapter:a-1']);

      const without = copyOf(edited, {
        'questions/1.yaml': (text) => text.replace(/.*q-3.*\n/, '').replace('chapter: a-2', 'chapter: b'),
        'papers/1.yaml': (text) => text.replace('mock-1', 'mock-2'),
      });
      expect(await load(without)).toMatchObject({
        changed: 1,
        archived: 1,
        papers: { added: 1, changed: 0, unchanged: 0, archived: 1 },
      });
      const exams = await db.query
        .selectFrom('exams')
        .select(['slug', 'archived', 'total_question'])
        .orderBy('slug')
        .execute();
      expect(exams.map(({ slug, archived, total_question }) => [slug, archived, total_question])).toEqual([
        ['chapter:a', 0, 1],
        ['chapter:a-1', 0, 1],
        ['chapter:a-2', 1, 1],
        ['chapter:b', 0, 1],
        ['mock-1', 1, 2],
        ['mock-2', 0, 2],
      ]);

      expect(await load(folder)).toMatchObject({ added: 0 });
      const back = await db.query.selectFrom('questions').select(['slug', 'id', 'archived']).orderBy('slug').execute();
      expect(back).toEqual(before.map((row) => ({ ...row, archived: 0 })));
    });

    test('its papers are counted like its questions', async () => {
      const lines: string[] = [];
      const progress = { show: () => {}, end: () => {} };
      const context = { openDb: async () => db, files, progress, say: (line: string) => lines.push(line) } as never;
      const folder = small();
      for (const pack of [folder, folder, copyOf(folder, { 'papers/1.yaml': (text) => text.replace('卷', '新卷') })])
        expect(await packCommand.run([pack], context)).toBe(0);
      rmSync(join(folder, 'papers'), { recursive: true });
      expect(await packCommand.run([folder], context)).toBe(0);
      expect(lines.map((line) => line.replace(/^.*；|^[^（]*/, ''))).toEqual([
        '试卷新增 1 份，更新 0 份，未变 0 份，停用 0 份',
        '（3 题，1 份试卷）',
        '试卷新增 0 份，更新 1 份，未变 0 份，停用 0 份',
        '试卷新增 0 份，更新 0 份，未变 0 份，停用 1 份',
      ]);
    });

    test('a question is recognised in another pack and in a spreadsheet, with the case that stands beside it', async () => {
      const withCase = (text: string) => () =>
        `cases: [{ key: c-1, title: 案例, text: ${text} }]\nquestions:\n` +
        ['q-1', 'q-2, case: c-1', 'q-3']
          .map((key) => `  - { key: ${key}, chapter: a-1, type: 判断, topic: 同一道题, answer: 对, score: 2 }\n`)
          .join('');
      const folder = copyOf(small(), { 'questions/1.yaml': withCase('某企业') });
      await load(folder);
      await sheet(csv('判断, 同一道 题 ,,,,,对,,,新章,,', '判断,同一道题,,,,,错,,,新章,,某企业'), 'small');
      const fingerprints = async () =>
        (await db.query.selectFrom('questions').select('fingerprint').orderBy('id').execute()).map(
          ({ fingerprint }) => fingerprint,
        );
      const [plain = '', inCase = '', ...rest] = await fingerprints();
      expect(plain).toMatch(/^[0-9a-f]{32}$/);
      expect(inCase).not.toBe(plain);
      expect(rest).toEqual([plain, plain, inCase]);

      const edited = copyOf(folder, { 'questions/1.yaml': withCase('另一企业') });
      expect(await load(edited)).toMatchObject({ changed: 0, unchanged: 3, different: true });
      const after = await fingerprints();
      expect([after[0], ...after.slice(2)]).toEqual([plain, ...rest]);
      expect([plain, inCase]).not.toContain(after[1]);
      const stands = await everything(db);
      expect(await load(edited)).toMatchObject({ different: false });
      expect(await everything(db)).toEqual(stands);
    });

    test('another text of a case is a new version of the papers that show it, and of no other', async () => {
      const withCase = (text: string) =>
        copyOf(small(), {
          'questions/1.yaml': (questions) =>
            `cases: [{ key: c-1, title: 案例, text: ${text} }]\n${questions.replace('topic: 题 q-2', 'case: c-1, topic: 题 q-2')}`,
        });
      const versions = async () =>
        new Map(
          (await db.query.selectFrom('exams').select(['slug', 'version']).execute()).map(({ slug, version }) => [
            slug,
            version,
          ]),
        );
      await load(withCase('某企业'));
      const before = await versions();
      expect(await load(withCase('另一企业'))).toMatchObject({ changed: 0, different: true });
      const after = await versions();
      const raised = [...after].filter(([slug, version]) => version > (before.get(slug) ?? 0)).map(([slug]) => slug);
      expect(raised.sort()).toEqual(['chapter:a', 'chapter:a-2', 'mock-1']);
    });

    test('with mistakes it stores nothing and names all of them', async () => {
      const done = await importPack(db, files, join(root, 'content', 'test', 'broken'));
      expect(done.ok ? [] : done.mistakes.length).toBeGreaterThanOrEqual(12);
      for (const table of TABLES) expect(await count(db, table)).toBe(0);
    });

    test('questions from a spreadsheet survive when the pack is loaded again', async () => {
      const folder = small();
      await load(folder);
      await sheet(csv('判断,表格里的题,,,,,对,,,第一章/第一节,,', '判断,新章的题,,,,,错,,,新章,,'), 'small');
      const before = await everything(db);
      expect(await load(folder)).toMatchObject({ archived: 0, different: false });
      expect(await everything(db)).toEqual(before);
      const chapters = await db.query.selectFrom('chapters').select(['name', 'archived']).orderBy('id').execute();
      expect(chapters.filter(({ archived }) => archived === 0).map(({ name }) => name)).toEqual([
        '第一章',
        '第一节',
        '第二节',
        '第二章',
        '新章',
      ]);
    });
  });
});
