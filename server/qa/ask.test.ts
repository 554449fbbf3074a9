import { afterAll, describe, expect, it } from 'vitest';
import { QA_MOST_FOLLOW_UPS } from '#contract/values/qa.ts';
import { endEnrolment } from '#server/course/enrolment-store.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { writeSetting } from '#server/db/settings-store.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { WORDS_SETTING } from './parts.ts';
import { qaPart } from './person-part.ts';
import { qaScene } from './qa.test-kit.ts';

const SUBMIT = 'POST /app/feedback/submit';
const REPLY = 'POST /app/feedback/reply';
const LIST = 'GET /app/feedback/list';
const DETAILS = 'GET /app/qa/details';
const COMMENT = 'POST /app/qa_core/save_comment';
const COMMENTS = 'GET /app/qa/comment';
const FLAG = 'POST /app/qa_core/save_flag';
const UNFLAG = 'POST /app/qa_core/del_flag';
const DELETE = 'POST /app/qa_core/del_entry';
const NEWEST = 'GET /app/qa/newest';
const INFO = 'GET /app/qa/info_student';

describe.each(databases)('questions on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('are asked of a lesson and its second, and shown to all who are enrolled', async () => {
    const { as, other, packId, courseId, lesson, ask, list } = await qaScene(kit);
    const asked = await ask(' 为什么这里\r\n用洛必达\u0000？ ', as, {
      firstVideoId: lesson,
      position: 83.9,
      platform: 1,
    });
    expect(asked).toMatchObject({
      feedbackDesc: '为什么这里\n用洛必达？',
      ...{ feedbackType: 41, packId, courseId, firstVideoId: lesson, position: 83, questionId: null, topic: '' },
      ...{ userName: '', studentId: as.userId, platform: 1, createTime: kit.time.now, mine: true, state: 0 },
      ...{ feedbackImg: '', feedbackImg2: '', feedbackImg3: '', childList: [], mayFollowUp: false, mayDelete: true },
    });
    const seen = await list(other);
    expect(seen).toMatchObject({ total: 1, pages: 1, list: [{ id: asked.id, mine: false, mayDelete: false }] });
    expect((await ok(LIST, { packId, myState: 1 }, { as: other })).total).toBe(0);
    expect((await ok(LIST, { packId, myState: 1 }, { as })).list).toMatchObject([{ id: asked.id }]);
    expect((await list(other, { firstVideoId: lesson })).total).toBe(1);
    expect((await list(other, { courseId })).total).toBe(1);
    expect((await list(other, { courseId: 987_654 })).total).toBe(0);
    const outside = await kit.user();
    expect(await refused(DETAILS, { id: asked.id }, { as: outside })).toBe('notEnrolled');
    expect(await refused(DETAILS, { id: 987_654_321 }, { as: other })).toBe('notFound');
    await endEnrolment(kit.db.query, other.userId, packId);
    expect(await refused(DETAILS, { id: asked.id }, { as: other })).toBe('notEnrolled');
    expect(await ok(NEWEST, {}, { as: other })).toMatchObject({ total: 0, list: [], beforeId: null });
  });

  it('know the platform by the client’s word, else by its User-Agent', async () => {
    const { as, packId } = await qaScene(kit);
    const from = async (headers: Record<string, string>, platform?: number) =>
      (await ok(SUBMIT, { packId, feedbackType: 33, feedbackDesc: '建议', platform }, { as, headers })).platform;
    expect(await from({ 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' })).toBe(1);
    expect(await from({ 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Mobile' })).toBe(0);
    expect(await from({ 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' })).toBe(2);
    expect(await from({ 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' }, 7)).toBe(0);
  });

  it('are refused when blank, too long, about what is elsewhere, or with pictures of nobody', async () => {
    const { as, packId, lesson } = await qaScene(kit);
    const why = (more: object) => refused(SUBMIT, { packId, feedbackType: 41, feedbackDesc: 'x', ...more }, { as });
    expect(await why({ feedbackDesc: ' \r\n\u0000\u200b' })).toBe('commentEmpty');
    expect(await why({ feedbackDesc: '😀'.repeat(501) })).toBe('textTooLong');
    expect(await why({ resourceId: 987_654 })).toBe('notFound');
    expect(await why({ firstVideoId: 987_654 })).toBe('notFound');
    expect(await why({ questionId: 987_654 })).toBe('notFound');
    expect(await why({ recordId: 987_654 })).toBe('notFound');
    expect(await why({ parentId: 987_654_321 })).toBe('notFound');
    expect(await why({ feedbackType: 42 })).toBe('badInput');
    const elsewhere = await qaScene(kit);
    expect(await why({ firstVideoId: elsewhere.lesson })).toBe('notFound');
    expect(await why({ resourceId: elsewhere.courseId })).toBe('notFound');
    for (const feedbackImg of ['../../etc/passwd', 'http://evil.example/x.png', `${'a'.repeat(32)}.png`])
      expect(await why({ feedbackImg })).toBe('imageNotYours');
    expect((await ok(LIST, { packId, myState: 1 }, { as })).total).toBe(0);
    // What no database holds is in no text, be it one that is only looked for.
    expect(
      await ok(SUBMIT, { packId, feedbackType: 33, feedbackDesc: 'x', tags: ['没有\u0000'] }, { as }),
    ).toMatchObject({
      tags: [],
    });
    const longest = `${'😀'.repeat(250)}${'\r\n'.repeat(249)}a`;
    expect(
      (await ok(SUBMIT, { packId, feedbackType: 41, feedbackDesc: longest, firstVideoId: lesson }, { as })).id,
    ).toBeGreaterThan(0);
  });

  it('are one however often a click or a retry sends them', async () => {
    const { as, other, packId, list } = await qaScene(kit);
    const input = { packId, feedbackType: 41, feedbackDesc: '只问一次', clientId: 'composer-0001' } as const;
    const answers = await Promise.all(Array.from({ length: 5 }, () => kit.call(SUBMIT, input, { as })));
    expect(new Set(answers.map(({ code, data }) => `${code} ${data.id}`)).size).toBe(1);
    expect(await list()).toMatchObject({ total: 1 });
    // The name is its writer's own, and takes nothing of the limit when it comes again.
    await ok(SUBMIT, input, { as: other });
    expect(await list()).toMatchObject({ total: 2 });
    for (let at = 0; at < 12; at += 1) await ok(SUBMIT, input, { as });
    expect(await list()).toMatchObject({ total: 2 });
  });

  it('are written once, and not refused, however many of one press come side by side', async () => {
    const { as, packId, list, ask, answer } = await qaScene(kit);
    const below = await ask('底下写的');
    await answer(below.id, '答');
    const presses = [
      () => kit.raw(SUBMIT, { packId, feedbackType: 41, feedbackDesc: '一按', clientId: 'one-press-1' }, { as }),
      () => kit.raw(REPLY, { parentId: below.id, feedbackDesc: '一按', clientId: 'one-press-2' }, { as }),
      () => kit.raw(COMMENT, { id: below.id, comment: '一按', clientId: 'one-press-3' }, { as }),
    ];
    for (const press of presses) {
      kit.time.now += 10 * 60_000;
      // Each by itself would count: more than the minute allows.
      const answers = await Promise.all(Array.from({ length: 7 }, press));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 200));
      expect(new Set(answers.map(({ data }) => (data as { id: number }).id)).size).toBe(1);
    }
    const { list: shown } = await list();
    expect(
      shown.map(({ feedbackDesc, commentCount, childList }) => [feedbackDesc, commentCount, childList.length]),
    ).toEqual([
      ['一按', 0, 0],
      ['底下写的', 1, 2],
    ]);
    // Deleting twice side by side is the same as once.
    const [{ id = 0 } = {}] = shown;
    const deleted = await Promise.all([1, 2, 3, 4].map(() => kit.call('POST /app/qa_core/del_entry', { id }, { as })));
    expect(deleted.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('keep their promise while they wait, and tell it to their author alone', async () => {
    const { as, other, ask } = await qaScene(kit);
    const { id } = await ask('等于几');
    await kit.db.query
      .updateTable('qa_threads')
      .set({ answered_by: as.userId, promised_at: 5 })
      .where('id', '=', id)
      .execute();
    expect(await ok(DETAILS, { id }, { as })).toMatchObject({ waiting: true, promisedAt: 5 });
    expect(await ok(DETAILS, { id }, { as: other })).toMatchObject({ waiting: true, promisedAt: null });
    expect(await ok(REPLY, { parentId: id, feedbackDesc: '急' }, { as })).toMatchObject({ promisedAt: 5 });
  });

  it('that nobody else sees cannot be asked too, nor talked about', async () => {
    const { as, ask } = await qaScene(kit);
    const { id } = await ask('字幕错了', as, { feedbackType: 32 });
    expect(await refused(FLAG, { id }, { as })).toBe('notFound');
    expect(await refused(COMMENT, { id, comment: '真的' }, { as })).toBe('notFound');
    expect(await ok(DETAILS, { id }, { as })).toMatchObject({ flag: 0, flagCount: 0, commentCount: 0 });
  });

  it('a comment pressed several times at once takes one of the limit', async () => {
    const { as, ask } = await qaScene(kit);
    const { id } = await ask('几点上课');
    kit.time.now += 60 * 60_000;
    const comment = { id, comment: '八点', clientId: 'comment-0001' };
    const sent = await Promise.all([1, 2, 3, 4, 5].map(() => ok(COMMENT, comment, { as })));
    expect(new Set(sent.map((one) => one.id)).size).toBe(1);
    for (let at = 0; at < 4; at += 1) await ok(COMMENT, { id, comment: `又 ${at}` }, { as });
    expect(await refused(COMMENT, { id, comment: '太多' }, { as })).toBe('tooMany');
  });

  it('of one person are at most so many at a time', async () => {
    const { as, other, packId } = await qaScene(kit);
    kit.time.now += 60 * 60_000;
    const codes: number[] = [];
    for (let at = 0; at < 7; at += 1)
      codes.push((await kit.call(SUBMIT, { packId, feedbackType: 41, feedbackDesc: `第 ${at}` }, { as })).code);
    expect(codes).toEqual([200, 200, 200, 200, 200, 429, 429]);
    // Somebody else at the same address is not held up by it.
    expect((await kit.call(SUBMIT, { packId, feedbackType: 41, feedbackDesc: '我的' }, { as: other })).code).toBe(200);
  });

  it('corrections and suggestions are seen by their author and teachers alone', async () => {
    const { as, other, teacher, packId, ask, list } = await qaScene(kit);
    const { id } = await ask('3 分 20 秒板书写错', as, { feedbackType: 32 });
    for (const feedbackType of [31, 32, 33, 41] as const) expect((await list(other, { feedbackType })).total).toBe(0);
    expect(await refused(DETAILS, { id }, { as: other })).toBe('notFound');
    expect((await ok(LIST, { packId, myState: 1, feedbackType: 32 }, { as })).list).toMatchObject([{ id }]);
    expect((await ok(LIST, { packId, myState: 1, feedbackType: 41 }, { as })).total).toBe(0);
    expect(await ok(DETAILS, { id }, { as: teacher })).toMatchObject({ id });
    for (const [call, input] of [
      [FLAG, { id }],
      [COMMENT, { id, comment: 'x' }],
      [COMMENTS, { id }],
    ] as const)
      expect((await kit.raw(call, input, { as: other })).code).toBe(404);
    // To follow up on it says no more than on an id that was never given.
    const followed = (parentId: number) =>
      kit.raw('POST /app/feedback/reply', { parentId, feedbackDesc: 'x' }, { as: other });
    expect((await followed(id)).data).toEqual((await followed(987_654_321)).data);
  });

  it('pages neither repeat nor miss while others ask, in one pack or in several', async () => {
    const { as, other, packId, ask, list } = await qaScene(kit);
    const second = await makePack(kit, { students: [as, other] });
    const ids: number[] = [];
    for (let at = 0; at < 13; at += 1)
      ids.push((await ask(`第 ${at} 问`, at % 2 ? as : other, at % 3 ? {} : { packId: second.packId })).id);
    const mine = ids.filter((_, at) => at % 3 !== 0).reverse();
    const first = await list(as, { pageSize: 3 });
    expect(first).toMatchObject({ total: 8, pages: 3 });
    await ask('新的', other);
    const beforeId = first.beforeId ?? 0;
    const rest = [
      await list(as, { pageSize: 3, pageNum: 2, beforeId }),
      await list(as, { pageSize: 3, pageNum: 3, beforeId }),
    ];
    expect([first, ...rest].flatMap((page) => page.list.map(({ id }) => id))).toEqual(mine);
    const area = await ok(NEWEST, { pageSize: 5 }, { as });
    await ask('更新的', other);
    const next = { pageSize: 5, beforeId: area.beforeId ?? 0 };
    const pages = [
      area,
      await ok(NEWEST, { ...next, pageNum: 2 }, { as }),
      await ok(NEWEST, { ...next, pageNum: 3 }, { as }),
    ];
    expect(pages.flatMap((page) => page.list.map(({ id }) => id)).slice(1)).toEqual([...ids].reverse());
    expect((await ok(NEWEST, { packId }, { as })).total).toBe(10);
    expect(await refused(NEWEST, { packId: (await makePack(kit)).packId }, { as })).toBe('notEnrolled');
    const own = await ok(LIST, { packId, myState: 1, pageSize: 2 }, { as });
    expect(own.list.every(({ studentId }) => studentId === as.userId)).toBe(true);
  });

  it('追问 is for the author: on the question once it is answered, then on own follow-ups', async () => {
    const { as, other, teacher, ask, answer, notices } = await qaScene(kit);
    const { id } = await ask('如何配方？');
    expect(await refused(REPLY, { parentId: id, feedbackDesc: '还有' }, { as })).toBe('notAllowed');
    const { childList } = await answer(id, '先提出系数');
    const answerId = childList[0]?.id ?? 0;
    expect(await ok(DETAILS, { id }, { as })).toMatchObject({
      state: 1,
      waiting: false,
      mayFollowUp: true,
      mayDelete: false,
    });
    expect(await refused(REPLY, { parentId: id, feedbackDesc: '插嘴' }, { as: other })).toBe('notAllowed');
    expect(await refused(REPLY, { parentId: answerId, feedbackDesc: 'x' }, { as })).toBe('notAllowed');
    expect(await refused(REPLY, { parentId: id, feedbackDesc: ' ' }, { as })).toBe('commentEmpty');
    const input = { parentId: id, feedbackDesc: '系数是分数呢？', clientId: 'follow-0001' };
    const twice = await Promise.all([ok(REPLY, input, { as }), ok(REPLY, input, { as }), ok(REPLY, input, { as })]);
    const followed = twice[0];
    expect(
      followed?.childList.map(({ kind: of, userName, mayFollowUp }) => [of, userName !== '', mayFollowUp]),
    ).toEqual([
      ['answer', true, false],
      ['followUp', false, true],
    ]);
    expect(followed?.waiting).toBe(true);
    const followId = followed?.childList[1]?.id ?? 0;
    // The spec's client submits with the entry it answers.
    const again = await ok(
      SUBMIT,
      { packId: followed?.packId ?? 0, feedbackType: 41, feedbackDesc: '又一个', parentId: followId },
      { as },
    );
    expect(again.childList.map(({ parentId }) => parentId)).toEqual([id, id, followId]);
    // Others see it, and have nothing to follow up on.
    expect((await ok(DETAILS, { id }, { as: other })).childList.map(({ mayFollowUp }) => mayFollowUp)).toEqual([
      false,
      false,
      false,
    ]);
    // They are told which question it was.
    expect((await notices(teacher)).map(({ kind: of, qaId, words }) => [of, qaId, words.question])).toEqual([
      ['qaFollowedUp', id, '如何配方？'],
      ['qaFollowedUp', id, '如何配方？'],
    ]);
    expect((await notices(as)).map(({ kind: of, qaId }) => [of, qaId])).toEqual([['qaAnswered', id]]);
  });

  it('追问 are bounded until a teacher answers: everybody who lists the question reads all of them', async () => {
    const { as, ask, answer } = await qaScene(kit);
    const { id } = await ask('没完没了');
    await answer(id, '好的');
    const say = (clientId: string) => {
      kit.time.now += 10 * 60_000;
      return kit.call(REPLY, { parentId: id, feedbackDesc: '还有', clientId }, { as });
    };
    for (let at = 0; at < QA_MOST_FOLLOW_UPS; at += 1) expect((await say(`again-00${at}`)).code).toBe(200);
    expect((await say('one-too-many')).data).toMatchObject({ why: 'followUpsFull' });
    // What came already is answered as it was.
    expect((await say('again-000')).code).toBe(200);
    await answer(id, '都看了');
    expect((await say('one-too-many')).code).toBe(200);
  });

  it('同问 counts each person once, from however many windows, and tells them of the answer', async () => {
    const { as, other, packId, ask, answer, notices } = await qaScene(kit);
    const { id } = await ask('极限存在吗');
    await Promise.all(Array.from({ length: 8 }, (_, at) => kit.call(at % 2 ? UNFLAG : FLAG, { id }, { as: other })));
    const { flagCount } = await ok(DETAILS, { id }, { as });
    expect([0, 1]).toContain(flagCount);
    await Promise.all(Array.from({ length: 6 }, () => ok(FLAG, { id }, { as: other })));
    expect(await ok(FLAG, { id }, { as: other })).toEqual({ flag: 1, flagCount: 1 });
    expect(await ok(NEWEST, { flag: 1 }, { as: other })).toMatchObject({ total: 1, list: [{ id, flag: 1 }] });
    await answer(id, '存在');
    expect((await notices(other)).map(({ kind: of }) => of)).toEqual(['qaSameAnswered']);
    expect(await ok(UNFLAG, { id }, { as: other })).toEqual({ flag: 0, flagCount: 0 });
    expect(await ok(UNFLAG, { id }, { as: other })).toEqual({ flag: 0, flagCount: 0 });
    expect(await ok(INFO, {}, { as })).toMatchObject({ studentId: as.userId, asked: 1, waiting: 0, flagged: 0 });
    // Who is enrolled no more is told nothing more.
    await ok(FLAG, { id }, { as: other });
    await endEnrolment(kit.db.query, other.userId, packId);
    await answer(id, '补充一点');
    expect(await notices(other)).toHaveLength(1);
  });

  it('有用 counts each person once for an answer, and for nothing else under a question', async () => {
    const { as, other, ask, answer } = await qaScene(kit);
    const { id } = await ask('极限存在吗');
    await answer(id, '存在');
    const answered = async (by = as) => (await ok(DETAILS, { id }, { as: by })).childList[0];
    const answerId = (await answered())?.id ?? 0;
    expect(await answered()).toMatchObject({ flag: 0, flagCount: 0 });
    const press = (at: number) => kit.call(at % 2 ? UNFLAG : FLAG, { id: answerId }, { as: other });
    const pressed = await Promise.all(Array.from({ length: 50 }, (_, at) => press(at)));
    expect(new Set(pressed.map(({ code }) => code))).toEqual(new Set([200]));
    expect([0, 1]).toContain((await answered())?.flagCount);
    expect((await ok(FLAG, { id: answerId }, { as: other })).flag).toBe(1);
    expect(await ok(FLAG, { id: answerId }, { as })).toEqual({ flag: 1, flagCount: 2 });
    expect(await answered(other)).toMatchObject({ flag: 1, flagCount: 2 });
    expect(await ok(UNFLAG, { id: answerId }, { as })).toEqual({ flag: 0, flagCount: 1 });
    // 同问 is another thing.
    expect(await ok(DETAILS, { id }, { as: other })).toMatchObject({ flag: 0, flagCount: 0 });
    const followUp = await ok(REPLY, { parentId: id, feedbackDesc: '为什么' }, { as });
    const said = await ok(COMMENT, { id, comment: '我也想知道' }, { as: other });
    for (const none of [followUp.childList[1]?.id ?? 0, said.id, 987_654_321])
      expect(await refused(FLAG, { id: none }, { as: other })).toBe('notFound');
    const outside = await kit.user();
    expect(await refused(FLAG, { id: answerId }, { as: outside })).toBe('notEnrolled');
  });

  it('同问 and 有用 stand in the copy of one’s data; a closed account leaves their number alone', async () => {
    const { as, other, ask, answer } = await qaScene(kit);
    const { id } = await ask('极限存在吗');
    await answer(id, '存在');
    const answerId = (await ok(DETAILS, { id }, { as })).childList[0]?.id ?? 0;
    for (const to of [id, answerId]) await ok(FLAG, { id: to }, { as: other });
    const part = qaPart(kit.db);
    const copied = await Array.fromAsync(part.rows(other.userId));
    expect(copied).toMatchObject([
      { id, flag: '同问' },
      { id: answerId, flag: '有用' },
    ]);
    await kit.db.changePeople(async (trx) => part.forget?.(trx, other.userId));
    expect(await Array.fromAsync(part.rows(other.userId))).toEqual([]);
    const left = await ok(DETAILS, { id }, { as: other });
    expect([left.flag, left.flagCount, left.childList[0]?.flag, left.childList[0]?.flagCount]).toEqual([0, 1, 0, 1]);
  });

  it('the pack of the newest own one is known, among those that are open: there one’s own begin', async () => {
    const { as, packId, ask } = await qaScene(kit);
    const later = await makePack(kit, { students: [as] });
    const lastPack = async (by = as) => (await ok(INFO, {}, { as: by })).lastPackId;
    expect(await lastPack()).toBeNull();
    const { id } = await ask('先问的', as, { packId: later.packId });
    expect(await lastPack()).toBe(later.packId);
    await ask('后问的', as, { feedbackType: 33 });
    expect(await lastPack()).toBe(packId);
    expect((await ok(INFO, { packId: later.packId }, { as })).lastPackId).toBe(later.packId);
    await endEnrolment(kit.db.query, as.userId, packId);
    expect(await lastPack()).toBe(later.packId);
    await ok(DELETE, { id }, { as });
    expect(await lastPack()).toBeNull();
  });

  it('a teacher replies to a comment as a teacher, and its author is told', async () => {
    const { as, other, teacher, ask, notices } = await qaScene(kit);
    const { id } = await ask('讨论一下');
    const elsewhere = await ask('别处');
    const said = await ok(COMMENT, { id, comment: '我也不懂' }, { as: other });
    expect(said).toMatchObject({ userName: '', studentId: other.userId, parentId: id, replyTo: '' });
    const reply = { id, parentId: said.id, comment: '看第二章', clientId: 'reply-0001' };
    const replied = await ok(COMMENT, reply, { as: teacher });
    expect(await ok(COMMENT, reply, { as: teacher })).toEqual(replied);
    const [shown] = (await ok(COMMENTS, { id }, { as })).list;
    expect(shown).toMatchObject({ id: replied.id, studentId: 0, parentId: said.id, replyTo: said.nickname });
    expect(shown?.userName).not.toBe('');
    expect((await notices(other)).map(({ kind: of, qaId, words }) => [of, qaId, words.comment])).toEqual([
      ['qaCommentReplied', id, '我也不懂'],
    ]);
    // A student who replies is a student, and tells nobody.
    const thanks = await ok(COMMENT, { id, parentId: replied.id, comment: '谢谢' }, { as: other });
    expect(thanks).toMatchObject({ userName: '', studentId: other.userId });
    expect(thanks.replyTo).toBe(shown?.userName);
    expect((await notices(teacher)).map(({ kind: of }) => of)).toEqual([]);
    for (const parentId of [id, 987_654_321])
      expect(await refused(COMMENT, { id, parentId, comment: 'x' }, { as })).toBe('notFound');
    expect(await refused(COMMENT, { id: elsewhere.id, parentId: said.id, comment: 'x' }, { as })).toBe('notFound');
    // What is gone is replied to no more, and its author is named nowhere.
    await ok(DELETE, { id: said.id }, { as: other });
    expect(await refused(COMMENT, { ...reply, clientId: 'reply-0002' }, { as: teacher })).toBe('notFound');
    expect((await ok(COMMENTS, { id }, { as })).list.map(({ replyTo }) => replyTo)).toEqual([shown?.userName, '']);
  });

  it('what others do not see is not replied to: they would read the reply without what it is about', async () => {
    const { as, other, teacher, ask } = await qaScene(kit);
    await writeSetting(kit.db.query, WORDS_SETTING, '代考\n');
    const { id } = await ask('讨论一下');
    const hide = (of: number, hidden: 0 | 1) => ok('POST /app/qa_core/hide', { id: of, hidden }, { as: teacher });
    const held = await ok(COMMENT, { id, comment: '找代考' }, { as: other });
    const hidden = await ok(COMMENT, { id, comment: '看这里' }, { as: other });
    await hide(hidden.id, 1);
    for (const { id: parentId } of [held, hidden])
      for (const by of [teacher, other])
        expect(await refused(COMMENT, { id, parentId, comment: '别这样' }, { as: by })).toBe('commentUnseen');
    expect(await refused(COMMENT, { id, parentId: hidden.id, comment: 'x' }, { as })).toBe('notFound');
    for (const { id: parentId } of [held, hidden]) {
      await hide(parentId, 0);
      const said = await ok(COMMENT, { id, parentId, comment: '可以' }, { as: teacher });
      expect(said.replyTo).toBe(held.nickname);
    }
    await writeSetting(kit.db.query, WORDS_SETTING, '');
  });

  it('a comment that is deleted takes along what its author was told of it, and nothing else', async () => {
    const { as, other, teacher, ask, notices } = await qaScene(kit);
    const { id } = await ask('讨论一下');
    const told = async () => (await notices(other)).map(({ kind: of, words }) => [of, words.comment ?? words.question]);
    const unread = async () => (await ok('GET /app/common/notice_unread', {}, { as: other })).count;
    for (const comment of ['先说的', '后说的']) {
      const said = await ok(COMMENT, { id, comment }, { as: other });
      await ok(COMMENT, { id, parentId: said.id, comment: '好' }, { as: teacher });
      kit.time.now += 1000;
      await ok('POST /app/qa_core/hide', { id: said.id, hidden: 1, reason: '跑题' }, { as: teacher });
      kit.time.now += 1000;
      await ok('POST /app/qa_core/hide', { id: said.id, hidden: 0 }, { as: teacher });
      kit.time.now += 60_000;
    }
    expect(await unread()).toBe(6);
    const { list } = await ok(COMMENTS, { id }, { as: other });
    const last = list.find(({ feedbackDesc }) => feedbackDesc === '后说的')?.id ?? 0;
    await ok(DELETE, { id: last }, { as: other });
    expect(await told()).toEqual([
      ['qaReleased', '先说的'],
      ['qaHidden', '先说的'],
      ['qaCommentReplied', '先说的'],
    ]);
    expect(await unread()).toBe(3);
    expect(JSON.stringify(await kit.db.query.selectFrom('notices').selectAll().execute())).not.toContain('后说的');
    expect((await ok(COMMENTS, { id }, { as })).total).toBe(3);
  });

  it('comments of students stand apart from answers, and are deleted by their writer', async () => {
    const { as, other, packId, ask } = await qaScene(kit);
    const { id } = await ask('讨论一下');
    const said = await ok(COMMENT, { id, comment: '我也不懂', clientId: 'comment-1' }, { as: other });
    expect(await ok(COMMENT, { id, comment: '我也不懂', clientId: 'comment-1' }, { as: other })).toEqual(said);
    expect(await ok(DETAILS, { id }, { as })).toMatchObject({ commentCount: 1, childList: [] });
    expect(await ok(COMMENTS, { id }, { as })).toMatchObject({
      total: 1,
      list: [{ id: said.id, feedbackDesc: '我也不懂', mine: false }],
    });
    expect(await ok(INFO, { packId }, { as: other })).toMatchObject({ asked: 0, comments: 1 });
    expect(await refused(DELETE, { id: said.id }, { as })).toBe('notFound');
    await ok(DELETE, { id: said.id }, { as: other });
    await ok(DELETE, { id: said.id }, { as: other });
    expect(await ok(DETAILS, { id }, { as })).toMatchObject({ commentCount: 0 });
  });

  it('are deleted by their author while nobody has answered: nothing of them is left anywhere', async () => {
    const { as, other, packId, ask, answer, list, teacher } = await qaScene(kit);
    const { id } = await ask('牛顿莱布尼茨公式怎么用', as);
    expect(await refused(DELETE, { id }, { as: other })).toBe('notFound');
    await ok(FLAG, { id }, { as: other });
    await ok(DELETE, { id }, { as });
    await ok(DELETE, { id }, { as });
    expect((await list(other)).total).toBe(0);
    expect((await ok('GET /app/qa/search', { packId, keyword: '莱布尼茨' }, { as: other })).total).toBe(0);
    for (const [by, call] of [
      [as, DETAILS],
      [other, DETAILS],
      [teacher, 'GET /app/qa/question'],
    ] as const)
      expect((await kit.raw(call, { id }, { as: by })).code).toBe(404);
    const terms = await kit.db.query.selectFrom('qa_terms').select('term').where('thread_id', '=', id).execute();
    expect(terms).toEqual([]);
    const { id: answered } = await ask('已答的');
    await answer(answered, '好');
    expect(await refused(DELETE, { id: answered }, { as })).toBe('notAllowed');
  });

  it('with a word of the school’s list are held: their author is told which, others see nothing until a teacher releases them', async () => {
    const { as, other, teacher, packId, ask, list, notices } = await qaScene(kit);
    await writeSetting(kit.db.query, WORDS_SETTING, '# 词表\n代考\n口交\n!路口交通\n');
    const held = await ask('有没有代 考的老师');
    expect(held).toMatchObject({ held: true, heldWords: ['代考'], mine: true });
    const plain = await ask('路口交通问题怎么建模');
    expect(plain).toMatchObject({ held: false, heldWords: [] });
    expect((await list(other)).list.map(({ id }) => id)).toEqual([plain.id]);
    expect(await refused(DETAILS, { id: held.id }, { as: other })).toBe('notFound');
    expect((await ok('GET /app/qa/search', { packId, keyword: '老师' }, { as: other })).total).toBe(0);
    expect((await ok('GET /app/qa/queue', { show: 'held', packId }, { as: teacher })).list).toMatchObject([
      { id: held.id, heldWords: ['代考'] },
    ]);
    await ok('POST /app/qa_core/hide', { id: held.id, hidden: 0 }, { as: teacher });
    expect((await list(other)).list.map(({ id }) => id)).toEqual([plain.id, held.id]);
    expect((await ok('GET /app/qa/search', { packId, keyword: '老师' }, { as: other })).list).toMatchObject([
      { id: held.id, held: false },
    ]);
    expect((await notices(as)).map(({ kind: of }) => of)).toEqual(['qaReleased']);
    const comment = await ok(COMMENT, { id: plain.id, comment: '代*考' }, { as: other });
    expect(comment).toMatchObject({ held: true, heldWords: ['代考'] });
    expect((await ok(COMMENTS, { id: plain.id }, { as })).total).toBe(0);
    expect((await ok(COMMENTS, { id: plain.id }, { as: other })).total).toBe(1);
    expect(await ok(DETAILS, { id: plain.id }, { as })).toMatchObject({ commentCount: 0 });
    await ok('POST /app/qa_core/hide', { id: comment.id, hidden: 0 }, { as: teacher });
    expect(await ok(DETAILS, { id: plain.id }, { as })).toMatchObject({ commentCount: 1 });
    await writeSetting(kit.db.query, WORDS_SETTING, '');
  });

  it('with such a word, but for teachers alone, are not held: nobody else would see them', async () => {
    const { as, ask, answer } = await qaScene(kit);
    await writeSetting(kit.db.query, WORDS_SETTING, '代考\n');
    const report = await ask('广告里说代考', as, { feedbackType: 33 });
    expect(report).toMatchObject({ held: false, heldWords: [] });
    await answer(report.id, '', { state: 1 });
    const more = await ok(REPLY, { parentId: report.id, feedbackDesc: '还是代考' }, { as });
    expect(more.childList.at(-1)).toMatchObject({ held: false });
    await writeSetting(kit.db.query, WORDS_SETTING, '');
  });

  it('held as a follow-up reach their teacher once another teacher releases them', async () => {
    const { as, teacher, ask, answer, notices } = await qaScene(kit);
    await writeSetting(kit.db.query, WORDS_SETTING, '代考\n');
    const { id } = await ask('等于几');
    await answer(id, '等于 2');
    const { childList } = await ok(REPLY, { parentId: id, feedbackDesc: '代考呢' }, { as });
    expect((await notices(teacher)).map(({ kind: of }) => of)).toEqual([]);
    await ok('POST /app/qa_core/hide', { id: childList.at(-1)?.id ?? 0, hidden: 0 }, { as: await kit.user('teacher') });
    expect((await notices(teacher)).map(({ kind: of, qaId }) => [of, qaId])).toEqual([['qaFollowedUp', id]]);
    await writeSetting(kit.db.query, WORDS_SETTING, '');
  });
});
