import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSpreadsheet } from '#content/question/spreadsheet.ts';
import { type CommandContext, StoredInPart } from '#server/command.ts';
import { enrol } from '#server/course/pack.test-kit.ts';
import type { Db } from '#server/db/open.ts';
import { questionCommands } from '#server/exam/question-command.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { clean, fileOf } from './import.test-kit.ts';
import { watched } from './import-process.test-kit.ts';
import { importQuestions, type QuestionReport } from './questions.ts';

afterAll(clean);

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

interface Draft {
  count?: number;
  key?: string;
  analysis?: string;
  says?: string;
  score?: number;
  /** Leaves rows out. */
  without?: (at: number) => boolean;
  more?: string[];
}

/** A bank of two chapters, 第一章 the first half. More than two parts. */
const bank = ({ count = 520, key = 'A', analysis = '', says = '题目', score = 2, without, more = [] }: Draft = {}) => {
  const lines = Array.from({ length: count }, (_, at) => at)
    .filter((at) => !without?.(at))
    .map(
      (at) =>
        `K${at},单选,第 ${at} 道${says},甲,乙,丙,${key},${analysis},${score},${at < count / 2 ? '第一章' : '第二章'}`,
    );
  const head = '编号,题型,题干,选项A,选项B,选项C,答案,解析,分值,章节';
  return fileOf('bank.csv', `${[head, ...lines, ...more].join('\r\n')}\r\n`);
};

let packs = 0;

