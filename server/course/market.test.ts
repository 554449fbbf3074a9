import { afterAll, describe, expect, it } from 'vitest';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { makeLesson } from '#server/play/lesson.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { ensureCategory, orderCategories } from './category-store.ts';
import { makePack } from './pack.test-kit.ts';
import { syncTeachers } from './teacher-store.ts';

const LIST = 'GET /api/common/course_list';

describe.each(databases)('the market on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  /** A pack as a school brings it, in no other test's way. */
  async function pack(values: {
    name: string;
    category?: [string, string];
    price?: number;
    listedAt?: number;
    examDate?: string;
    teachers?: string[];
  }) {
    const made = await makePack(kit);
    const { name, category, price = null, listedAt = 0, examDate = null, teachers = [] } = values;
    await kit.db.transaction(async (trx) => {
      const [big, little = ''] = category ?? [];
      const category_id = big === undefined ? null : await ensureCategory(trx, { big, little });
      await trx
        .updateTable('packs')
        .set({ name, category_id, price, listed_at: listedAt, exam_date: examDate })
        .where('id', '=', made.packId)
        .execute();
      await syncTeachers(
        trx,
        made.packId,
        teachers.map((teacher) => ({ name: teacher, title: '', words: '', picture: '' })),
      );
    });
    // What packs are found by is at most a second old.
    kit.time.now += 1000;
    return made;
  }
  const clear = () => kit.db.query.updateTable('packs').set({ archived: 1 }).execute();
  const list = async (input: object, as?: TestUser) =>
    (await ok(LIST, input, as ? { as } : {})).list.map(({ packId }) => packId);

  it('recommends what is near to a pack and not joined', async () => {
    await clear();
    const RECOMMEND = 'GET /app/course/recommend';
    const maths = await pack({ name: '高等数学', category: ['考研', '数学'] });
    const ledger = await pack({ name: '会计实务', category: ['职业资格', '初级会计'], price: 100 });
    const english = await pack({ name: '考研英语', category: ['考研', '英语'] });
    const algebra = await pack({ name: '线性代数', category: ['考研', '数学'] });
    const recommended = async (packId: number, as?: TestUser) =>
      (await ok(RECOMMEND, { packId }, as ? { as } : {})).list.map((one) => one.packId);
    expect(await recommended(maths.packId)).toEqual([algebra.packId, english.packId, ledger.packId]);
    const as = await kit.user();
    await ok('POST /api/course/course_join', { packId: algebra.packId }, { as });
    expect(await recommended(maths.packId, as)).toEqual([english.packId, ledger.packId]);
    await kit.db.query.updateTable('packs').set({ archived: 1 }).where('id', '=', english.packId).execute();
    expect(await recommended(maths.packId, as)).toEqual([ledger.packId]);
    expect(await refused(RECOMMEND, { packId: english.packId })).toBe('notFound');
  });

  it('narrows by category, price, lessons and papers', async () => {
    await clear();
    const maths = await pack({ name: '高等数学', category: ['考研', '数学'], price: 9900 });
    const english = await pack({ name: '考研英语', category: ['考研', '英语'] });
    const ledger = await pack({ name: '会计实务', category: ['职业资格', '初级会计'], price: 100 });
    await makeLesson(kit, english);
    const questionIds = await makeQuestions(kit, maths, [{ type: 2, right: 'A' }]);
    await makeExam(kit, maths, { kind: 'mock', questionIds });
    const { list: tree } = await ok('GET /app/test/list_category', {});
    expect(tree).toMatchObject([
      { name: '考研', packCount: 2, childes: [{ name: '数学', packCount: 1 }, { name: '英语' }] },
      { name: '职业资格', packCount: 1, childes: [{ name: '初级会计', packCount: 1 }] },
    ]);
    const [big] = tree;
    const bigId = big?.id ?? 0;
    const littleId = big?.childes[0]?.id ?? 0;
    expect(await list({ categoryId: bigId })).toEqual([maths.packId, english.packId]);
    expect(await list({ categoryId: littleId })).toEqual([maths.packId]);
    expect(await list({ categoryId: 987_654 })).toEqual([]);
    expect(await list({ price: 'free' })).toEqual([english.packId]);
    expect(await list({ price: 'sale', sort: 'cheap' })).toEqual([ledger.packId, maths.packId]);
    expect(await list({ hasLessons: 1 })).toEqual([english.packId]);
    expect(await list({ hasExams: 1 })).toEqual([maths.packId]);
    expect((await ok(LIST, {})).list[0]).toMatchObject({ categoryName: '考研 · 数学', categoryId: littleId });
    expect(await ok('GET /api/common/course_big_list', {})).toMatchObject({
      list: [{ name: '考研' }, { name: '职业资格' }],
    });
    expect(await ok('GET /api/common/course_little_list', { categoryId: bigId })).toMatchObject({
      list: [{ name: '数学' }, { name: '英语' }],
    });
    expect(await refused('GET /api/common/course_little_list', { categoryId: littleId })).toBe('notFound');
    expect(await ok('GET /app/test/category', { categoryId: littleId })).toMatchObject({
      ...{ name: '数学', parentId: bigId, packCount: 1, childes: [] },
      packs: { total: 1, list: [{ packId: maths.packId }], afterPlace: null },
    });
    // The school says in which order they stand; an empty one does not show.
    await kit.db.transaction((trx) =>
      orderCategories(trx, [
        { name: '职业资格', little: [] },
        { name: '公务员', little: ['行测'] },
      ]),
    );
    expect((await ok('GET /app/test/list_category', {})).list.map(({ name }) => name)).toEqual(['职业资格', '考研']);
  });

  it('finds by part of a name, pinyin, category and teacher, and suggests with the reason', async () => {
    await clear();
    const maths = await pack({ name: '考研数学一', category: ['考研', '数学'], teachers: ['林之远'] });
    const ledger = await pack({ name: '初级会计实务', category: ['职业资格', '初级会计'], teachers: ['周砚清'] });
    for (const [keyword, found] of [
      ['数学', [maths.packId]],
      ['kuaiji', [ledger.packId]],
      ['kysx', [maths.packId]],
      ['周砚', [ledger.packId]],
      ['职业资格', [ledger.packId]],
      ['%', []],
      ["'; drop table packs; --", []],
      ['   ', [maths.packId, ledger.packId]],
    ] as const)
      expect(await list({ keyword }), keyword).toEqual(found);
    expect(await list({ keyword: '会计', price: 'sale' })).toEqual([]);
    expect(await ok('GET /api/common/course_suggest', { keyword: 'lzy' })).toEqual({
      list: [
        {
          id: maths.packId,
          name: '考研数学一',
          match: { by: 'initials', text: '林之远', from: 0, to: 3, reading: 'lin zhi yuan' },
        },
      ],
    });
    expect(await ok('GET /api/common/course_suggest', { keyword: ' ' })).toEqual({ list: [] });
    // What was taken off the shelf is not found, though it is still in memory.
    await kit.db.query.updateTable('packs').set({ archived: 1 }).where('id', '=', maths.packId).execute();
    expect(await list({ keyword: '数学' })).toEqual([]);
  });

  it('is read page by page without repeating or missing a pack that came or went meanwhile', async () => {
    await clear();
    const ids: number[] = [];
    for (let at = 0; at < 7; at += 1) ids.push((await pack({ name: `第 ${at} 门`, listedAt: at })).packId);
    const page = async (afterPlace?: string) =>
      ok(LIST, { sort: 'newest', pageSize: 3, ...(afterPlace ? { afterPlace } : {}) });
    const first = await page();
    expect(first).toMatchObject({ total: 7, pages: 3, pageNum: 1 });
    await pack({ name: '新来的', listedAt: 99 });
    await kit.db.query
      .updateTable('packs')
      .set({ archived: 1 })
      .where('id', '=', first.list[0]?.packId ?? 0)
      .execute();
    const second = await page(first.afterPlace ?? '');
    const third = await page(second.afterPlace ?? '');
    expect([first, second, third].flatMap((one) => one.list.map(({ packId }) => packId))).toEqual(ids.toReversed());
    expect(third.afterPlace).toBeNull();
    expect((await ok(LIST, { sort: 'newest', pageNum: 3, pageSize: 3 })).list).toHaveLength(1);
    expect((await kit.raw(LIST, { afterPlace: '1;2' })).code).toBe(400);
  });

  it('tells what is new, and which exams are ahead', async () => {
    await clear();
    await pack({ name: '旧', listedAt: 1, examDate: '2026-11-19' });
    const near = await pack({ name: '近', listedAt: 3, examDate: '2026-12-19' });
    const far = await pack({ name: '远', listedAt: 2, examDate: '2027-05-15' });
    kit.time.now = Date.parse('2026-12-19T15:59:00Z');
    expect((await ok('GET /app/common/test', {})).list).toMatchObject([
      { packId: near.packId, packageName: '近', examDate: '2026-12-19', categoryName: '' },
      { packId: far.packId },
    ]);
    // Midnight in China.
    kit.time.now += 60_000;
    expect((await ok('GET /app/common/test', {})).list.map(({ packId }) => packId)).toEqual([far.packId]);
    const newest = await ok('GET /api/common/newest', {});
    expect(newest.list.slice(0, 2).map(({ packId }) => packId)).toEqual([near.packId, far.packId]);
  });

  it('shows comments of a pack to visitors, and what its files are called', async () => {
    const as = await kit.user();
    const made = await makePack(kit, { students: [as] });
    const { packId } = made;
    const lesson = await makeLesson(kit, made);
    await ok('POST /app/comment/save', { packId, comment: '讲得清楚', firstVideoId: lesson }, { as });
    expect(await ok('GET /api/common/pack_comment', { packId })).toMatchObject({
      total: 1,
      list: [{ comment: '讲得清楚', mine: false, praiseState: 0 }],
    });
    expect((await ok('GET /api/common/pack_comment', { packId }, { as })).list[0]?.mine).toBe(true);
    expect(await ok('GET /api/common/course_file_names', { packId })).toEqual({ total: 0, list: [] });
    for (const call of ['GET /api/common/pack_comment', 'GET /api/common/course_file_names'] as const)
      expect(await refused(call, { packId: 987_654 })).toBe('notFound');
    await clear();
    for (const call of ['GET /api/common/pack_comment', 'GET /api/common/course_file_names'] as const)
      expect(await refused(call, { packId })).toBe('notFound');
  });
});
