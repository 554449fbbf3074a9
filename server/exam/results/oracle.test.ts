import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Calls, calls } from '#contract/all.ts';
import type { DataOf } from '#contract/call.ts';
import type { PlanToday } from '#contract/plan.ts';
import { endEnrolment } from '#server/course/enrolment-store.ts';
import { type MadePack, makePack } from '#server/course/pack.test-kit.ts';
import { databases, START, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';

/** The calls whose work reaches what is graded, as docs/calls.md (made from the code, kept fresh by `npm run check`) tells. */
const gradedCalls = readFileSync(join(import.meta.dirname, '../../../docs/calls.md'), 'utf8')
  .split('\n')
  .filter((line) => line.includes('`grading/graded-store.ts`'))
  .map((line) => /^\| `([^`]+)`/.exec(line)?.[1] ?? '');

/** Those that change something come last, so that the others see the same. */
const isWriting = (name: string) =>
  /submit|show_answer|test_start|error_rm|error_restore|save_review|own_paper|random_paper|practice_start/.test(name);
const MINUTE = 60_000;

interface Sat {
  examId: number;
  recordId: number;
}

/**
 * Two students sit an exam. One has earlier records of practices and papers with its questions, the other then hands in the
 * same practices and papers with one guess. @returns everything that each of the two sees, by call
 */
async function guess(kit: TestApp, letter: 'A' | 'B'): Promise<Map<string, string>> {
  const { ok, time } = kit;
  time.now = START;
  const [guesser, mate] = [await kit.user(), await kit.user()];
  const pack = await makePack(kit, { students: [guesser, mate] });
  const other = await makePack(kit, { students: [guesser, mate] });
  // The text of a question is what its twin is known by.
  const asked = [
    { type: 1, right: 'A', topic: '<p>甲</p>', chapter: 2 },
    { type: 2, right: 'B', topic: '<p>乙</p>', chapter: 3 },
    { type: 8, right: '<p>参考</p>', topic: '<p>丙</p>', chapter: 3 },
  ] as const;
  const ids = await makeQuestions(kit, pack, asked);
  const twins = await makeQuestions(kit, other, asked);
  const exam = await makeExam(kit, pack, { questionIds: ids, name: '模拟' });
  const elsewhere: { examId: number; questionIds: number[] }[] = [];
  for (const [kind, where, questionIds] of [
    ['chapter', pack, ids],
    ['afterclass', pack, ids],
    ['past', pack, ids],
    ['timed', pack, ids],
    ['chapter', other, twins],
    ['afterclass', other, twins],
  ] as const)
    elsewhere.push({
      examId: await makeExam(kit, where, { kind, questionIds, name: kind, chapter: 2, year: 2024 }),
      questionIds: [...questionIds],
    });
  const corrected = await makeExam(kit, pack, { kind: 'mock', questionIds: ids.slice(1), name: '改' });

  const begin = async (as: TestUser, examId: number): Promise<Sat> => ({
    examId,
    recordId: (await ok('GET /app/exam/test_start', { examId }, { as })).recordId,
  });
  const handIn = (as: TestUser, sat: Sat, questionIds: readonly number[], letters: readonly string[]) =>
    ok(
      'POST /api/exam/submit',
      { ...sat, answers: letters.map((answer, at) => ({ questionId: questionIds[at] ?? 0, answer, seq: 1 })) },
      { as },
    );
  const earlier: Sat[] = [];
  for (const { examId, questionIds } of [...elsewhere, { examId: corrected, questionIds: ids.slice(1) }]) {
    const sat = await begin(mate, examId);
    await handIn(mate, sat, questionIds, questionIds.length === 3 ? ['B', 'B', '文'] : ['B', '文']);
    earlier.push(sat);
  }
  await addFirst(kit, pack, corrected, ids);
  time.now += MINUTE;
  await begin(guesser, exam);
  await begin(mate, exam);
  time.now += MINUTE;
  const seen = new Map<string, string>();
  const note = (what: string, reply: unknown) =>
    seen.set(
      what,
      JSON.stringify(reply, (key, value) => (key === 'answer' ? 'own' : value)).replaceAll(/课程包 \d+|解析 \d+/g, ''),
    );
  const guesses: Sat[] = [];
  for (const { examId, questionIds } of [...elsewhere, { examId: corrected, questionIds: ids }]) {
    const sat = await begin(guesser, examId);
    note(`the hand-in of ${examId}`, await handIn(guesser, sat, questionIds, [letter, 'B', '文']));
    guesses.push(sat);
  }
  time.now += MINUTE;

  await walk(kit, note, seen, {
    students: [
      ['guesser', guesser, guesses],
      ['mate', mate, earlier],
    ],
    packs: [pack, other],
    ids,
  });
  return seen;
}

interface Walked {
  students: readonly (readonly [who: string, as: TestUser, sats: readonly Sat[]])[];
  packs: readonly MadePack[];
  ids: readonly number[];
}

/** Asks every graded call about every record of the students and every pack. */
async function walk(
  kit: TestApp,
  note: (what: string, reply: unknown) => void,
  seen: ReadonlyMap<string, string>,
  { students, packs, ids }: Walked,
): Promise<void> {
  const inOrder = calls
    .map(({ call }) => call)
    .filter(({ name }) => gradedCalls.includes(name))
    .sort((a, b) => Number(isWriting(a.name)) - Number(isWriting(b.name)));
  for (const call of inOrder) {
    for (const [who, as, sats] of students) {
      for (const sat of sats) {
        for (const { packId, chapterIds } of packs) {
          for (const type of 'type' in call.input.properties ? [1, 2] : [1]) {
            const known: Record<string, unknown> = {
              ...sat,
              packId,
              type,
              questionId: ids[2],
              questionIds: [...ids],
              id: ids[0],
              ids: [...ids],
              chapterId: chapterIds[2],
              name: '自选',
              seen: [{ id: 1, version: 1 }],
              collect: 1,
              noticeIds: [1],
              myScore: 1,
              standing: 'as it stands',
              orderId: 1,
              code: 'NONE',
              lines: [{ questionTypesId: 1, count: 1, score: 1 }],
              examTime: 30,
              weekMinutes: [30, 30, 30, 30, 30, 30, 30],
              out: 0,
              list: [{ packId, kind: 'pack', id: packId }],
            };
            const input = Object.fromEntries(
              Object.keys(call.input.properties).flatMap((field) => (field in known ? [[field, known[field]]] : [])),
            );
            for (const missing of (call.input.required ?? []).filter((field) => !(field in input)))
              if (!['pageNum', 'pageSize'].includes(missing)) throw new Error(`${call.name}: say here its ${missing}`);
            const all = { pageNum: 1, pageSize: 100, ...input };
            const what = `${call.name} ${who} ${JSON.stringify(all)}`;
            if (seen.has(what)) continue;
            note(
              what,
              await kit.raw(call.name as keyof Calls, 'pageNum' in call.input.properties ? all : input, { as }),
            );
          }
        }
      }
    }
  }
}

/** A correction puts the first question into a paper that it did not have: records that are there keep theirs. */
async function addFirst({ db }: TestApp, pack: MadePack, examId: number, ids: readonly number[]): Promise<void> {
  const exam = await db.query.selectFrom('exams').selectAll().where('id', '=', examId).executeTakeFirstOrThrow();
  const { id } = await db.query
    .insertInto('corrections')
    .values({ pack_id: pack.packId, made_at: START, noted: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.query
    .insertInto('paper_revisions')
    .values({
      exam_id: examId,
      version: exam.version,
      correction_id: id,
      kind: exam.kind,
      name: exam.name,
      test_type: exam.test_type,
      exam_time: exam.exam_time,
      partial: exam.partial,
      total_question: exam.total_question,
      total_score: exam.total_score,
      sections: exam.sections,
      questions: JSON.stringify(ids.slice(1).map((question) => [question, 2])),
    })
    .execute();
  await db.query
    .insertInto('exam_questions')
    .values({ exam_id: examId, question_id: ids[0] ?? 0, position: -1, score: 2 })
    .execute();
  await db.query
    .updateTable('exams')
    .set({
      version: exam.version + 1,
      total_question: ids.length,
      sections: JSON.stringify([{ title: '一', questionIds: ids }]),
    })
    .where('id', '=', examId)
    .execute();
}

/**
 * A student practised one question, and that question with others, before an exam that has it began. @returns everything that the student sees while
 * the exam is open, by call, and what the calls said of their scores before
 */
async function knewBefore(kit: TestApp, letter: 'A' | 'B') {
  const { ok, time } = kit;
  time.now = START;
  const as = await kit.user();
  const pack = await makePack(kit, { students: [as] });
  const other = await makePack(kit, { students: [as] });
  const asked = [
    { type: 1, right: 'A', topic: '<p>甲</p>', chapter: 2 },
    { type: 2, right: 'B', topic: '<p>乙</p>', chapter: 3 },
    { type: 8, right: '<p>参考</p>', topic: '<p>丙</p>', chapter: 3 },
  ] as const;
  const ids = await makeQuestions(kit, pack, asked);
  const [twin = 0] = await makeQuestions(kit, other, asked.slice(0, 1));
  const [one = 0] = ids;
  const exam = await makeExam(kit, pack, { questionIds: [one], name: '模拟' });
  const [unmet = 0, missed = 0] = await makeQuestions(kit, pack, [
    { type: 1, right: 'A', topic: '<p>丁</p>', chapter: 1 },
    { type: 1, right: 'A', topic: '<p>戊</p>', chapter: 1 },
  ]);
  await makeExam(kit, pack, { kind: 'chapter', questionIds: [unmet, missed], chapter: 1, name: '丁' });
  const sats: Sat[] = [];
  const sit = async (examId: number, questionIds: readonly number[]) => {
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    const answers = questionIds.map((questionId, at) => ({
      questionId,
      answer: at === 0 && questionId !== missed ? letter : 'B',
      seq: 1,
    }));
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
    sats.push({ examId, recordId });
  };
  for (const kind of ['chapter', 'afterclass', 'past', 'timed'] as const)
    await sit(await makeExam(kit, pack, { kind, questionIds: [one], name: kind, chapter: 2, year: 2024 }), [one]);
  await sit(
    await makeExam(kit, pack, { kind: 'past', questionIds: ids.slice(0, 2), name: '二题', year: 2023 }),
    ids.slice(0, 2),
  );
  await sit(await makeExam(kit, other, { kind: 'afterclass', questionIds: [twin], name: '同题', chapter: 2 }), [twin]);
  // Wrong in both worlds, so that both have a review to make.
  await sit(await makeExam(kit, pack, { kind: 'past', questionIds: [missed], name: '戊', year: 2022 }), [missed]);
  const made = { packId: pack.packId, name: '自选', questionIds: [one] };
  const own = await ok('POST /app/exam/own_paper', made, { as });
  await sit(own.examId, [one]);
  const before = await ok('GET /api/user/exam_list', { pageNum: 1, pageSize: 100 }, { as });
  // What is kept for a day, or made and not begun, knows what was right: a plan of each day, a review, a practice of the plan.
  const plans = [await ok('GET /app/plan/today', {}, { as })];
  time.now += 24 * 60 * MINUTE;
  plans.push(await ok('GET /app/plan/today', {}, { as }));
  await ok('POST /app/exam/daily_start', { packId: pack.packId, name: '复习' }, { as });
  await ok(
    'POST /app/plan/practice_start',
    { packId: pack.packId, chapterId: pack.chapterIds[1], name: '练习' },
    { as },
  );
  await ok('GET /app/exam/test_start', { examId: exam }, { as });
  time.now += MINUTE;
  const seen = new Map<string, string>();
  const note = (what: string, reply: unknown) =>
    seen.set(
      what,
      JSON.stringify(reply, (key, value) => (key === 'answer' ? 'own' : value)).replaceAll(/课程包 \d+|解析 \d+/g, ''),
    );
  // Before anything is asked that lays the plan out anew.
  note('the plan of the morning', await ok('GET /app/plan/today', {}, { as }));
  await walk(kit, note, seen, { students: [['student', as, sats]], packs: [pack, other], ids });
  const { packId, chapterIds } = pack;
  const part = await ok('POST /app/plan/practice_start', { packId, chapterId: chapterIds[1], name: '练习' }, { as });
  const daily = await kit.raw('POST /app/exam/daily_start', { packId, name: '复习' }, { as });
  note('a practice of the plan', (await begunWith(kit, as, part.examId)).length);
  note('the review of the day', daily);
  const list = await ok('GET /api/user/exam_list', { state: 'closed', pageNum: 1, pageSize: 100 }, { as });
  return { seen, before: before.list.map(({ score }) => score), plans: plans.map(told), list: list.list };
}

const DAY = 24 * 60 * MINUTE;

/**
 * A student practised a question that is of one knowledge point with another one, which they review; some papers are put together of what was wrong, and not
 * begun. Then an exam with the former begins. @returns what they see of reviews and papers before it and during it
 */
async function reviewedBefore(kit: TestApp, letter: 'A' | 'B') {
  const { ok, time } = kit;
  time.now = START;
  const as = await kit.user();
  const pack = await makePack(kit, { students: [as] });
  const { packId } = pack;
  const all = Array.from({ length: 6 }, () => ({ type: 1, right: 'A', chapter: 1 }) as const);
  const ids = await makeQuestions(kit, pack, all);
  const [reviewed = 0, sat = 0, stray = 0, former = 0, satToo = 0, missed = 0] = ids;
  const setPoint = (of: number[], point: string) =>
    kit.db.query.updateTable('questions').set({ knowledge_point: point }).where('id', 'in', of).execute();
  await setPoint([reviewed, sat], '票据');
  await setPoint([stray], '股份');
  await setPoint([former, satToo], '背书');
  const practices = new Map<number, number>();
  for (const id of ids)
    practices.set(id, await makeExam(kit, pack, { kind: 'chapter', questionIds: [id], chapter: 1 }));
  const mock = await makeExam(kit, pack, { questionIds: [sat, satToo], name: '模拟' });
  const begin = async (examId: number) => (await ok('GET /app/exam/test_start', { examId }, { as })).recordId;
  const answerAll = async (examId: number, answer: (id: number) => string) => {
    const recordId = await begin(examId);
    const { questions } = await ok('GET /api/exam/details', { recordId }, { as });
    const answers = questions.map(({ questionId }) => ({ questionId, answer: answer(questionId), seq: 1 }));
    await ok('POST /api/exam/submit', { examId, recordId, answers }, { as });
  };
  const practise = (id: number, answer: string) => answerAll(practices.get(id) ?? 0, () => answer);
  for (const id of [reviewed, stray, former]) await practise(id, 'B');
  for (const id of [sat, satToo]) await practise(id, letter);
  time.now += DAY;
  for (const id of [reviewed, stray, former]) await practise(id, 'A');
  time.now += 10 * DAY;
  const daily = () => ok('POST /app/exam/daily_start', { packId, name: '复习' }, { as });
  const stoodIn = await daily();
  // Wrong where it stands for another: that one's card stays as it is.
  await answerAll(stoodIn.examId, (id) => (id === sat || id === satToo ? 'B' : 'A'));
  // Due in both worlds.
  await practise(missed, 'B');
  const similar = await kit.db.query.selectFrom('stand_ins').select('question_id').orderBy('question_id').execute();
  // The school calls one of them by another point meanwhile: its card may have been moved by the old one.
  const { id: correctionId } = await kit.db.query
    .insertInto('corrections')
    .values({ pack_id: packId, made_at: time.now, noted: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await kit.db.transaction(async (trx) => {
    const row = await trx.selectFrom('questions').selectAll().where('id', '=', former).executeTakeFirstOrThrow();
    const { id, key_version, fingerprint, knowledge_point, topic, options, right_answer, answer_analysis } = row;
    const { question_types_id, chapter_id, case_id } = row;
    await trx
      .insertInto('question_revisions')
      .values({
        ...{ question_id: id, correction_id: correctionId, question_types_id, chapter_id, case_id, key_version },
        ...{ fingerprint, knowledge_point, topic, options, right_answer, answer_analysis },
      })
      .execute();
  });
  await setPoint([former], '物权');
  time.now += DAY;
  const before = JSON.stringify([
    await ok('GET /app/exam/daily_review', { packId }, { as }),
    await ok('GET /app/exam/daily_reviews', {}, { as }),
  ]).replaceAll(/"pack(Id|Name)":[^,}]+/g, '');
  const waiting = await daily();
  const own = { packId, name: '错题', requestId: 'press-0001', questionIds: [stray, sat] };
  const chosen = await ok('POST /app/exam/own_paper', own, { as });
  await ok('GET /app/exam/test_start', { examId: mock }, { as });
  time.now += MINUTE;
  const seen = new Map<string, string>();
  const note = (what: string, reply: unknown) =>
    seen.set(what, JSON.stringify(reply, (key, value) => (key === 'packId' ? 0 : value)).replaceAll(/课程包 \d+/g, ''));
  for (const [name, { examId }] of [
    ['the review', waiting],
    ['the practice of wrong questions', chosen],
  ] as const)
    for (const call of ['GET /app/exam/test_start', 'GET /app/exam/before_start', 'GET /app/exam/print'] as const) {
      const reply = await kit.raw(call, { examId }, { as });
      expect((reply.data as { why?: string }).why, `${call} of ${name}`).toBe('madeBeforeExam');
      note(`${call} of ${name}`, reply);
    }
  note('the same press again', await kit.raw('POST /app/exam/own_paper', own, { as }));
  const anew = await daily();
  expect(anew.examId).not.toBe(waiting.examId);
  note(
    'the review made anew',
    (await begunWith(kit, as, anew.examId)).map((id) => ids.indexOf(id)),
  );
  // Which of the two was asked in a review that was begun before stands in its record, and so does what follows from having answered it; what follows from the
  // card is told here.
  note('the reviews', await ok('GET /app/exam/daily_reviews', {}, { as }));
  note('the review of the pack', { ...(await ok('GET /app/exam/daily_review', { packId }, { as })), packId: 0 });
  note('the plan', told(await ok('GET /app/plan/today', {}, { as })));
  // What was put together before the exam is begun once it is over.
  const recordId = await begin(mock);
  await ok('POST /api/exam/submit', { examId: mock, recordId, answers: [] }, { as });
  expect(await begunWith(kit, as, chosen.examId)).not.toEqual([]);
  return { seen, before, similar: similar.map(({ question_id }) => ids.indexOf(question_id)) };
}

/** The questions of a paper that a student begins. */
async function begunWith({ ok }: TestApp, as: TestUser, examId: number): Promise<number[]> {
  const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
  const { questions } = await ok('GET /api/exam/details', { recordId }, { as });
  return questions.map(({ questionId }) => questionId);
}

/** What a plan says, whatever the ids of its packs and lessons. */
const told = ({ tasks, week, moved }: DataOf<typeof PlanToday>) => [
  moved,
  ...[...tasks, ...week.flatMap((day) => day.tasks)].map(({ kind, count, minutes }) => `${kind} ${count} ${minutes}`),
];

describe.each(databases)('no rank, count or list is an oracle on $name', async ({ kind }) => {
  const [right, wrong] = [await testApp(kind), await testApp(kind)];
  afterAll(async () => {
    await right.close();
    await wrong.close();
  });

  it('the right guess and the wrong one look the same to both students, in every call that reaches what is graded', async () => {
    expect(gradedCalls.length).toBeGreaterThan(8);
    const [ifRight, ifWrong] = [await guess(right, 'A'), await guess(wrong, 'B')];
    const walked = new Set([...ifRight.keys()].map((key) => key.split(' ').slice(0, 2).join(' ')));
    for (const name of gradedCalls) expect(walked).toContain(name);
    expect([...ifRight.keys()]).toEqual([...ifWrong.keys()]);
    for (const [what, reply] of ifRight) expect(reply, what).toBe(ifWrong.get(what));
  }, 60_000);

  it('what was right before the exam began is told no more while its question is sat, in no figure of any record', async () => {
    const [ifRight, ifWrong] = [await knewBefore(right, 'A'), await knewBefore(wrong, 'B')];
    expect(ifRight.before).not.toEqual(ifWrong.before);
    expect(ifRight.plans).not.toEqual(ifWrong.plans);
    const walked = new Set([...ifRight.seen.keys()].map((key) => key.split(' ').slice(0, 2).join(' ')));
    for (const name of gradedCalls) expect(walked).toContain(name);
    expect([...ifRight.seen.keys()]).toEqual([...ifWrong.seen.keys()]);
    for (const [what, reply] of ifRight.seen) expect(reply, what).toBe(ifWrong.seen.get(what));
    // All but the one whose question is not sat.
    const withheld = ifRight.list.filter((record) => record.withheld);
    expect(withheld.map(({ score }) => score)).toEqual(ifRight.before.slice(1).map(() => null));
  }, 60_000);

  it('nor does a review tell it, by whichever question stood in for another, nor a paper that was put together before', async () => {
    const [ifRight, ifWrong] = [await reviewedBefore(right, 'A'), await reviewedBefore(wrong, 'B')];
    expect(ifRight.similar).toEqual([1, 4]);
    expect(ifWrong.similar).toEqual([]);
    expect(ifRight.before).not.toEqual(ifWrong.before);
    expect([...ifRight.seen.keys()]).toEqual([...ifWrong.seen.keys()]);
    for (const [what, reply] of ifRight.seen) expect(reply, what).toBe(ifWrong.seen.get(what));
  }, 60_000);

  it('a guess at what was never met, or after the enrolment has ended, comes to the same, right or wrong', async () => {
    const said: string[][] = [];
    for (const [kit, letter] of [
      [right, 'A'],
      [wrong, 'B'],
    ] as const) {
      kit.time.now = START;
      const as = await kit.user();
      const pack = await makePack(kit, { students: [as] });
      const { packId } = pack;
      const ids = await makeQuestions(kit, pack, [
        { type: 1, right: 'A' },
        { type: 1, right: 'A' },
      ]);
      const [unmet = 0, met = 0] = ids;
      await makeExam(kit, pack, { questionIds: [unmet] });
      await makeExam(kit, pack, { kind: 'chapter', questionIds: [met] });
      for (const questionId of ids) await kit.ok('POST /app/exam/collect', { questionId, collect: 1 }, { as });
      const replies: unknown[] = [];
      const guessAt = async (questionId: number) =>
        replies.push(
          await kit.raw('POST /app/v2/exam/save_review', { questionId, answer: letter }, { as }),
          await kit.raw('POST /app/exam/own_paper', { packId, name: '自选', questionIds: [questionId] }, { as }),
          await kit.raw('GET /app/exam/question_history', { questionId }, { as }),
          await kit.raw('GET /api/exam/error', { packId, pageNum: 1, pageSize: 10 }, { as }),
          await kit.raw('GET /app/exam/daily_reviews', {}, { as }),
        );
      await guessAt(unmet);
      await endEnrolment(kit.db.query, as.userId, packId);
      await guessAt(met);
      said.push(replies.map((reply) => JSON.stringify(reply).replaceAll(/课程包 \d+/g, '')));
      expect(replies.map((reply) => (reply as { code: number }).code)).toEqual([
        ...[403, 422, 200, 200, 200],
        ...[403, 403, 200, 403, 200],
      ]);
    }
    expect(said[0]).toEqual(said[1]);
  });

  it('and the two do differ: what was handed in has another score', async () => {
    const scores: unknown[] = [];
    for (const kit of [right, wrong]) {
      const guesser = await kit.db.query.selectFrom('users').select('id').orderBy('id').executeTakeFirst();
      const rows = await kit.db.query
        .selectFrom('exam_records')
        .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
        .select('score')
        .where('exam_records.user_id', '=', guesser?.id ?? 0)
        .where('exams.kind', '=', 'past')
        .execute();
      scores.push(rows[0]?.score);
    }
    expect(scores).toEqual([4, 2]);
  });
});