// Each imports banks of two to six parts several times.
describe.each(databases)('between the parts of an import on $name', { timeout: 60_000 }, ({ kind }) => {
  let kit: TestApp;
  /** The connection of the operator's command. */
  let other: Db;
  beforeAll(async () => {
    kit = await testApp(kind);
    other = (await kit.sibling()).db;
  });
  afterAll(() => kit.close());

  async function school(draft: Draft = {}) {
    packs += 1;
    const pack = `parts-${packs}`;
    const run = (file: string, more: Partial<Parameters<typeof importQuestions>[1]> = {}, db: Db = other) =>
      importQuestions(db, {
        file,
        files: kit.parts.files,
        read: readSpreadsheet,
        pack,
        packName: '包',
        now: kit.time.now,
        ...more,
      });
    const first = await run(bank(draft));
    const { id: packId } = await kit.db.query
      .selectFrom('packs')
      .select('id')
      .where('slug', '=', pack)
      .executeTakeFirstOrThrow();
    const student = async () => {
      const as = await kit.user();
      await enrol(kit, as, packId);
      return as;
    };
    const practice = async (name: string) =>
      kit.db.query
        .selectFrom('exams')
        .selectAll()
        .where('pack_id', '=', packId)
        .where('kind', '=', 'chapter')
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
    const questionOf = (schoolKey: string) =>
      kit.db.query
        .selectFrom('questions')
        .selectAll()
        .where('pack_id', '=', packId)
        .where('school_key', '=', schoolKey)
        .executeTakeFirstOrThrow();
    /** Imports a file, and does something before the nth of its transactions. */
    const meanwhile = (file: string, before: Record<number, () => Promise<unknown>>, more = {}) =>
      run(file, more, watched(other, { before: async (nth) => before[nth]?.() }));
    return { pack, packId, first, run, student, practice, questionOf, meanwhile };
  }

  /** Begins a paper and reads it. */
  const begin = async (as: TestUser, examId: number) => {
    const { recordId, paperVersion } = await kit.ok('GET /app/exam/test_start', { examId }, { as });
    const { questions } = await kit.ok('GET /api/exam/details', { recordId }, { as });
    return { examId, recordId, paperVersion, questions };
  };

  it('a practice that is begun between parts is shown and graded as it was begun, whatever comes later', async () => {
    const { student, practice, questionOf, meanwhile, first } = await school();
    expect(first).toMatchObject({ added: 520, imported: true });
    const { id: examId } = await practice('第一章');
    const [before, between, late] = [await student(), await student(), await student()];
    const old = await begin(before, examId);
    let mid: Awaited<ReturnType<typeof begin>> | null = null;
    const ids = [(await questionOf('K0')).id, (await questionOf('K250')).id];
    // The pack is opened, chapters are looked at, then parts of 100: 第一章 has 260 questions.
    const report = await meanwhile(bank({ key: 'B', score: 3 }), {
      4: async () => {
        mid = await begin(between, examId);
      },
    });
    // One began before, one in between: each counts once.
    expect(report).toMatchObject({ changed: 520, touched: { open: 2, over: 0 } });
    const middle = mid as unknown as Awaited<ReturnType<typeof begin>>;
    const anew = await begin(late, examId);
    expect(new Set([old, middle, anew].map(({ paperVersion }) => paperVersion)).size).toBe(3);
    const right = async (of: Awaited<ReturnType<typeof begin>>, as: TestUser) => {
      for (const [at, questionId] of ids.entries())
        await kit.ok(SAVE, { examId, recordId: of.recordId, questionId, answer: 'B', seq: at + 1 }, { as });
      const shown = await kit.ok('GET /api/exam/details', { recordId: of.recordId }, { as });
      expect(shown.questions).toEqual(of.questions);
      const graded = await kit.ok(SUBMIT, { examId, recordId: of.recordId }, { as });
      const review = await kit.ok('GET /app/exam/review', { recordId: of.recordId }, { as });
      const states = ids.map((id) => review.questions.find(({ questionId }) => questionId === id));
      return { graded, keys: states.map((one) => one?.rightAnswer), states: states.map((one) => one?.state) };
    };
    // Who began before: the keys and points of then; in between: the first part is corrected, the second not yet.
    expect(await right(old, before)).toMatchObject({
      graded: { score: 0, totalScore: 520, rightCount: 0 },
      keys: ['A', 'A'],
    });
    expect(await right(middle, between)).toMatchObject({
      graded: { score: 2, totalScore: 520, rightCount: 1 },
      keys: ['B', 'A'],
    });
    expect(await right(anew, late)).toMatchObject({
      graded: { score: 6, totalScore: 780, rightCount: 2 },
      keys: ['B', 'B'],
    });
    // By each key of a question its own share of takers.
    const counts = await kit.db.query
      .selectFrom('question_accuracy')
      .selectAll()
      .where('question_id', 'in', ids)
      .orderBy('question_id')
      .orderBy('key_version')
      .execute();
    expect(counts.map(({ question_id, key_version }) => [ids.indexOf(question_id), key_version])).toEqual([
      [0, 1],
      [0, 2],
      [1, 1],
      [1, 2],
    ]);
  });

  it('a random paper and an own practice that are begun between parts keep what they showed', async () => {
    const { packId, student, questionOf, meanwhile } = await school();
    const [as, other] = [await student(), await student()];
    const ids = [(await questionOf('K0')).id, (await questionOf('K510')).id];
    const begun: { examId: number; recordId: number; as: TestUser; topics: Map<number, string> }[] = [];
    await meanwhile(bank({ key: 'C', says: '题目（改）' }), {
      4: async () => {
        const own = await kit.ok('POST /app/exam/own_paper', { packId, name: '自选', questionIds: ids }, { as });
        const lines = [{ questionTypesId: 2 as const, count: 200, score: 1 }];
        const random = { packId, name: '随机', lines, examTime: 60 };
        const drawn = await kit.ok('POST /app/exam/random_paper', random, { as: other });
        for (const [who, { examId }] of [
          [as, own],
          [other, drawn],
        ] as const) {
          const { recordId, questions } = await begin(who, examId);
          const topics = new Map(questions.map(({ questionId, topic }) => [questionId, topic]));
          begun.push({ examId, recordId, as: who, topics });
        }
      },
    });
    expect(begun).toHaveLength(2);
    for (const { examId, recordId, as: who, topics } of begun) {
      const { questions } = await kit.ok('GET /api/exam/details', { recordId }, { as: who });
      expect(new Map(questions.map(({ questionId, topic }) => [questionId, topic]))).toEqual(topics);
      // Some of the parts that were written then, some of those that came later.
      const isOld = [...topics.values()].map((topic) => !topic.includes('（改）'));
      expect(new Set(isOld).size).toBe(2);
      let seq = 0;
      for (const { questionId } of questions) {
        seq += 1;
        await kit.ok(SAVE, { examId, recordId, questionId, answer: 'A', seq }, { as: who });
      }
      const { rightCount } = await kit.ok(SUBMIT, { examId, recordId }, { as: who });
      expect(rightCount).toBe(isOld.filter(Boolean).length);
    }
  });

  it('a question that is retired, and one that is new and retired at once, are in nothing new', async () => {
    const { pack, practice, questionOf, meanwhile } = await school();
    const context = {
      openDb: async () => kit.db,
      files: kit.parts.files,
      say: () => undefined,
      progress: { show: () => {}, end: () => {} },
      signal: new AbortController().signal,
    } satisfies CommandContext;
    const retire = (name: string) => () =>
      questionCommands
        .find((one) => one.name === 'question retire')
        ?.run([name, '--pack', pack, '--reason', '超纲'], context) ?? Promise.reject(new Error('no command'));
    const more = Array.from({ length: 230 }, (_, at) => `N${at},单选,新的第 ${at} 题,甲,乙,丙,A,,2,第一章`);
    const report = await meanwhile(bank({ analysis: '改', more }), {
      5: retire('K3'),
      // The new ones are stored, and in no practice yet.
      12: retire('N7'),
    });
    expect(report).toMatchObject({ added: 230, changed: 520 });
    const { id, total_question, total_score } = await practice('第一章');
    const list = await kit.db.query.selectFrom('exam_questions').selectAll().where('exam_id', '=', id).execute();
    expect([list.length, total_question, total_score]).toEqual([488, 488, 976]);
    for (const name of ['K3', 'N7']) {
      const { id: gone } = await questionOf(name);
      expect(list.some(({ question_id }) => question_id === gone)).toBe(false);
    }
  });

  it('a practice that was archived is on offer again when it is whole, and one on offer is never empty while all of it is replaced', async () => {
    const { run, practice, packId } = await school({ count: 4 });
    const ofChapter = (name: string, from: number, chapter: string) =>
      Array.from({ length: 1100 }, (_, at) => `${name}${from + at},判断,${name} ${from + at},,,,对,,1,${chapter}`);
    await run(bank({ count: 4, more: ofChapter('旧', 0, '第九章') }));
    // Taken out with its questions, it keeps its list.
    await run(bank({ count: 4 }), { whole: true });
    expect(await practice('第九章')).toMatchObject({ archived: 1, total_question: 1100 });
    const seen: string[] = [];
    const look = async () => {
      const { id, archived, total_question } = await practice('第九章');
      if (archived === 1) return;
      const stale = await kit.db.query
        .selectFrom('exam_questions')
        .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
        .select('questions.id')
        .where('exam_questions.exam_id', '=', id)
        .where('questions.archived', '=', 1)
        .execute();
      seen.push(`${total_question} ${stale.length}`);
    };
    const watching = watched(other, { before: look });
    await run(bank({ count: 4, more: ofChapter('新', 0, '第九章') }), {}, watching);
    await look();
    expect(seen).toEqual(['1100 0']);

    seen.length = 0;
    await run(bank({ count: 4, more: ofChapter('再', 0, '第九章') }), { whole: true }, watching);
    await look();
    expect(seen.at(-1)).toBe('1100 0');
    expect(seen.filter((line) => line.startsWith('0 '))).toEqual([]);
    expect(await readGone(packId)).toBe(2200);
  });

  const readGone = async (packId: number) => {
    const rows = await kit.db.query
      .selectFrom('questions')
      .select('id')
      .where('pack_id', '=', packId)
      .where('archived', '=', 1)
      .execute();
    return rows.length;
  };

  it("keeps a teacher's word that comes between parts, for questions of parts to come", async () => {
    const { questionOf, meanwhile } = await school();
    const { id: questionId } = await questionOf('K510');
    const teacher = await kit.user('teacher');
    const report = await meanwhile(bank({ analysis: '改' }), {
      4: async () => {
        const { standing } = await kit.ok('GET /app/question/quality', { questionId }, { as: teacher });
        const said = { questionId, standing, rightAnswer: 'C', reason: '答案印错了' };
        await kit.ok('POST /app/question/correct', said, { as: teacher });
      },
    });
    expect(report.teachers.kept).toHaveLength(1);
    expect(await questionOf('K510')).toMatchObject({ right_answer: 'C', answer_analysis: '改' });
  });

  it('a second import waits for its end, and finds what it wrote', async () => {
    const { run, meanwhile, questionOf } = await school();
    let waited = 0;
    let second: Promise<QuestionReport> | null = null;
    const first = await meanwhile(bank({ key: 'B' }), {
      4: async () => {
        let told: () => void = () => undefined;
        const seen = new Promise<void>((resolve) => {
          told = resolve;
        });
        const waiting = () => {
          waited += 1;
          told();
        };
        second = run(bank({ key: 'C' }), { waiting }, kit.db);
        await Promise.race([seen, second]);
      },
    });
    expect(waited).toBeGreaterThan(0);
    expect(first).toMatchObject({ changed: 520 });
    expect(await second).toMatchObject({ changed: 520 });
    expect(await questionOf('K0')).toMatchObject({ right_answer: 'C' });
    expect(await questionOf('K519')).toMatchObject({ right_answer: 'C' });
  });

  it('stopped, it says what is stored; what is stored is in the practices; the same file goes on', async () => {
    const { run, practice, meanwhile } = await school({ count: 4 });
    const file = bank();
    const stop = new AbortController();
    const told: [number, number][] = [];
    const finishing = (stored: number, of: number) => told.push([stored, of]);
    const stopped = await meanwhile(file, { 5: async () => stop.abort() }, { signal: stop.signal, finishing }).then(
      () => null,
      (error: unknown) => error,
    );
    expect(stopped).toBeInstanceOf(StoredInPart);
    expect((stopped as StoredInPart).message).toBe(
      '520 题中题库里已有 204 题（新增 200 题，更新 2 题，未变 2 题），它们已经可用；再次导入同一份文件，会接着写完',
    );
    const count = async () => {
      const all = [await practice('第一章'), await practice('第二章')];
      return all.reduce((sum, { archived, total_question }) => sum + (archived ? 0 : total_question), 0);
    };
    expect(told, 'before the practices are brought up to date').toEqual([[204, 520]]);
    expect(await count()).toBe(204);
    const again = new AbortController();
    // The second try looks at what is stored first, and is stopped in it.
    const short = await meanwhile(file, { 3: async () => again.abort() }, { signal: again.signal }).then(
      () => null,
      (error: unknown) => error,
    );
    expect((short as StoredInPart).message).toBe(
      '520 题中题库里已有 204 题（新增 0 题，更新 0 题，未变 100 题，原来就有、还没有比对 104 题），它们已经可用；再次导入同一份文件，会接着写完',
    );
    expect(await run(file)).toMatchObject({ added: 316, changed: 0, unchanged: 204 });
    expect(await count()).toBe(520);
  });

  it('asked to stop while practices are brought up to date, it says so and comes to its end', async () => {
    const { practice, meanwhile } = await school({ count: 4 });
    const stop = new AbortController();
    const told: [number, number][] = [];
    const finishing = (stored: number, of: number) => told.push([stored, of]);
    // The pack, its chapters, six parts; then the first turn of practices.
    const report = await meanwhile(bank(), { 9: async () => stop.abort() }, { signal: stop.signal, finishing });
    expect(report).toMatchObject({ imported: true, added: 516 });
    expect(told).toEqual([[520, 520]]);
    expect((await practice('第一章')).total_question).toBe(260);
  });

  it('a dry run counts who sits a practice above a chapter that the file makes', async () => {
    const { run, student, practice } = await school();
    await begin(await student(), (await practice('第一章')).id);
    const more = Array.from({ length: 3 }, (_, at) => `N${at},单选,新的第 ${at} 题,甲,乙,丙,A,,2,第一章/新的一节/更细`);
    const tried = await run(bank({ more }), { dryRun: true });
    expect(tried).toMatchObject({ added: 3, unchanged: 520, touched: { open: 1, over: 0 } });
    expect(await run(bank({ more }))).toMatchObject({ added: 3, touched: { open: 1, over: 0 } });
  });

  it('stopped by a change in a part to come, it says so and keeps what it wrote', async () => {
    const { packId, run, meanwhile } = await school();
    const spoil = () =>
      kit.db.query
        .updateTable('questions')
        .set({ topic: '别人改的' })
        .where('pack_id', '=', packId)
        .where('school_key', '=', 'K510')
        .execute();
    const stopped = await meanwhile(bank({ key: 'B' }), { 4: spoil }).then(
      () => null,
      (error: unknown) => error,
    );
    expect(stopped).toMatchObject({ why: '题库在导入期间被改动了', message: expect.stringContaining('更新 500 题') });
    const answer = { corrections: 'take', except: [] } as const;
    expect(await run(bank({ key: 'B' }), { answer })).toMatchObject({ changed: 20, unchanged: 500 });
  });

  it('--except of the same command again names rows that were answered the first time', async () => {
    const { run } = await school({ count: 4 });
    const file = () =>
      fileOf('one.csv', '题型,题干,选项A,选项B,选项C,答案,分值,章节\r\n单选,第 1 道题口,甲,乙,丙,A,2,第一章\r\n');
    const answer = { corrections: 'take', except: ['2'] } as const;
    expect(await run(file(), { answer })).toMatchObject({ added: 1, changed: 0 });
    expect(await run(file(), { answer })).toMatchObject({ added: 0, unchanged: 1 });
    await expect(run(file(), { answer: { ...answer, except: ['3'] } })).rejects.toThrow('--except 里的 3 不是');
  });

  it('a dry run says the same and stores nothing; whole files take out what they no longer have', async () => {
    const { run, student, practice, packId } = await school();
    const as = await student();
    await begin(as, (await practice('第一章')).id);
    const over = await begin(await student(), (await practice('第二章')).id);
    expect(over.questions).toHaveLength(260);
    const more = Array.from({ length: 10 }, (_, at) => `N${at},单选,新的第 ${at} 题,甲,乙,丙,A,,2,第三章`);
    const file = bank({ key: 'B', without: (at) => at % 10 === 9, more });
    const counts = async () =>
      Promise.all(
        (['questions', 'exams', 'exam_questions', 'corrections', 'paper_revisions', 'chapters'] as const).map(
          async (table) => (await kit.db.query.selectFrom(table).selectAll().execute()).length,
        ),
      );
    const before = await counts();
    const tried = await run(file, { dryRun: true, whole: true });
    expect(await counts()).toEqual(before);
    const did = await run(file, { whole: true });
    // Figures of records that are over are made where it is tried.
    const bare = ({ imported: _, rescore, ...report }: QuestionReport) => ({
      ...report,
      rescore: { ...rescore, questions: rescore.questions.map(({ name }) => name) },
    });
    expect(bare(tried)).toEqual(bare(did));
    expect(did).toMatchObject({ added: 10, changed: 468, archived: 52, touched: { open: 2, over: 0 } });
    const fresh = await run(file, { dryRun: true, pack: 'parts-tried' });
    expect(fresh).toMatchObject({ imported: false, added: 478, touched: { open: 0, over: 0 } });
    expect(await kit.db.query.selectFrom('packs').select('id').where('slug', '=', 'parts-tried').execute()).toEqual([]);
    expect((await practice('第一章')).total_question).toBe(234);
    expect((await practice('第三章')).total_question).toBe(10);
    const { n } = await kit.db.query
      .selectFrom('questions')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('pack_id', '=', packId)
      .where('archived', '=', 0)
      .executeTakeFirstOrThrow();
    expect(Number(n)).toBe(478);
  });
});
