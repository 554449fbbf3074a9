import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { enrol } from '#server/course/pack.test-kit.ts';
import { type Db, type DbTarget, openDb } from '#server/db/open.ts';
import { Correction } from '#server/exam/paper/correction-store.ts';
import { ownPaperVersion } from '#server/exam/paper/own-paper-store.ts';
import { LEASE } from '#server/exam/paper/question-import-store.ts';
import { localFiles } from '#server/files.ts';
import { assemble, databases, type TestApp } from '#server/test-kit.ts';
import { goOnWithImports } from './broken-off.ts';
import { clean, fileOf } from './import.test-kit.ts';
import { importKilled } from './import-process.test-kit.ts';
import { importQuestions } from './questions.ts';

/** More than two parts, so that an import can be killed between them. */
const QUESTIONS = 230;
/** How many come with each turn of the test. */
const MORE = 5;

/** A school's questions by their 编号 as they are in one turn of the test, those of the last turns among them. */
const bank = (turn: number) => {
  const lines = Array.from(
    { length: QUESTIONS + turn * MORE },
    (_, at) => `K${at},单选,第 ${at} 题的第 ${turn} 稿,甲,乙,A,第${at % 3}章`,
  );
  return fileOf('bank.csv', `编号,题型,题干,选项A,选项B,答案,章节\r\n${lines.join('\r\n')}\r\n`);
};

/** Which draft of each question stands in the questions of the pack, each once. */
const drafts = (topics: readonly string[]) => [...new Set(topics.map((topic) => /第 (\d+) 稿/.exec(topic)?.[1] ?? ''))];

