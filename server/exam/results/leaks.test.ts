import { afterAll, describe, expect, it } from 'vitest';
import { type Calls, calls } from '#contract/all.ts';
import type { Refusal, Why } from '#contract/envelope.ts';
import { makeRoom } from '#server/live/talk/talk.test-kit.ts';
import { makeLesson } from '#server/play/lesson.test-kit.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { makeExam, makeQuestions } from '../paper.test-kit.ts';
import { classRoom, RESCORE } from '../quality/quality.test-kit.ts';
import { classmate, type Scene, startScene } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';

/** Everything about exams that a student can see without asking for a key. */
async function everythingSeen(
  { ok }: TestApp,
  as: TestUser,
  { pack, examId, recordId }: Pick<Scene, 'pack' | 'examId' | 'recordId'>,
) {
  const { packId } = pack;
  return {
    details: await ok('GET /api/exam/details', { recordId }, { as }),
    cache: await ok('GET /api/exam/cache', { recordId }, { as }),
    tree1: await ok('GET /app/question/index', { packId, type: 1 }, { as }),
    tree2: await ok('GET /app/question/index', { packId, type: 2 }, { as }),
    questions: await ok('GET /app/question/list', { packId, chapterId: pack.chapterIds[0] }, { as }),
    papers: await ok('GET /api/exam/exam_list', { packId }, { as }),
    mine: await ok('GET /api/user/exam_list', {}, { as }),
    history: await ok('POST /app/exam/history', { examId }, { as }),
    packs: await ok('GET /api/common/course_list', {}, { as }),
  };
}

