import { afterAll, describe, expect, it } from 'vitest';
import { enrol, makePack } from '#server/course/pack.test-kit.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { qaScene } from './qa.test-kit.ts';

const SEARCH = 'GET /app/qa/search';
const LIKE = 'GET /app/qa/recommend_reply';
const HOT = 'GET /app/qa/hot_key';
const DETAILS = 'GET /app/qa/details';
const NEWEST = 'GET /app/qa/newest';
const TAGS = 'GET /api/qa/search_tag';
const SET_TAGS = 'POST /app/qa_core/set_tags';

describe.each(databases)('finding questions on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('finds Chinese words, single signs, letters and signs alike on both databases', async () => {
    const { as, packId, ask } = await qaScene(kit);
    const texts = [
      '注册会计师考试的税率怎么计算',
      '会计分录怎么写？',
      '增值税 50% 的情形',
      '变量 a_b 是什么意思',
      'ＬＩＭＩＴ 的极限 Limit(x)',
      '计会不是会计',
    ];
    const ids: number[] = [];
    for (const text of texts) ids.push((await ask(text)).id);
    const hits = async (keyword: string) => {
      const { list, total } = await ok(SEARCH, { packId, keyword, pageSize: 50 }, { as });
      expect(total).toBe(list.length);
      return list.map(({ id }) => ids.indexOf(id)).sort();
    };
    expect(await hits('会计')).toEqual([0, 1, 5]);
    expect(await hits('税')).toEqual([0, 2]);
    expect(await hits('50%')).toEqual([2]);
    expect(await hits('%')).toEqual([2]);
    expect(await hits('_')).toEqual([3]);
    expect(await hits('limit')).toEqual([4]);
    expect(await hits('会计 怎么')).toEqual([0, 1]);
    expect(await hits('极限　LIMIT')).toEqual([4]);
    expect(await hits('计会师')).toEqual([]);
    expect(await hits('没有的词')).toEqual([]);
    for (const nothing of ['', ' ', '，。？', '\u0000', "'; drop table qa_terms; --x"])
      expect(await hits(nothing)).toEqual([]);
    const marked = async (keyword: string) => {
      const [first] = (await ok(SEARCH, { packId, keyword }, { as })).list;
      return first?.highlights.map(({ from, to }) => first.feedbackDesc.slice(from, to));
    };
    expect(await marked('极限 limit')).toEqual(['极限 Limit']);
    expect(await marked('limit 极限')).toEqual(['ＬＩＭＩＴ', '极限', 'Limit']);
    expect((await ok(SEARCH, { keyword: '会计', pageSize: 2, pageNum: 2 }, { as })).list).toHaveLength(1);
    expect(await refused(SEARCH, { packId: (await makePack(kit)).packId, keyword: '会计' }, { as })).toBe(
      'notEnrolled',
    );
    expect((await ok(SEARCH, { keyword: '会计' }, { as: await kit.user() })).total).toBe(0);
  });

  it('finds what teachers answered, after what was asked, and not what they took back', async () => {
    const { as, packId, pack, teacher, ask, answer } = await qaScene(kit);
    const asked = (await ask('夹逼准则怎么用')).id;
    const answered = (await ask('这个极限怎么求')).id;
    await answer(answered, '用夹逼准则，注意条件');
    const search = async (keyword: string) => (await ok(SEARCH, { packId, keyword }, { as })).list;
    expect((await search('夹逼准则')).map(({ id }) => id)).toEqual([asked, answered]);
    const [, found] = await search('夹逼准则');
    const [mark] = found?.answerHighlights ?? [];
    const text = found?.childList.find(({ id }) => id === mark?.id)?.feedbackDesc;
    expect(mark?.spans.map(({ from, to }) => text?.slice(from, to))).toEqual(['夹逼准则']);
    // Partly asked and partly answered.
    expect((await search('极限 夹逼')).map(({ id }) => id)).toEqual([answered]);
    const [reply] = (await ok(DETAILS, { id: answered }, { as })).childList;
    const edited = { id: reply?.id ?? 0, revision: 0, feedbackDesc: '用洛必达法则' };
    await ok('POST /app/qa_core/edit_answer', edited, { as: teacher });
    expect((await search('夹逼准则')).map(({ id }) => id)).toEqual([asked]);
    expect((await search('洛必达')).map(({ id }) => id)).toEqual([answered]);
    await ok('POST /app/qa_core/hide', { id: reply?.id ?? 0, hidden: 1 }, { as: teacher });
    expect(await search('洛必达')).toEqual([]);
    // What was answered before answers could be found.
    await kit.db.query.deleteFrom('qa_terms').where('pack_id', '=', pack.packId).execute();
    await kit.db.query.deleteFrom('settings').where('key', '=', 'qa.foundUpTo').execute();
    await ok('POST /app/qa_core/hide', { id: reply?.id ?? 0, hidden: 0 }, { as: teacher });
    for (const _ of [1, 2]) await kit.chore('find in answers');
    expect((await search('洛必达')).map(({ id }) => id)).toEqual([answered]);
    expect((await search('夹逼')).map(({ id }) => id)).toEqual([asked]);
  });

  it('finds for teachers, in the order of the queue, also what students do not see', async () => {
    const { other, packId, teacher, ask, answer } = await qaScene(kit);
    const first = (await ask('级数收敛吗')).id;
    const mended = (await ask('级数那一节讲错了', other, { feedbackType: 32 })).id;
    const done = (await ask('级数求和的顺序')).id;
    await ask('积分上限');
    await answer(done, '可以交换');
    const queue = async (more: object = {}) => {
      const { list, total } = await ok('GET /app/qa/queue', { packId, keyword: '级数', ...more }, { as: teacher });
      expect(total).toBe(list.length);
      return list.map(({ id }) => id);
    };
    expect(await queue()).toEqual([first, mended]);
    expect(await queue({ show: 'all' })).toEqual([first, mended, done]);
    expect(await queue({ show: 'all', feedbackType: 32 })).toEqual([mended]);
    expect(await queue({ show: 'all', keyword: '交换' })).toEqual([done]);
    expect(await queue({ show: 'held' })).toEqual([]);
    expect(await queue({ keyword: '没有这个' })).toEqual([]);
    expect(await queue({ keyword: '，' })).toEqual([]);
    expect((await ok('GET /app/qa/queue', { packId, keyword: ' ' }, { as: teacher })).total).toBe(3);
    expect(
      (await ok('GET /app/qa/queue', { packId, keyword: '级数', pageNum: 2, pageSize: 1 }, { as: teacher })).list,
    ).toMatchObject([{ id: mended }]);
    const elsewhere = (await qaScene(kit)).packId;
    expect(await queue({ packId: elsewhere })).toEqual([]);
  });

  it('puts what was typed in that order first, then what is answered, then the newest', async () => {
    const { as, packId, ask, answer } = await qaScene(kit);
    const apart = (await ask('求导之后再求极限的顺序')).id;
    const answered = (await ask('先极限后求导可以吗')).id;
    await answer(answered, '不可以');
    const whole = (await ask('求极限求导哪个先')).id;
    const order = (await ok(SEARCH, { packId, keyword: '求极限' }, { as })).list.map(({ id }) => id);
    expect(order).toEqual([whole, apart]);
    const both = (await ok(SEARCH, { packId, keyword: '极限 求导' }, { as })).list.map(({ id }) => id);
    expect(both).toEqual([answered, whole, apart]);
  });

  it('turns its pages as they were when its reader began', async () => {
    const { as, other, packId, ask, answer } = await qaScene(kit);
    const ids: number[] = [];
    for (let at = 0; at < 5; at += 1) ids.unshift((await ask(`级数收敛的判断 ${at}`)).id);
    const page = (pageNum: number, beforeId?: number) =>
      ok(SEARCH, { packId, keyword: '级数收敛', pageNum, pageSize: 2, beforeId }, { as });
    const first = await page(1);
    const read = [...first.list];
    // Three that are new, and one of the last page is answered: by itself it would come first.
    for (let at = 0; at < 3; at += 1) await ask(`级数收敛的新问题 ${at}`, other);
    await answer(ids[4] ?? 0, '用比值判别法，级数收敛');
    for (const pageNum of [2, 3]) read.push(...(await page(pageNum, first.beforeId ?? undefined)).list);
    expect(read.map(({ id }) => id)).toEqual(ids);
    expect((await page(1)).list[0]?.id).toBe(ids[4]);
    expect((await ok(SEARCH, { packId, keyword: '没有的词' }, { as })).beforeId).toBeNull();
  });

  it('turns the pages of the teachers’ queue as they were when its reader began', async () => {
    const { packId, teacher, ask, answer } = await qaScene(kit);
    const ids: number[] = [];
    for (let at = 0; at < 4; at += 1) ids.push((await ask(`第 ${at} 问`)).id);
    for (const id of ids) await answer(id, '答');
    const page = (pageNum: number, beforeId?: number) =>
      ok('GET /app/qa/queue', { packId, show: 'all', pageNum, pageSize: 2, beforeId }, { as: teacher });
    const first = await page(1);
    await ask('刚来的');
    const second = await page(2, first.beforeId ?? undefined);
    expect([...first.list, ...second.list].map(({ id }) => id)).toEqual([...ids].reverse());
  });

  it('turns the pages of a queue that two teachers work on: nothing is missed, nothing comes twice', async () => {
    const { packId, teacher, ask, answer } = await qaScene(kit);
    const colleague = await kit.user('teacher');
    for (const more of [{}, { keyword: '放缩' }]) {
      const ids: number[] = [];
      for (let at = 0; at < 9; at += 1) ids.push((await ask(`放缩的第 ${at} 问`)).id);
      const page = (pageNum: number, after?: string) =>
        ok('GET /app/qa/queue', { packId, ...more, pageNum, pageSize: 3, after }, { as: teacher });
      const seen: number[] = [];
      let shown = await page(1);
      expect(shown).toMatchObject({ total: 9, pages: 3 });
      for (let turn = 1; ; turn += 1) {
        const listed = shown.list.map(({ id }) => id);
        seen.push(...listed);
        if (shown.next === null) break;
        // All of the page are answered, by two at once.
        await Promise.all(listed.map((id, at) => answer(id, '答', {}, at % 2 === 0 ? teacher : colleague)));
        shown = await page(turn + 1, shown.next);
        expect(shown).toMatchObject({ pageNum: turn + 1, pages: 3, total: 9 - seen.length });
      }
      expect(seen).toEqual(ids);
      // What was left is answered elsewhere: the page is empty, and the one before is the last.
      const before = await page(1);
      for (const id of before.list.map(({ id }) => id)) await answer(id, '答');
      expect(await page(3, 'w1-1')).toMatchObject({ list: [], pages: 2, next: null });
    }
  });

  it('turns from what waits to the rest at the place where it was', async () => {
    const { packId, teacher, ask, answer } = await qaScene(kit);
    const ids: number[] = [];
    for (let at = 0; at < 6; at += 1) ids.push((await ask(`夹逼的第 ${at} 问`)).id);
    for (const id of ids.slice(0, 3)) await answer(id, '答');
    for (const more of [{}, { keyword: '夹逼' }]) {
      const seen: number[] = [];
      let after: string | undefined;
      for (let pageNum = 1; pageNum < 9; pageNum += 1) {
        const shown = await ok(
          'GET /app/qa/queue',
          { packId, show: 'all', ...more, pageNum, pageSize: 2, after },
          { as: teacher },
        );
        expect(shown).toMatchObject({ pages: 3, total: 6 - seen.length });
        seen.push(...shown.list.map(({ id }) => id));
        if (shown.next === null) break;
        after = shown.next;
      }
      expect(seen).toEqual([...ids.slice(3), ...ids.slice(0, 3).reverse()]);
    }
    for (const after of ['w1', 'x1-1', `w${'1'.repeat(16)}-1`])
      expect(await refused('GET /app/qa/queue', { after }, { as: teacher })).toBe('badInput');
    for (const after of ['r0-0', 'w0-0', 'w999999999999999-999999999999999'])
      expect((await ok('GET /app/qa/queue', { packId, after, show: 'all' }, { as: teacher })).list).toBeDefined();
  });

  it('recommends the answer that most find useful', async () => {
    const { as, other, packId, ask, answer } = await qaScene(kit);
    const { id } = await ask('定积分换元为什么要换上下限');
    await answer(id, '因为变量变了');
    await answer(id, '可以这样记');
    const useful = async () =>
      (await ok(LIKE, { packId, feedbackDesc: '定积分换元为什么换上下限' }, { as: other })).list[0]?.answer;
    expect(await useful()).toBe('可以这样记');
    const [first] = (await ok(DETAILS, { id }, { as })).childList;
    await ok('POST /app/qa_core/save_flag', { id: first?.id ?? 0 }, { as });
    expect(await useful()).toBe('因为变量变了');
  });

  it('recommends answered questions like the one that is typed, and none that only shares a word', async () => {
    const { as, other, packId, ask, answer } = await qaScene(kit);
    const like = (await ask('定积分换元法为什么要换上下限')).id;
    await answer(like, '因为变量变了');
    await ask('定积分的几何意义是什么', other);
    await ask('英语阅读怎么提高', other);
    const typed = { packId, feedbackDesc: '请问定积分换元法为什么一定要换上下限？' };
    const { list } = await ok(LIKE, typed, { as: other });
    expect(list[0]).toMatchObject({ id: like, answer: '因为变量变了', userName: expect.stringMatching(/./) });
    expect(list.some(({ feedbackDesc }) => feedbackDesc.includes('英语'))).toBe(false);
    expect((await ok(LIKE, { packId, feedbackDesc: '好' }, { as: other })).list).toEqual([]);
    // Like one that was asked, itself left out.
    const again = (await ask('定积分换元法为什么要换限', as)).id;
    expect((await ok(LIKE, { id: again }, { as: other })).list.map(({ id }) => id)).toEqual([like]);
  });

  it('shows as hot what several people looked for and found', async () => {
    const { packId, pack, ask } = await qaScene(kit);
    await ask('泰勒公式展开到几阶');
    const people: TestUser[] = [];
    for (let at = 0; at < 3; at += 1) {
      const person = await kit.user();
      await enrol(kit, person, pack.packId);
      people.push(person);
    }
    const search = (keyword: string, as: TestUser) => ok(SEARCH, { packId, keyword }, { as });
    const hot = async () => {
      await kit.chore('note searches');
      return (await ok(HOT, {}, { as: people[0] })).list;
    };
    for (const person of people.slice(0, 2)) await search('泰勒公式', person);
    for (let at = 0; at < 3; at += 1) await search('泰勒公式', people[0] as TestUser);
    expect(await hot()).toEqual([]);
    await search(' 泰勒公式 ', people[2] as TestUser);
    for (const person of people) await search('找不到的', person);
    // Nobody looked for what a link of somebody else's page opened in their browser.
    const opened: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    ];
    for (const headers of opened)
      for (const as of people) await ok(SEARCH, { packId, keyword: '展开到几阶' }, { as, headers });
    expect(await hot()).toEqual([{ keyword: '泰勒公式', count: 3 }]);
    kit.time.now += 20 * 24 * 60 * 60_000;
    await kit.chore('forget old searches');
    expect(await hot()).toEqual([]);
  });

  it('answers a search at once while somebody holds what it would be counted in', async () => {
    const { as, other, packId, ask } = await qaScene(kit);
    await ask('洛必达法则什么时候能用');
    const keyword = '洛必达法则';
    const found = await kit.db.transaction(async (trx) => {
      await trx.insertInto('qa_keys').values({ keyword, people: 1 }).execute();
      return ok(SEARCH, { packId, keyword }, { as });
    });
    expect(found.total).toBe(1);
    // Counted later, each person once.
    for (const person of [as, other, other]) await ok(SEARCH, { packId, keyword }, { as: person });
    for (const person of [as, other]) {
      await kit.chore('note searches');
      await ok(SEARCH, { packId, keyword }, { as: person });
    }
    await kit.chore('note searches');
    expect((await ok(HOT, {}, { as })).list).toContainEqual({ keyword, count: 3 });
  });

  it('names the tags of questions that its reader may see, with their counts, and lets them choose of no others', async () => {
    const { as, other, teacher, packId, ask } = await qaScene(kit);
    const elsewhere = await qaScene(kit);
    const [shared, secret, rare] = [`极限${packId}`, `内部${packId}`, `少见${packId}`];
    const tag = (id: number, tags: string[], of = teacher) => ok(SET_TAGS, { id, tags }, { as: of });
    const tagsOf = async (by: TestUser, more: { packId?: number } = {}) =>
      Object.fromEntries(
        (await ok(TAGS, { keyword: String(packId), ...more }, { as: by })).list.map(({ tag: name, count }) => [
          name,
          count,
        ]),
      );
    const [first, second] = [await ask('怎么求极限'), await ask('怎么求导', other)];
    await tag(first.id, [shared, rare]);
    await tag(second.id, [shared]);
    await tag((await elsewhere.ask('别处的')).id, [shared, secret]);
    await tag((await ask('建议', as, { feedbackType: 33 })).id, [shared, `建议${packId}`]);
    // None was chosen: what others see of another pack is not told.
    expect((await ask('试一试', as, { tags: [secret, shared] })).tags).toEqual([shared]);
    expect(await tagsOf(as)).toEqual({ [shared]: 3, [rare]: 1 });
    expect(await tagsOf(as, { packId })).toEqual({ [shared]: 3, [rare]: 1 });
    expect(await tagsOf(elsewhere.as)).toEqual({ [shared]: 1, [secret]: 1 });
    expect(await refused(TAGS, { packId: elsewhere.packId }, { as })).toBe('notEnrolled');
    expect(await tagsOf(teacher)).toEqual({ [shared]: 4, [rare]: 1, [secret]: 1 });
    expect(await tagsOf(teacher, { packId: elsewhere.packId })).toEqual({ [shared]: 1, [secret]: 1 });
    await enrol(kit, as, elsewhere.packId);
    expect(await tagsOf(as)).toEqual({ [shared]: 4, [rare]: 1, [secret]: 1 });
    // What is out of sight or gone counts no more, and comes back with its question.
    const hide = (hidden: 0 | 1) => ok('POST /app/qa_core/hide', { id: first.id, hidden }, { as: teacher });
    await hide(1);
    expect(await tagsOf(other)).toEqual({ [shared]: 2 });
    expect(await tagsOf(teacher)).toEqual({ [shared]: 3, [secret]: 1 });
    await tag(first.id, [rare]);
    await hide(0);
    expect(await tagsOf(other)).toEqual({ [shared]: 2, [rare]: 1 });
    await ok('POST /app/qa_core/del_entry', { id: second.id }, { as: other });
    await ok('POST /app/qa_core/del_entry', { id: second.id }, { as: other });
    expect(await tagsOf(other)).toEqual({ [shared]: 1, [rare]: 1 });
  });

  it('counts tags once, whoever gives, hides and deletes beside each other', async () => {
    const { as, teacher, packId, ask } = await qaScene(kit);
    const names = ['甲', '乙', '丙'].map((name) => `${name}${packId}`);
    const ids: number[] = [];
    for (let at = 0; at < 6; at += 1) ids.push((await ask(`第 ${at} 个问题`)).id);
    const turns = Array.from({ length: 60 }, (_, at) => {
      const id = ids[at % ids.length] ?? 0;
      if (at % 5 === 3)
        return kit.call('POST /app/qa_core/hide', { id, hidden: at % 2 === 0 ? 1 : 0 }, { as: teacher });
      if (at % 19 === 7) return kit.call('POST /app/qa_core/del_entry', { id }, { as });
      const tags = names.filter((_, name) => (at + name) % 3 !== 0);
      return kit.call(SET_TAGS, { id, tags: at % 2 ? tags : tags.reverse() }, { as: teacher });
    });
    for (const { status } of await Promise.all(turns)) expect(status).toBeLessThan(500);
    const listed = (await ok('GET /app/feedback/list', { packId, myState: 0, pageSize: 50 }, { as })).list;
    const counts = names.map((name) => listed.filter(({ tags }) => tags.includes(name)).length);
    const told = (await ok(TAGS, { packId }, { as })).list;
    expect(names.map((name) => told.find(({ tag }) => tag === name)?.count ?? 0)).toEqual(counts);
    const overall = (await ok(TAGS, { keyword: String(packId) }, { as: teacher })).list;
    expect(names.map((name) => overall.find(({ tag }) => tag === name)?.count ?? 0)).toEqual(counts);
  });

  it('tells nothing of questions about an exam question that its reader sits: to the byte the same whatever was answered', async () => {
    const { as, other, teacher, pack, packId, ask, answer, list, notices } = await qaScene(kit);
    const asked = { type: 2, right: 'A', topic: '<p>夹逼定理判断</p>' } as const;
    const [questionId = 0] = await makeQuestions(kit, pack, [asked]);
    const waits = await ask('这道题怎么读', as, { questionId, feedbackType: 33 });
    const mine = await ask('这道夹逼定理选什么', as, { questionId });
    const theirs = await ask('夹逼定理这道我选了乙', other, { questionId });
    const free = await ask('夹逼定理的条件');
    await ok('POST /app/qa_core/save_flag', { id: theirs.id }, { as });
    const twins = await makePack(kit, { students: [as] });
    const papers = [
      await makeExam(kit, pack, { questionIds: [questionId] }),
      await makeExam(kit, twins, { questionIds: await makeQuestions(kit, twins, [asked]) }),
    ];
    const look = async () => ({
      list: await list(as),
      own: await ok('GET /app/feedback/list', { packId, myState: 1 }, { as }),
      newest: await ok(NEWEST, {}, { as }),
      flagged: await ok(NEWEST, { flag: 1 }, { as }),
      answered: await ok(NEWEST, { answered: 1 }, { as }),
      details: await ok(DETAILS, { id: mine.id }, { as }),
      comments: await ok('GET /app/qa/comment', { id: mine.id }, { as }),
      search: await ok(SEARCH, { packId, keyword: '夹逼' }, { as }),
      like: await ok(LIKE, { packId, feedbackDesc: '夹逼定理这道我选了乙' }, { as }),
      info: await ok('GET /app/qa/info_student', {}, { as }),
      hot: await ok(HOT, {}, { as }),
      tags: await ok(TAGS, {}, { as }),
      notices: await notices(as),
      theirs: await kit.raw(DETAILS, { id: theirs.id }, { as }),
    });
    for (const [turn, examId] of papers.entries()) {
      const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
      const before = await look();
      expect(before.list.list.map(({ id }) => id)).toEqual([free.id]);
      expect(before.own.list.map(({ id, withheld }) => [id, withheld])).toEqual([
        [free.id, false],
        [mine.id, true],
        [waits.id, true],
      ]);
      expect(before.theirs.data).toEqual({ why: 'keyHidden' });
      await answer(mine.id, `选 A ${turn}`);
      await answer(theirs.id, `应选 A ${turn}`);
      await ok('POST /app/qa_core/save_comment', { id: theirs.id, comment: `是 A ${turn}` }, { as: other });
      await ok('POST /app/qa_core/save_comment', { id: mine.id, comment: `是 A ${turn}` }, { as: other });
      for (const { id } of [mine, theirs])
        await ok(SET_TAGS, { id, tags: [`夹逼${packId}`, `应选 A ${turn} ${packId}`] }, { as: teacher });
      expect(await look()).toEqual(before);
      expect(JSON.stringify(before)).not.toContain('选 A');
      expect(await refused('POST /app/feedback/reply', { parentId: mine.id, feedbackDesc: 'x' }, { as })).toBe(
        'keyHidden',
      );
      expect(await refused('POST /app/qa_core/save_comment', { id: mine.id, comment: 'x' }, { as })).toBe('keyHidden');
      expect(await refused(LIKE, { id: theirs.id }, { as })).toBe('keyHidden');
      // Nor that there is an answer to find useful.
      for (const asked of [mine, theirs]) {
        const [answered] = (await ok('GET /app/qa/question', { id: asked.id }, { as: teacher })).childList;
        for (const call of ['POST /app/qa_core/save_flag', 'POST /app/qa_core/del_flag'] as const)
          expect(await refused(call, { id: answered?.id ?? 0 }, { as })).toBe('notFound');
        // To follow up on it says no more than on an id that was never given.
        const said = (await ok('GET /app/qa/question', { id: asked.id }, { as: teacher })).comments[0];
        const followed = (parentId: number) =>
          kit.raw('POST /app/feedback/reply', { parentId, feedbackDesc: 'x' }, { as });
        for (const entry of [answered, said])
          expect((await followed(entry?.id ?? 0)).data).toEqual((await followed(987_654_321)).data);
      }
      // Whether it can be deleted would say whether it was answered.
      for (const { id } of [mine, waits])
        expect(await refused('POST /app/qa_core/del_entry', { id }, { as })).toBe('keyHidden');
      // Who sits no exam is told.
      expect((await ok(DETAILS, { id: theirs.id }, { as: other })).childList).toHaveLength(turn + 1);
      await ok('POST /api/exam/submit', { examId, recordId }, { as });
      const after = await look();
      expect(after.details.childList).toHaveLength(turn + 1);
      expect(after.list.total).toBe(3);
      expect(after.tags.list.map(({ count }) => count)).toEqual([2, 2]);
      expect(after.notices).toHaveLength(2 * (turn + 1));
    }
  });
});