describe.each(databases)('an import in many turns on $name', ({ kind }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-killed-'));
  const schema = `test_${randomBytes(6).toString('hex')}`;
  const target: DbTarget =
    kind === 'sqlite'
      ? { kind, path: join(folder, 'test.db') }
      : { kind, url: process.env.TEST_DATABASE_URL ?? '', schema };
  const open = () => openDb(target, Date.now());
  const kits: TestApp[] = [];
  afterAll(async () => {
    const [first] = kits;
    if (first && kind === 'postgres') await sql`drop schema ${sql.id(schema)} cascade`.execute(first.db.query);
    for (const kit of kits) await kit.close();
    rmSync(folder, { recursive: true, force: true });
    await clean();
  });

  const stored = async ({ query }: Db) =>
    (await query.selectFrom('questions').select('topic').where('archived', '=', 0).execute()).map(({ topic }) => topic);
  const left = async ({ query }: Db) =>
    (
      await Promise.all(
        (['question_import_parts', 'question_import_papers'] as const).map((table) =>
          query.selectFrom(table).selectAll().execute(),
        ),
      )
    ).flat();

  /** What a student who begins now is shown, in all these practices together. */
  const shownTo = async (kit: TestApp, packId: number, practices: readonly { id: number }[]) => {
    const student = await kit.user();
    await enrol(kit, student, packId);
    const topics: string[] = [];
    for (const { id: examId } of practices) {
      const { recordId } = await kit.ok('GET /app/exam/test_start', { examId }, { as: student });
      const paper = await kit.ok('GET /api/exam/details', { recordId }, { as: student });
      topics.push(...paper.questions.map(({ topic }) => topic));
    }
    return { drafts: drafts(topics), count: topics.length };
  };

  it('killed anywhere it is gone or written to its end, and papers show all of it or nothing', async () => {
    const kit = await assemble(await open(), folder, { now: Date.now() }, false, open);
    kits.push(kit);
    const { db } = kit;
    // The first one makes the pack.
    expect(await importKilled(target, folder, bank(0), 7)).toBe(false);
    const { id: packId } = await db.query
      .selectFrom('packs')
      .select('id')
      .where('slug', '=', 'killed')
      .executeTakeFirstOrThrow();
    const hidden = () => db.query.selectFrom('packs').select('archived').where('id', '=', packId).execute();
    expect(await hidden()).toEqual([{ archived: 1 }]);
    await goOnWithImports(db, Date.now() + 2 * LEASE);
    expect(await hidden()).toEqual([{ archived: 0 }]);
    expect(drafts(await stored(db))).toEqual(['0']);
    expect(await left(db)).toEqual([]);

    const practices = await db.query
      .selectFrom('exams')
      .select('id')
      .where('pack_id', '=', packId)
      .orderBy('id')
      .execute();
    expect(practices).toHaveLength(3);
    const shown = () => shownTo(kit, packId, practices);

    let stands = 0;
    const ends: string[] = [];
    for (const [before, at] of [3, 5, 6, 8, 10, 11, 12, 13, 99].entries()) {
      const turn = before + 1;
      const ended = await importKilled(target, folder, bank(turn), at);
      const said = await db.query
        .selectFrom('question_imports')
        .select(['state', 'correction_id'])
        .orderBy('id', 'desc')
        .limit(1)
        .execute();
      const state = said[0]?.state ?? '';
      if (state === 'writing') {
        // Nothing else changes what it has frozen, and an own paper that begins now shows nothing of it.
        const beside = db.transaction(
          (trx) => new Correction(db, trx, { packId, now: Date.now(), noted: true }).lockPapers(),
          { patience: 0 },
        );
        await expect(beside).rejects.toMatchObject({ trouble: 'held' });
        expect(await ownPaperVersion(db.query, packId)).toBeLessThanOrEqual(said[0]?.correction_id ?? 0);
      }
      ends.push(ended ? 'ended' : state);
      const offered = state === 'clearing' || state === 'done' ? turn : stands;
      const whole = (draft: number) => ({ drafts: [String(draft)], count: QUESTIONS + draft * MORE });
      expect(await shown(), `killed at ${at}`).toEqual(whole(offered));
      await goOnWithImports(db, Date.now() + 2 * LEASE);
      // Nothing of it was decided, or all of it is there.
      stands = state === 'staging' ? stands : turn;
      expect(await shown(), `killed at ${at}, and gone on with`).toEqual(whole(stands));
      expect(drafts(await stored(db))).toEqual([String(stands)]);
      expect(await stored(db)).toHaveLength(QUESTIONS + stands * MORE);
      expect(await left(db)).toEqual([]);
    }
    expect(new Set(ends)).toEqual(new Set(['staging', 'writing', 'clearing', 'ended']));
    // Counted whole, whoever wrote which part of it.
    const { report } = await db.query
      .selectFrom('question_imports')
      .select('report')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(report)).toMatchObject({ changes: { added: MORE, changed: QUESTIONS + (stands - 1) * MORE } });
  });

  it('lets saves through between its turns, shows nothing of itself before its end, and no other import comes in', async () => {
    const kit = await assemble(await open(), folder, { now: Date.now() }, false, open);
    kits.push(kit);
    // Another connection, as the operator's command has.
    const other = await open();
    const files = localFiles(join(folder, 'files'));
    const task = { files, pack: 'beside', packName: '包' };
    await importQuestions(other, { ...task, file: bank(0) });
    const practices = await kit.db.query
      .selectFrom('exams')
      .innerJoin('packs', 'packs.id', 'exams.pack_id')
      .select(['exams.id', 'exams.pack_id'])
      .where('packs.slug', '=', 'beside')
      .orderBy('exams.id')
      .execute();
    const [{ id: examId, pack_id: packId } = { id: 0, pack_id: 0 }] = practices;
    const student = await kit.user();
    await enrol(kit, student, packId);
    const { recordId } = await kit.ok('GET /app/exam/test_start', { examId }, { as: student });
    const details = () => kit.ok('GET /api/exam/details', { recordId }, { as: student });
    const questionId = (await details()).questions[0]?.questionId ?? 0;
    const one = practices.slice(0, 1);
    const before = JSON.stringify(await shownTo(kit, packId, one));

    const events: string[] = [];
    const seen = new Set<string>();
    let refused: unknown = null;
    let ended = false;
    const running = importQuestions(other, {
      ...task,
      file: bank(1),
      progress: (step) => {
        if (step === 'write') events.push('written');
      },
    }).finally(() => {
      ended = true;
    });
    for (let seq = 1; !ended; seq += 1) {
      const began = events.length;
      const save = { examId, recordId, questionId, answer: 'AB'[seq % 2] ?? 'A', seq };
      await kit.ok('POST /api/exam/save_question', save, { as: student });
      if (began === 0) continue;
      events.push('saved');
      refused ??= await importQuestions(kit.db, { ...task, file: bank(2) }).catch((error: Error) => error.message);
      seen.add(JSON.stringify(await shownTo(kit, packId, one)));
    }
    expect(await running).toMatchObject({ imported: true, added: MORE, changed: QUESTIONS });
    expect(events.lastIndexOf('written')).toBeGreaterThan(events.indexOf('saved'));
    expect(refused).toMatch(/另一次导入正在写入这个题库包/);
    const after = JSON.stringify(await shownTo(kit, packId, one));
    expect(seen).toContain(before);
    expect([...seen].filter((shown) => shown !== before && shown !== after)).toEqual([]);
    expect(JSON.parse(after)).toMatchObject({ drafts: ['1'] });
    // What was begun keeps what it began with.
    expect(drafts((await details()).questions.map(({ topic }) => topic))).toEqual(['0']);
    await other.close();
  });
});
