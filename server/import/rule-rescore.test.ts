import { writeXlsx } from 'hucre/xlsx';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readPack } from '#content/pack/pack.ts';
import { readSpreadsheet } from '#content/question/spreadsheet.ts';
import type { CommandContext } from '#server/command.ts';
import { recordReopener } from '#server/exam/grading/reopen.ts';
import { recountedCounters, storedCounters } from '#server/exam/grading/study.test-kit.ts';
import { rescoreAll } from '#server/exam/quality/quality.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { school } from './correction.test-kit.ts';
import { clean, fileOf } from './import.test-kit.ts';
import { importPack } from './pack.ts';
import { packCommand } from './pack-command.ts';
import { importQuestions } from './questions.ts';
import { sayRescore } from './rescore-records.ts';

afterAll(clean);

const SUBMIT = 'POST /api/exam/submit';
const TIP = 'GET /app/exam/result_tip';
const ABC = ['甲', '乙', '丙', '丁'];
/** Two multiple choices, a single one and a text that its student scores. */
const MIXED = {
  'm-1': { many: true, options: ABC, answer: 'AB' },
  'm-2': { many: true, options: ABC, answer: 'ABC' },
  's-1': {},
  't-1': { points: { 要点: 2 } },
} as const;

describe.each(databases)(
  'another rule for partly right answers and records that are over, on $name',
  async ({ kind }) => {
    const kit = await testApp(kind);
    afterAll(() => kit.close());
    afterEach(async () => expect(await storedCounters(kit)).toEqual(await recountedCounters(kit)));
    const { ok, db } = kit;
    const rescore = () => rescoreAll(kit);

    /** A school with that paper, by whose rule its first students were graded. */
    async function mixed(partial?: number) {
      const made = await school(kit, { questions: MIXED, ...(partial !== undefined && { partial }) });
      const ids = await made.ids();
      const teacher = await kit.user('teacher');
      /** Hands in answers by the keys of their questions. */
      const handIn = async ({ as, ...at }: { as: TestUser; examId: number; recordId: number }, given: object) => {
        const answers = Object.entries(given).map(([key, answer]) => ({ questionId: ids[key] ?? 0, answer, seq: 1 }));
        await ok(SUBMIT, { examId: at.examId, recordId: at.recordId, answers }, { as });
        return { as, recordId: at.recordId, examId: at.examId };
      };
      const begins = async () => {
        const as = await made.student();
        return { as, ...(await made.start(as)) };
      };
      const sits = async (given: object) => handIn(await begins(), given);
      /** Imports as the command does, without a process of its own to read the pack. @returns what it says of re-scoring */
      const imports = async (text: Parameters<typeof made.folderOf>[0], reason: string | null) => {
        const asked = reason === null ? null : { teacherId: teacher.userId, reason };
        const folder = made.folderOf({ questions: MIXED, ...text });
        const did = await importPack(db, kit.parts.files, folder, {
          rescore: asked,
          now: kit.time.now,
          read: readPack,
        });
        if (!did.ok) throw new Error(JSON.stringify(did.mistakes));
        return sayRescore(did.report.rescore, false);
      };
      return { ...made, idsByKey: ids, teacher, begins, handIn, sits, imports };
    }
    type Sat = { as: TestUser; recordId: number };
    const tip = ({ as, recordId }: Sat) => ok(TIP, { recordId }, { as });
    const scores = async (...sat: Sat[]) => {
      const found: (number | null)[] = [];
      for (const one of sat) found.push((await tip(one)).score);
      return found;
    };
    const told = async ({ as }: Sat) =>
      (await ok('GET /app/common/notice', {}, { as })).list.filter(({ kind: what }) => what !== 'recordReopened');

    it('grades them again where that is asked for: figures first, then scores, rank, history, notices, and the reason on the result', async () => {
      const { folderOf, imports, sits, begins, handIn, teacher, idsByKey, packId, student } = await mixed();
      const part = await sits({ 'm-1': 'A', 'm-2': 'AB', 's-1': 'A', 't-1': '文' });
      await ok(
        'POST /app/exam/subjective_submit',
        { recordId: part.recordId, questionId: idsByKey['t-1'] ?? 0, myScore: 3 },
        { as: part.as },
      );
      const whole = await sits({ 'm-1': 'AB', 's-1': 'A' });
      const wrong = await sits({ 'm-1': 'AC', 's-1': 'B' });
      const open = await begins();
      const asked = { packId, name: '练习', questionIds: [idsByKey['m-1'] ?? 0] };
      const mine = await student();
      const { examId: ownId } = await ok('POST /app/exam/own_paper', asked, { as: mine });
      const ownAt = await ok('GET /app/exam/test_start', { examId: ownId }, { as: mine });
      const own = await handIn({ as: mine, examId: ownId, recordId: ownAt.recordId }, { 'm-1': 'A' });
      await rescore();
      expect(await scores(part, whole, wrong, own)).toEqual([7, 8, 0, 0]);
      expect(await tip(part)).toMatchObject({ rank: 2, averageScore: 5, partlyCount: 1, wrongCount: 3 });

      const lines: string[] = [];
      const context: CommandContext = {
        openDb: async () => db,
        files: kit.parts.files,
        say: (line) => lines.push(line),
        progress: { show: () => {}, end: () => {} },
        signal: new AbortController().signal,
      };
      const half = folderOf({ questions: MIXED, partial: 0.5 });
      const figures = [
        '  试卷“卷”的部分得分 无 → 50%：1 人加分，0 人减分，1 人变为及格，0 人变为不及格',
        '    卷：3 份，平均 5 → 6.33 分，满分 16 → 16 分',
      ];
      await packCommand.run([half, '--dry-run'], context);
      expect(lines).toEqual(
        expect.arrayContaining([
          '1 份试卷的部分得分变了，3 份已结束的答卷不会重新评分。要重新评分，请加上 --rescore <老师手机号> 导入这一份',
          ...figures,
        ]),
      );
      lines.length = 0;
      await packCommand.run([half, '--rescore', teacher.phone, '--reason', '考纲规定', '--dry-run'], context);
      expect(lines[0]).toContain('试运行，没有保存');
      expect(lines).toEqual(
        expect.arrayContaining([
          '1 份试卷的部分得分变了，3 份已结束的答卷将重新评分，进行中的在交卷之后；成绩有变的学员会收到通知',
          ...figures,
        ]),
      );
      await rescore();
      expect(await scores(part, whole, wrong)).toEqual([7, 8, 0]);

      kit.time.now += 60_000;
      expect(await imports({ partial: 0.5 }, '考纲规定')).toEqual([
        '1 份试卷的部分得分变了，3 份已结束的答卷由运行中的服务重新评分，进行中的在交卷之后；成绩有变的学员会收到通知',
        ...figures,
      ]);
      const history = async (key: string) =>
        (await ok('GET /app/question/quality', { questionId: idsByKey[key] ?? 0 }, { as: teacher })).history;
      expect(await history('m-1')).toMatchObject([{ done: false, waiting: 1 }]);
      await rescore();
      expect(await scores(part, whole, wrong, own)).toEqual([11, 8, 0, 0]);
      expect(await tip(part)).toMatchObject({ rank: 1, partlyCount: 3, wrongCount: 3, averageScore: 6.33 });
      expect((await tip(part)).rescores).toEqual([
        {
          ...{ questionId: null, questionNumber: null, rule: { before: null, after: 0.5 } },
          ...{ rescoredAt: kit.time.now, reason: '考纲规定', scoreBefore: 7, scoreAfter: 11 },
        },
      ]);
      expect((await tip(whole)).rescores).toEqual([]);
      expect(await told(part)).toMatchObject([
        {
          kind: 'ruleCorrected',
          recordId: part.recordId,
          content: '《卷》少选的得分规则已更正，您的成绩由 7 分改为 11 分。原因：考纲规定',
        },
      ]);
      expect([...(await told(whole)), ...(await told(wrong)), ...(await told(own))]).toEqual([]);
      const review = await ok('GET /app/exam/review', { recordId: part.recordId }, { as: part.as });
      expect(review.questions.map(({ state, myScore, correction }) => [state, myScore, correction])).toEqual([
        [3, 2, null],
        [3, 2, null],
        [1, 4, null],
        [3, 3, null],
      ]);

      // What is in progress keeps its rule until it is handed in.
      await handIn(open, { 'm-1': 'B' });
      expect(await scores(open)).toEqual([0]);
      await rescore();
      expect(await scores(open)).toEqual([2]);
      const one = await history('m-1');
      expect(one).toMatchObject([
        { reason: '考纲规定', nickname: expect.any(String), done: true, rescored: 2, waiting: 0 },
      ]);
      expect(one[0]?.changes).toEqual([{ field: 'partial', before: '', after: '0.5', examName: '卷' }]);
      expect(await history('s-1')).toEqual([]);
      expect(await imports({ partial: 0.5 }, '又一次')).toEqual([]);
    });

    it('follows several rules one after the other, with keys and points of the same file, and the records of former versions', async () => {
      const { imports, sits, idsByKey, teacher } = await mixed();
      const first = await sits({ 'm-1': 'A', 'm-2': 'AB' });
      // Without being asked for: who sits it from now on is graded by another rule, and another text.
      expect(await imports({ partial: 0.5 }, null)).toEqual([
        '1 份试卷的部分得分变了，1 份已结束的答卷没有重新评分。要重新评分，请先导入原来的文件，再加上 --rescore <老师手机号> 导入这一份',
      ]);
      const second = await sits({ 'm-1': 'A', 'm-2': 'AB' });
      const retold = { ...MIXED, 'm-2': { ...MIXED['m-2'], topic: '另一种说法' } };
      await imports({ partial: 0.5, questions: retold }, null);
      const third = await sits({ 'm-1': 'A', 'm-2': 'AB' });
      await rescore();
      expect(await scores(first, second, third)).toEqual([0, 4, 4]);

      // Three at once: the rule, the points of every question, and a key; nothing is graded in between.
      const rekeyed = { ...retold, 'm-1': { ...MIXED['m-1'], answer: 'AC' } };
      const said = await imports({ partial: 0.25, score: 6, questions: rekeyed }, '一起改');
      expect(said[0]).toBe(
        '4 题的答案或分值、1 份试卷的部分得分变了，3 份已结束的答卷由运行中的服务重新评分，进行中的在交卷之后；成绩有变的学员会收到通知',
      );
      // The rule alone, beside what the keys and points bring: 6 points at a quarter, half points rounded down.
      expect(said.at(-2)).toBe('  试卷“卷”的部分得分 50% → 25%：1 人加分，2 人减分，0 人变为及格，0 人变为不及格');
      const back = await imports({ score: 6, questions: rekeyed }, '改回去');
      expect(back[0]).toContain('1 份试卷的部分得分变了');
      await rescore();
      await rescore();
      expect(await scores(first, second, third)).toEqual([0, 0, 0]);
      const rules = async (of: Sat) =>
        (await tip(of)).rescores.flatMap(({ rule, scoreBefore, scoreAfter }) =>
          rule ? [[rule.before, rule.after, scoreBefore, scoreAfter]] : [],
        );
      // The rule that the paper had is not the one by which the first was graded.
      expect(await rules(first)).toEqual([
        [null, 0.25, 0, 3],
        [0.25, null, 3, 0],
      ]);
      expect((await rules(third)).map(([before, after]) => [before, after])).toEqual([
        [0.5, 0.25],
        [0.25, null],
      ]);
      expect(await imports({ partial: 0.5, score: 6, questions: rekeyed }, '还是一半')).toHaveLength(3);
      await rescore();
      expect(await scores(first, second, third)).toEqual([6, 6, 6]);
      expect((await tip(first)).totalScore).toBe(24);
      const { history } = await ok('GET /app/question/quality', { questionId: idsByKey['m-2'] ?? 0 }, { as: teacher });
      expect(history.filter(({ nickname }) => nickname !== null).every(({ done }) => done)).toBe(true);
      expect(history.flatMap(({ changes }) => changes.filter(({ field }) => field === 'partial'))).toMatchObject([
        { before: '', after: '0.5' },
        { before: '0.25', after: '' },
        { before: '0.5', after: '0.25' },
      ]);
    });

    it('moves nothing that is void or given to everybody; who sits such a question waits; a record that is opened again has it', async () => {
      const { imports, sits, teacher, idsByKey, start } = await mixed();
      const [voided = 0, given = 0] = [idsByKey['m-1'], idsByKey['m-2']];
      const reads = async (questionId: number) => ok('GET /app/question/quality', { questionId }, { as: teacher });
      const mode = async (questionId: number, gradeMode: 'void' | 'all' | 'key') => {
        const { standing } = await reads(questionId);
        await ok('POST /app/question/correct', { questionId, standing, gradeMode, reason: '超纲' }, { as: teacher });
        await rescore();
      };
      const over = await sits({ 'm-1': 'A', 'm-2': 'AB' });
      await mode(voided, 'void');
      await mode(given, 'all');
      expect(await scores(over)).toEqual([4]);
      await imports({ partial: 0.5 }, '考纲规定');
      await rescore();
      expect(await scores(over)).toEqual([4]);
      expect((await tip(over)).rescores.filter(({ rule }) => rule)).toEqual([]);
      // They count by their keys again, and by the rule that came meanwhile.
      await mode(voided, 'key');
      await mode(given, 'key');
      expect(await scores(over)).toEqual([4]);

      const done = await sits({ 'm-1': 'A' });
      const { as: again } = done;
      kit.time.now += 60_000;
      const sitting = await start(again);
      await imports({}, '又改');
      await rescore();
      expect((await reads(voided)).history[0]).toMatchObject({ done: false, waiting: 2 });
      await ok(SUBMIT, { examId: sitting.examId, recordId: sitting.recordId, answers: [] }, { as: again });
      await rescore();
      expect((await reads(voided)).history[0]).toMatchObject({ done: true, waiting: 0 });
      expect(await scores({ as: again, recordId: done.recordId }, over)).toEqual([0, 0]);

      await imports({ partial: 0.5 }, '还是一半');
      await rescore();
      const reopen = recordReopener(db);
      const { recordId } = over;
      await db.transaction((trx) =>
        reopen(trx, { recordId, minutes: 30, reason: '误交', doneBy: 'school', now: kit.time.now }),
      );
      // Who has closed their account is graded like everybody, also what they left open, and keeps nothing waiting.
      const gone = await sits({ 'm-1': 'A', 'm-2': 'AB' });
      kit.time.now += 60_000;
      const left = await start(gone.as);
      await db.query.updateTable('users').set({ closes_at: kit.time.now }).where('id', '=', gone.as.userId).execute();
      await imports({ partial: 0.25 }, '四分之一');
      await rescore();
      await ok(SUBMIT, { examId: over.examId, recordId, answers: [] }, { as: over.as });
      await rescore();
      expect(await scores(over)).toEqual([2]);
      expect((await reads(voided)).history[0]).toMatchObject({ done: false, waiting: 2 });
      await kit.chore('accounts: close those that are due');
      await rescore();
      expect((await reads(voided)).history[0]).toMatchObject({ done: true, waiting: 0 });
      const stored = await db.query
        .selectFrom('exam_records')
        .select(['score', 'version'])
        .where('id', 'in', [gone.recordId, left.recordId])
        .orderBy('id')
        .execute();
      expect(stored.map(({ score }) => score)).toEqual([2, 0]);
      expect(new Set(stored.map(({ version }) => version)).size).toBe(1);
    });

    it('comes with a spreadsheet’s 部分得分 too, also to a paper that was archived meanwhile', async () => {
      const { slug, student } = await school(kit);
      const teacher = await kit.user('teacher');
      /** @param more further questions, past a hundred of which a file is written in parts */
      const sheet = async (share: string, { name = '表格卷', more = 0, paperKey = '', points = 4 } = {}) =>
        fileOf(
          'papers.xlsx',
          await writeXlsx({
            sheets: [
              {
                name: '题库',
                rows: [
                  ['题型', '题干', '选项A', '选项B', '选项C', '答案', '分值', '编号'],
                  ['多选', '表格多选', '甲', '乙', '丙', 'AB', 4, 'K-1'],
                  ...Array.from({ length: more }, (_, at) => [
                    '单选',
                    `另一题 ${at}`,
                    '甲',
                    '乙',
                    '丙',
                    'A',
                    1,
                    `L-${at}`,
                  ]),
                ],
              },
              {
                name: '试卷',
                rows: [
                  ['试卷', '类型', '时长', '编号', '分值', '部分得分', '试卷编号'],
                  [name, '模拟考试', 60, 'K-1', points, share, paperKey],
                ],
              },
            ],
          }),
        );
      const into = {
        pack: slug,
        course: 'one',
        now: kit.time.now,
        files: kit.parts.files,
        read: readSpreadsheet,
        whole: true,
      };
      await importQuestions(db, { ...into, file: await sheet('50%') });
      const { id: examId } = await db.query
        .selectFrom('exams')
        .select('id')
        .where('name', '=', '表格卷')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      const { id: questionId } = await db.query
        .selectFrom('questions')
        .select('id')
        .where('school_key', '=', 'K-1')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      const as = await student();
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      await ok(SUBMIT, { examId, recordId, answers: [{ questionId, answer: 'A', seq: 1 }] }, { as });
      expect(await scores({ as, recordId })).toEqual([2]);
      const opener = await student();
      const open = await ok('GET /app/exam/test_start', { examId }, { as: opener });
      await importQuestions(db, { ...into, file: await sheet('50%', { name: '别的卷' }) });
      const dry = await importQuestions(db, { ...into, file: await sheet(''), dryRun: true });
      expect(sayRescore(dry.rescore, true)).toEqual([
        '1 份试卷的部分得分变了，1 份已结束的答卷不会重新评分。要重新评分，请加上 --rescore <老师手机号> 导入这一份',
        '  试卷“表格卷”的部分得分 50% → 无：0 人加分，1 人减分，0 人变为及格，0 人变为不及格',
        '    表格卷：1 份，平均 2 → 0 分，满分 4 → 4 分',
      ]);
      await importQuestions(db, {
        ...into,
        file: await sheet(''),
        rescore: { teacherId: teacher.userId, reason: '改' },
      });
      await rescore();
      expect(await scores({ as, recordId })).toEqual([0]);
      expect(await told({ as, recordId })).toMatchObject([{ kind: 'ruleCorrected' }]);
      await ok(
        SUBMIT,
        { examId, recordId: open.recordId, answers: [{ questionId, answer: 'B', seq: 1 }] },
        { as: opener },
      );
      expect(await scores({ as: opener, recordId: open.recordId })).toEqual([2]);
      await rescore();
      expect(await scores({ as: opener, recordId: open.recordId })).toEqual([0]);

      // A large file says it before its first part, and of a paper that goes by a key of its own from now on.
      const large = await sheet('50%', { more: 120, paperKey: 'SJ-1', points: 6 });
      for (const dryRun of [true, false]) {
        const { rescore: seen } = await importQuestions(db, { ...into, file: large, dryRun });
        expect(sayRescore(seen, dryRun)[0]).toContain(
          `1 题的答案或分值、1 份试卷的部分得分变了，2 份已结束的答卷${dryRun ? '不会' : '没有'}重新评分`,
        );
      }
    });

    it('other points reach old records of a question that is retired meanwhile, in its papers and in its chapter’s practice', async () => {
      const { imports, sits, idsByKey, student, start, teacher } = await mixed();
      const questionId = idsByKey['s-1'] ?? 0;
      const over = await sits({ 's-1': 'A', 'm-1': 'AB' });
      const practised = await student();
      const practice = await start(practised, 'chapter:a');
      const { questions } = await ok('GET /api/exam/details', practice, { as: practised });
      expect(questions.map((question) => question.questionId)).toContain(questionId);
      await ok(
        SUBMIT,
        { examId: practice.examId, recordId: practice.recordId, answers: [{ questionId, answer: 'A', seq: 1 }] },
        { as: practised },
      );
      await ok('POST /app/question/retire', { questionId, reason: '超纲' }, { as: teacher });
      const later = await sits({ 'm-1': 'AB' });
      expect(await scores(over, later)).toEqual([8, 4]);
      const said = await imports({ score: 5 }, '分值印错了');
      expect(said).toContain('  s-1：1 人加分，0 人减分，0 人变为及格，0 人变为不及格');
      await rescore();
      expect(await scores(over, later)).toEqual([10, 5]);
      expect([(await tip(over)).totalScore, (await tip(later)).totalScore]).toEqual([20, 15]);
      // Its own points are those of the practice; restored, it stands in the paper with those of the file.
      const { retired } = await db.query
        .selectFrom('questions')
        .select('retired')
        .where('id', '=', questionId)
        .executeTakeFirstOrThrow();
      expect(Object.values((JSON.parse(retired) as { places: object }).places)).toEqual([[2, 5]]);
      expect(await imports({ score: 5 }, '又一次')).toEqual([]);
      await ok('POST /app/question/restore', { questionId }, { as: teacher });
      expect(await scores(await sits({ 's-1': 'A' }))).toEqual([5]);
    });
  },
);
