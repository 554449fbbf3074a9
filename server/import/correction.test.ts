import { afterAll, describe, expect, it } from 'vitest';
import type { CommandContext } from '#server/command.ts';
import { enrol } from '#server/course/pack.test-kit.ts';
import { pointsOf } from '#server/exam/paper/knowledge-point-store.ts';
import { databases, START, type TestUser, testApp } from '#server/test-kit.ts';
import { FIRST, school } from './correction.test-kit.ts';
import { clean, csv } from './import.test-kit.ts';
import { packCommand } from './pack-command.ts';
import { importQuestions } from './questions.ts';
import { questionsCommand } from './questions-command.ts';

afterAll(clean);

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';
const DAY = 86_400_000;

describe.each(databases)('a correction on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  const reviewed = async (as: TestUser, recordId: number, questionId: number) =>
    (await ok('GET /app/exam/review', { recordId }, { as })).questions.find((one) => one.questionId === questionId);

  it('an own practice shows and grades what it began with, a new record of it what is right now; no import writes it', async () => {
    const { packId, again, ids, student } = await school(kit);
    const as = await student();
    const questionIds = Object.values(await ids());
    const { 'q-1': first = 0 } = await ids();
    const { examId } = await ok('POST /app/exam/own_paper', { packId, name: '自选', questionIds }, { as });
    const before = await ok('GET /app/exam/test_start', { examId }, { as });
    await again({ questions: { ...FIRST, 'q-1': { topic: '改过的题', options: ['乙', '甲', '丙'], answer: 'B' } } });
    const { recordId } = before;
    const shown = await ok('GET /api/exam/details', { recordId }, { as });
    expect(shown.questions.find(({ questionId }) => questionId === first)?.topic).toContain('题 q-1');
    await ok(SAVE, { examId, recordId, questionId: first, answer: 'A', seq: 1 }, { as });
    await ok(SUBMIT, { examId, recordId }, { as });
    const review = await ok('GET /app/exam/review', { recordId }, { as });
    expect(review.questions.find(({ questionId }) => questionId === first)).toMatchObject({
      state: 1,
      rightAnswer: 'A',
      correction: { removed: false, question: { rightAnswer: 'B' } },
    });
    const after = await ok('GET /app/exam/test_start', { examId }, { as });
    expect(after.paperVersion).toBeGreaterThan(before.paperVersion);
    const anew = await ok('GET /api/exam/details', { recordId: after.recordId }, { as });
    expect(anew.questions.find(({ questionId }) => questionId === first)?.topic).toContain('改过的题');
    // A second correction, while no record of the school's papers needs what it replaces.
    await again({ questions: { ...FIRST, 'q-1': { topic: '又改过的题' } } });
    const still = await ok('GET /api/exam/details', { recordId: after.recordId }, { as });
    expect(still.questions.find(({ questionId }) => questionId === first)?.topic).toContain('改过的题');
    const row = await kit.db.query.selectFrom('exams').selectAll().where('id', '=', examId).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ version: 1, archived: 0 });
  });

  it('keeps the knowledge point that a question had, also where nothing else of it changes', async () => {
    const { packId, again, ids, student } = await school(kit, { questions: { 'q-1': { knowledgePoint: '票据' } } });
    const { 'q-1': id = 0 } = await ids();
    const as = await student();
    const own = await ok('POST /app/exam/own_paper', { packId, name: '自选', questionIds: [id] }, { as });
    await ok('GET /app/exam/test_start', { examId: own.examId }, { as });
    await again({ questions: { 'q-1': { knowledgePoint: '物权' } } });
    const points = await pointsOf(kit.db.query, [id]);
    expect(points.map(({ name }) => name).sort()).toEqual(['物权', '票据']);
  });

  it('takes a question out, brings another in and gives other points: an open record has the paper it began with', async () => {
    const { again, ids, student, start } = await school(kit);
    const { 'q-1': kept = 0, 'q-2': gone = 0 } = await ids();
    const as = await student();
    const { examId, recordId } = await start(as);
    const before = await ok('GET /api/exam/details', { recordId }, { as });
    const report = await again({ questions: { 'q-1': {}, 'q-3': {}, 'q-4': {} }, score: 10 });
    expect(report.touched).toEqual({ open: 1, over: 0 });
    expect(await ok('GET /api/exam/details', { recordId }, { as })).toEqual(before);
    await ok(SAVE, { examId, recordId, questionId: gone, answer: 'A', seq: 1 }, { as });
    await ok(SAVE, { examId, recordId, questionId: kept, answer: 'A', seq: 2 }, { as });
    expect(await ok('GET /api/exam/cache', { recordId }, { as })).toMatchObject({ totalScore: 12, totalQuestion: 3 });
    expect(await ok(SUBMIT, { examId, recordId }, { as })).toMatchObject({ score: 8, totalScore: 12, rightCount: 2 });
    const lines = (await ok('GET /api/user/exam_list', {}, { as })).list;
    expect(lines[0]).toMatchObject({ recordId, score: 8, totalScore: 12, totalQuestion: 3 });
    expect((await ok('GET /app/exam/result_tip', { recordId }, { as })).byType).toMatchObject([
      { total: 12, count: 3 },
    ]);
    const next = await start(await student());
    expect(next.paperVersion).toBe(2);
    expect(await ok('GET /app/exam/test_start', { examId }, { as })).toMatchObject({
      totalScore: 30,
      totalQuestion: 3,
    });
  });

  it('of a practice: what was opened keeps its questions and keys, a new start gets the new ones', async () => {
    const { again, ids, student, start } = await school(kit, { kind: 'afterclass' });
    const { 'q-1': id = 0 } = await ids();
    const [one, two, three] = [await student(), await student(), await student()];
    const chapter = await start(one, 'chapter:a');
    await ok(SAVE, { ...chapter, questionId: id, answer: 'A', seq: 1 }, { as: one });
    // Of one answer alone no share is told.
    const third = await start(three, 'chapter:a');
    await ok(SAVE, { ...third, questionId: id, answer: 'A', seq: 1 }, { as: three });
    await ok('POST /app/exam/show_answer', { recordId: third.recordId, questionId: id }, { as: three });
    await again({ kind: 'afterclass', questions: { ...FIRST, 'q-1': { answer: 'C', analysis: '改' }, 'q-9': {} } });
    const shown = await ok('POST /app/exam/show_answer', { recordId: chapter.recordId, questionId: id }, { as: one });
    expect(shown).toMatchObject({ state: 1, question: { rightAnswer: 'A', answerAnalysis: '', accuracyRate: 1 } });
    expect((await ok('GET /app/exam/recite', chapter, { as: one })).questions).toHaveLength(3);
    const next = await start(two, 'chapter:a');
    const recited = await ok('GET /app/exam/recite', next, { as: two });
    expect(recited.questions).toHaveLength(4);
    // What came of the old key says nothing about the new one.
    expect(recited.questions.find(({ questionId }) => questionId === id)).toMatchObject({
      rightAnswer: 'C',
      accuracyRate: null,
    });
  });

  it('after a hand-in changes neither mark nor paper, and is noted beside the analysis with what is right now', async () => {
    const { again, ids, student, start } = await school(kit);
    const { 'q-1': id = 0, 'q-2': gone = 0, 'q-3': same = 0 } = await ids();
    const as = await student();
    const { examId, recordId } = await start(as);
    await ok(SAVE, { examId, recordId, questionId: id, answer: 'A', seq: 1 }, { as });
    await ok(SUBMIT, { examId, recordId }, { as });
    const before = await ok('GET /app/exam/review', { recordId }, { as });
    const tip = await ok('GET /app/exam/result_tip', { recordId }, { as });
    expect(before.questions.map(({ correction }) => correction)).toEqual([null, null, null]);

    kit.time.now = START + DAY;
    const questions = { 'q-1': { answer: 'C', analysis: '改正' }, 'q-3': {} };
    expect((await again({ questions })).touched).toEqual({ open: 0, over: 1 });
    const review = await ok('GET /app/exam/review', { recordId }, { as });
    expect(review.questions.map((question) => ({ ...question, correction: null }))).toEqual(before.questions);
    // What to do next follows the pack as it is now.
    expect(await ok('GET /app/exam/result_tip', { recordId }, { as })).toEqual({ ...tip, steps: expect.anything() });
    const noteOf = (wanted: number) => review.questions.find(({ questionId }) => questionId === wanted)?.correction;
    expect(noteOf(id)).toMatchObject({
      correctedAt: START + DAY,
      removed: false,
      question: { rightAnswer: 'C', answerAnalysis: '改正' },
    });
    expect(noteOf(gone)).toEqual({ correctedAt: null, removed: true, question: null });
    expect(noteOf(same)).toBeNull();

    // A second correction changes what is noted, not what the record keeps.
    kit.time.now = START + 2 * DAY;
    await again({ questions: { ...questions, 'q-1': { answer: 'B' } } });
    expect(await reviewed(as, recordId, id)).toMatchObject({
      rightAnswer: 'A',
      state: 1,
      correction: { correctedAt: START + 2 * DAY, question: { rightAnswer: 'B' } },
    });
    // And one that takes everything back leaves nothing to note.
    await again();
    expect((await ok('GET /app/exam/review', { recordId }, { as })).questions).toEqual(before.questions);
  });

  it('of scoring points: the record keeps those it began with, in its own points; a new start gets the new ones', async () => {
    const { again, ids, student, start } = await school(kit, { questions: { 'q-1': { points: { 甲: 1, 乙: 1 } } } });
    const { 'q-1': id = 0 } = await ids();
    const as = await student();
    const { examId, recordId } = await start(as);
    await ok(SAVE, { examId, recordId, questionId: id, answer: '文', seq: 1 }, { as });
    kit.time.now = START + DAY / 100;
    await again({ questions: { 'q-1': { points: { 甲: 0.5, 丙: 1.5 } } } });
    await ok(SUBMIT, { examId, recordId }, { as });
    const kept = [
      { text: '甲', weight: 2, words: [] },
      { text: '乙', weight: 2, words: [] },
    ];
    const now = [
      { text: '甲', weight: 1, words: [] },
      { text: '丙', weight: 3, words: [] },
    ];
    expect(await reviewed(as, recordId, id)).toMatchObject({ points: kept, correction: { question: { points: now } } });
    const other = await student();
    const next = await start(other);
    await ok(SUBMIT, next, { as: other });
    expect(await reviewed(other, next.recordId, id)).toMatchObject({ points: now, correction: null });
    // The same file again changes nothing.
    expect(await again({ questions: { 'q-1': { points: { 甲: 0.5, 丙: 1.5 } } } })).toMatchObject({
      different: false,
    });
  });

  it('that shall not be noted is not', async () => {
    const { again, ids, student, start } = await school(kit);
    const { 'q-1': id = 0 } = await ids();
    const as = await student();
    const record = await start(as);
    await ok(SUBMIT, record, { as });
    await again({ questions: { ...FIRST, 'q-1': { topic: '错别字' } } }, false);
    expect(await reviewed(as, record.recordId, id)).toMatchObject({ topic: '题 q-1', correction: null });
  });

  it('tells no key of a question that the student sits: taken out of the paper, corrected, or read elsewhere as it was', async () => {
    const { again, ids, student, start } = await school(kit);
    const { 'q-2': gone = 0 } = await ids();
    const twin = await school(kit, {
      questions: { 'other-2': { topic: '题 q-2' } },
      paper: ['other-2'],
      kind: 'afterclass',
    });
    const { 'other-2': copied = 0 } = await twin.ids();
    const as = await student();
    await enrol(kit, as, twin.packId);
    const practice = await twin.start(as, 'chapter:a');
    await start(as);
    await again({ questions: { 'q-1': {}, 'q-3': {} } });
    // The twin is another question to read by now; the practice shows it as it was.
    await twin.again({ questions: { 'other-2': { topic: '别的题' } }, paper: ['other-2'], kind: 'afterclass' });
    const { recordId } = practice;
    expect((await ok('GET /app/exam/recite', { recordId }, { as })).hidden).toEqual([copied]);
    expect(await refused('POST /app/exam/show_answer', { recordId, questionId: copied }, { as })).toBe('keyHidden');
    expect(gone).not.toBe(copied);
  });

  it('tells no key of a question that the student sits where it reads as before a correction that was made before their start', async () => {
    const { again, ids, student, start } = await school(kit);
    const { 'q-2': sat = 0 } = await ids();
    const twin = await school(kit, {
      questions: { 'other-2': { topic: '题 q-2' } },
      paper: ['other-2'],
      kind: 'afterclass',
    });
    const { 'other-2': copied = 0 } = await twin.ids();
    // Kept, because somebody began with it.
    await start(await student());
    await again({ questions: { ...FIRST, 'q-2': { topic: '改了错别字的题 q-2' } } });
    const as = await student();
    await enrol(kit, as, twin.packId);
    const { recordId } = await twin.start(as, 'chapter:a');
    await start(as);
    expect((await ok('GET /app/exam/recite', { recordId }, { as })).hidden).toEqual([copied]);
    expect(await refused('POST /app/exam/show_answer', { recordId, questionId: copied }, { as })).toBe('keyHidden');
    expect(sat).not.toBe(copied);
  });

  it('keeps nothing that no record began with, and writes nothing when nothing changes', async () => {
    const { packId, again, student, start } = await school(kit);
    const kept = async () => {
      const one = await kit.db.query.selectFrom('corrections').select('id').where('pack_id', '=', packId).execute();
      const two = await kit.db.query
        .selectFrom('question_revisions')
        .innerJoin('questions', 'questions.id', 'question_revisions.question_id')
        .select('question_id')
        .where('pack_id', '=', packId)
        .execute();
      return [one.length, two.length];
    };
    const changed = { ...FIRST, 'q-1': { answer: 'B' } };
    await again({ questions: changed });
    expect(await kept()).toEqual([0, 0]);
    await start(await student());
    await again({ questions: changed });
    expect(await kept()).toEqual([0, 0]);
    await again();
    expect(await kept()).toEqual([1, 1]);
  });

  it('and starts of one moment: every record has the paper that it says it began with', async () => {
    const { again, ids, student, start } = await school(kit);
    const { 'q-1': id = 0 } = await ids();
    const other = await kit.sibling();
    for (let round = 0; round < 5; round += 1) {
      const students = await Promise.all(Array.from({ length: 6 }, student));
      const began = students.map((as) => start(as));
      const answer = 'BC'[round % 2] ?? '';
      const corrected = again({ questions: { ...FIRST, 'q-1': { topic: `第 ${round} 版`, answer } } });
      const records = await Promise.all(began);
      await corrected;
      for (const [at, { recordId, paperVersion }] of records.entries()) {
        const as = students[at];
        if (!as) throw new Error('no such student');
        const { topic } = (await other.ok('GET /api/exam/details', { recordId }, { as })).questions[0] ?? {};
        const said = paperVersion === 1 ? '题 q-1' : `第 ${paperVersion - 2} 版`;
        expect([paperVersion, topic]).toEqual([paperVersion, said]);
        await ok(SUBMIT, { examId: (await start(as)).examId, recordId }, { as });
      }
    }
    await other.close();
    expect(id).toBeGreaterThan(0);
  });

  it('saves of one moment, of records with two versions of a paper, are each decided by their own', async () => {
    const { again, ids, student, start } = await school(kit);
    const [one, two] = [await student(), await student()];
    const before = await start(one);
    await again({ questions: { ...FIRST, 'q-4': {} } });
    const after = await start(two);
    const { 'q-1': first = 0, 'q-4': added = 0 } = await ids();
    const said = (...saves: (readonly [typeof before, number, TestUser])[]) =>
      Promise.all(
        saves.map(async ([{ examId, recordId }, questionId, as]) => {
          const { data } = await kit.raw(SAVE, { examId, recordId, questionId, answer: 'A', seq: 1 }, { as });
          return data;
        }),
      );
    expect(await said([before, first, one], [after, added, two])).toMatchObject([{ seq: 1 }, { seq: 1 }]);
    expect(await said([before, added, one], [after, first, two])).toMatchObject([{ why: 'questionGone' }, { seq: 1 }]);
  });

  it('is explained to the operator: who goes on with the old paper, and what is asked of records that are over', async () => {
    const { slug, folderOf, student, start } = await school(kit);
    const [one, two] = [await student(), await student()];
    await start(one);
    await ok(SUBMIT, await start(two), { as: two });
    const lines: string[] = [];
    const context: CommandContext = {
      openDb: async () => kit.db,
      files: kit.parts.files,
      say: (line) => lines.push(line),
      progress: { show: () => {}, end: () => {} },
      signal: new AbortController().signal,
    };
    const corrected = folderOf({ questions: { ...FIRST, 'q-1': { answer: 'B' } } });
    expect(await packCommand.run([corrected], context)).toBe(0);
    expect(lines.slice(1)).toEqual([
      '1 份进行中的答卷继续使用开始时的试卷，也按它评分；之后开始的使用新的试卷',
      '1 份已结束的答卷是按更正前的试卷评分的：成绩和所示试卷不变，解析处注明“本题已更正”（不想注明，请下次加上 --quiet）',
      '1 题的答案或分值变了，1 份已结束的答卷没有重新评分。要重新评分，请先导入原来的文件，再加上 --rescore <老师手机号> 导入这一份',
    ]);
    lines.length = 0;
    expect(await packCommand.run([corrected, '--quiet'], context)).toBe(0);
    expect(lines).toHaveLength(1);

    // A spreadsheet can be tried first.
    const sheet = (answer: string) => csv(`单选题,表格题,甲,乙,丙,,${answer},,2,第一章,,`);
    await importQuestions(kit.db, {
      file: sheet('A'),
      files: kit.parts.files,
      pack: slug,
      course: 'one',
      now: kit.time.now,
    });
    await start(await student(), 'chapter:a');
    const third = await student();
    await ok(SUBMIT, await start(third, 'chapter:a'), { as: third });
    lines.length = 0;
    expect(await questionsCommand.run([sheet('B'), '--pack', slug, '--dry-run', '--quiet'], context)).toBe(0);
    expect(lines).toEqual([
      '试运行，没有保存。将会：新增 0 题，更新 1 题，未变 0 题，停用 0 题；拒绝 0 行，提醒 0 行',
      '1 份进行中的答卷将继续使用开始时的试卷，也按它评分；之后开始的使用新的试卷',
      '1 份已结束的答卷是按更正前的试卷评分的：成绩和所示试卷不变，不注明更正',
      '1 题的答案或分值变了，1 份已结束的答卷不会重新评分。要重新评分，请加上 --rescore <老师手机号> 导入这一份',
      expect.stringMatching(/^ {2}.+：0 人加分，0 人减分，0 人变为及格，0 人变为不及格$/),
      '    第一章：1 份，平均 0 → 0 分，满分 8 → 8 分',
    ]);
  });
});
