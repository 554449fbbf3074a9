import { afterAll, describe, expect, it } from 'vitest';
import { readPack } from '#content/pack/pack.ts';
import { readSpreadsheet } from '#content/question/spreadsheet.ts';
import type { CommandContext } from '#server/command.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { FIRST, school } from './correction.test-kit.ts';
import { clean, csv } from './import.test-kit.ts';
import { importPack } from './pack.ts';
import { packCommand } from './pack-command.ts';
import { importQuestions } from './questions.ts';
import { sayRescore } from './rescore-records.ts';
import { sayTeachersWord } from './teachers-word.ts';

afterAll(clean);

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

describe.each(databases)('a correction and what was graded before it, on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  /** What the record shows of a question, and the stored answer as the text that it stands for. */
  async function seen(as: TestUser, recordId: number, questionId: number) {
    const paper = await ok('GET /api/exam/details', { recordId }, { as });
    const cache = await ok('GET /api/exam/cache', { recordId }, { as });
    const question = paper.questions.find((one) => one.questionId === questionId);
    const letter = cache.answers.find((one) => one.questionId === questionId)?.answer ?? '';
    return { question, means: question?.options[letter] };
  }
  const reviewed = async (as: TestUser, recordId: number, questionId: number) =>
    (await ok('GET /app/exam/review', { recordId }, { as })).questions.find((one) => one.questionId === questionId);

  it('a void question gives nothing, whatever points a file names for it, and in no paper that comes later', async () => {
    const { again, ids, student, start } = await school(kit);
    const { 'q-1': questionId = 0, 'q-2': other = 0, 'q-3': third = 0 } = await ids();
    const teacher = await kit.user('teacher');
    const mode = async (gradeMode: 'void' | 'key') => {
      const { standing } = await ok('GET /app/question/quality', { questionId }, { as: teacher });
      await ok('POST /app/question/correct', { questionId, standing, gradeMode, reason: '超纲' }, { as: teacher });
    };
    const sits = async (name?: string) => {
      const as = await student();
      const { examId, recordId } = await start(as, name);
      const answers = [questionId, other, third].map((id) => ({ questionId: id, answer: 'A', seq: 1 }));
      const { questions } = await ok('GET /api/exam/details', { recordId }, { as });
      const shown = new Set(questions.map((question) => question.questionId));
      const given = answers.filter((answer) => shown.has(answer.questionId));
      const { score, totalScore, rightCount } = await ok(SUBMIT, { examId, recordId, answers: given }, { as });
      return { score, totalScore, rightCount, questions: questions.length };
    };
    await mode('void');
    expect(await sits()).toEqual({ score: 8, totalScore: 8, rightCount: 2, questions: 3 });
    await again({ score: 5 });
    expect(await sits()).toEqual({ score: 10, totalScore: 10, rightCount: 2, questions: 3 });
    // The same questions in a practice: it is not offered there, neither by the file nor by its chapter.
    await again({ score: 5, kind: 'afterclass' });
    expect(await sits()).toEqual({ score: 10, totalScore: 10, rightCount: 2, questions: 2 });
    expect(await sits('chapter:a')).toEqual({ score: 4, totalScore: 4, rightCount: 2, questions: 2 });
    // It counts again, with what the file has come to say meanwhile, in the practice too that it came with; each in its place.
    await mode('key');
    expect(await sits()).toEqual({ score: 15, totalScore: 15, rightCount: 3, questions: 3 });
    expect(await sits('chapter:a')).toEqual({ score: 6, totalScore: 6, rightCount: 3, questions: 3 });
    const as = await student();
    const { questions } = await ok('GET /api/exam/details', await start(as), { as });
    expect(questions.map((question) => question.questionId)).toEqual([questionId, other, third]);
    expect(await again({ score: 5, kind: 'afterclass' })).toMatchObject({ exams: 0 });
    await again({ score: 5 });
    expect(await sits()).toEqual({ score: 15, totalScore: 15, rightCount: 3, questions: 3 });
  });

  it('a void question that its file has no more stays away when it counts again, until a file brings it back', async () => {
    const { again, ids, student, start } = await school(kit, { kind: 'afterclass' });
    const { 'q-1': questionId = 0, 'q-2': other = 0, 'q-3': third = 0 } = await ids();
    const teacher = await kit.user('teacher');
    const mode = async (gradeMode: 'void' | 'key') => {
      const { standing } = await ok('GET /app/question/quality', { questionId }, { as: teacher });
      await ok('POST /app/question/correct', { questionId, standing, gradeMode, reason: '超纲' }, { as: teacher });
    };
    const shown = async (name: string) => {
      const as = await student();
      const { questions } = await ok('GET /api/exam/details', await start(as, name), { as });
      return questions.map((question) => question.questionId);
    };
    await mode('void');
    await again({ kind: 'afterclass', questions: { 'q-2': {}, 'q-3': {} } });
    await mode('key');
    for (const name of ['paper', 'chapter:a']) expect(await shown(name)).toEqual([other, third]);
    // A practice that leaves it out while it is void does not get it back either.
    await again({ kind: 'afterclass' });
    await mode('void');
    await again({ kind: 'afterclass', paper: ['q-2', 'q-3'] });
    await mode('key');
    expect(await shown('paper')).toEqual([other, third]);
    expect(await shown('chapter:a')).toEqual([questionId, other, third]);
  });

  it.each([undefined, '{ questions: true, options: true }'])(
    'puts the options of a question in another order during an exam (shuffled: %s): letter, screen and mark stay as they were',
    async (shuffle) => {
      const { again, ids, student, start } = await school(kit, { shuffle });
      const { 'q-1': id = 0 } = await ids();
      const as = await student();
      const { examId, recordId, paperVersion } = await start(as);
      const before = await ok('GET /api/exam/details', { recordId }, { as });
      const first = before.questions.find(({ questionId }) => questionId === id);
      const [right = ''] = Object.entries(first?.options ?? {}).find(([, text]) => text.includes('甲')) ?? [];
      await ok(SAVE, { examId, recordId, questionId: id, answer: right, seq: 1, paperVersion }, { as });

      const reordered = { ...FIRST, 'q-1': { options: ['丙', '乙', '甲'], answer: 'B' } };
      const report = await again({ shuffle, questions: reordered });
      expect(report).toMatchObject({ changed: 1, touched: { open: 1, over: 0 } });

      const other = await kit.sibling();
      for (const server of [kit, other]) {
        expect(await server.ok('GET /api/exam/details', { recordId }, { as })).toEqual(before);
      }
      await other.close();
      expect((await seen(as, recordId, id)).means).toContain('甲');
      // The same letter given anew still is the same option.
      await ok(SAVE, { examId, recordId, questionId: id, answer: right, seq: 2, paperVersion }, { as });
      expect(await ok(SUBMIT, { examId, recordId }, { as })).toMatchObject({ rightCount: 1, totalScore: 12 });
      const own = await reviewed(as, recordId, id);
      expect(own).toMatchObject({ answer: right, rightAnswer: right, options: first?.options, state: 1 });

      const late = await student();
      const next = await start(late);
      expect(next.paperVersion).toBeGreaterThan(paperVersion);
      expect(await refused(SAVE, { ...next, questionId: id, answer: 'A', seq: 1, paperVersion }, { as: late })).toBe(
        'paperChanged',
      );
      const now = (await seen(late, next.recordId, id)).question;
      const [wrongBefore = ''] = Object.entries(now?.options ?? {}).find(([, text]) => text.includes('乙')) ?? [];
      await ok(SAVE, { ...next, questionId: id, answer: wrongBefore, seq: 1 }, { as: late });
      expect(await ok(SUBMIT, next, { as: late })).toMatchObject({ rightCount: 1 });
    },
  );

  it('a teacher’s points go to the records that were graded by the points before; others keep what their paper named', async () => {
    const { again, ids, student, start } = await school(kit);
    const { 'q-1': questionId = 0 } = await ids();
    const teacher = await kit.user('teacher');
    const sits = async () => {
      const as = await student();
      const at = await start(as);
      await ok(SUBMIT, { ...at, answers: [{ questionId, answer: 'B', seq: 1 }] }, { as });
      return { as, ...at };
    };
    const correct = async (change: object) => {
      const { standing } = await ok('GET /app/question/quality', { questionId }, { as: teacher });
      await ok('POST /app/question/correct', { questionId, standing, reason: '更正', ...change }, { as: teacher });
      await kit.chore('exam: re-score corrected records');
    };
    const old = await sits();
    await again({ score: 5 });
    const young = await sits();
    await correct({ scores: [{ examId: old.examId, score: 6 }] });
    const totals = async () => {
      const tips = [];
      for (const { as, recordId } of [old, young]) {
        const { score, totalScore } = await ok('GET /app/exam/result_tip', { recordId }, { as });
        tips.push([score, totalScore]);
      }
      return tips;
    };
    expect(await totals()).toEqual([
      [0, 12],
      [0, 16],
    ]);
    await correct({ rightAnswer: 'B' });
    expect(await totals()).toEqual([
      [4, 12],
      [6, 16],
    ]);
  });

  it('re-scores what it corrects where that is asked for, as a teacher does: figures first, then scores, notices, history', async () => {
    const { packId, folderOf, ids, student, start } = await school(kit);
    const { 'q-1': first = 0, 'q-2': second = 0, 'q-3': third = 0 } = await ids();
    const teacher = await kit.user('teacher');
    const sits = async (letters: string, as: TestUser, name?: string) => {
      const at = await start(as, name);
      const answers = [...letters].map((answer, n) => ({ questionId: [first, second, third][n] ?? 0, answer, seq: 1 }));
      await ok(SUBMIT, { ...at, answers }, { as });
      return { as, recordId: at.recordId };
    };
    const [gains, loses] = [await sits('BAA', await student()), await sits('AAA', await student())];
    const opener = await student();
    const open = await start(opener);
    const asked = { packId, name: '练习', questionIds: [first, third] };
    const mine = await student();
    const { examId } = await ok('POST /app/exam/own_paper', asked, { as: mine });
    const own = await ok('GET /app/exam/test_start', { examId }, { as: mine });
    await ok(
      SUBMIT,
      { examId, recordId: own.recordId, answers: [{ questionId: first, answer: 'B', seq: 1 }] },
      { as: mine },
    );

    const lines: string[] = [];
    const context: CommandContext = {
      openDb: async () => kit.db,
      files: kit.parts.files,
      say: (line) => lines.push(line),
      progress: { show: () => {}, end: () => {} },
      signal: new AbortController().signal,
    };
    const now = kit.time.now;
    /** As the command does it, without a process of its own to read the pack. */
    const done = async (folder: string, reason: string | null) => {
      const rescore = reason === null ? null : { teacherId: teacher.userId, reason };
      const did = await importPack(kit.db, kit.parts.files, folder, { rescore, now, read: readPack });
      return did.ok ? [...sayRescore(did.report.rescore, false), ...sayTeachersWord(did.report.teachers)] : [];
    };
    const questions = { ...FIRST, 'q-1': { answer: 'B' }, 'q-2': { topic: '另一种说法' } };
    const corrected = folderOf({ questions, score: 5 });
    for (const phone of ['13700000000', opener.phone])
      await expect(packCommand.run([corrected, '--rescore', phone], context)).rejects.toThrow('没有手机号为');
    await expect(packCommand.run([corrected, '--reason', '错'], context)).rejects.toThrow('--rescore');
    const figures = (verb: string) => [
      `3 题的答案或分值变了，2 份已结束的答卷${verb}重新评分，进行中的在交卷之后；成绩有变的学员会收到通知`,
      '  q-1：1 人加分，1 人减分，0 人变为及格，0 人变为不及格',
      '    卷：2 份，平均 10 → 10.5 分，满分 12 → 13 分',
    ];
    expect(await packCommand.run([corrected, '--rescore', teacher.phone, '--dry-run'], context)).toBe(0);
    expect(lines).toEqual(expect.arrayContaining(figures('将')));
    expect(
      (await kit.db.query.selectFrom('questions').select('right_answer').where('id', '=', first).execute())[0],
    ).toEqual({
      right_answer: 'A',
    });
    // What was tried left nothing behind: done, it says the same.
    expect(await done(corrected, '答案印错了')).toEqual(expect.arrayContaining(figures('由运行中的服务')));
    const rescore = async () => {
      await kit.chore('exam: count question quality');
      await kit.chore('exam: re-score corrected records');
      await kit.chore('exam: re-score corrected own papers');
    };
    await rescore();
    const tip = ({ as, recordId }: { as: TestUser; recordId: number }) =>
      ok('GET /app/exam/result_tip', { recordId }, { as });
    expect(await tip(gains)).toMatchObject({ score: 15, totalScore: 15, rightCount: 3 });
    expect(await tip(loses)).toMatchObject({ score: 10, totalScore: 15, rightCount: 2 });
    const notices = (await ok('GET /app/common/notice', {}, gains)).list;
    expect(notices.length).toBeGreaterThan(0);
    expect(notices.every(({ kind, content }) => kind === 'rescored' && content.includes('答案印错了'))).toBe(true);
    await ok(SUBMIT, { ...open, answers: [{ questionId: first, answer: 'B', seq: 1 }] }, { as: opener });
    await rescore();
    expect(await tip({ as: opener, recordId: open.recordId })).toMatchObject({ score: 5, totalScore: 15 });
    expect(await tip({ as: mine, recordId: own.recordId })).toMatchObject({ rightCount: 1 });
    const { history } = await ok('GET /app/question/quality', { questionId: first }, { as: teacher });
    expect(history).toMatchObject([{ reason: '答案印错了', done: true, rescored: 4 }]);
    // What the record showed of the other question stays, beside what is said now.
    const review = await ok('GET /app/exam/review', { recordId: gains.recordId }, gains);
    expect(review.questions.map(({ topic }) => topic)).toEqual(['题 q-1', '题 q-2', '题 q-3']);
    expect(review.questions[1]?.correction?.question?.topic).toContain('另一种说法');
    // Nothing more to do; and a file that says the former key again is no older than this one.
    expect(await done(corrected, '又一次')).toEqual([]);
    expect(await done(folderOf({ questions: FIRST, score: 5 }), null)).not.toContainEqual(
      expect.stringContaining('保留'),
    );
    expect(
      (await kit.db.query.selectFrom('questions').select('right_answer').where('id', '=', first).execute())[0],
    ).toEqual({
      right_answer: 'A',
    });
  });

  it('re-scores what a spreadsheet corrects too: key and points of a chapter’s practice', async () => {
    const { slug, student, start } = await school(kit);
    const teacher = await kit.user('teacher');
    const sheet = (answer: string, points: number) => csv(`单选题,表格题,甲,乙,丙,,${answer},,${points},第二章,,`);
    const into = { pack: slug, course: 'one', now: kit.time.now, files: kit.parts.files, read: readSpreadsheet };
    await importQuestions(kit.db, { ...into, file: sheet('A', 2) });
    const practised = await student();
    const { examId: practice, recordId } = await start(practised, 'chapter:b');
    const { questions: shown } = await ok('GET /api/exam/details', { recordId }, { as: practised });
    const answers = shown.map(({ questionId }) => ({ questionId, answer: 'B', seq: 1 }));
    await ok(SUBMIT, { examId: practice, recordId, answers }, { as: practised });
    const rescore = { teacherId: teacher.userId, reason: '答案印错了' };
    const report = await importQuestions(kit.db, { ...into, file: sheet('B', 3), rescore });
    // By what its file shows: it has no key of its own.
    expect(sayRescore(report.rescore, false)).toContain('  “表格题”：1 人加分，0 人减分，1 人变为及格，0 人变为不及格');
    expect(sayRescore(report.rescore, false)).toContain('    第二章：1 份，平均 0 → 3 分，满分 2 → 3 分');
    await kit.chore('exam: re-score corrected records');
    expect(await ok('GET /app/exam/result_tip', { recordId }, { as: practised })).toMatchObject({
      score: 3,
      totalScore: 3,
      rightCount: 1,
    });
  });
});
