import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { writeSetting } from '#server/db/settings-store.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { WORDS_SETTING } from './parts.ts';
import { qaScene } from './qa.test-kit.ts';

const QUEUE = 'GET /app/qa/queue';
const QUESTION = 'GET /app/qa/question';
const ANSWER = 'POST /app/qa_core/answer';
const EDIT = 'POST /app/qa_core/edit_answer';
const HISTORY = 'GET /app/qa/answer_history';
const ASSIGN = 'POST /app/qa_core/assign';
const HIDE = 'POST /app/qa_core/hide';
const TAGS = 'POST /app/qa_core/set_tags';
const PHRASES = 'GET /app/qa/phrases';
const SAVE_PHRASE = 'POST /app/qa_core/save_phrase';
const DEL_PHRASE = 'POST /app/qa_core/del_phrase';
const DETAILS = 'GET /app/qa/details';
const SEARCH = 'GET /app/qa/search';
const REPLY = 'POST /app/feedback/reply';

describe.each(databases)('what teachers do with questions on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('reads the queue by what is due first, then by type, pack and who it was given to', async () => {
    const { as, other, teacher, packId, ask, answer } = await qaScene(kit);
    const ids = [(await ask('一')).id, (await ask('二', other, { feedbackType: 32 })).id, (await ask('三')).id];
    const at = (id: number) => ids.indexOf(id);
    const queue = async (more: object = {}) => {
      const page = await ok(QUEUE, { packId, pageSize: 50, ...more }, { as: teacher });
      return page.list.map(({ id }) => at(id));
    };
    expect(await queue()).toEqual([0, 1, 2]);
    await kit.db.query
      .updateTable('qa_threads')
      .set({ due_at: 5, promised_at: 5 })
      .where('id', '=', ids[2] ?? 0)
      .execute();
    expect(await queue()).toEqual([2, 0, 1]);
    expect(await queue({ feedbackType: 32 })).toEqual([1]);
    expect(await queue({ mine: 1 })).toEqual([]);
    expect(
      await ok(ASSIGN, { ids: [ids[0] ?? 0, ids[0] ?? 0, 987_654_321], teacherId: teacher.userId }, { as: teacher }),
    ).toEqual({ count: 1 });
    expect(await queue({ mine: 1 })).toEqual([0]);
    expect(await refused(ASSIGN, { ids, teacherId: as.userId }, { as: teacher })).toBe('notFound');
    await answer(ids[0] ?? 0, '答');
    expect(await queue()).toEqual([2, 1]);
    expect(await queue({ show: 'all' })).toEqual([2, 1, 0]);
    expect(await queue({ show: 'all', pageSize: 2, pageNum: 2 })).toEqual([0]);
    await answer(ids[1] ?? 0, '', { state: 1 });
    expect(await queue({ show: 'received' })).toEqual([1]);
    // A follow-up waits again.
    await ok(REPLY, { parentId: ids[0] ?? 0, feedbackDesc: '再问' }, { as });
    expect(await queue()).toEqual([2, 0]);
    const [late] = (await ok(QUEUE, { packId }, { as: teacher })).list;
    expect(late).toMatchObject({ overdue: true, validPhoneExt: expect.stringContaining('****'), courseName: '课程' });
    const counts = await ok('GET /app/qa/waiting', {}, { as: teacher });
    expect(counts.waiting).toBeGreaterThanOrEqual(2);
    expect(counts.overdue).toBeGreaterThanOrEqual(1);
    expect(counts).toMatchObject({ mine: 1, held: 0 });
    expect((await ok('GET /app/qa/teachers', {}, { as: teacher })).list).toContainEqual({
      teacherId: teacher.userId,
      nickname: expect.any(String),
      waiting: 1,
    });
    await ok(ASSIGN, { ids, teacherId: 0 }, { as: teacher });
    expect(await queue({ mine: 1 })).toEqual([]);
  });

  it('leads to the next question of the queue as it is narrowed', async () => {
    const { other, teacher, packId, ask } = await qaScene(kit);
    const [first, wrong, mine] = [
      await ask('极限怎么求'),
      await ask('这里写错了', other, { feedbackType: 32 }),
      await ask('导数怎么求'),
    ];
    const last = await ask('这里也写错了', other, { feedbackType: 32 });
    await ok(ASSIGN, { ids: [mine.id], teacherId: teacher.userId }, { as: teacher });
    const next = async (id: number, more: object = {}) =>
      (await ok(QUESTION, { id, packId, ...more }, { as: teacher })).nextId;
    expect(await next(first.id)).toBe(wrong.id);
    expect(await next(wrong.id)).toBe(first.id);
    expect(await next(wrong.id, { feedbackType: 32 })).toBe(last.id);
    expect(await next(first.id, { mine: 1 })).toBe(mine.id);
    expect(await next(mine.id, { mine: 1 })).toBeNull();
    expect(await next(first.id, { keyword: '怎么求' })).toBe(mine.id);
    expect(await next(last.id, { keyword: '没有这样的字' })).toBeNull();
  });

  it('of two answers at once one is taken, and a lost reply is asked for again', async () => {
    const { teacher, ask, answer, versionOf } = await qaScene(kit);
    const { id } = await ask('谁先答');
    const version = await versionOf(id);
    const teachers = [teacher, await kit.user('teacher'), await kit.user('teacher')];
    const outcomes = await Promise.all(
      teachers.map((as, at) =>
        kit.call(ANSWER, { ids: [id], versions: [version], feedbackDesc: `第 ${at} 位` }, { as }),
      ),
    );
    expect(outcomes.map(({ code }) => code).sort()).toEqual([200, 409, 409]);
    const again = { ids: [id], versions: [version + 1], feedbackDesc: '补充', clientId: 'answer-0001' };
    await Promise.all([1, 2, 3].map(() => kit.call(ANSWER, again, { as: teacher })));
    expect((await ok(ANSWER, again, { as: teacher })).childList).toHaveLength(2);
    expect(await refused(ANSWER, { ids: [id], versions: [0, 1], feedbackDesc: 'x' }, { as: teacher })).toBe('badInput');
    await expect(answer(id, ' ')).rejects.toThrow('commentEmpty');
    await expect(answer(id, '😀'.repeat(2001))).rejects.toThrow('textTooLong');
  });

  it('answers several that ask the same at once, all or none', async () => {
    const { as, other, teacher, packId, ask, versionOf, notices } = await qaScene(kit);
    const [one, two] = [await ask('第三题的极限怎么求'), await ask('第三题极限应该怎么求呢', other)];
    const details = await ok(QUESTION, { id: one.id }, { as: teacher });
    expect(details.similar.map(({ id }) => id)).toEqual([two.id]);
    const ids = [two.id, one.id];
    const versions = [await versionOf(two.id), (await versionOf(one.id)) + 1];
    expect(await kit.raw(ANSWER, { ids, versions, feedbackDesc: '用夹逼' }, { as: teacher })).toMatchObject({
      code: 409,
      data: { why: 'answeredMeanwhile', at: 1 },
    });
    expect((await ok(QUEUE, { packId }, { as: teacher })).total).toBe(2);
    await ok(
      ANSWER,
      { ids, versions: [versions[0] ?? 0, (versions[1] ?? 0) - 1], feedbackDesc: '用夹逼' },
      { as: teacher },
    );
    for (const [by, id] of [
      [as, one.id],
      [other, two.id],
    ] as const) {
      expect((await ok(DETAILS, { id }, { as: by })).childList.map(({ feedbackDesc }) => feedbackDesc)).toEqual([
        '用夹逼',
      ]);
      expect((await notices(by)).map(({ kind: of, qaId }) => [of, qaId])).toEqual([['qaAnswered', id]]);
    }
  });

  it('answers corrections of several that say the same at once, and among them no question', async () => {
    const { as, other, teacher, ask, versionOf } = await qaScene(kit);
    const words = '第二讲视频卡住，点播放没有反应';
    const stuck = { feedbackType: 31 } as const;
    const [one, two] = [await ask(words, as, stuck), await ask(`${words}了`, other, stuck)];
    const question = await ask(`${words}怎么办`, other);
    await ask(words, as, { feedbackType: 33 });
    const similar = async (id: number) =>
      (await ok('GET /app/qa/question', { id }, { as: teacher })).similar.map((alike) => alike.id);
    expect(await similar(one.id)).toEqual([two.id]);
    expect(await similar(question.id)).toEqual([]);
    const ids = [one.id, two.id];
    const versions = [await versionOf(one.id), await versionOf(two.id)];
    await ok('POST /app/qa_core/answer', { ids, versions, feedbackDesc: '', state: 2 }, { as: teacher });
    expect(await similar(one.id)).toEqual([]);
    expect((await ok('GET /app/qa/details', { id: two.id }, { as: other })).state).toBe(2);
  });

  it('sees what waits for release however much was said since', async () => {
    const { other, teacher, ask } = await qaScene(kit);
    await writeSetting(kit.db.query, WORDS_SETTING, '代考\n');
    const { id } = await ask('讨论一下');
    const say = (comment: string, by = teacher) => ok('POST /app/qa_core/save_comment', { id, comment }, { as: by });
    const held = await say('找代考', other);
    for (let said = 1; said <= 55; said += 1) await say(`第 ${said} 句`);
    const { comments } = await ok('GET /app/qa/question', { id }, { as: teacher });
    expect(comments.at(-1)).toMatchObject({ id: held.id, held: true });
    expect(comments.map((comment) => comment.feedbackDesc).slice(0, 2)).toEqual(['第 55 句', '第 54 句']);
    expect(comments).toHaveLength(51);
    await writeSetting(kit.db.query, WORDS_SETTING, '');
  });

  it('decides on corrections: 收到, 已修正, 不采纳 with a reason, and never back', async () => {
    const { as, ask, answer } = await qaScene(kit);
    const { id } = await ask('视频里公式写错', as, { feedbackType: 32 });
    await answer(id, '', { state: 1 });
    expect(await ok(DETAILS, { id }, { as })).toMatchObject({ state: 1, waiting: false });
    await expect(answer(id, ' ', { state: 3 })).rejects.toThrow('reasonNeeded');
    await answer(id, '没有写错', { state: 3 });
    await answer(id, '确实错了', { state: 2 });
    await expect(answer(id, '', { state: 1 })).rejects.toThrow('alreadyDecided');
    expect(await ok(DETAILS, { id }, { as })).toMatchObject({ state: 2 });
  });

  it('tells who reported something what became of it, in words of its own', async () => {
    const { as, ask, answer, notices } = await qaScene(kit);
    const { id } = await ask('第三秒公式写错', as, { feedbackType: 32 });
    const idea = await ask('多讲些例题', as, { feedbackType: 33 });
    await answer(id, '', { state: 1 });
    await answer(id, '', { state: 2 });
    await answer(idea.id, '好主意', { state: 2 });
    expect((await notices(as)).map(({ kind: of, qaId, words }) => [of, qaId, words.question])).toEqual([
      ['qaAdopted', idea.id, '多讲些例题'],
      ['qaMended', id, '第三秒公式写错'],
      ['qaHandled', id, '第三秒公式写错'],
    ]);
  });

  it('tells a teacher who was given a question, once, and not who gave it to themself', async () => {
    const { teacher, ask, notices } = await qaScene(kit);
    const colleague = await kit.user('teacher');
    const { id } = await ask('谁来答');
    await ok(ASSIGN, { ids: [id], teacherId: teacher.userId }, { as: teacher });
    expect(await notices(teacher)).toEqual([]);
    await ok(ASSIGN, { ids: [id], teacherId: colleague.userId }, { as: teacher });
    await ok(ASSIGN, { ids: [id], teacherId: colleague.userId }, { as: teacher });
    await ok(ASSIGN, { ids: [id], teacherId: 0 }, { as: teacher });
    expect((await notices(colleague)).map(({ kind: of, qaId }) => [of, qaId])).toEqual([['qaAssigned', id]]);
  });

  it('changes an own answer and keeps what it said', async () => {
    const { as, teacher, ask, answer } = await qaScene(kit);
    const { id } = await ask('等于几');
    const answerId = (await answer(id, '等于 2')).childList[0]?.id ?? 0;
    expect(
      await refused(EDIT, { id: answerId, revision: 0, feedbackDesc: '3' }, { as: await kit.user('teacher') }),
    ).toBe('notAllowed');
    expect(await refused(EDIT, { id, revision: 0, feedbackDesc: '3' }, { as: teacher })).toBe('notFound');
    kit.time.now += 5000;
    await ok(EDIT, { id: answerId, revision: 0, feedbackDesc: '等于 3' }, { as: teacher });
    await ok(EDIT, { id: answerId, revision: 0, feedbackDesc: '等于 3' }, { as: teacher });
    expect(await refused(EDIT, { id: answerId, revision: 0, feedbackDesc: '等于 4' }, { as: teacher })).toBe(
      'answeredMeanwhile',
    );
    expect(await ok(HISTORY, { id: answerId }, { as: teacher })).toMatchObject({
      revision: 1,
      list: [{ revision: 0, feedbackDesc: '等于 2' }],
    });
    expect((await ok(DETAILS, { id }, { as })).childList).toMatchObject([
      { feedbackDesc: '等于 3', editedAt: kit.time.now },
    ]);
  });

  it('hides: then nobody but its author finds it in lists, details, search, notices or counts; and shows it again', async () => {
    const { as, other, teacher, packId, ask, answer, list, notices } = await qaScene(kit);
    const { id } = await ask('拉格朗日中值定理的条件');
    await ok('POST /app/qa_core/save_flag', { id }, { as: other });
    const answerId = (await answer(id, '闭区间连续')).childList[0]?.id ?? 0;
    expect(await notices(other)).toHaveLength(1);
    await ok(HIDE, { id, hidden: 1, reason: '重复' }, { as: teacher });
    await ok(HIDE, { id, hidden: 1, reason: '重复' }, { as: teacher });
    expect((await list(other)).total).toBe(0);
    expect(await refused(DETAILS, { id }, { as: other })).toBe('notFound');
    expect((await ok(SEARCH, { packId, keyword: '拉格朗日' }, { as: other })).total).toBe(0);
    expect(
      await ok('GET /app/qa/recommend_reply', { packId, feedbackDesc: '拉格朗日中值定理的条件' }, { as: other }),
    ).toEqual({ list: [] });
    expect(await notices(other)).toEqual([]);
    expect(await ok('GET /app/qa/info_student', {}, { as: other })).toMatchObject({ flagged: 0 });
    expect(await ok(DETAILS, { id }, { as })).toMatchObject({ hidden: true, childList: [{ id: answerId }] });
    expect((await notices(as)).find(({ kind: of }) => of === 'qaHidden')?.words.reason).toBe('重复');
    expect((await ok(QUEUE, { show: 'hidden', packId }, { as: teacher })).list).toMatchObject([{ id }]);
    await ok(HIDE, { id, hidden: 0 }, { as: teacher });
    expect((await ok(SEARCH, { packId, keyword: '拉格朗日' }, { as: other })).list).toMatchObject([{ id }]);
    // A wrong answer out of sight: the question waits again.
    await ok(HIDE, { id: answerId, hidden: 1 }, { as: teacher });
    expect(await ok(DETAILS, { id }, { as: other })).toMatchObject({ state: 0, childList: [] });
    expect((await ok(QUEUE, { packId }, { as: teacher })).list).toMatchObject([{ id }]);
    expect(await refused(HIDE, { id: 987_654_321, hidden: 1 }, { as: teacher })).toBe('notFound');
    const unsaid = await ask('洛必达法则什么时候能用');
    await ok(HIDE, { id: unsaid.id, hidden: 1, reason: ' \n' }, { as: teacher });
    // Without a reason nothing stands in its place.
    const [told] = (await notices(as)).filter(({ kind: of }) => of === 'qaHiddenUnsaid');
    expect(told?.words).toEqual({ question: '洛必达法则什么时候能用' });
    // Students are told; what a teacher said below a question is taken away like an answer.
    const said = await ok('POST /app/qa_core/save_comment', { id, comment: '看例二' }, { as: teacher });
    await ok(HIDE, { id: said.id, hidden: 1 }, { as: teacher });
    expect((await ok('GET /app/qa/comment', { id }, { as: other })).list).toEqual([]);
    expect((await notices(teacher)).map(({ kind: of }) => of)).toEqual([]);
  });

  it('an answer or a reply that is hidden takes its notices along, and shown again it is told anew', async () => {
    const { as, other, teacher, ask, answer, notices } = await qaScene(kit);
    const { id } = await ask('导数和微分的关系');
    await ok('POST /app/qa_core/save_flag', { id }, { as: other });
    const answerId = (await answer(id, '答错了')).childList[0]?.id ?? 0;
    const asked = await ok('POST /app/qa_core/save_comment', { id, comment: '我也想问' }, { as: other });
    const reply = { id, parentId: asked.id, comment: '见例二' };
    const said = await ok('POST /app/qa_core/save_comment', reply, { as: teacher });
    const told = async () =>
      Promise.all([as, other].map(async (by) => (await notices(by)).map(({ kind: of }) => of).sort()));
    const all = [['qaAnswered'], ['qaCommentReplied', 'qaSameAnswered']];
    expect(await told()).toEqual(all);
    await ok(HIDE, { id: answerId, hidden: 1 }, { as: teacher });
    expect(await told()).toEqual([[], ['qaCommentReplied']]);
    await ok(HIDE, { id: said.id, hidden: 1 }, { as: teacher });
    expect(await told()).toEqual([[], []]);
    for (const shown of [answerId, said.id])
      await ok(HIDE, { id: shown, hidden: 0 }, { as: await kit.user('teacher') });
    expect(await told()).toEqual(all);
    // By the name of who answered, not of who showed it again.
    expect((await notices(as))[0]?.words).toEqual({ teacher: expect.any(String), question: '导数和微分的关系' });
    await ok('POST /app/qa_core/del_entry', { id: said.id }, { as: teacher });
    expect(await told()).toEqual([['qaAnswered'], ['qaSameAnswered']]);
    // Nor is anybody but its author told of what stands below a question that they do not see.
    const last = await ok('POST /app/qa_core/save_comment', reply, { as: teacher });
    for (const out of [last.id, answerId, id]) await ok(HIDE, { id: out, hidden: 1 }, { as: teacher });
    for (const back of [last.id, answerId]) await ok(HIDE, { id: back, hidden: 0 }, { as: teacher });
    expect(await told()).toEqual([['qaAnswered', 'qaHiddenUnsaid'], []]);
  });

  it('with a comment that is hidden goes what was said in reply to it, until it is shown again', async () => {
    const { as, other, teacher, ask } = await qaScene(kit);
    const { id } = await ask('定积分的几何意义');
    const say = async (comment: string, by: typeof as, parentId?: number) =>
      (await ok('POST /app/qa_core/save_comment', { id, comment, parentId }, { as: by })).id;
    const bad = await say('不当的话', other);
    const reply = await say('请看例三', teacher, bad);
    kit.time.now += 600_000;
    await say('我也看了', as, reply);
    await say('无关', as);
    const seen = async (by: typeof as) => {
      const { list, total } = await ok('GET /app/qa/comment', { id }, { as: by });
      const { commentCount } = await ok(DETAILS, { id }, { as: by });
      return [list.map(({ feedbackDesc }) => feedbackDesc), total, commentCount];
    };
    const whole = ['无关', '我也看了', '请看例三', '不当的话'];
    expect(await seen(as)).toEqual([whole, 4, 4]);
    await ok(HIDE, { id: bad, hidden: 1 }, { as: teacher });
    const third = await kit.user();
    // What one wrote oneself one still sees; who wrote the hidden one sees what was said to them.
    expect(await seen(as)).toEqual([['无关', '我也看了'], 2, 1]);
    expect(await seen(other)).toEqual([whole, 4, 1]);
    expect(await seen(teacher)).toEqual([whole, 4, 1]);
    expect((await ok(QUESTION, { id }, { as: teacher })).comments).toHaveLength(4);
    // Nobody replies to what others do not see.
    for (const by of [teacher, other])
      expect(await refused('POST /app/qa_core/save_comment', { id, parentId: reply, comment: 'x' }, { as: by })).toBe(
        'commentUnseen',
      );
    expect(await refused('POST /app/qa_core/save_comment', { id, parentId: reply, comment: 'x' }, { as })).toBe(
      'notFound',
    );
    expect(await refused('GET /app/qa/comment', { id }, { as: third })).toBe('notEnrolled');
    await say('新的', as);
    expect(await seen(as)).toEqual([['新的', '无关', '我也看了'], 3, 2]);
    await ok(HIDE, { id: bad, hidden: 0 }, { as: teacher });
    expect(await seen(as)).toEqual([['新的', ...whole], 5, 5]);
  });

  it('sees the exam question with its key as the student saw it; of the topic others see nothing', async () => {
    const { as, other, teacher, pack, packId, ask } = await qaScene(kit);
    const [questionId = 0] = await makeQuestions(kit, pack, [{ type: 2, right: 'B', topic: '<p>求极限</p>' }]);
    const examId = await makeExam(kit, pack, { questionIds: [questionId] });
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    await ok('POST /api/exam/submit', { examId, recordId }, { as });
    const seen = await ask('为什么选这个', as, { questionId, recordId });
    expect(seen).toMatchObject({ questionId, topic: '<p>求极限</p>' });
    expect(await ok(QUESTION, { id: seen.id }, { as: teacher })).toMatchObject({
      question: { rightAnswer: 'B' },
      ...{ questionNumber: 1, now: null },
    });
    expect((await ok(DETAILS, { id: seen.id }, { as: other })).topic).toBe('');
    // Naming a question is not a way to read it, nor is somebody else's record.
    expect((await ask('随便问', other, { questionId })).topic).toBe('');
    expect(
      await refused(
        'POST /app/feedback/submit',
        { packId, feedbackType: 41, feedbackDesc: 'x', questionId, recordId },
        { as: other },
      ),
    ).toBe('notFound');
  });

  it('keeps own phrases, and tags that students then find', async () => {
    const { as, teacher, packId, ask } = await qaScene(kit);
    const saved = await ok(SAVE_PHRASE, { phrase: ' 请看解析 ' }, { as: teacher });
    expect(await ok(SAVE_PHRASE, { phrase: '请看解析' }, { as: teacher })).toEqual(saved);
    kit.time.now += 1000;
    const second = await ok(SAVE_PHRASE, { phrase: '好问题' }, { as: teacher });
    expect((await ok(PHRASES, {}, { as: teacher })).list).toEqual([second, saved]);
    const colleague = await kit.user('teacher');
    expect(await ok(PHRASES, {}, { as: colleague })).toEqual({ list: [] });
    expect(await refused(SAVE_PHRASE, { id: saved.id, phrase: 'x' }, { as: colleague })).toBe('notFound');
    await ok(DEL_PHRASE, { id: saved.id }, { as: colleague });
    expect((await ok(PHRASES, {}, { as: teacher })).list).toHaveLength(2);
    await ok(DEL_PHRASE, { id: saved.id }, { as: teacher });
    expect((await ok(PHRASES, {}, { as: teacher })).list).toEqual([second]);
    for (let at = 1; at < 100; at += 1) await ok(SAVE_PHRASE, { phrase: `第 ${at} 句` }, { as: teacher });
    expect(await refused(SAVE_PHRASE, { phrase: '再一句' }, { as: teacher })).toBe('phrasesFull');

    const { id } = await ask('怎么放缩');
    const name = `放缩${packId}`;
    expect(await ok(TAGS, { id, tags: [name, '  高数  '] }, { as: teacher })).toMatchObject({ tags: [name, '高数'] });
    expect((await ok('GET /api/qa/search_tag', { keyword: name }, { as })).list).toMatchObject([
      { tag: name, count: 1 },
    ]);
    expect((await ok(SEARCH, { packId, tag: name }, { as })).list).toMatchObject([{ id, tags: [name, '高数'] }]);
    // A student chooses of those that there are.
    expect((await ask('又一个', as, { tags: [name, '没有的'] })).tags).toEqual([name]);
    await ok(TAGS, { id, tags: [] }, { as: teacher });
    expect((await ok('GET /api/qa/search_tag', { keyword: name }, { as })).list).toMatchObject([{ count: 1 }]);
  });

  it('is for teachers alone, in whatever pack', async () => {
    const { as, ask } = await qaScene(kit);
    const { id } = await ask('学生不能答');
    expect(await refused(ANSWER, { ids: [id], versions: [0], feedbackDesc: 'x' }, { as })).toBe('notAllowed');
    expect(await refused(QUESTION, { id }, { as })).toBe('notAllowed');
    const elsewhere = await makePack(kit);
    expect((await ok(QUEUE, { packId: elsewhere.packId }, { as: await kit.user('teacher') })).total).toBe(0);
  });
});
