import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readPack } from '#content/pack/pack.ts';
import type { CommandContext } from '#server/command.ts';
import { enrol } from '#server/course/pack.test-kit.ts';
import { databases, START, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { clean, csv, fresh } from './import.test-kit.ts';
import { importPack } from './pack.ts';
import { packCommand } from './pack-command.ts';
import { importQuestions } from './questions.ts';
import { questionsCommand } from './questions-command.ts';
import { sayRescore } from './rescore-records.ts';
import { sayTeachersWord } from './teachers-word.ts';

afterAll(clean);

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';
const DAY = 86_400_000;

/** A question of a pack as a test writes it. */
interface Written {
  topic?: string;
  options?: string[];
  answer?: string;
  analysis?: string;
  chapter?: string;
  /** Makes it a short answer with these scoring points, by weight. */
  points?: Record<string, number>;
}

/** What a pack says, where a test says nothing else. */
const FIRST = { 'q-1': {}, 'q-2': {}, 'q-3': {} } as const;
interface PackText {
  questions?: Record<string, Written>;
  /** Points of each question in the paper. */
  score?: number;
  shuffle?: string;
  kind?: string;
  paper?: string[];
}

let made = 0;

/** A course with an exam paper, written by its author and imported by the operator; `again` imports a changed one. */
async function school(kit: TestApp, first: PackText = {}) {
  kit.time.now = START;
  made += 1;
  const slug = `corrected-${made}`;
  const folderOf = ({
    questions = FIRST,
    score = 4,
    shuffle,
    kind = 'mock',
    paper = Object.keys(questions),
  }: PackText) => {
    const folder = fresh('pack');
    mkdirSync(join(folder, 'questions'), { recursive: true });
    mkdirSync(join(folder, 'papers'));
    writeFileSync(
      join(folder, 'pack.yaml'),
      `format: 1\nslug: ${slug}\nname: 包\nsummary: 测试\ndescription: 介绍\nenrol: open\nunlock: free\ncourses:\n` +
        '  - { slug: one, name: 课程, chapters: [{ slug: a, name: 第一章 }, { slug: b, name: 第二章 }] }\n',
    );
    const line = ([key, asked]: [string, Written]) => {
      const {
        topic = `题 ${key}`,
        options = ['甲', '乙', '丙'],
        answer = 'A',
        analysis = '',
        chapter = 'a',
        points,
      } = asked;
      if (points) {
        const list = Object.entries(points).map(([text, weight]) => `{ text: ${text}, weight: ${weight} }`);
        return `  - { key: ${key}, chapter: ${chapter}, type: 简答, topic: ${topic}, answer: 参考, score: 2, points: [${list.join(', ')}] }\n`;
      }
      const letters = options.map((text, at) => `${'ABCDEFGH'[at]}: ${text}`).join(', ');
      const said = analysis === '' ? '' : `, analysis: ${analysis}`;
      return `  - { key: ${key}, chapter: ${chapter}, type: 单选, topic: ${topic}, options: { ${letters} }, answer: ${answer}, score: 2${said} }\n`;
    };
    writeFileSync(join(folder, 'questions', '1.yaml'), `questions:\n${Object.entries(questions).map(line).join('')}`);
    const shuffled = shuffle === undefined ? '' : `shuffle: ${shuffle}\n`;
    const minutes = kind === 'mock' ? 'minutes: 60\n' : '';
    const chapter = kind === 'afterclass' ? 'chapter: a\n' : '';
    writeFileSync(
      join(folder, 'papers', '1.yaml'),
      `key: paper\nkind: ${kind}\nname: 卷\n${minutes}${chapter}${shuffled}sections:\n  - { title: 一, score: ${score}, questions: [${paper.join(', ')}] }\n`,
    );
    return folder;
  };
  const again = async (text: PackText = {}, noted = true) => {
    const done = await importPack(kit.db, kit.parts.files, folderOf(text), {
      noted,
      now: kit.time.now,
      read: readPack,
    });
    if (!done.ok) throw new Error(JSON.stringify(done.mistakes));
    return done.report;
  };
  await again(first);
  const { id: packId } = await kit.db.query
    .selectFrom('packs')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  const examId = async (name: string) =>
    (
      await kit.db.query
        .selectFrom('exams')
        .select('id')
        .where('pack_id', '=', packId)
        .where('slug', '=', name)
        .executeTakeFirstOrThrow()
    ).id;
  const ids = async () => {
    const rows = await kit.db.query
      .selectFrom('questions')
      .select(['slug', 'id'])
      .where('pack_id', '=', packId)
      .execute();
    return Object.fromEntries(rows.map((row) => [row.slug, row.id])) as Record<string, number>;
  };
  const student = async () => {
    const as = await kit.user();
    await enrol(kit, as, packId);
    return as;
  };
  /** Starts the paper, or what has this slug. */
  const start = async (as: TestUser, name = 'paper') => {
    const { recordId, paperVersion } = await kit.ok('GET /app/exam/test_start', { examId: await examId(name) }, { as });
    return { examId: await examId(name), recordId, paperVersion };
  };
  return { slug, packId, folderOf, again, ids, student, start };
}

describe.each(databases)('a correction on $name', async ({ kind }) => {
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
    const [one, two] = [await student(), await student()];
    const chapter = await start(one, 'chapter:a');
    await ok(SAVE, { ...chapter, questionId: id, answer: 'A', seq: 1 }, { as: one });
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
    await importQuestions(kit.db, { file: sheet('A'), pack: slug, course: 'one', now: kit.time.now });
    await start(await student(), 'chapter:a');
    const third = await student();
    await ok(SUBMIT, await start(third, 'chapter:a'), { as: third });
    lines.length = 0;
    expect(await questionsCommand.run([sheet('B'), '--pack', slug, '--dry-run', '--quiet'], context)).toBe(0);
    expect(lines).toEqual([
      '试运行，没有保存。将会：新增 0 题，更新 1 题，未变 0 题',
      '1 份进行中的答卷将继续使用开始时的试卷，也按它评分；之后开始的使用新的试卷',
      '1 份已结束的答卷是按更正前的试卷评分的：成绩和所示试卷不变，不注明更正',
      '1 题的答案或分值变了，1 份已结束的答卷不会重新评分。要重新评分，请加上 --rescore <老师手机号> 导入这一份',
      expect.stringMatching(/^ {2}.+：0 人加分，0 人减分，0 人变为及格，0 人变为不及格$/),
      '    第一章：1 份，平均 0 → 0 分，满分 8 → 8 分',
    ]);
  });

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
    const into = { pack: slug, course: 'one', now: kit.time.now };
    await importQuestions(kit.db, { ...into, file: sheet('A', 2) });
    const practised = await student();
    const { examId: practice, recordId } = await start(practised, 'chapter:b');
    const { questions: shown } = await ok('GET /api/exam/details', { recordId }, { as: practised });
    const answers = shown.map(({ questionId }) => ({ questionId, answer: 'B', seq: 1 }));
    await ok(SUBMIT, { examId: practice, recordId, answers }, { as: practised });
    const rescore = { teacherId: teacher.userId, reason: '答案印错了' };
    const report = await importQuestions(kit.db, { ...into, file: sheet('B', 3), rescore });
    expect(sayRescore(report.rescore, false)).toContain('    第二章：1 份，平均 0 → 3 分，满分 2 → 3 分');
    await kit.chore('exam: re-score corrected records');
    expect(await ok('GET /app/exam/result_tip', { recordId }, { as: practised })).toMatchObject({
      score: 3,
      totalScore: 3,
      rightCount: 1,
    });
  });
});
