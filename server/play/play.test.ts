import { afterAll, describe, expect, it } from 'vitest';
import { packAccess } from '#server/course/access.ts';
import { endEnrolment, enrolmentStore } from '#server/course/enrolment-store.ts';
import { enrol, makePack } from '#server/course/pack.test-kit.ts';
import { makeExam, makeQuestions } from '#server/exam/paper.test-kit.ts';
import { databases, type TestUser, testApp } from '#server/test-kit.ts';
import { makeLesson, openFilm } from './lesson.test-kit.ts';
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

  /** A pack with lessons, and a student in it. */
  async function scene(how: { sequential?: boolean; credits?: boolean } = {}) {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const set = { unlock: how.sequential ? 'sequential' : 'free', score_state: how.credits ? 1 : 0 } as const;
    await kit.db.query.updateTable('packs').set(set).where('id', '=', pack.packId).execute();
    const one = await makeLesson(kit, pack, { credits: 2 });
    const two = await makeLesson(kit, pack, { afterId: one, credits: 0.5, chapterId: pack.chapterIds[1] });
    const { packId } = pack;
    for (const lesson of [one, two]) await openFilm(kit, as.userId, lesson);
    const at = (firstVideoId: number) => ({ packId, firstVideoId });
    /** Plays [from, to) while the clock runs as long. */
    const play = async (lesson: number, from: number, to: number, by: TestUser = as) => {
      kit.time.now += (to - from) * 1000;
      return ok(REPORT, { ...at(lesson), duration: to - from, position: to, rate: 1 }, { as: by });
    };
    return { as, pack, packId, one, two, at, play };
  }

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

  it('believes no report further than the clock, from however many windows of one person', async () => {
    const { as, one, two, at } = await scene();
    kit.time.now += 200_000;
    const report = (lesson: number, seq: number, playId: string) =>
      ok(REPORT, { ...at(lesson), duration: 60, position: 60 * seq, rate: 1, seq, playId }, { as });
    await report(one, 1, 'window-one');
    await report(one, 2, 'window-one');
    await report(one, 3, 'window-one');
    kit.time.now += 60_000;
    const together = await Promise.all([
      report(one, 4, 'window-one'),
      report(two, 1, 'window-two'),
      report(two, 1, 'phone-three'),
    ]);
    expect(together.reduce((sum, { believed }) => sum + believed, 0)).toBe(60);
    const other = await kit.user();
    expect(await refused(REPORT, { ...at(one), duration: 30, position: 30 }, { as: other })).toBe('notEnrolled');
  });

  it('pays nothing from before the right to play the film was given, also of another film, on any server', async () => {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const [one, two] = [await makeLesson(kit, pack, { duration: 100 }), await makeLesson(kit, pack, { duration: 100 })];
    kit.time.now += 86_400_000;
    const whole = (firstVideoId: number, playId: string, on = kit) =>
      on.ok(
        REPORT,
        { packId: pack.packId, firstVideoId, duration: 100, position: 100, rate: 2, ended: 1, playId, seq: 1 },
        { as },
      );
    // Without any right, and right after it: what two servers' clocks may differ by, at twice the rate.
    expect(await whole(one, 'forged-1')).toMatchObject({ believed: 2, nodeState: 2 });
    await openFilm(kit, as.userId, two);
    expect(await whole(two, 'forged-2')).toMatchObject({ believed: 0, nodeState: 2 });
    kit.time.now += 30_000;
    expect(await whole(two, 'forged-3')).toMatchObject({ believed: 60, nodeState: 2 });

    // What was played without a network and sent by another page, after a restart, to another server, is paid in full.
    const late = await kit.user();
    await ok('POST /api/course/course_join', { packId: pack.packId }, { as: late });
    await openFilm(kit, late.userId, one);
    kit.time.now += 1000;
    await openFilm(kit, late.userId, one);
    kit.time.now += 3_600_000;
    const sibling = await kit.sibling();
    const left = { packId: pack.packId, firstVideoId: one, rate: 1, playId: 'killed-page' };
    for (const [at, from] of [0, 30, 60].entries())
      expect(
        await sibling.ok(
          REPORT,
          { ...left, duration: 30, position: from + 30, places: [{ from, to: from + 30 }], seq: at + 1 },
          { as: late },
        ),
      ).toMatchObject({ believed: 30 });
    await sibling.close();
  });

  it('an installation that has students at its update binds no page that is open across it', async () => {
    const { as, one, two, at, play } = await scene();
    await play(one, 0, 30);
    await kit.db.query.deleteFrom('settings').where('key', '=', 'play_rights_since').execute();
    await kit.db.query.deleteFrom('play_rights').where('user_id', '=', as.userId).execute();
    const updated = await kit.sibling();
    const first = { duration: 30, position: 30, rate: 1 };
    kit.time.now += 30_000;
    expect(await updated.ok(REPORT, { ...at(two), ...first }, { as })).toMatchObject({ believed: 30 });
    // What is known by what it said is never bound; a quarter of an hour later nothing unknown is believed.
    kit.time.now += 16 * 60_000;
    expect(await updated.ok(REPORT, { ...at(one), ...first }, { as })).toMatchObject({ believed: 30 });
    const three = await makeLesson(kit, (await scene()).pack);
    await kit.db.query
      .updateTable('lessons')
      .set({ pack_id: at(one).packId, after_id: null })
      .where('id', '=', three)
      .execute();
    kit.time.now += 60_000;
    expect(await updated.ok(REPORT, { ...at(three), ...first }, { as })).toMatchObject({ believed: 1 });
    await updated.close();
  });

  it('takes a report once, keeps what comes late, and refuses what lies beyond the end or in another pack', async () => {
    const { as, one, at } = await scene();
    kit.time.now += 100_000;
    const send = (seq: number, position: number) =>
      ok(REPORT, { ...at(one), duration: 30, position, rate: 1, seq, playId: 'one-opening' }, { as });
    expect(await send(1, 30)).toMatchObject({ believed: 30, share: 0.05, nodeState: 2 });
    expect(await send(3, 90)).toMatchObject({ believed: 30, position: 90 });
    expect(await send(3, 90)).toMatchObject({ believed: 0, position: 90 });
    expect(await send(2, 60)).toMatchObject({ believed: 30, position: 90, share: 0.15 });
    const far = await kit.call(REPORT, { ...at(one), duration: 30, position: 700 }, { as });
    expect([far.code, far.msg]).toEqual([422, '播放位置超出了本节的长度，没有记录']);
    const elsewhere = await scene();
    for (const name of [REPORT, POSITION] as const) {
      const input = { packId: elsewhere.packId, firstVideoId: one, position: 30, duration: 30 };
      expect((await kit.raw(name, input, { as: elsewhere.as })).data).toEqual({ why: 'notFound' });
    }
    expect(await ok(LESSON, at(one), { as })).toMatchObject({ position: 90, startAt: 90, watched: 90 });
  });

  it('takes no lock and no pack of another report that comes in the same moment', async () => {
    const { as, packId, one, two, at } = await scene({ sequential: true });
    const free = await makePack(kit, { students: [as] });
    kit.time.now += 60_000;
    const said = await Promise.all([
      kit.call(POSITION, { ...at(two), position: 5 }, { as }),
      kit.call(POSITION, { packId: free.packId, firstVideoId: two, position: 5 }, { as }),
      kit.call(POSITION, { ...at(one), position: 5 }, { as }),
      kit.call(POSITION, { packId: free.packId, firstVideoId: one, position: 5 }, { as }),
    ]);
    expect(said.map(({ code }) => code)).toEqual([403, 404, 200, 404]);
    expect(await refused(LESSON, at(two), { as })).toBe('lessonLocked');
    const kept = kit.db.query.selectFrom('lesson_progress').select(['pack_id', 'lesson_id']);
    expect(await kept.where('user_id', '=', as.userId).execute()).toEqual([{ pack_id: packId, lesson_id: one }]);
  });

  it('refuses who is not enrolled beside who is in the same moment, and gives them no clock', async () => {
    const { as, one, at } = await scene();
    const [stranger, other] = [await kit.user(), await kit.user()];
    kit.time.now += 60_000;
    const report = { ...at(one), duration: 20, position: 20, rate: 1, playId: 'of-the-same', seq: 1 };
    const said = await Promise.all([stranger, as, other].map((from) => kit.call(REPORT, report, { as: from })));
    expect(said.map(({ code }) => code)).toEqual([403, 200, 403]);
    const clocks = kit.db.query.selectFrom('study_clocks').select('user_id');
    const ids = [stranger, as, other].map(({ userId }) => userId);
    expect(await clocks.where('user_id', 'in', ids).execute()).toEqual([{ user_id: as.userId }]);
  });

  it('goes on where its student was last, not where another device was that sends later what it kept', async () => {
    const { as, one, at } = await scene();
    kit.time.now += 60_000;
    const kept = kit.time.now;
    kit.time.now += 60_000;
    const desk = { ...at(one), duration: 30, position: 500, rate: 1, playId: 'at-the-desk', seq: 1, ago: 0 };
    await ok(REPORT, desk, { as });
    kit.time.now += 60_000;
    for (const seq of [1, 2]) {
      const phone = { ...at(one), duration: 20, position: 20 * seq, rate: 1, playId: 'the-phone', seq };
      expect(await ok(REPORT, { ...phone, ago: kit.time.now - kept }, { as })).toMatchObject({ believed: 20 });
    }
    expect(await ok(LESSON, at(one), { as })).toMatchObject({ startAt: 500, watched: 70 });
  });

  it('goes on where its student was last at a browser that kept two openings of it and sends them in their order', async () => {
    const { as, one, at } = await scene();
    kit.time.now += 600_000;
    for (const [playId, position, ago] of [
      ['in-the-morning', 60, 400_000],
      ['in-the-evening', 300, 100_000],
    ] as const)
      await ok(REPORT, { ...at(one), duration: 20, position, rate: 1, playId, seq: 1, ago }, { as });
    expect(await ok(LESSON, at(one), { as })).toMatchObject({ startAt: 300 });
  });

  it('counts for nobody but who watched: not for who has signed in at that browser since', async () => {
    const { as, pack, one, at } = await scene();
    const later = await kit.user();
    kit.time.now += 60_000;
    const of = { ...at(one), studentId: as.userId, position: 30 };
    const report = { ...of, duration: 30, ended: 1, playId: 'of-the-first', seq: 1 } as const;
    expect(await refused(REPORT, report, { as: later }), 'kept: not enrolled is said of themselves').toBe(
      'notSignedIn',
    );
    await enrol(kit, later, pack.packId);
    await openFilm(kit, later.userId, one);
    expect(await refused(REPORT, report, { as: later })).toBe('notSignedIn');
    expect(await refused(POSITION, of, { as: later })).toBe('notSignedIn');
    expect(await ok(LESSON, at(one), { as: later })).toMatchObject({ nodeState: 1, position: 0 });
    expect(await ok(REPORT, report, { as })).toMatchObject({ believed: 30, nodeState: 2 });
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

  it('keeps what was reported before it is answered, in many packs at once', async () => {
    const scenes = await Promise.all(Array.from({ length: 5 }, () => scene()));
    kit.time.now += 60_000;
    await Promise.all(scenes.map(({ as, one, at }) => ok(REPORT, { ...at(one), duration: 30, position: 30 }, { as })));
    const sibling = await kit.sibling();
    for (const { as, one, at } of scenes)
      expect(await sibling.ok(LESSON, at(one), { as })).toMatchObject({ position: 30, watched: 30 });
    // Two servers share one person's clock.
    const { as, one, two, at } = scenes[0] ?? (await scene());
    kit.time.now += 60_000;
    const both = await Promise.all([
      ok(REPORT, { ...at(one), duration: 120, position: 150, rate: 1 }, { as }),
      sibling.ok(REPORT, { ...at(two), duration: 120, position: 120, rate: 1 }, { as }),
    ]);
    // 60 s of now, and what the first report left of the time before.
    expect(both[0].believed + both[1].believed).toBeLessThanOrEqual(60 + 180 - 15);
    expect(
      await refused(REPORT, { ...at(one), duration: 1, position: 1, places: [{ from: 1 }] } as never, { as }),
    ).toBe('badInput');
    await sibling.close();
  });
});
