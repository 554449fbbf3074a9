import { afterAll, describe, expect, it } from 'vitest';
import { packAccess } from '#server/course/access.ts';
import { endEnrolment, enrolmentStore } from '#server/course/enrolment-store.ts';
import { enrol } from '#server/course/pack.test-kit.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';
import { makeLesson, playScene } from './lesson.test-kit.ts';
import { listLessons } from './lesson-store.ts';
import { mayWatch } from './may-watch.ts';

const CHAPTERS = 'GET /app/course/chapters';
const LESSON = 'GET /app/course/lesson';
const REPORT = 'POST /app/course/report_duration';
const POSITION = 'POST /app/course/save_position';
const CREDITS = 'GET /app/course/credits';

describe.each(databases)('course play on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  const scene = (how?: Parameters<typeof playScene>[1]) => playScene(kit, how);

  it('shows the directory with what is locked and done, and where to go on', async () => {
    const { as, pack, packId, one, two, at, play } = await scene({ sequential: true });
    const [chapter, section] = [-(pack.chapterIds[0] ?? 0), -(pack.chapterIds[1] ?? 0)];
    const before = await ok(CHAPTERS, { packId }, { as });
    expect(before).toMatchObject({
      buyState: 1,
      scoreState: 0,
      courses: [{ courseId: pack.courseId }],
      current: { firstCourseId: pack.courseId, firstVideoId: one },
      openIds: [chapter],
      list: [
        {
          id: chapter,
          leaf: 1,
          childes: [
            { id: one, leaf: 2, status: 1, nodeState: 1, duration: 600 },
            { id: section, leaf: 1, childes: [{ id: two, level: 3, status: 0, lockStatus: 0 }] },
          ],
        },
      ],
    });
    // As the spec's pages send it: 0 is no parent.
    expect(await ok(CHAPTERS, { packId, parentId: 0 }, { as })).toEqual(before);
    expect(await refused(LESSON, at(two), { as })).toBe('lessonLocked');
    const reply = await kit.call(REPORT, { ...at(two), duration: 30, position: 30 }, { as });
    expect([reply.code, reply.msg]).toEqual([403, '该视频未解锁，无法播放']);
    expect(await refused(POSITION, { ...at(two), position: 0 }, { as })).toBe('lessonLocked');

    await play(one, 0, 30);
    expect((await ok(CHAPTERS, { packId }, { as })).list[0]?.childes[0]).toMatchObject({ id: one, nodeState: 2 });
    for (let from = 30; from < 600; from += 30) await play(one, from, from + 30);
    const after = await ok(CHAPTERS, { packId }, { as });
    expect(after.list[0]?.childes[0]).toMatchObject({ id: one, nodeState: 3 });
    expect(after.current).toMatchObject({ firstVideoId: two });
    expect(after.openIds).toEqual([chapter, section]);
    expect(await ok(LESSON, at(two), { as })).toMatchObject({ firstVideoId: two, nodeState: 1, startAt: 0 });
    expect(await ok(LESSON, at(one), { as })).toMatchObject({
      nodeState: 3,
      position: 600,
      startAt: 0,
      share: 1,
      watched: 600,
    });
  });

  it('keeps the place without believing anything, and finishes a text when its student says so', async () => {
    const { as, pack, one, at } = await scene();
    expect(await ok(POSITION, { ...at(one), position: 599 }, { as })).toMatchObject({ nodeState: 2, share: 0 });
    const text = await makeLesson(kit, pack, { kind: 'text' });
    expect(await ok(LESSON, at(text), { as })).toMatchObject({
      kind: 'text',
      text: '<p>正文</p>',
      videoResourceId: null,
      waitsForMedia: false,
    });
    expect(await ok(POSITION, { ...at(text), position: 0 }, { as })).toMatchObject({ nodeState: 2 });
    expect(await ok(POSITION, { ...at(text), position: 0, ended: 1 }, { as })).toMatchObject({ nodeState: 3 });
    const elective = await makeLesson(kit, pack, { elective: true });
    expect(await ok(POSITION, { ...at(elective), position: 600 }, { as })).toMatchObject({ nodeState: 3 });
    const waiting = await makeLesson(kit, pack, { kind: 'video', duration: 0 });
    expect(await ok(LESSON, at(waiting), { as })).toMatchObject({
      kind: 'video',
      duration: 0,
      videoResourceId: null,
      waitsForMedia: true,
    });
  });

  it('is not finished before its film is there, whatever is said of it, and holds nobody up', async () => {
    const { as, pack, packId, at } = await scene({ sequential: true });
    for (const text of ['', '<p>先读</p>']) {
      const waiting = await makeLesson(kit, pack, { kind: 'video', duration: 0, text, credits: 5 });
      const next = await makeLesson(kit, pack, { afterId: waiting });
      const said = { ...at(waiting), position: 0, ended: 1 } as const;
      expect(await ok(POSITION, said, { as })).toMatchObject({ nodeState: 2 });
      expect(await ok(REPORT, { ...said, duration: 0 }, { as })).toMatchObject({ nodeState: 2 });
      expect(await ok(CREDITS, { packId }, { as })).toMatchObject({ earned: 0 });
      expect(await ok(LESSON, at(next), { as })).toMatchObject({ firstVideoId: next });
      // Its film has come: now it is what has to be seen.
      await kit.db.query
        .updateTable('lessons')
        .set({ media_id: waiting, duration: 600 })
        .where('id', '=', waiting)
        .execute();
      expect(await ok(LESSON, at(waiting), { as })).toMatchObject({ nodeState: 2, videoResourceId: waiting });
      expect(await ok(POSITION, { ...at(waiting), position: 600, ended: 1 }, { as })).toMatchObject({ nodeState: 2 });
      expect(await refused(LESSON, at(await makeLesson(kit, pack, { afterId: waiting })), { as })).toBe('lessonLocked');
    }
  });

  it('that waits for its film lets nobody past the one before it', async () => {
    const { as, pack, packId, one, at, play } = await scene({ sequential: true });
    const waits = async (afterId: number) =>
      makeLesson(kit, pack, { kind: 'video', duration: 0, text: '<p>先读</p>', afterId });
    const first = await waits(one);
    const second = await waits(first);
    const behind = await makeLesson(kit, pack, { afterId: second });
    const open = async () => {
      const { list } = await ok(CHAPTERS, { packId }, { as });
      const lessons = list.flatMap((node) => [node, ...node.childes]) as { id: number; lockStatus: number }[];
      return [first, second, behind].map((id) => lessons.find((lesson) => lesson.id === id)?.lockStatus);
    };
    expect(await open()).toEqual([0, 0, 0]);
    for (const lesson of [first, second, behind]) {
      expect(await refused(LESSON, at(lesson), { as })).toBe('lessonLocked');
      expect(await refused(POSITION, { ...at(lesson), position: 0 }, { as })).toBe('lessonLocked');
      expect(await refused(REPORT, { ...at(lesson), position: 0, duration: 0 }, { as })).toBe('lessonLocked');
    }
    for (let from = 0; from < 600; from += 30) await play(one, from, from + 30);
    expect(await open()).toEqual([1, 1, 1]);
    expect(await ok(POSITION, { ...at(behind), position: 9 }, { as })).toMatchObject({ nodeState: 2 });
    expect(await ok(REPORT, { ...at(second), position: 0, duration: 0 }, { as })).toMatchObject({ nodeState: 2 });
  });

  it('is open to calls where the directory says so, however they come together', async () => {
    // Each letter a lesson, one after the other: R can be finished, x not yet, F was finished by the first student, f by both and not ready any more.
    const packs = ['RRR', 'RxR', 'xxR', 'FxxR', 'RfR', 'FRxR', 'RxxF', 'ffxR'];
    const asked: Promise<[string, number, number]>[] = [];
    const scenes = await Promise.all(packs.map(() => scene({ sequential: true })));
    for (const [at, { pack, packId, as: first }] of scenes.entries()) {
      const second = await kit.user();
      await enrol(kit, second, packId);
      await kit.db.query.updateTable('lessons').set({ archived: 1 }).where('pack_id', '=', packId).execute();
      let afterId: number | null = null;
      for (const sign of packs[at] ?? '') {
        const unready = sign === 'x' || sign === 'f';
        afterId = await makeLesson(kit, pack, { afterId, ...(unready ? { duration: 0 } : {}) });
        for (const { userId } of sign === 'F' ? [first] : sign === 'f' ? [first, second] : []) {
          const seen = { position: 600, watched: 600_000, reached_end: 1, finished_at: 1, first_at: 1, last_at: 1 };
          await kit.db.query
            .insertInto('lesson_progress')
            .values({ user_id: userId, pack_id: packId, lesson_id: afterId, covered: '[]', ...seen })
            .execute();
        }
      }
      for (const as of [first, second]) {
        const { list } = await ok(CHAPTERS, { packId }, { as });
        for (const { id, lockStatus } of list.flatMap((node) => node.childes))
          asked.push(
            kit
              .raw(POSITION, { packId, firstVideoId: id, position: 0 }, { as })
              .then(({ code }) => [`${packs[at]} ${id}`, lockStatus, code]),
          );
      }
    }
    const said = await Promise.all(asked);
    expect(said).toHaveLength(2 * packs.join('').length);
    expect(said.filter(([, lockStatus, code]) => (lockStatus === 1) !== (code === 200))).toEqual([]);
    expect(new Set(said.map(([, , code]) => code))).toEqual(new Set([200, 403]));
  });

  it('that waits for its film is no place to go on at', async () => {
    const { as, pack, packId, one, two, at } = await scene();
    await kit.db.query.updateTable('lessons').set({ archived: 1 }).where('id', 'in', [one, two]).execute();
    const waiting = await makeLesson(kit, pack, { duration: 0 });
    const ready = await makeLesson(kit, pack);
    await ok(POSITION, { ...at(waiting), position: 0 }, { as });
    expect((await ok(CHAPTERS, { packId }, { as })).current).toMatchObject({ firstVideoId: ready });
  });

  it.each<[string, object, boolean]>([
    ['a film that is to come', { kind: 'video', body: '', media_source: 'a.mp4' }, true],
    ['a film that is to come, beside a text', { kind: 'video', body: '<p>x</p>', media_source: 'a.mp4' }, true],
    ['a film that nobody named', { kind: 'video', body: '<p>x</p>', media_source: '' }, true],
    ['a text', { kind: 'text', body: '<p>x</p>', media_source: '' }, false],
    ['a text that a film of its pack is to come to', { kind: 'text', body: '<p>x</p>', media_source: 'a.mp4' }, true],
    ['a text that an uploaded film is to come to', { kind: 'text', body: '<p>x</p>', next_media_id: 7 }, true],
    ['neither', { kind: 'text', body: '', media_source: '' }, true],
    ['a film, and a better one that is to come', { kind: 'video', media_id: 7, next_media_id: 8 }, false],
  ])('with %s can be finished, or cannot yet', async (_what, shows, unready) => {
    const { pack, packId } = await scene();
    const lesson = await makeLesson(kit, pack, { kind: 'text' });
    await kit.db.query.updateTable('lessons').set(shows).where('id', '=', lesson).execute();
    const found = (await listLessons(kit.db.query, packId)).find(({ id }) => id === lesson);
    expect(found?.unready).toBe(unready);
  });

  it('ends with the enrolment at the next call, and goes on where it was when that comes back', async () => {
    const { as, packId, one, at, play } = await scene();
    await play(one, 0, 30);
    await endEnrolment(kit.db.query, as.userId, packId);
    for (const name of [REPORT, POSITION] as const)
      expect((await kit.raw(name, { ...at(one), position: 60, duration: 30 }, { as })).data).toEqual({
        why: 'notEnrolled',
      });
    expect(await refused(LESSON, at(one), { as })).toBe('notEnrolled');
    expect(await refused(CREDITS, { packId }, { as })).toBe('notEnrolled');
    expect(await ok(CHAPTERS, { packId }, { as })).toMatchObject({ buyState: 0, current: null });
    await ok('POST /api/course/course_join', { packId }, { as });
    expect(await ok(LESSON, at(one), { as })).toMatchObject({ position: 30, nodeState: 2 });
  });

  it('shows visitors trial lessons, and nothing of the others', async () => {
    const { pack, packId, one, at } = await scene({ sequential: true });
    const trial = await makeLesson(kit, pack, {
      trial: true,
      kind: 'text',
      afterId: one,
      practices: [{ exam: 'x', credits: 0 }],
    });
    const seen = await ok(CHAPTERS, { packId });
    expect(seen).toMatchObject({ buyState: 0, current: { firstVideoId: trial } });
    expect(await ok(LESSON, at(trial))).toMatchObject({ text: '<p>正文</p>', practiceArr: [], pptUrl: '' });
    expect(await refused(LESSON, at(one))).toBe('notEnrolled');
    expect(await refused(CHAPTERS, { packId: 987_654 })).toBe('notFound');
    expect(await refused(CHAPTERS, { packId, courseId: 987_654 })).toBe('notFound');
    await kit.db.query.updateTable('packs').set({ archived: 1 }).where('id', '=', packId).execute();
    expect(await refused(LESSON, at(trial))).toBe('notFound');
  });

  it('says who may watch a video: who may open a lesson that shows it', async () => {
    const { as, pack, packId, one, two } = await scene({ sequential: true });
    const parts = { db: kit.db, access: packAccess(kit.db, enrolmentStore(kit.db)) };
    const mediaOf = async (id: number) =>
      (await kit.db.query.selectFrom('lessons').select('media_id').where('id', '=', id).executeTakeFirst())?.media_id ??
      0;
    const asks = async (userId: number | null, lesson: number) => {
      const may = await mayWatch(parts, userId, await mediaOf(lesson));
      return may.ok ? 'yes' : may.why;
    };
    const trial = await makeLesson(kit, pack, { trial: true });
    const stranger = (await kit.user()).userId;
    expect([await asks(as.userId, one), await asks(as.userId, two), await asks(as.userId, trial)]).toEqual([
      'yes',
      'lessonLocked',
      'yes',
    ]);
    expect([await asks(stranger, one), await asks(null, one), await asks(null, trial)]).toEqual([
      'notEnrolled',
      'notEnrolled',
      'yes',
    ]);
    expect((await mayWatch(parts, as.userId, 987_654)).ok).toBe(false);
    await endEnrolment(kit.db.query, as.userId, packId);
    expect(await asks(as.userId, one)).toBe('notEnrolled');
    await kit.db.query.updateTable('lessons').set({ archived: 1 }).where('id', '=', trial).execute();
    expect(await asks(null, trial)).toBe('notFound');
  });

  it('says of a film that several packs use what is true of the one that its student has joined', async () => {
    const { as, packId, one } = await scene({ sequential: true });
    const other = await scene({ sequential: true });
    const parts = { db: kit.db, access: packAccess(kit.db, enrolmentStore(kit.db)) };
    const lessons = () => kit.db.query.updateTable('lessons');
    const mediaId = 900_000 + one;
    await lessons().set({ media_id: mediaId }).where('id', 'in', [one, other.one]).execute();
    const close = (id: number, archived: 0 | 1) =>
      kit.db.query.updateTable('packs').set({ archived }).where('id', '=', id).execute();
    const [neither, both] = [await kit.user(), await kit.user()];
    for (const pack of [packId, other.packId]) await enrol(kit, both, pack);
    const asks = async ({ userId }: { userId: number | null }) => {
      const may = await mayWatch(parts, userId, mediaId);
      return may.ok ? 'yes' : may.why;
    };
    const everybody = () => Promise.all([as, other.as, neither, both, { userId: null }].map(asks));
    expect(await everybody()).toEqual(['yes', 'yes', 'notEnrolled', 'yes', 'notEnrolled']);
    // Not 请先报名该课程: they have joined the pack that is gone.
    await close(packId, 1);
    expect(await everybody()).toEqual(['notFound', 'yes', 'notEnrolled', 'yes', 'notEnrolled']);
    expect(await refused('GET /app/video/auth', { fileId: mediaId }, { as })).toBe('notFound');
    await close(other.packId, 1);
    expect(await everybody()).toEqual(['notFound', 'notFound', 'notFound', 'notFound', 'notFound']);
    await close(packId, 0);
    expect(await everybody()).toEqual(['yes', 'notFound', 'notEnrolled', 'yes', 'notEnrolled']);
    // Who has joined both is told of the one that is there.
    await lessons()
      .set({ media_id: mediaId + 1 })
      .where('id', '=', one)
      .execute();
    await lessons().set({ media_id: mediaId }).where('after_id', '=', one).execute();
    expect(await everybody()).toEqual(['lessonLocked', 'notFound', 'notEnrolled', 'lessonLocked', 'notEnrolled']);
  });

  it('counts credits of lessons and practices when they are finished, whatever was right', async () => {
    const { as, pack, packId, one, two, at } = await scene({ credits: true });
    const questions = await makeQuestions(kit, pack, [
      { type: 2, right: 'A' },
      { type: 2, right: 'B' },
    ]);
    const examId = await makeExam(kit, pack, { kind: 'afterclass', questionIds: questions });
    const { slug } = await kit.db.query
      .selectFrom('exams')
      .select('slug')
      .where('id', '=', examId)
      .executeTakeFirstOrThrow();
    const practices = [
      { exam: slug, credits: 1 },
      { exam: 'not-there', credits: 5 },
    ];
    const text = await makeLesson(kit, pack, { kind: 'text', practices });
    expect(await ok(CREDITS, { packId }, { as })).toMatchObject({ scoreState: 1, earned: 0, total: 3.5, open: 3.5 });
    expect(await ok(LESSON, at(text), { as })).toMatchObject({
      practiceArr: [{ examId, total: 2, done: 0, credits: 1 }],
    });
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    for (const questionId of questions)
      await ok('POST /api/exam/save_question', { examId, recordId, questionId, answer: 'C' }, { as });
    await ok(POSITION, { ...at(one), position: 600 }, { as });
    const { earned, open, list } = await ok(CREDITS, { packId }, { as });
    expect([earned, open]).toEqual([1, 2.5]);
    expect(list.map(({ kind: what, firstVideoId, earned: is }) => [what, firstVideoId, is])).toEqual([
      ['lesson', one, false],
      ['lesson', two, false],
      ['practice', text, true],
    ]);
    const plain = await scene();
    expect(await ok(CREDITS, { packId: plain.packId }, { as: plain.as })).toEqual({
      scoreState: 0,
      earned: 0,
      total: 0,
      open: 0,
      list: [],
    });
  });

  it('offers what can be practised and sat beside a lesson, to who may open it', async () => {
    const OPTIONS = 'GET /app/course/exam_options';
    const { as, pack, packId, one, two, at } = await scene({ sequential: true });
    expect(await ok(OPTIONS, at(one), { as })).toEqual({ practices: [], papers: [] });
    const questionIds = await makeQuestions(kit, pack, [{ type: 2, right: 'A' }]);
    const practice = await makeExam(kit, pack, { kind: 'chapter', name: '函数', questionIds });
    for (const of of ['mock', 'timed', 'mock'] as const) await makeExam(kit, pack, { kind: of, questionIds });
    const options = {
      practices: [{ examId: practice, kind: 'chapter', name: '函数', totalQuestion: 1 }],
      papers: [
        { kind: 'mock', count: 2 },
        { kind: 'timed', count: 1 },
      ],
    };
    expect(await ok(OPTIONS, at(one), { as })).toEqual(options);
    expect(await refused(OPTIONS, at(two), { as })).toBe('lessonLocked');
    // A lesson of a section is offered the practice of the chapter above it.
    await kit.db.query.updateTable('lessons').set({ after_id: null }).where('id', '=', two).execute();
    expect(await ok(OPTIONS, at(two), { as })).toEqual(options);
    expect(await refused(OPTIONS, at(one), { as: await kit.user() })).toBe('notEnrolled');
    expect(await refused(OPTIONS, at(one))).toBe('notSignedIn');
    expect(await refused(OPTIONS, at(987_654), { as })).toBe('notFound');
    const other = await scene();
    expect(await refused(OPTIONS, { packId, firstVideoId: other.one }, { as })).toBe('notFound');
  });
});
