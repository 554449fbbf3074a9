import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSpreadsheet } from '#content/question/spreadsheet.ts';
import { freshDatabase } from '#server/db/fresh-database.test-kit.ts';
import { type Db, openDb } from '#server/db/open.ts';
import { localFiles } from '#server/files.ts';
import { databases } from '#server/test-kit.ts';
import { clean, fileOf } from './import.test-kit.ts';
import { importKilled } from './import-process.test-kit.ts';
import { importQuestions } from './questions.ts';

afterAll(clean);

const HEAD = '编号,题型,题干,选项A,选项B,答案,分值,章节,材料';
const CHAPTERS = ['第一章', '第一章/第一节', '第二章/第一节', '第二章'];

/** More than two parts of each kind: the second draft corrects texts, keys, points and chapters of the first, and has as many again. */
const draft = (turn: 0 | 1) => {
  const lines = Array.from({ length: turn === 0 ? 420 : 900 }, (_, at) => {
    const moved = turn === 1 && at % 7 === 0 ? 1 : 0;
    const chapter = CHAPTERS[(at + moved) % CHAPTERS.length];
    // New ones stand between those that are stored.
    const number = turn === 0 ? at * 2 : at;
    const isOld = number % 2 === 0 && number < 840;
    const said = turn === 1 && isOld ? `订正的第 ${number} 题` : `第 ${number} 题`;
    return `K${number},单选,${said}说的是什么,甲,乙,${turn === 1 && number % 3 === 0 ? 'B' : 'A'},${1 + turn},${chapter},${number % 50 === 0 ? '一份材料' : ''}`;
  });
  return fileOf('bank.csv', `${HEAD}\r\n${lines.join('\r\n')}\r\n`);
};

/** All that an import writes of a pack, by names instead of numbers. */
async function stateOf({ query }: Db, pack: string) {
  const { id } = await query.selectFrom('packs').select('id').where('slug', '=', pack).executeTakeFirstOrThrow();
  const chapters = await query.selectFrom('chapters').selectAll().where('pack_id', '=', id).orderBy('id').execute();
  const ways = new Map<number, string>();
  for (const { id: chapter, parent_id, name } of chapters)
    ways.set(chapter, `${parent_id === null ? '' : ways.get(parent_id)}/${name}`);
  const questions = await query
    .selectFrom('questions')
    .leftJoin('cases', 'cases.id', 'questions.case_id')
    .select(['questions.id', 'questions.slug', 'school_key', 'topic', 'options', 'right_answer', 'score'])
    .select(['chapter_id', 'questions.position', 'archived', 'key_version', 'fingerprint', 'cases.text'])
    .where('questions.pack_id', '=', id)
    .orderBy('questions.position')
    .execute();
  const keys = new Map(questions.map((question) => [question.id, question.slug]));
  const exams = await query
    .selectFrom('exams')
    .select(['id', 'name', 'chapter_id', 'kind', 'position', 'total_question', 'total_score', 'archived'])
    .where('pack_id', '=', id)
    .orderBy('position')
    .execute();
  const listed = await query
    .selectFrom('exam_questions')
    .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
    .select(['exam_id', 'question_id', 'exam_questions.position', 'score'])
    .where('pack_id', '=', id)
    .orderBy('exam_questions.position')
    .execute();
  return {
    chapters: chapters.map((one) => [ways.get(one.id), one.level, one.position, one.archived]),
    questions: questions.map(({ id: _, chapter_id, ...question }) => ({ ...question, at: ways.get(chapter_id) })),
    practices: exams.map(({ id: exam, chapter_id, ...practice }) => ({
      ...practice,
      at: ways.get(chapter_id ?? 0),
      list: listed
        .filter((one) => one.exam_id === exam)
        .map((one) => [keys.get(one.question_id), one.position, one.score]),
    })),
  };
}

describe.each(databases)('an import in parts that is killed, on $name', ({ kind }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-killed-'));
  const files = join(folder, 'files');

  // Six processes, one after the other.
  it('leaves what is whole in itself, and ends as if it had not been when it is begun again', {
    timeout: 180_000,
  }, async () => {
    const { target, remove } = await freshDatabase(kind, join(folder, 'test.db'));
    const db = await openDb(target, Date.now());
    const calm = (file: string) =>
      importQuestions(db, { file, files: localFiles(files), read: readSpreadsheet, pack: 'calm', packName: '包' });
    const task = (file: string, pack: string) => ({ file, pack, packName: '包' });
    const ended: boolean[] = [];
    /** Every practice says what its list holds, and every question is of one draft or the other. */
    const whole = async () => {
      const { questions, practices } = await stateOf(db, 'killed');
      for (const { list, total_question, total_score } of practices) {
        expect(list).toHaveLength(total_question);
        expect(list.reduce((sum, [, , score]) => sum + Number(score), 0)).toBe(total_score);
        expect(new Set(list.map(([key]) => key)).size).toBe(total_question);
      }
      for (const { topic, right_answer, score, school_key } of questions) {
        const number = Number(school_key?.slice(1));
        const isSecond = topic.startsWith('订正') || score === 2;
        expect([topic, right_answer, score]).toEqual(
          isSecond
            ? [expect.stringContaining(`第 ${number} 题`), number % 3 === 0 ? 'B' : 'A', 2]
            : [`第 ${number} 题说的是什么`, 'A', 1],
        );
      }
      return questions.length;
    };
    const first = draft(0);
    // Within the second part: the pack, its chapters and one part are there.
    ended.push(await importKilled(target, files, task(first, 'killed'), 4));
    expect(await whole()).toBe(100);
    // When all questions are there, before any practice.
    ended.push(await importKilled(target, files, task(first, 'killed'), 8));
    expect(await whole()).toBe(420);
    await importQuestions(db, { ...task(first, 'killed'), files: localFiles(files), read: readSpreadsheet });
    await calm(first);
    expect(await stateOf(db, 'killed')).toEqual(await stateOf(db, 'calm'));

    const second = draft(1);
    await calm(second);
    for (const at of [4, 9, 14]) {
      ended.push(await importKilled(target, files, task(second, 'killed'), at));
      await whole();
    }
    ended.push(await importKilled(target, files, task(second, 'killed'), 999));
    expect(await stateOf(db, 'killed')).toEqual(await stateOf(db, 'calm'));
    expect(ended).toEqual([false, false, false, false, false, true]);
    await db.close();
    await remove();
    rmSync(folder, { recursive: true, force: true });
  });
});
