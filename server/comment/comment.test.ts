import { CompiledQuery, type RootOperationNode } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { endEnrolment } from '#server/course/enrolment-store.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { writeSetting } from '#server/db/settings-store.ts';
import { makeLesson } from '#server/play/lesson.test-kit.ts';
import { WORDS_SETTING } from '#server/qa/parts.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { readComments } from './store.ts';

const LIST = 'GET /app/comment/list';
const SAVE = 'POST /app/comment/save';
const PRAISE = 'POST /app/comment/praise';
const DELETE = 'POST /app/comment/delete';
const MANAGE = 'GET /app/comment/manage';
const REPLY = 'POST /app/comment/reply';
const PIN = 'POST /app/comment/pin';
const HIDE = 'POST /app/comment/hide';

describe.each(databases)('comments on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  async function scene() {
    const [as, other, teacher] = [await kit.user(), await kit.user(), await kit.user('teacher')];
    const pack = await makePack(kit, { students: [as, other] });
    const { packId, courseId } = pack;
    const lesson = await makeLesson(kit, pack);
    const write = (comment: string, by: TestUser = as, more: object = { firstVideoId: lesson }) => {
      kit.time.now += 60_000;
      return ok(SAVE, { packId, comment, ...more }, { as: by });
    };
    const list = (by: TestUser = as, more: object = {}) => ok(LIST, { packId, page: 1, ...more }, { as: by });
    return { as, other, teacher, pack, packId, courseId, lesson, write, list };
  }

  it('are written on a lesson or a course and listed the newest first, with times in seconds', async () => {
    const { as, other, packId, courseId, lesson, write, list } = await scene();
    const first = await write(' 讲得\u0000好\n谢谢 ');
    expect(first).toMatchObject({
      comment: '讲得好\n谢谢',
      createTime: kit.time.now / 1000,
      mine: true,
      praiseState: 0,
      childes: [],
    });
    const second = await write('整门课', other, { courseId });
    expect((await list()).list.map(({ id, mine }) => [id, mine])).toEqual([
      [second.id, false],
      [first.id, true],
    ]);
    expect(await list(as, { firstVideoId: lesson })).toMatchObject({ total: 1, list: [{ id: first.id }] });
    expect(await list(as, { courseId })).toMatchObject({ total: 2 });
    const elsewhere = await scene();
    expect(await elsewhere.list()).toMatchObject({ total: 0, list: [], beforeId: null });
    // What is no course or lesson of the pack is no empty list, as it takes no comment either.
    for (const more of [
      { courseId: 987_654 },
      { courseId: elsewhere.courseId },
      { firstVideoId: elsewhere.lesson },
      { courseId: elsewhere.courseId, firstVideoId: lesson },
    ])
      expect(await refused(LIST, { packId, page: 1, ...more }, { as }), JSON.stringify(more)).toBe('notFound');
  });

  it('are refused when blank, too long, elsewhere, or too many at a time', async () => {
    const { as, packId, lesson, write } = await scene();
    const save = (more: object) => kit.call(SAVE, { packId, comment: 'x', ...more }, { as });
    expect(await save({ comment: ' \n\u0000 ' })).toMatchObject({ code: 422, msg: '请输入内容' });
    expect(await save({ comment: '' })).toMatchObject({ code: 422, msg: '请输入内容' });
    expect(await save({ comment: '𠮷'.repeat(2001) })).toMatchObject({ code: 422, msg: '内容太长，请缩短后再提交' });
    expect(await save({ comment: '字'.repeat(4001) })).toMatchObject({ code: 400 });
    expect((await write('𠮷'.repeat(2000))).comment).toHaveLength(4000);
    // A line break is one character, however the browser sends it.
    expect((await write(`${'行\r\n'.repeat(999)}行`)).comment).toBe(`${'行\n'.repeat(999)}行`);
    expect(await save({ firstVideoId: 987_654 })).toMatchObject({ code: 404 });
    expect(await save({ courseId: 987_654 })).toMatchObject({ code: 404 });
    const elsewhere = await scene();
    expect(await save({ firstVideoId: elsewhere.lesson })).toMatchObject({ code: 404 });
    kit.time.now += 60_000;
    const codes: number[] = [];
    for (let at = 0; at < 8; at += 1) codes.push((await save({ firstVideoId: lesson })).code);
    expect(codes).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
  });

  it('sent again under its name are one, for its writer alone, and take nothing of the limit', async () => {
    const { as, other, teacher, packId, write, list } = await scene();
    const clientId = 'comment-1';
    const all = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => write('讲得好', as, { clientId })));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    for (let at = 0; at < 8; at += 1) expect((await write('讲得好', as, { clientId })).id).toBe(all[0]?.id);
    expect((await write('讲得好', other, { clientId })).id).not.toBe(all[0]?.id);
    expect(await list()).toMatchObject({ total: 2 });
    const reply = { id: all[0]?.id ?? 0, comment: '谢谢', clientId: 'reply-0001' };
    await ok(REPLY, reply, { as: teacher });
    expect((await ok(REPLY, reply, { as: teacher })).childes).toHaveLength(1);
    await ok(DELETE, { id: all[0]?.id ?? 0 }, { as });
    expect(await refused(SAVE, { packId, comment: '讲得好', clientId }, { as })).toBe('notFound');
  });

  it('with a word of the school’s list are held until a teacher shows them; their writer is told which', async () => {
    const { as, other, write, list, teacher, packId } = await scene();
    await writeSetting(kit.db.query, WORDS_SETTING, '代考\n!代考核\n');
    expect(await write('代考核要点讲得清楚')).toMatchObject({ held: false, heldWords: [] });
    const held = await write('找人代 考');
    expect(held).toMatchObject({ held: true, heldWords: ['代考'], hidden: true });
    expect((await list(as)).list[0]).toMatchObject({ id: held.id, heldWords: ['代考'] });
    expect(await list(other)).toMatchObject({ total: 1 });
    expect(await refused(PRAISE, { id: held.id }, { as: other })).toBe('notFound');
    expect((await ok(MANAGE, { packId }, { as: teacher })).list[0]).toMatchObject({ id: held.id, held: true });
    expect(await ok(HIDE, { id: held.id, hidden: 0 }, { as: teacher })).toMatchObject({ held: false, hidden: false });
    expect((await list(other)).list[0]).toMatchObject({ id: held.id, held: false, heldWords: [] });
    await ok(HIDE, { id: held.id, hidden: 1 }, { as: teacher });
    expect((await list(as)).list[0]).toMatchObject({ id: held.id, held: false, hidden: true });
    await writeSetting(kit.db.query, WORDS_SETTING, '');
  });

  it('of one student are no more in a day than anyone writes', async () => {
    const { as, packId, lesson, write } = await scene();
    for (let at = 0; at < 150; at += 1) {
      await write(`第 ${at} 条`);
      kit.time.now += 120_000;
    }
    expect((await kit.call(SAVE, { packId, comment: 'x', firstVideoId: lesson }, { as })).code).toBe(429);
  });

  it('pages stay as they are while others write', async () => {
    const { as, other, write, list } = await scene();
    const ids: number[] = [];
    for (let at = 0; at < 25; at += 1) ids.push((await write(`第 ${at} 条`, at % 2 ? as : other)).id);
    const first = await list(as, { pageSize: 10 });
    expect(first).toMatchObject({ total: 25, pages: 3 });
    await write('新的', other);
    const beforeId = first.beforeId ?? 0;
    const second = await list(as, { pageSize: 10, page: 2, beforeId });
    const third = await list(as, { pageSize: 10, page: 3, beforeId });
    expect([first, second, third].flatMap((page) => page.list.map(({ id }) => id))).toEqual([...ids].reverse());
    expect(third).toMatchObject({ total: 25, beforeId });
    expect(await list(as, { pageSize: 10 })).toMatchObject({ total: 26 });
  });

  it('pages pass over none where some that were read are gone, hidden or pinned since, and say how many are left', async () => {
    const { as, other, teacher, packId, write, list } = await scene();
    const ids: number[] = [];
    for (let at = 0; at < 25; at += 1) ids.unshift((await write(`第 ${at} 条`, other)).id);
    const at = (place: number) => ids[place] ?? 0;
    const leaves = (place: number) => ok(DELETE, { id: at(place) }, { as: other });
    const of = ({ list: page }: { list: readonly { id: number }[] }) => page.map(({ id }) => id);
    /** The page behind one that was read. */
    const onFrom = ({ pageNum, beforeId, next }: Awaited<ReturnType<typeof list>>) =>
      list(as, {
        ...{ pageSize: 10, page: pageNum + 1, after: next ?? '' },
        ...(beforeId === null ? {} : { beforeId }),
      });
    for (const place of [24, 12, 5]) await ok(PIN, { id: at(place), pinned: 1 }, { as: teacher });
    const order = [5, 12, 24, ...ids.keys()].filter((place, index, all) => all.indexOf(place) === index).map(at);
    const first = await list(as, { pageSize: 10 });
    expect(of(first)).toEqual(order.slice(0, 10));
    const visitors = { packId, pageSize: 10 };
    const seen = await ok('GET /api/common/pack_comment', { ...visitors, pageNum: 1 });
    const taught = await ok(MANAGE, { packId, pageSize: 10 }, { as: teacher });
    expect(of(taught)).toEqual(ids.slice(0, 10));
    await leaves(0);
    await leaves(12);
    await ok(HIDE, { id: at(1), hidden: 1 }, { as: teacher });
    // The last one of the page itself: its place stays.
    expect(first.list.at(-1)?.id).toBe(at(7));
    await leaves(7);
    const second = await onFrom(first);
    expect(second).toMatchObject({ pageNum: 2, pages: 3, total: 15 });
    expect(of(second)).toEqual(order.slice(10, 20));
    const { next } = seen;
    expect(of(await ok('GET /api/common/pack_comment', { ...visitors, pageNum: 2, after: next ?? '' }))).toEqual(
      order.slice(10, 20),
    );
    const left = ids.filter((_, place) => ![0, 7, 12].includes(place));
    const behind = await ok(MANAGE, { packId, pageSize: 10, pageNum: 2, after: taught.next ?? '' }, { as: teacher });
    expect(of(behind)).toEqual(left.filter((id) => id < at(9)).slice(0, 10));
    // One that is pinned now stands on the first page, and nowhere else.
    await ok(PIN, { id: at(15), pinned: 1 }, { as: teacher });
    const third = await onFrom(second);
    expect(third).toMatchObject({ pages: 3, total: 5, next: null, beforeId: first.beforeId });
    expect(of(third)).toEqual(order.slice(20));
    for (const id of of(third)) await ok(DELETE, { id }, { as: other });
    expect(await onFrom(second)).toMatchObject({ list: [], total: 0, pages: 2, next: null });
    // By its number a page is found as ever.
    expect(await list(as, { pageSize: 10, page: 2 })).toMatchObject({ pages: 2, total: 16, next: null });
    const few = await list(as, { pageSize: 2 });
    expect(few.list.map(({ pinned }) => pinned)).toEqual([true, true]);
    expect(await list(as, { pageSize: 20, page: 2, after: few.next ?? '' })).toMatchObject({ total: 14, pages: 2 });
    expect(await refused(LIST, { packId, page: 2, after: 'x' }, { as })).toBe('badInput');
  });

  it.runIf(kind === 'sqlite')('of a pack are found and counted in an index, however many there are', async () => {
    const asked: RootOperationNode[] = [];
    const { query } = kit.db;
    const heard = query.withPlugin({
      transformQuery: ({ node }) => {
        asked.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const filter = { packId: 1, viewerId: 0 };
    const bounds = { limit: 20, offset: 0, pinnedFirst: true };
    await readComments(heard, filter, bounds, null);
    await readComments(heard, { ...filter, courseId: 1 }, bounds, { waits: false, at: 0, id: 7 });
    const ofPack = asked.length;
    await readComments(heard, { ...filter, lessonId: 1 }, bounds, null);
    const plans: string[] = [];
    for (const node of asked) {
      const { sql, parameters } = query.getExecutor().compileQuery(node, { queryId: 'of a test' });
      const { rows } = await query.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
      );
      plans.push(rows.map(({ detail }) => detail).join(', '));
    }
    expect([ofPack, plans.length]).toEqual([5, 7]);
    expect(plans.at(-1)).toContain('comments_of_lesson');
    for (const [at, plan] of plans.entries())
      expect(plan).toMatch(
        at < ofPack
          ? /^SEARCH comments USING (COVERING )?INDEX comments_listed \([^,]*\)$/
          : /^SEARCH comments USING (COVERING )?INDEX (comments_lesson_id_id|comments_of_lesson) \([^,]*\)$/,
      );
  });

  it('are liked once by each, from however many windows', async () => {
    const { as, other, packId, write, list } = await scene();
    const { id } = await write('好');
    await Promise.all(Array.from({ length: 6 }, () => ok(PRAISE, { id }, { as: other })));
    expect(await ok(PRAISE, { id }, { as })).toEqual({ praiseState: 1, praiseCount: 2 });
    expect((await list(other)).list[0]).toMatchObject({ praiseState: 1, praiseCount: 2 });
    expect(await ok(PRAISE, { id, praiseState: 0 }, { as })).toEqual({ praiseState: 0, praiseCount: 1 });
    expect(await ok(PRAISE, { id, praiseState: 0 }, { as })).toEqual({ praiseState: 0, praiseCount: 1 });
    expect(await refused(PRAISE, { id }, { as: await kit.user() })).toBe('notEnrolled');
    expect(await refused(PRAISE, { id: 987_654 }, { as })).toBe('notFound');
    await endEnrolment(kit.db.query, other.userId, packId);
    expect(await refused(PRAISE, { id, praiseState: 0 }, { as: other })).toBe('notEnrolled');
    expect(await refused(LIST, { packId, page: 1 }, { as: other })).toBe('notEnrolled');
    expect(await refused(SAVE, { packId, comment: 'x' }, { as: other })).toBe('notEnrolled');
  });

  it('are deleted by their writer, replies with them', async () => {
    const { as, other, teacher, write, list } = await scene();
    const { id } = await write('写错了');
    await ok(REPLY, { id, comment: '没关系' }, { as: teacher });
    const told = async () => (await ok('GET /app/common/notice', {}, { as })).total;
    expect(await told()).toBe(1);
    expect(await refused(DELETE, { id }, { as: other })).toBe('notFound');
    expect(await list()).toMatchObject({ total: 1 });
    await ok(DELETE, { id }, { as });
    await ok(DELETE, { id }, { as });
    expect(await list()).toMatchObject({ total: 0, list: [] });
    // What its writer was told of the reply said its words.
    expect(await told()).toBe(0);
    expect(await refused(PRAISE, { id }, { as })).toBe('notFound');
    expect(await refused(REPLY, { id, comment: '晚了' }, { as: teacher })).toBe('notFound');
    const row = await kit.db.query.selectFrom('comments').select('comment').where('id', '=', id).executeTakeFirst();
    expect(row?.comment).toBe('');
  });

  it('are replied to, pinned and hidden by teachers alone', async () => {
    const { as, other, teacher, packId, lesson, write, list } = await scene();
    const [old, mid, young] = [await write('一'), await write('二', other), await write('三', other)];
    for (const [name, input] of [
      [MANAGE, {}],
      [REPLY, { id: old.id, comment: '答' }],
      [PIN, { id: old.id, pinned: 1 }],
      [HIDE, { id: old.id, hidden: 1 }],
    ] as const)
      expect((await kit.raw(name, input, { as })).code).toBe(403);
    const replied = await ok(REPLY, { id: old.id, comment: ' 谢谢 ' }, { as: teacher });
    expect(replied).toMatchObject({
      packId,
      childes: [{ comment: '谢谢' }],
      validPhoneExt: expect.stringContaining('****'),
    });
    const replyId = replied.childes[0]?.id ?? 0;
    // Its writer is told, once for each reply, and nobody else.
    const told = async (who: TestUser) => (await ok('GET /app/common/notice', {}, { as: who })).list;
    expect(await told(as)).toMatchObject([
      { kind: 'commentReplied', words: { comment: '一', packId, lessonId: lesson } },
    ]);
    expect([await told(other), await told(teacher)]).toEqual([[], []]);
    // A reply to the reply stands under the same comment.
    expect((await ok(REPLY, { id: replyId, comment: '再补充' }, { as: teacher })).childes).toHaveLength(2);
    expect(await refused(REPLY, { id: old.id, comment: ' ' }, { as: teacher })).toBe('commentEmpty');
    await ok(PIN, { id: old.id, pinned: 1 }, { as: teacher });
    expect(await refused(PIN, { id: replyId, pinned: 1 }, { as: teacher })).toBe('notFound');
    expect((await list(as, { firstVideoId: lesson })).list.map(({ id, pinned }) => [id, pinned])).toEqual([
      [old.id, true],
      [young.id, false],
      [mid.id, false],
    ]);
    await ok(HIDE, { id: mid.id, hidden: 1 }, { as: teacher });
    await ok(HIDE, { id: replyId, hidden: 1 }, { as: teacher });
    const seen = await list(as);
    expect(seen).toMatchObject({ total: 2 });
    expect(seen.list[0]?.childes.map(({ comment }) => comment)).toEqual(['再补充']);
    expect(await refused(PRAISE, { id: mid.id }, { as })).toBe('notFound');
    expect((await list(other)).list.find(({ id }) => id === mid.id)).toMatchObject({ hidden: true, mine: true });
    const all = await ok(MANAGE, { packId }, { as: teacher });
    expect(all.list.map(({ id, hidden }) => [id, hidden])).toEqual([
      [young.id, false],
      [mid.id, true],
      [old.id, false],
    ]);
    expect((await ok(MANAGE, { packId, unanswered: 1 }, { as: teacher })).list.map(({ id }) => id)).toEqual([
      young.id,
      mid.id,
    ]);
    expect(await ok(HIDE, { id: mid.id, hidden: 0 }, { as: teacher })).toMatchObject({ hidden: false });
    expect(await list(as)).toMatchObject({ total: 3 });
  });

  it('a reply that is taken out of sight takes its notice along, and shown again it is told anew', async () => {
    const { as, teacher, packId, write } = await scene();
    const { id } = await write('讲得好');
    const replyId = (await ok(REPLY, { id, comment: '谢谢' }, { as: teacher })).childes[0]?.id ?? 0;
    const told = async () =>
      (await ok('GET /app/common/notice', {}, { as })).list.map(({ kind: of, unread }) => [of, unread]);
    const waits = async () => (await ok(MANAGE, { packId, unanswered: 1 }, { as: teacher })).total;
    expect([await told(), await waits()]).toEqual([[['commentReplied', true]], 0]);
    await ok(HIDE, { id: replyId, hidden: 1 }, { as: teacher });
    expect([await told(), await waits()]).toEqual([[], 1]);
    await ok(HIDE, { id: replyId, hidden: 0 }, { as: teacher });
    expect([await told(), await waits()]).toEqual([[['commentReplied', true]], 0]);
    // Its teacher deletes it.
    await ok(DELETE, { id: replyId }, { as: teacher });
    expect([await told(), await waits()]).toEqual([[], 1]);
  });

  it('deleted while a teacher replies leaves neither the reply nor a notice with its words', async () => {
    const { as, teacher, write } = await scene();
    for (let at = 0; at < 20; at += 1) {
      const { id } = await write(`秘密 ${at}`);
      await Promise.all([
        kit.call(REPLY, { id, comment: '回复' }, { as: teacher }),
        kit.call(DELETE, { id }, { as }),
        kit.call(REPLY, { id, comment: '再回复' }, { as: teacher }),
      ]);
      const left = await kit.db.query
        .selectFrom('comments')
        .select('id')
        .where('parent_id', '=', id)
        .where('deleted_at', 'is', null)
        .execute();
      expect(left).toEqual([]);
    }
    expect((await ok('GET /app/common/notice', {}, { as })).list).toEqual([]);
  });
});