describe.each(databases)('no answer leaks on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('nothing that an open exam sends holds a key (frappe/lms #987, arsnova-server #20, vibe PR 673)', async () => {
    const scene = await startScene(kit);
    const { as, save, base, ids } = scene;
    const replies: unknown[] = [];
    for (const [at, answer] of ['A', 'B', 'ABD', '文', 'AC', '文'].entries()) {
      replies.push(await ok(SAVE, save(at, answer, at + 1), { as }));
    }
    replies.push(await ok('POST /api/exam/flag', { ...base, questionId: ids[0] }, { as }));
    replies.push(await everythingSeen(kit, as, scene));
    const sent = JSON.stringify(replies);
    for (const secret of [
      'rightAnswer',
      'answerAnalysis',
      'accuracyRate',
      '解析',
      '参考',
      '采点',
      'right_answer',
      'graded',
    ]) {
      expect(sent).not.toContain(secret);
    }
  });

  const nothingLeaksWhileOpen = async (scored: 'mock' | 'random') => {
    const { as, ids, base: earlier, examId: mockId, windowId, pack, save } = await startScene(kit);
    const answerAll = async (record: { examId: number; recordId: number }) => {
      for (const [at, answer] of ['A', 'B', 'ABD', '文', 'AC', '文'].entries()) {
        await ok(SAVE, { ...save(at, answer, at + 1), ...record }, { as });
      }
    };
    const begin = async (id: number) => {
      const { recordId } = await ok('GET /app/exam/test_start', { examId: id, windowId }, { as });
      return { examId: id, recordId, windowId };
    };
    await answerAll(earlier);
    await ok(SUBMIT, earlier, { as });
    const timed = await begin(await makeExam(kit, pack, { kind: 'timed', questionIds: ids }));
    await answerAll(timed);
    await ok(SUBMIT, timed, { as });
    // What a teacher answers to a report may tell the key too.
    const told = { packId: pack.packId, questionId: ids[0], feedbackType: 14, feedbackDesc: '答案有误' };
    const { id: reportId } = await ok('POST /app/feedback/lx_submit', told, { as });
    const reply = { id: reportId, version: 0, state: 3, answer: '应选 A，见解析 1' } as const;
    await ok('POST /app/feedback/answer', reply, { as: await kit.user('teacher') });
    expect(JSON.stringify(await ok('GET /app/feedback/history', {}, { as }))).toMatch(/解析 1/);
    // So may what is answered to questions: of one of the exam, and of one about none of its questions.
    const ask = (more: object) =>
      ok(
        'POST /app/feedback/submit',
        { packId: pack.packId, feedbackType: 41, feedbackDesc: '怎么做', ...more },
        { as },
      );
    const about = (await ask({ questionId: ids[0] })).id;
    const free = (await ask({})).id;
    for (const [asked, feedbackDesc] of [
      [about, '应选 A，见解析 1'],
      [free, '多练习'],
    ] as const)
      await ok(
        'POST /app/qa_core/answer',
        { ids: [asked], versions: [0], feedbackDesc },
        { as: await kit.user('teacher') },
      );
    expect(JSON.stringify(await ok('GET /app/qa/details', { id: about }, { as }))).toMatch(/解析 1/);
    const isOfQa = (path: string) => /\/qa(_core)?\/|\/feedback\/(submit|list|reply)$/.test(path);
    kit.time.now += 1000;
    const lines = ([1, 2, 3, 4, 5, 8] as const).map((questionTypesId) => ({ questionTypesId, count: 1, score: 2 }));
    const drawn = { packId: pack.packId, name: '随机组卷', lines, examTime: 60 };
    const examId = scored === 'mock' ? mockId : (await ok('POST /app/exam/random_paper', drawn, { as })).examId;
    const open = await begin(examId);
    const practice = await begin(await makeExam(kit, pack, { kind: 'chapter', questionIds: ids }));
    await answerAll(open);
    await answerAll(practice);
    const known: Record<string, unknown> = {
      packId: pack.packId,
      chapterId: pack.chapterIds[0],
      questionId: ids[0],
      resourceId: pack.courseId,
      feedbackType: 13,
      uploadFor: 'media',
      mediaId: 1,
      feedbackDesc: '题目有误',
      deviceName: 'Chrome 120',
      answer: 'B',
      flag: 1,
      seq: 100,
      totalTime: 60,
      myScore: 1,
      judgeFlag: 1,
      ticks: [0],
      type: 1,
      questionTypesId: 0,
      pageNum: 1,
      pageSize: 200,
      kind: 'mock',
      action: 'sms_code',
      id: ids[0],
      ids: [...ids],
      questionIds: [...ids],
      leaveAfter: 2,
      dailySize: 10,
      examDate: '2027-01-01',
      collect: 1,
      note: '记一下',
      order: 'newest',
      from: 'collected',
      most: 10,
      timesWrong: 1,
      guessed: 0,
      since: 0,
      guess: 1,
      name: '大',
      categoryId: 1,
      chapterIds: [...pack.chapterIds],
      lines,
      examTime: 60,
      requestId: `request-${scored}-${pack.packId}`,
      universityIds: [1],
      universityId: 1,
      nickname: '新名',
      file: '',
      opt: 0,
      phone: as.phone,
      purpose: 'login',
      ticket: 'none',
      challengeId: 'none',
      track: [{ at: 0, x: 0 }],
      smsCode: '000000',
      version: 1,
      seen: [{ id: reportId, version: 1 }],
      standing: 'as it stands',
      rightAnswer: 'B',
      answerAnalysis: '新',
      gradeMode: 'all',
      scores: [{ examId, score: 3 }],
      reason: '答案有误',
      text: '题',
      only: 'look',
      after: '9.9',
      noticeIds: [1],
      content: '今晚停机',
      untilAt: kit.time.now + 3_600_000,
      topic: 'scores',
      wanted: 1,
      giveKey: 'give-0001',
      recordIds: [1],
      minutes: 10,
      fileId: 1,
      newPassword: 'a new password',
      firstVideoId: await makeLesson(kit, pack),
      position: 1,
      duration: 1,
      comment: '讲得好',
      page: 1,
      praiseState: 1,
      pinned: 1,
      hidden: 1,
      keyword: '极限',
      versions: [1],
      revision: 0,
      teacherId: 0,
      tags: ['高数'],
      phrase: '请看解析',
      orderId: 1,
      userCouponId: null,
      channel: 'sandbox',
      code: 'NONE',
      sessionId: 'none',
      userName: '王小明',
      idNumber: '1101051949',
      weekMinutes: [30, 30, 30, 30, 30, 30, 30],
      out: 1,
      list: [{ packId: pack.packId, kind: 'pack', id: pack.packId }],
      liveId: await makeRoom(kit, { packId: pack.packId, teacherId: as.userId }),
      up: 1,
      muted: 1,
      pollId: 1,
      choice: 0,
      question: '听懂了吗',
      options: ['懂了', '没有'],
      before: 5,
      second: 0,
      startTime: kit.time.now + 3_600_000,
      endTime: kit.time.now + 7_200_000,
      liveUrlPc: 'https://live.example.cn/1',
      title: '抬头',
      taxNo: '',
      email: 'a@b.cn',
      refundAskId: 1,
      invoiceId: 1,
      number: '12345678',
      amount: null,
      off: 1,
      until: '2027-01-01',
      day: '2026-11-01',
      slug: 'none',
    };
    // What no record of this student may do, or what needs a proof; every other call has to work at least once.
    const neverWorks = new Map<string, Why[]>([
      ['POST /app/exam/show_answer', ['keyHidden', 'alreadySubmitted', 'takenOver']],
      ['POST /app/exam/subjective_submit', ['keyHidden', 'notSubmitted']],
      // Nothing of the open exam's questions is in the list.
      ['POST /api/exam/error_rm', ['notFound']],
      ['POST /app/exam/error_restore', ['notFound']],
      ['POST /app/exam/daily_start', ['noQuestions']],
      ['POST /app/v2/exam/save_review', ['keyHidden']],
      ['GET /app/exam/question_history', ['keyHidden']],
      ['GET /app/common/announcement_list', ['notAllowed']],
      ['POST /app/common/announce', ['notAllowed']],
      ['POST /app/common/announce_withdraw', ['notAllowed']],
      ['GET /app/live/teach_list', ['notAllowed']],
      ['POST /app/live/save', ['notAllowed']],
      ['POST /app/live/cancel', ['notAllowed']],
      ['GET /app/live/stream', ['notAllowed']],
      ['GET /app/live/stream_key', ['notAllowed']],
      ['POST /app/live/new_stream_key', ['notAllowed']],
      ['POST /app/live/start', ['notAllowed']],
      ['POST /app/live/end', ['notAllowed']],
      ['POST /app/live/make_replay', ['notAllowed']],
      // It has not begun.
      ['GET /app/live/watch_grant', ['liveNotOpen']],
      ['POST /app/live/talk_mute', ['notAllowed']],
      ['POST /app/live/talk_pin', ['notAllowed']],
      ['GET /app/live/hands', ['notAllowed']],
      ['POST /app/live/poll_open', ['notAllowed']],
      ['POST /app/live/poll_close', ['notAllowed']],
      ['GET /app/live/attendance', ['notAllowed']],
      // Nobody has asked the room anything.
      ['POST /app/live/poll_vote', ['notFound']],
      ['POST /api/captcha/slider', ['captchaFailed']],
      ['POST /api/user/sms_code', ['ticketNeeded']],
      ['POST /api/user/login', ['smsCodeWrong', 'ticketNeeded']],
      ['POST /api/user/password', ['passwordWrong', 'smsCodeWrong', 'tooMany']],
      ['POST /api/user/identity', ['idCardLength']],
      ['POST /api/user/export', ['passwordWrong', 'smsCodeWrong', 'tooMany']],
      ['POST /api/user/close', ['passwordWrong', 'smsCodeWrong', 'tooMany']],
      // This installation has published none.
      ['GET /app/user/agreement_text', ['notFound']],
      ['POST /app/user/agreement_agree', ['notFound']],
      ['POST /app/user/guardian_consent', ['guardianNotNeeded']],
      // All questions of the chapter were answered.
      ['POST /app/plan/practice_start', ['noQuestions']],
      // It comes as a form.
      ['POST /api/common/upload', ['wrongType']],
      // It is no comment's id.
      ['POST /app/comment/praise', ['notFound']],
      ['POST /app/comment/delete', ['notFound']],
      // The pack costs nothing, and nobody has ordered anything.
      ['POST /api/order/create_order', ['alreadyJoined']],
      ['POST /api/order/use_coupon', ['notFound']],
      ['POST /api/order/zero_pay', ['notFound']],
      ['POST /api/order/pay', ['notFound']],
      ['POST /api/order/cancel', ['notFound']],
      ['POST /api/order/query_order_state', ['notFound']],
      ['GET /api/order/query_order', ['notFound']],
      ['POST /api/order/sandbox_pay', ['notFound']],
      ['POST /api/order/refund_ask', ['notFound']],
      ['POST /api/order/refund_withdraw', ['notFound']],
      ['POST /api/order/invoice_ask', ['notFound']],
      ['POST /api/order/invoice_withdraw', ['notFound']],
      ['GET /api/coupon/exchange', ['noSuchCode']],
      // No pack stands in a category.
      ['GET /app/test/category', ['notFound']],
      ['GET /api/common/course_little_list', ['notFound']],
      // For teachers.
      ['GET /api/order/desk_list', ['notAllowed']],
      ['GET /api/order/desk_details', ['notAllowed']],
      ['GET /api/order/desk_refund_preview', ['notAllowed']],
      ['POST /api/order/desk_refund', ['notAllowed']],
      ['POST /api/order/desk_refund_again', ['notAllowed']],
      ['POST /api/order/desk_refund_decline', ['notAllowed']],
      ['POST /api/order/desk_invoice_issue', ['notAllowed']],
      ['POST /api/order/desk_invoice_reverse', ['notAllowed']],
      ['POST /api/order/desk_invoice_decline', ['notAllowed']],
      ['GET /api/order/desk_export', ['notAllowed']],
      ['GET /api/order/desk_coupons', ['notAllowed']],
      ['POST /api/order/desk_coupon_add', ['notAllowed']],
      ['POST /api/order/desk_coupon_end', ['notAllowed']],
      ['GET /api/order/desk_codes', ['notAllowed']],
      ['GET /api/order/desk_checks', ['notAllowed']],
      ['POST /api/order/desk_check', ['notAllowed']],
      ['GET /app/comment/manage', ['notAllowed']],
      ['POST /app/comment/reply', ['notAllowed']],
      ['POST /app/comment/pin', ['notAllowed']],
      ['POST /app/comment/hide', ['notAllowed']],
      // A teacher has answered them.
      ['POST /app/qa_core/del_entry', ['notAllowed', 'keyHidden']],
      ['GET /app/qa/queue', ['notAllowed']],
      ['GET /app/qa/waiting', ['notAllowed']],
      ['GET /app/qa/question', ['notAllowed']],
      ['POST /app/qa_core/answer', ['notAllowed']],
      ['POST /app/qa_core/edit_answer', ['notAllowed']],
      ['GET /app/qa/answer_history', ['notAllowed']],
      ['POST /app/qa_core/assign', ['notAllowed']],
      ['GET /app/qa/teachers', ['notAllowed']],
      ['POST /app/qa_core/hide', ['notAllowed']],
      ['POST /app/qa_core/set_tags', ['notAllowed']],
      ['GET /app/qa/phrases', ['notAllowed']],
      ['POST /app/qa_core/save_phrase', ['notAllowed']],
      ['POST /app/qa_core/del_phrase', ['notAllowed']],
      ['GET /app/media/list', ['notAllowed']],
      ['POST /app/media/retry', ['notAllowed']],
      ['POST /app/media/delete', ['notAllowed']],
      ['GET /app/upload/list', ['notAllowed']],
      ['GET /app/course/lesson_manage', ['notAllowed']],
      ['POST /app/course/lesson_media', ['notAllowed']],
      ['GET /app/feedback/waiting', ['notAllowed']],
      ['GET /app/feedback/reports', ['notAllowed']],
      ['GET /app/feedback/report', ['notAllowed']],
      ['POST /app/feedback/answer', ['notAllowed']],
      ['GET /app/exam/sitting', ['notAllowed']],
      ['POST /app/exam/give_time', ['notAllowed']],
      ['GET /app/exam/given_time', ['notAllowed']],
      ['POST /app/exam/set_accommodation', ['notAllowed']],
      ['POST /app/exam/end_accommodation', ['notAllowed']],
      ['GET /app/exam/accommodations', ['notAllowed']],
      ['GET /app/question/quality_choices', ['notAllowed']],
      ['GET /app/question/quality_looks', ['notAllowed']],
      ['GET /app/question/quality_list', ['notAllowed']],
      ['GET /app/question/quality', ['notAllowed']],
      ['POST /app/question/correction_preview', ['notAllowed']],
      ['POST /app/question/correct', ['notAllowed']],
      ['POST /app/question/retire', ['notAllowed']],
      ['POST /app/question/restore', ['notAllowed']],
      // It has no videos; what a pack before it shows is not this student's.
      ['GET /app/video/auth', ['notFound', 'notEnrolled']],
      // It has no files.
      ['POST /app/course_file/down_file', ['notFound']],
      // This installation has no universities.
      ['GET /app/university/details', ['notFound']],
      ['POST /app/university/goal', ['notFound']],
      ['POST /app/university/compare', ['notFound']],
    ]);
    // A login needs a code or a password, a report its course or its question: neither is a required field.
    const oneOfSeveral = new Map<string, string[]>([
      ['POST /api/user/login', ['smsCode']],
      ['POST /app/feedback/lx_submit', ['resourceId']],
      ['POST /api/exam/error_rm', ['id']],
      ['POST /app/exam/own_paper', ['questionIds']],
    ]);
    const worked = new Set<string>();
    // The first ends the exam, the second the session.
    const left = new Set(['POST /api/exam/submit', 'POST /api/user/logout']);
    const expectNoKey = (reply: string, what: string) => {
      for (const secret of [
        /解析 \d/,
        />参考</,
        /"rightAnswer":"[^"]/,
        /"answerAnalysis":"[^"]/,
        /"accuracyRate":\d/,
        /采点甲/,
      ]) {
        expect(reply, what).not.toMatch(secret);
      }
    };
    const records = Object.entries({ open, earlier, practice, timed });
    for (const [which, record] of records) {
      for (const { call } of calls.filter(({ call }) => !left.has(call.name))) {
        const required = (call.input.required ?? []) as string[];
        const asked: Record<string, unknown> = {
          ...{ ...known, ...record },
          ...(call.who === 'teacher' && { state: 3 }),
          // A report on a film has a type of its own.
          ...(call.name === 'POST /api/feedback/video_submit' && { feedbackType: 4 }),
          ...(call.path.startsWith('/app/live/') && {
            teacherId: as.userId,
            after: 1,
            seq: 1,
            clientId: 'of-this-student',
          }),
          // Places before the first entry.
          ...(call.name === 'GET /app/feedback/reports' && { after: 'w9999999999999-1' }),
          ...(call.name === 'GET /app/qa/queue' && { after: 'w0-0' }),
          ...(/comment/.test(call.path) && { after: 'w0-999999999' }),
          // Invoices and coupons have kinds of their own.
          ...(call.name === 'POST /api/order/invoice_ask' && { kind: 'personal' }),
          ...(call.path.startsWith('/api/order/desk_') && {
            kind: 'amount',
            state: 'paid',
            from: '2026-11-01',
            amount: 1,
          }),
        };
        const qaId = which === 'practice' ? about : free;
        // Asked so often at one moment, what is written would only meet its limit.
        if (isOfQa(call.path))
          await kit.db.query.deleteFrom('rate_events').where('bucket', '=', `qa:${as.userId}`).execute();
        if (isOfQa(call.path)) Object.assign(asked, { feedbackType: 41, id: qaId, ids: [qaId], parentId: qaId });
        expect(
          required.filter((field) => !(field in asked)),
          `${call.name}: say here what it is asked`,
        ).toEqual([]);
        const least = [...required, ...(oneOfSeveral.get(call.name) ?? [])];
        for (const fields of [least, Object.keys(call.input.properties)]) {
          // A question answered with a letter, and one whose key is a text.
          for (const questionId of fields.includes('questionId') ? [ids[0], ids[3]] : [ids[0]]) {
            const input = Object.fromEntries(
              fields
                .filter((field) => field in asked)
                .map((field) => [field, field === 'questionId' ? questionId : asked[field]]),
            );
            const reply = await kit.raw(call.name as keyof Calls, input, { as });
            const said = `${call.name} of the ${which} record: ${JSON.stringify([input, reply]).slice(0, 500)}`;
            if (reply.code === 200) worked.add(call.name);
            else {
              const { why } = reply.data as Refusal;
              expect(why, said).not.toBe('badInput');
              expect(neverWorks.get(call.name) ?? call.refuses, said).toContain(why);
            }
            expectNoKey(JSON.stringify(reply), `${call.name} of the ${which} record`);
          }
        }
      }
    }
    // A refusal says nothing about what the call would have sent.
    expect(
      calls.map(({ call }) => call.name).filter((name) => !left.has(name) && worked.has(name) === neverWorks.has(name)),
      'calls that never worked, or that work although it says above that they never do',
    ).toEqual([]);
    expectNoKey((await kit.app.inject('/openapi.json')).body, '/openapi.json');
    expect(await ok('GET /api/exam/cache', open, { as })).toMatchObject({ submittedAt: null });
    // The same questions are asked rightly: once the exam is handed in, the keys are there.
    for (const record of (await ok('GET /api/user/exam_list', { state: 'open' }, { as })).list) {
      await ok(SUBMIT, { examId: record.examId, recordId: record.recordId, windowId }, { as });
    }
    for (const record of [open, earlier, timed]) {
      expect(JSON.stringify(await ok('GET /app/exam/review', record, { as }))).toMatch(/"rightAnswer":"A"/);
    }
    expect(JSON.stringify(await ok('GET /app/exam/recite', practice, { as }))).toMatch(/"rightAnswer":"A"/);
  };
  it.each(['mock', 'random'] as const)(
    'no call of the whole contract answers with a key of an open %s exam, whatever it is asked',
    nothingLeaksWhileOpen,
    60_000,
  );

  describe('another student’s record is not there, whatever is asked of it (incidents: chamilo-lms #7671)', () => {
    const withRecord = calls.filter(({ call }) => 'recordId' in call.input.properties);
    it.each(withRecord.map(({ call }) => call.name as keyof Calls))('%s', async (name) => {
      const practice = await startScene(kit, { kind: 'chapter' });
      const open = await startScene(kit, {}, practice.as);
      const closed = await startScene(kit, {}, practice.as);
      await ok(SUBMIT, closed.base, { as: practice.as });
      for (const { pack, base, ids } of [practice, open, closed]) {
        const asked = {
          ...{ ...base, questionId: ids[3], answer: '文', flag: 1, seq: 1, totalTime: 60, myScore: 1, judgeFlag: 1 },
          ...{ packId: pack.packId, feedbackDesc: '题目有误' },
          feedbackType: name === 'POST /app/feedback/submit' ? 41 : 13,
        };
        // Of a call that asks for enrolment, who has none hears nothing of records.
        const ofPack = calls.some(({ call }) => call.name === name && call.who === 'enrolled');
        for (const [other, why] of [
          [await classmate(kit, pack), 'notFound'],
          [await kit.user(), ofPack ? 'notEnrolled' : 'notFound'],
          [await kit.user('teacher'), ofPack ? 'notEnrolled' : 'notFound'],
        ] as const) {
          expect(await refused(name, asked as never, { as: other })).toBe(why);
        }
      }
    });
  });

  it('an open exam has no way to a key: no recite mode, no shown answer, no review, no result', async () => {
    const { as, recordId, ids, windowId } = await startScene(kit);
    expect(await refused('GET /app/exam/recite', { recordId }, { as })).toBe('noRecite');
    expect(await refused('POST /app/exam/show_answer', { recordId, questionId: ids[0], windowId }, { as })).toBe(
      'keyHidden',
    );
    expect(await refused('GET /app/exam/review', { recordId }, { as })).toBe('notSubmitted');
    expect(await refused('GET /app/exam/result_tip', { recordId }, { as })).toBe('notSubmitted');
    const scored = { recordId, questionId: ids[3], myScore: 1 };
    expect(await refused('POST /app/exam/subjective_submit', scored, { as })).toBe('notSubmitted');
    expect(await ok('GET /api/exam/cache', { recordId }, { as })).toMatchObject({ mayReveal: false });
  });

  it('nothing that is shown before gradeMode tells right answers from wrong ones', async () => {
    const scene = await startScene(kit);
    const seen: unknown[] = [];
    for (const answers of [
      ['A', 'B', 'ABD', '文', 'AC', '文'],
      ['B', 'C', 'C', '文', 'BD', '文'],
    ]) {
      const as = await classmate(kit, scene.pack);
      const { recordId } = await ok('GET /app/exam/test_start', { examId: scene.examId }, { as });
      for (const [at, answer] of answers.entries()) {
        const questionId = scene.ids[at] ?? 0;
        seen.push(await ok(SAVE, { examId: scene.examId, recordId, questionId, answer, seq: at + 1 }, { as }));
      }
      const all = await everythingSeen(kit, as, { ...scene, recordId });
      // The two differ in their own answers and in the record's id, and in nothing else.
      seen.push(
        JSON.stringify(all, (key, value) =>
          key === 'answer' || key === 'recordId' || key === 'openRecordId' ? 0 : value,
        ),
      );
    }
    const half = seen.length / 2;
    expect(seen.slice(0, half)).toEqual(seen.slice(half));
  });

  describe('while a scored exam is open, its questions are closed to that student everywhere', () => {
    const begin = async (examId: number, as: TestUser) => {
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      return { examId, recordId };
    };
    /** A practice and a second mock with the same questions as an open mock. */
    async function twice() {
      const open = await startScene(kit);
      const practiceId = await makeExam(kit, open.pack, {
        kind: 'chapter',
        questionIds: open.ids,
        retake: { counts: 'best' },
      });
      const pastId = await makeExam(kit, open.pack, { kind: 'past', year: 2024, questionIds: open.ids.slice(0, 2) });
      return {
        open,
        practice: await begin(practiceId, open.as),
        past: await begin(pastId, open.as),
        practiceId,
      };
    }

    it('a practice shows none of their keys', async () => {
      const { open, practice } = await twice();
      const { as, ids } = open;
      const { recordId } = practice;
      expect(await refused('POST /app/exam/show_answer', { recordId, questionId: ids[0] }, { as })).toBe('keyHidden');
      expect(await ok('GET /app/exam/recite', { recordId }, { as })).toEqual({ questions: [], hidden: ids });
    });

    it.each(['practice', 'past'] as const)(
      'handing in a %s tells nothing of them, until the exam is handed in',
      async (which) => {
        const all = await twice();
        const { as, ids, base, pack } = all.open;
        const second = all[which];
        await ok(SAVE, { ...second, questionId: ids[0], answer: 'A', seq: 1 }, { as });
        await ok(SAVE, { ...second, questionId: ids[1], answer: 'C', seq: 2 }, { as });
        kit.time.now += 1000;
        const count = which === 'practice' ? 6 : 2;
        const nothing = {
          score: null,
          rightCount: null,
          wrongCount: null,
          unansweredCount: null,
          pendingCount: null,
          withheld: true,
        };
        expect(await ok(SUBMIT, second, { as })).toMatchObject(nothing);
        expect(await ok('GET /app/exam/result_tip', second, { as })).toMatchObject({
          ...nothing,
          rank: null,
          averageScore: null,
          byChapter: [],
          byType: [],
          advice: [],
        });
        const review = await ok('GET /app/exam/review', second, { as });
        expect(
          review.questions.map((question) => [
            question.hidden,
            question.state,
            question.myScore,
            question.rightAnswer,
            question.answerAnalysis,
          ]),
        ).toEqual(Array.from({ length: count }, () => [true, 0, null, '', '']));
        expect(review.questions[0]).toMatchObject({ answer: '', accuracyRate: null });
        const snapshot = await ok('GET /api/exam/cache', second, { as });
        expect(snapshot.answers.map((answer) => answer.state)).toEqual([0, 0]);
        const mine = await ok('GET /api/user/exam_list', { state: 'closed' }, { as });
        expect(mine.list).toMatchObject([{ score: null, withheld: true }]);
        expect(await ok('POST /app/exam/history', second, { as })).toMatchObject({
          list: [{ score: null, withheld: true }],
        });
        const papers = await ok(
          'GET /api/exam/exam_list',
          { packId: pack.packId, kind: which === 'past' ? 'past' : 'chapter' },
          { as },
        );
        expect(papers.list).toMatchObject([{ lastRecordId: second.recordId, lastScore: null, bestScore: null }]);
        const tree = await ok('GET /app/question/index', { packId: pack.packId }, { as });
        const rates = JSON.stringify(tree).match(/"rightRate":[^,]+/g);
        expect(new Set(rates)).toEqual(new Set(['"rightRate":null']));

        await ok(SUBMIT, base, { as });
        // A second record of the other kind is still open: a practice hides nothing, a past paper its own questions.
        if (which === 'practice') await ok(SUBMIT, all.past, { as });
        expect(await ok('GET /app/exam/result_tip', second, { as })).toMatchObject({
          rightCount: 1,
          wrongCount: 1,
          withheld: false,
        });
        const after = await ok('GET /app/exam/review', second, { as });
        expect(after.questions[0]).toMatchObject({ state: 1, rightAnswer: 'A', hidden: false });
        expect(JSON.stringify(await ok('GET /app/question/index', { packId: pack.packId }, { as }))).toContain(
          '"rightRate":0.5',
        );
      },
    );

    it('the student’s own score needs the reference answer, so it waits too', async () => {
      const { open, practice } = await twice();
      const { as, ids } = open;
      await ok(SAVE, { ...practice, questionId: ids[3], answer: '文', seq: 1 }, { as });
      await ok(SUBMIT, practice, { as });
      const scored = { recordId: practice.recordId, questionId: ids[3], myScore: 3 };
      expect(await refused('POST /app/exam/subjective_submit', scored, { as })).toBe('keyHidden');
    });

    it('an earlier record shows no counts, no key and no state', async () => {
      const { as, examId, base, save } = await startScene(kit);
      await ok(SAVE, save(0, 'A', 1), { as });
      await ok(SUBMIT, base, { as });
      kit.time.now += 3000;
      const again = await ok('GET /app/exam/test_start', { examId }, { as });
      expect(await ok('GET /app/exam/result_tip', base, { as })).toMatchObject({
        rightCount: null,
        percent: null,
        withheld: true,
      });
      const review = await ok('GET /app/exam/review', base, { as });
      expect(
        review.questions.every((question) => question.hidden && question.rightAnswer === '' && question.state === 0),
      ).toBe(true);
      expect(await ok('GET /app/exam/recite', base, { as })).toMatchObject({ questions: [] });
      const snapshot = await ok('GET /api/exam/cache', base, { as });
      expect(snapshot.answers.map((answer) => answer.state)).toEqual([0]);
      await ok(SUBMIT, { examId, recordId: again.recordId }, { as });
      expect((await ok('GET /app/exam/review', base, { as })).questions[0]).toMatchObject({
        rightAnswer: 'A',
        state: 1,
      });
    });

    it('an earlier record compares with nobody: the averages hold what was graded since', async () => {
      const { open, practiceId } = await twice();
      const { as, ids, base } = open;
      await ok(SUBMIT, base, { as });
      for (const record of (await ok('GET /api/user/exam_list', { state: 'open' }, { as })).list) {
        await ok(SUBMIT, { examId: record.examId, recordId: record.recordId }, { as });
      }
      const earlier = await begin(practiceId, as);
      await ok(SAVE, { ...earlier, questionId: ids[0], answer: 'B', seq: 1 }, { as });
      await ok(SUBMIT, earlier, { as });
      const before = await ok('GET /app/exam/result_tip', earlier, { as });
      expect(before).toMatchObject({ averageScore: 0, takerCount: 1 });
      expect(before.byChapter.map((chapter) => chapter.averageRate)).toEqual([0, 0]);

      kit.time.now += 60_000;
      const scored = await begin(open.examId, as);
      const later = await begin(practiceId, as);
      await ok(SAVE, { ...later, questionId: ids[0], answer: 'A', seq: 1 }, { as });
      await ok(SUBMIT, later, { as });
      const during = await ok('GET /app/exam/result_tip', earlier, { as });
      expect(during).toMatchObject({ wrongCount: null, withheld: true, averageScore: null, byChapter: [] });

      await ok(SUBMIT, scored, { as });
      expect((await ok('GET /app/exam/result_tip', earlier, { as })).averageScore).toBeGreaterThan(0);
    });

    it('how an earlier record was scored again is told only where none of its questions is sat', async () => {
      const room = await classRoom(kit);
      const { pack, ids, teacher } = room;
      const [questionId = 0, , , , , , , last = 0] = ids;
      const one = await room.sits('BAAAAAAA');
      const { standing } = await ok('GET /app/question/quality', { questionId }, { as: teacher });
      const change = { questionId, standing, rightAnswer: 'B', reason: '答案印错了' };
      await ok('POST /app/question/correct', change, { as: teacher });
      await kit.chore(RESCORE);
      const told = async () => (await ok('GET /app/exam/result_tip', one, one)).rescores;
      const before = await told();
      expect(before).toMatchObject([{ questionNumber: 1, scoreBefore: 14, scoreAfter: 16 }]);
      // The corrected question itself, and another one of the record: what the whole came to tells of that, too.
      for (const sat of [questionId, last]) {
        const { examId, recordId } = await begin(await makeExam(kit, pack, { questionIds: [sat] }), one.as);
        expect(await told()).toEqual([]);
        await ok(SUBMIT, { examId, recordId }, one);
        expect(await told()).toEqual(before);
      }
      // One that has none of them withholds nothing.
      const [foreign = 0] = await makeQuestions(kit, pack, [{ type: 1, right: 'A' }]);
      await begin(await makeExam(kit, pack, { questionIds: [foreign] }), one.as);
      expect(await told()).toEqual(before);
    });

    it('other students see their keys as ever', async () => {
      const { open, practiceId } = await twice();
      const other = await classmate(kit, open.pack);
      const { recordId } = await begin(practiceId, other);
      const recited = await ok('GET /app/exam/recite', { recordId }, { as: other });
      expect(recited.questions).toHaveLength(6);
      expect(recited.questions[0]).toMatchObject({ rightAnswer: 'A', answerAnalysis: expect.stringContaining('解析') });
    });
  });
});
