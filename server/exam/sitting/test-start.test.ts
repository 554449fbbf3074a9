import { afterAll, describe, expect, it } from 'vitest';
import { enrol } from '#server/course/pack.test-kit.ts';
import { databases, START, testApp } from '#server/test-kit.ts';
import { Correction } from '../paper/correction-store.ts';
import { makeExam } from '../paper.test-kit.ts';
import { classmate, HOUR, SWEEP, startScene } from '../scene.test-kit.ts';

describe.each(databases)('starting an exam on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('asks for enrolment, an exam that is there, and questions', async () => {
    const { pack, examId } = await startScene(kit);
    const stranger = await kit.user();
    expect(await refused('GET /app/exam/test_start', { examId }, { as: stranger })).toBe('notEnrolled');
    await enrol(kit, stranger, pack.packId);
    expect(await refused('GET /app/exam/test_start', { examId: 999_999 }, { as: stranger })).toBe('notFound');
    const empty = await makeExam(kit, pack, { questionIds: [] });
    expect(await refused('GET /app/exam/test_start', { examId: empty }, { as: stranger })).toBe('noQuestions');
    expect(await refused('GET /app/exam/test_start', { examId })).toBe('notSignedIn');
  });

  it('so many new records an hour and no more; what is open goes on, and others begin', async () => {
    const { as, pack, ids, examId, recordId } = await startScene(kit);
    const begun = Array.from({ length: 119 }, (_, at) => ({
      user_id: as.userId,
      exam_id: examId,
      pack_id: pack.packId,
      started_at: START - 1000,
      submitted_at: START,
      closed: 'submitted',
      attempt: at + 2,
    }));
    await kit.db.query.insertInto('exam_records').values(begun).execute();
    const another = await makeExam(kit, pack, { questionIds: ids });
    expect(await refused('GET /app/exam/test_start', { examId: another }, { as })).toBe('tooMany');
    expect((await ok('GET /app/exam/test_start', { examId }, { as })).recordId).toBe(recordId);
    await ok('GET /app/exam/test_start', { examId: another }, { as: await classmate(kit, pack) });
    kit.time.now = START + HOUR;
    await ok('GET /app/exam/test_start', { examId: another }, { as });
  });

  it('HEAD, which asks for nothing to happen, starts nothing', async () => {
    const { as, pack, ids } = await startScene(kit);
    const examId = await makeExam(kit, pack, { questionIds: ids });
    const headers = { authorization: `Bearer ${as.token}` };
    const { statusCode } = await kit.app.inject({
      method: 'HEAD',
      url: `/app/exam/test_start?examId=${examId}`,
      headers,
    });
    expect(statusCode).toBe(404);
    const { list } = await ok('GET /api/user/exam_list', {}, { as });
    expect(list.map((record) => record.examId)).not.toContain(examId);
  });

  it('is a write although it is a GET: another site cannot start it (decisions §7)', async () => {
    const { examId, as } = await startScene(kit);
    // The last is all that a browser on plain http tells of a link on another site.
    const cases: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://evil.example' },
      { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', referer: 'http://evil.example/' },
    ];
    for (const headers of cases)
      expect(await refused('GET /app/exam/test_start', { examId }, { as, headers })).toBe('crossSite');
  });

  it('starts by no link, picture or opened address of our own site', async () => {
    const { examId, as } = await startScene(kit);
    const before = await ok('GET /api/user/exam_list', {}, { as });
    const cases: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ];
    for (const headers of cases)
      expect(await refused('GET /app/exam/test_start', { examId }, { as, headers })).toBe('notByAddress');
    expect(await ok('GET /api/user/exam_list', {}, { as })).toEqual(before);
  });

  it('twenty at once, in two processes, make one record (incidents: infomark PR 26, a-plus #301)', async () => {
    const { pack, ids } = await startScene(kit);
    const as = await kit.user();
    await enrol(kit, as, pack.packId);
    const examId = await makeExam(kit, pack, { questionIds: ids });
    const other = await kit.sibling();
    const starts = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? kit : other).ok('GET /app/exam/test_start', { examId, windowId: `window-${1000 + at}` }, { as }),
      ),
    );
    await other.close();
    expect(new Set(starts.map((record) => record.recordId)).size).toBe(1);
    expect(starts.filter((record) => !record.resumed)).toHaveLength(1);
  });

  it('of many students in one moment gives each a record of their own', async () => {
    const { pack, examId } = await startScene(kit);
    const students = await Promise.all(Array.from({ length: 12 }, () => kit.user()));
    for (const student of students) await enrol(kit, student, pack.packId);
    const started = await Promise.all(students.map((as) => ok('GET /app/exam/test_start', { examId }, { as })));
    expect(new Set(started.map((record) => record.recordId)).size).toBe(12);
    for (const [at, student] of students.entries()) {
      const mine = await ok('GET /api/user/exam_list', {}, { as: student });
      expect(mine.list.map((record) => record.recordId)).toEqual([started[at]?.recordId]);
    }
  });

  it('resumes with the same order of questions and options, on any device (incidents: ruankao #43)', async () => {
    const { as, examId, recordId, base, ids } = await startScene(kit, {
      shuffleQuestions: true,
      shuffleOptions: true,
    });
    const before = await ok('GET /api/exam/details', { recordId }, { as });
    const multiple = before.questions.find((question) => question.questionId === ids[2]);
    const letterOf = (text: string) =>
      Object.entries(multiple?.options ?? {}).find(([, html]) => html.includes(`选项 ${text}<`))?.[0] ?? '';
    const chosen = [letterOf('A'), letterOf('B'), letterOf('D')].sort().join('');
    await ok('POST /api/exam/save_question', { ...base, questionId: ids[2], answer: chosen, seq: 1 }, { as });
    const stored = await kit.db.query
      .selectFrom('exam_answers')
      .select('answer')
      .where('record_id', '=', recordId)
      .execute();
    expect(stored).toEqual([{ answer: 'ABD' }]);
    // A second device at another process, whose caches are empty.
    const other = await kit.sibling();
    const again = await other.ok('GET /app/exam/test_start', { examId, windowId: 'window-0002' }, { as });
    expect(again).toMatchObject({ recordId, resumed: true });
    expect(await other.ok('GET /api/exam/details', { recordId }, { as })).toEqual(before);
    const snapshot = await other.ok('GET /api/exam/cache', { recordId }, { as });
    await other.close();
    expect(snapshot.answers[0]?.answer).toBe(chosen);
    await ok('POST /api/exam/submit', { ...base, windowId: 'window-0002' }, { as });
    const review = await ok('GET /app/exam/review', { recordId }, { as });
    const reviewed = review.questions.find((question) => question.questionId === ids[2]);
    expect(reviewed).toMatchObject({ state: 1, answer: chosen, rightAnswer: chosen });
  });

  it('after the end closes what ran out, with its answers, and begins anew', async () => {
    const { as, examId, recordId, save } = await startScene(kit);
    await ok('POST /api/exam/save_question', save(0, 'A', 1), { as });
    kit.time.now = START + HOUR + 12_001;
    const next = await ok('GET /app/exam/test_start', { examId }, { as });
    expect(next).toMatchObject({ resumed: false, startedAt: kit.time.now });
    expect(next.recordId).not.toBe(recordId);
    const old = await ok('POST /app/exam/history', { examId }, { as });
    expect(old.list[1]).toMatchObject({ recordId, closed: 'timeUp', submittedAt: START + HOUR, doneCount: 1 });
  });

  it('of an archived pack: what is open goes on, nothing new begins, and a stranger learns of nothing', async () => {
    const { as, pack, ids, examId, recordId } = await startScene(kit);
    const [unsat, stranger] = [await makeExam(kit, pack, { questionIds: ids }), await kit.user()];
    await kit.db.query.updateTable('packs').set({ archived: 1 }).where('id', '=', pack.packId).execute();
    const started = await ok('GET /app/exam/test_start', { examId }, { as });
    expect([started.recordId, started.resumed]).toEqual([recordId, true]);
    expect(await refused('GET /app/exam/test_start', { examId: unsat }, { as })).toBe('notFound');
    expect(await refused('GET /app/exam/test_start', { examId }, { as: stranger })).toBe('notFound');
  });

  it('an exam that the school took out goes on for who is in it, and begins for nobody', async () => {
    const { as, examId, recordId, pack, base } = await startScene(kit);
    const other = await classmate(kit, pack);
    await kit.db.query.updateTable('exams').set({ archived: 1 }).where('id', '=', examId).execute();
    expect(await ok('GET /app/exam/test_start', { examId, windowId: base.windowId }, { as })).toMatchObject({
      recordId,
      resumed: true,
    });
    expect(await refused('GET /app/exam/test_start', { examId }, { as: other })).toBe('notFound');
    expect(await refused('GET /app/exam/test_start', { examId }, { as: await kit.user() })).toBe('notFound');
    await ok('POST /api/exam/submit', base, { as });
    expect(await refused('GET /app/exam/test_start', { examId }, { as })).toBe('notFound');
  });

  it('what ran out of an exam that the school took out is resumed, and left to the sweeper to close', async () => {
    const { as, examId, recordId, save } = await startScene(kit);
    await ok('POST /api/exam/save_question', save(0, 'A', 1), { as });
    await kit.db.query.updateTable('exams').set({ archived: 1 }).where('id', '=', examId).execute();
    kit.time.now = START + HOUR + 12_001;
    // Closed here, it would be closed without a word: nothing new begins whose reply could say so.
    expect(await ok('GET /app/exam/test_start', { examId }, { as })).toMatchObject({ recordId, resumed: true });
    await kit.chore(SWEEP);
    const { list } = await ok('POST /app/exam/history', { examId }, { as });
    expect(list).toMatchObject([{ recordId, closed: 'timeUp', submittedAt: START + HOUR }]);
  });

  it.runIf(kind === 'postgres')('a correction at work holds up who begins its papers, and nobody else', async () => {
    const [corrected, other] = [await startScene(kit), await startScene(kit)];
    const beginner = await classmate(kit, corrected.pack);
    const stranger = await classmate(kit, other.pack);
    const task = { packId: corrected.pack.packId, now: START, noted: true };
    let begun = false;
    let beginning: Promise<unknown> = Promise.resolve();
    await kit.db.transaction(async (trx) => {
      await new Correction(kit.db, trx, task).lockPapers();
      beginning = ok('GET /app/exam/test_start', { examId: corrected.examId }, { as: beginner }).then((reply) => {
        begun = true;
        return reply;
      });
      const { base, as, ids } = corrected;
      const [began, resumed] = await Promise.all([
        ok('GET /app/exam/test_start', { examId: other.examId }, { as: stranger }),
        ok('GET /app/exam/test_start', { examId: base.examId, windowId: base.windowId }, { as }),
      ]);
      expect([began, resumed]).toMatchObject([{ resumed: false }, { recordId: base.recordId, resumed: true }]);
      // The first hand-in of a paper makes the rows of its statistics, which refer to it.
      const answers = [{ questionId: ids[0], answer: 'A', seq: 1 }];
      expect(await ok('POST /api/exam/submit', { ...base, answers }, { as })).toMatchObject({ late: [] });
      expect(begun).toBe(false);
    });
    expect(await beginning).toMatchObject({ resumed: false });
  });

  it('in the grace resumes, with no time left', async () => {
    const { as, examId, recordId } = await startScene(kit);
    kit.time.now = START + HOUR + 5_000;
    expect(await ok('GET /app/exam/test_start', { examId }, { as })).toMatchObject({ recordId, resumed: true });
    // As long as a save that arrived in the grace may wait for its commit, the record is not closed under it.
    kit.time.now = START + HOUR + 12_000;
    expect(await ok('GET /app/exam/test_start', { examId }, { as })).toMatchObject({ recordId, resumed: true });
    expect(await ok('GET /api/exam/cache', { recordId }, { as })).toMatchObject({ remaining: 0 });
  });
});
