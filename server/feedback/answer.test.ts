import type { Updateable } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import type { Tables } from '#server/db/schema.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { classmate, startScene } from '#server/exam/scene.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';

const SUBMIT = 'POST /app/feedback/lx_submit';
const ANSWER = 'POST /app/feedback/answer';
const REPORT = 'GET /app/feedback/report';
const REPORTS = 'GET /app/feedback/reports';
const HISTORY = 'GET /app/feedback/history';
const UNREAD = 'GET /app/feedback/unread';
const SEEN = 'POST /app/feedback/seen';

describe.each(databases)('answers to feedback on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  /** A student of a pack of their own with one question, who reported it, and a teacher. */
  async function scene() {
    const [as, teacher] = [await kit.user(), await kit.user('teacher')];
    const pack = await makePack(kit, { students: [as] });
    const [questionId = 0] = await makeQuestions(kit, pack, [{ type: 2, right: 'A', topic: '<p>求极限</p>' }]);
    const { packId } = pack;
    const report = (by: TestUser, more: { feedbackType?: number; feedbackDesc?: string } = {}) =>
      ok(SUBMIT, { feedbackType: 14, packId, questionId, feedbackDesc: '答案应为 B', ...more }, { as: by });
    const { id } = await report(as);
    return { as, teacher, pack, packId, questionId, id, report };
  }

  /** Changes a question of a paper as a correction does: what stood before is kept. */
  async function correct(examId: number, questionId: number, change: Updateable<Tables['questions']>) {
    const { query } = kit.db;
    const before = await query
      .selectFrom('questions')
      .selectAll()
      .where('id', '=', questionId)
      .executeTakeFirstOrThrow();
    const exam = await query.selectFrom('exams').selectAll().where('id', '=', examId).executeTakeFirstOrThrow();
    const questions = await query
      .selectFrom('exam_questions')
      .select(['question_id', 'score'])
      .where('exam_id', '=', examId)
      .orderBy('position')
      .execute();
    const { id } = await query
      .insertInto('corrections')
      .values({ pack_id: exam.pack_id, made_at: kit.time.now, noted: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const {
      version,
      kind: examKind,
      name,
      test_type,
      exam_time,
      partial,
      total_question,
      total_score,
      sections,
    } = exam;
    await query
      .insertInto('paper_revisions')
      .values({
        ...{ exam_id: examId, version, correction_id: id, kind: examKind, name, test_type, exam_time, partial },
        ...{ total_question, total_score, sections },
        questions: JSON.stringify(questions.map((row) => [row.question_id, row.score])),
      })
      .execute();
    const { question_types_id, chapter_id, case_id, key_version, fingerprint, topic, options } = before;
    await query
      .insertInto('question_revisions')
      .values({
        ...{ question_id: questionId, correction_id: id, question_types_id, chapter_id, case_id, key_version },
        ...{ fingerprint, topic, options, right_answer: before.right_answer, answer_analysis: before.answer_analysis },
      })
      .execute();
    await query.updateTable('questions').set(change).where('id', '=', questionId).execute();
    await query
      .updateTable('exams')
      .set({ version: version + 1 })
      .where('id', '=', examId)
      .execute();
  }

  it('a teacher finds a report with question, key and words, answers, and its author reads it', async () => {
    const { as, teacher, packId, questionId, id } = await scene();
    expect(await ok(REPORT, { id }, { as: teacher })).toMatchObject({
      ...{ id, packId, questionId, state: 0, version: 0, feedbackDesc: '答案应为 B', others: 0 },
      question: { rightAnswer: 'A', topic: '<p>求极限</p>' },
      ...{ examName: null, questionNumber: null, now: null, answers: [], nextId: null },
    });
    const untold = { state: 0, answer: '', answeredAt: null, version: 0, unread: false, withheld: false };
    expect((await ok(HISTORY, {}, { as })).list).toMatchObject([{ id, questionId, topic: '<p>求极限</p>', ...untold }]);
    kit.time.now += 1000;
    const answered = await ok(
      ANSWER,
      { id, version: 0, state: 3, answer: ' 答案无误，请看解析\u0000 ' },
      { as: teacher },
    );
    const told = { state: 3, answer: '答案无误，请看解析', answeredAt: kit.time.now, version: 1 };
    expect(answered).toMatchObject({ ...told, answers: [{ ...told, nickname: expect.any(String) }] });
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 1 });
    expect((await ok(HISTORY, {}, { as })).list).toMatchObject([{ id, ...told, unread: true }]);
    expect(await ok(SEEN, { seen: [{ id, version: 1 }] }, { as })).toEqual({ count: 0 });
    expect((await ok(HISTORY, {}, { as })).list).toMatchObject([{ id, ...told, unread: false }]);
  });

  it('turns the pages of reports that two teachers work on: nothing is missed, nothing comes twice', async () => {
    const { teacher, pack, packId, questionId, id, report } = await scene();
    const colleague = await kit.user('teacher');
    const ids = [id];
    for (let at = 0; at < 8; at += 1) {
      // Some of one moment: their numbers decide.
      if (at % 3 > 0) kit.time.now += 60_000;
      ids.unshift((await report(await classmate(kit, pack), { feedbackDesc: `第 ${at} 处` })).id);
    }
    const page = (pageNum: number, after?: string) =>
      ok(REPORTS, { packId, questionId, pageNum, pageSize: 4, after }, { as: teacher });
    const seen: number[] = [];
    let shown = await page(1);
    for (let turn = 1; seen.length < ids.length; turn += 1) {
      const listed = shown.list.filter(({ state }) => state === 0);
      seen.push(...listed.map((row) => row.id));
      await Promise.all(
        listed.map((row, at) =>
          ok(
            ANSWER,
            { id: row.id, version: row.version, state: 1, answer: '' },
            { as: at % 2 === 0 ? teacher : colleague },
          ),
        ),
      );
      if (shown.next === null) break;
      shown = await page(turn + 1, shown.next);
    }
    expect(seen).toEqual(ids);
    expect((await page(1)).list.map((row) => row.state)).toEqual([1, 1, 1, 1]);
    // The rest has its places too.
    const first = await page(1);
    const second = await page(2, first.next ?? '');
    const third = await page(3, second.next ?? '');
    expect([first, second, third].flatMap(({ list }) => list.map((row) => row.id))).toEqual(ids);
    expect([third.pages, third.total, third.next]).toEqual([3, 1, null]);
  });

  it('keeps every answer, and shows the last', async () => {
    const { as, teacher, id } = await scene();
    await ok(ANSWER, { id, version: 0, state: 1 }, { as: teacher });
    await ok(ANSWER, { id, version: 1, state: 3, answer: '无误' }, { as: teacher });
    const other = await kit.user('teacher');
    const { answers } = await ok(ANSWER, { id, version: 2, state: 2, answer: '确实有误，已改' }, { as: other });
    expect(answers.map(({ version, state, answer }) => [version, state, answer])).toEqual([
      [1, 1, ''],
      [2, 3, '无误'],
      [3, 2, '确实有误，已改'],
    ]);
    expect(answers[0]?.nickname).not.toBe(answers[2]?.nickname);
    expect((await ok(HISTORY, {}, { as })).list).toMatchObject([{ state: 2, answer: '确实有误，已改', version: 3 }]);
    expect(await refused(ANSWER, { id, version: 3, state: 1 }, { as: other })).toBe('alreadyDecided');
  });

  it('takes one press that is sent several times side by side for one answer, and another teacher’s for another', async () => {
    const { as, teacher, id } = await scene();
    const answer = { id, version: 0, state: 2, answer: '已改' } as const;
    const replies = await Promise.all([1, 2, 3, 4].map(() => kit.call(ANSWER, answer, { as: teacher })));
    expect(replies.map(({ status, data }) => [status, data.answers.length])).toEqual([1, 2, 3, 4].map(() => [200, 1]));
    expect((await ok('GET /app/common/notice', {}, { as })).list).toHaveLength(1);
    expect(await refused(ANSWER, answer, { as: await kit.user('teacher') })).toBe('answeredMeanwhile');
  });

  it('declines only with a reason, of at most 300 characters', async () => {
    const { teacher, id } = await scene();
    for (const answer of [undefined, '', ' \n', '\u0000'])
      expect(await refused(ANSWER, { id, version: 0, state: 3, answer }, { as: teacher })).toBe('reasonNeeded');
    expect(await refused(ANSWER, { id, version: 0, state: 3, answer: '😀'.repeat(301) }, { as: teacher })).toBe(
      'badInput',
    );
    expect(await refused(ANSWER, { id, version: 0, state: 0 as never }, { as: teacher })).toBe('badInput');
    await ok(ANSWER, { id, version: 0, state: 3, answer: '😀'.repeat(300) }, { as: teacher });
    expect(await refused(ANSWER, { id: 987_654, version: 0, state: 1 }, { as: teacher })).toBe('notFound');
    expect(await refused(REPORT, { id: 987_654 }, { as: teacher })).toBe('notFound');
  });

  it('of two teachers at once one answers, and the other is told', async () => {
    const { teacher, id } = await scene();
    const teachers = [teacher, await kit.user('teacher'), await kit.user('teacher')];
    const outcomes = await Promise.all(
      teachers.map((as, at) => kit.call(ANSWER, { id, version: 0, state: 2, answer: `第 ${at} 位` }, { as })),
    );
    expect(outcomes.map(({ code }) => code).sort()).toEqual([200, 409, 409]);
    expect((await ok(REPORT, { id }, { as: teacher })).answers).toHaveLength(1);
    // The reply was lost, and the same teacher sends it again.
    const first = outcomes.findIndex(({ code }) => code === 200);
    const again = { id, version: 0, state: 2, answer: `第 ${first} 位` } as const;
    expect(await ok(ANSWER, again, { as: teachers[first] })).toMatchObject({ version: 1 });
  });

  it('an answer that comes while its author looks at the one before stays unread', async () => {
    const { as, teacher, id } = await scene();
    await ok(ANSWER, { id, version: 0, state: 1 }, { as: teacher });
    await ok(ANSWER, { id, version: 1, state: 2 }, { as: teacher });
    expect(await ok(SEEN, { seen: [{ id, version: 1 }] }, { as })).toEqual({ count: 1 });
    expect(await ok(SEEN, { seen: [{ id, version: 999 }] }, { as })).toEqual({ count: 1 });
    // Nobody else can look for them.
    expect(await ok(SEEN, { seen: [{ id, version: 2 }] }, { as: await kit.user() })).toEqual({ count: 0 });
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 1 });
    expect(await ok(SEEN, { seen: [{ id, version: 2 }] }, { as })).toEqual({ count: 0 });
    await ok(SEEN, { seen: [{ id, version: 1 }] }, { as });
    expect(await ok(UNREAD, {}, { as })).toEqual({ count: 0 });
  });

  it('lists what waits first, each part newest first, by state, pack, type and question, in pages', async () => {
    const { as, teacher, pack, packId, questionId, id: first, report } = await scene();
    const mate = await classmate(kit, pack);
    const ids = [first];
    for (const by of [mate, as, mate, as]) {
      kit.time.now += 1000;
      ids.push((await report(by, { feedbackType: 12 + ids.length, feedbackDesc: `第 ${ids.length} 条` })).id);
    }
    await ok(ANSWER, { id: ids[4] ?? 0, version: 0, state: 1 }, { as: teacher });
    await ok(ANSWER, { id: ids[2] ?? 0, version: 0, state: 2 }, { as: teacher });
    const idsOf = async (filter: object) =>
      (await ok(REPORTS, { packId, pageSize: 100, ...filter }, { as: teacher })).list.map(({ id }) => ids.indexOf(id));
    expect(await idsOf({})).toEqual([3, 1, 0, 4, 2]);
    expect(await idsOf({ state: 0 })).toEqual([3, 1, 0]);
    expect(await idsOf({ state: 1 })).toEqual([4]);
    expect(await idsOf({ state: 3 })).toEqual([]);
    expect(await idsOf({ feedbackType: 14 })).toEqual([0, 2]);
    expect(await idsOf({ questionId })).toEqual([3, 1, 0, 4, 2]);
    expect(await idsOf({ packId: 987_654 })).toEqual([]);
    const page = await ok(REPORTS, { packId, pageNum: 2, pageSize: 2 }, { as: teacher });
    expect([page.total, page.pages, page.pageNum, page.list.map(({ id }) => ids.indexOf(id))]).toEqual([
      5,
      3,
      2,
      [0, 4],
    ]);
    // Pages stay as they are while others report.
    const begun = await ok(REPORTS, { packId, pageSize: 2 }, { as: teacher });
    kit.time.now += 1000;
    await report(mate, { feedbackType: 17, feedbackDesc: '后来的' });
    const bound = { packId, pageSize: 2, beforeId: begun.beforeId ?? 0 };
    const later = await ok(REPORTS, { ...bound, pageNum: 2 }, { as: teacher });
    expect([later.total, later.beforeId, later.list.map(({ id }) => ids.indexOf(id))]).toEqual([
      5,
      begun.beforeId,
      [0, 4],
    ]);
    expect(page.packs).toContainEqual({ packId, packName: expect.any(String) });
    // Nickname and masked phone, nothing more; who else reported the question is a number.
    const [row] = page.list;
    expect(row).toMatchObject({ validPhoneExt: expect.stringMatching(/^\d{3}\*{4}\d{4}$/), others: 1 });
    expect(JSON.stringify(page)).not.toContain(as.phone);
    expect((await ok(REPORT, { id: ids[3] ?? 0 }, { as: teacher })).nextId).toBeLessThanOrEqual(first);
    // The next one is of those that were narrowed to, too.
    const nextOf = async (filter: object) =>
      (await ok(REPORT, { id: ids[3] ?? 0, packId, ...filter }, { as: teacher })).nextId;
    expect(ids.indexOf((await nextOf({})) ?? 0)).toBe(0);
    expect(ids.indexOf((await nextOf({ feedbackType: 13 })) ?? 0)).toBe(1);
    expect(await nextOf({ feedbackType: 15 })).toBeNull();
    expect(await nextOf({ questionId: 987_654 })).toBeNull();
    const mine = await ok(HISTORY, { pageSize: 2 }, { as });
    expect([mine.total, mine.pages, mine.list.map(({ id }) => ids.indexOf(id))]).toEqual([3, 2, [4, 2]]);
  });

  it('counts for the home what waits, and since when', async () => {
    const { teacher, id } = await scene();
    const before = await ok('GET /app/feedback/waiting', {}, { as: teacher });
    await ok(ANSWER, { id, version: 0, state: 1 }, { as: teacher });
    const received = await ok('GET /app/feedback/waiting', {}, { as: teacher });
    expect(received).toMatchObject({ waiting: before.waiting - 1, received: before.received + 1 });
    await ok(ANSWER, { id, version: 1, state: 2 }, { as: teacher });
    expect(await ok('GET /app/feedback/waiting', {}, { as: teacher })).toMatchObject({
      waiting: before.waiting - 1,
      received: before.received,
      decided: before.decided + 1,
    });
    const oldest = await kit.db.query
      .selectFrom('exam_feedback')
      .select(({ fn }) => fn.min('created_at').as('at'))
      .where('state', '=', 0)
      .executeTakeFirst();
    expect(received.oldestAt).toBe(oldest?.at ?? null);
  });

  it('keeps the version that the student saw: of its paper, in its letters, and beside it what was corrected since', async () => {
    const { as, ids, examId, recordId, pack } = await startScene(kit, { shuffleOptions: true, shuffleQuestions: true });
    const teacher = await kit.user('teacher');
    const input = { feedbackType: 14, packId: pack.packId, questionId: ids[1], recordId, feedbackDesc: '答案有误' };
    const { id } = await ok(SUBMIT, input, { as });
    const seen = (await ok('GET /api/exam/details', { recordId }, { as })).questions;
    const at = seen.findIndex(({ questionId }) => questionId === ids[1]);
    const options = seen[at]?.options ?? {};
    const right = Object.keys(options).find((letter) => options[letter]?.includes('选项 B'));
    const asSeen = { question: { topic: seen[at]?.topic, options, rightAnswer: right }, questionNumber: at + 1 };
    expect(await ok(REPORT, { id }, { as: teacher })).toMatchObject({ ...asSeen, now: null });

    await correct(examId, ids[1], { right_answer: 'C', key_version: 2, topic: '<p>改过</p>' });
    const stored = async (of: number) =>
      kit.db.query
        .selectFrom('exam_feedback')
        .select(['record_id', 'key_version'])
        .where('id', '=', of)
        .executeTakeFirst();
    const now = Object.keys(options).find((letter) => options[letter]?.includes('选项 C'));
    expect(await ok(REPORT, { id }, { as: teacher })).toMatchObject({
      ...asSeen,
      now: { topic: '<p>改过</p>', options, rightAnswer: now },
    });
    // The record goes on with the version that it began with.
    const { id: again } = await ok(SUBMIT, input, { as });
    const { id: later } = await ok(SUBMIT, { ...input, recordId: undefined }, { as });
    expect([await stored(id), await stored(again), await stored(later)]).toEqual([
      { record_id: recordId, key_version: 1 },
      { record_id: recordId, key_version: 1 },
      { record_id: null, key_version: 2 },
    ]);
    // A record of somebody else, or one without the question, is none that they saw it in.
    const mate = await classmate(kit, pack);
    expect(await refused(SUBMIT, input, { as: mate })).toBe('notFound');
    const [elsewhere = 0] = await makeQuestions(kit, pack, [{ type: 2, right: 'A' }]);
    expect(await refused(SUBMIT, { ...input, questionId: elsewhere }, { as })).toBe('notFound');
  });

  it('tells nothing of an answer while its author sits a scored exam with the question, or with its twin', async () => {
    const { as, teacher, pack, packId, questionId, id, report } = await scene();
    const { id: aboutCourse } = await ok(
      SUBMIT,
      { feedbackType: 17, packId, resourceId: pack.courseId, feedbackDesc: '目录' },
      { as },
    );
    const [other = 0] = await makeQuestions(kit, pack, [{ type: 2, right: 'A' }]);
    const { id: aboutOther } = await ok(
      SUBMIT,
      { feedbackType: 13, packId, questionId: other, feedbackDesc: '别的题' },
      { as },
    );
    const mate = await classmate(kit, pack);
    const { id: ofMate } = await report(mate);
    const twins = await makePack(kit, { students: [as] });
    const asked = { type: 2, right: 'A', topic: '<p>求极限</p>' } as const;
    const papers = [
      await makeExam(kit, pack, { questionIds: [questionId] }),
      await makeExam(kit, twins, { questionIds: await makeQuestions(kit, twins, [asked]) }),
    ];
    const look = async (by: TestUser) => ({
      list: (await ok(HISTORY, {}, { as: by })).list,
      unread: await ok(UNREAD, {}, { as: by }),
    });
    for (const [turn, examId] of papers.entries()) {
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      const before = await look(as);
      expect(before.list.map(({ id, withheld }) => [id, withheld])).toEqual([
        [aboutOther, false],
        [aboutCourse, true],
        [id, true],
      ]);
      kit.time.now += 1000;
      for (const answered of [id, aboutCourse, ofMate])
        await ok(ANSWER, { id: answered, version: turn, state: 3, answer: `应选 A ${turn}` }, { as: teacher });
      // To the byte as before it was answered.
      expect(await look(as)).toEqual(before);
      await ok(SEEN, { seen: [id, aboutCourse].map((of) => ({ id: of, version: turn + 1 })) }, { as });
      // Who sits no exam is told.
      expect((await look(mate)).list).toMatchObject([{ answer: `应选 A ${turn}`, unread: true, withheld: false }]);
      await ok('POST /api/exam/submit', { examId, recordId }, { as });
      const after = await look(as);
      expect(after.unread).toEqual({ count: 2 });
      expect(after.list[2]).toMatchObject({ state: 3, answer: `应选 A ${turn}`, unread: true, withheld: false });
      await ok(SEEN, { seen: after.list.map(({ id: of, version }) => ({ id: of, version })) }, { as });
      expect(await ok(UNREAD, {}, { as })).toEqual({ count: 0 });
    }
  });
});
