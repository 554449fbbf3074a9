import { afterAll, describe, expect, it } from 'vitest';
import { makePack } from '#server/course/pack.test-kit.ts';
import { makeLesson } from '#server/play/lesson.test-kit.ts';
import { databases, testApp } from '#server/test-kit.ts';

const SUBMIT = 'POST /api/feedback/video_submit';

describe.each(databases)('reports on films on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;
  const said = { feedbackType: 4 as const, feedbackDesc: '播放错误代码 3', deviceName: 'Chrome 120' };

  async function scene() {
    const as = await kit.user();
    const pack = await makePack(kit, { students: [as] });
    const lesson = await makeLesson(kit, pack, { name: '导论' });
    return { as, pack, packId: pack.packId, lesson };
  }

  it('are seen by their student and by teachers, with lesson and device, and are answered', async () => {
    const { as, packId, lesson } = await scene();
    const teacher = await kit.user('teacher');
    const { id } = await ok(SUBMIT, { ...said, packId, resourceId: lesson }, { as });
    const own = await ok('GET /app/feedback/history', {}, { as });
    expect(own.list).toMatchObject([
      {
        id,
        feedbackType: 4,
        feedbackDesc: said.feedbackDesc,
        lessonId: lesson,
        lessonName: '导论',
        packId,
        state: 0,
        questionId: null,
      },
    ]);
    const all = await ok('GET /app/feedback/reports', { feedbackType: 4, packId }, { as: teacher });
    expect(all.list).toMatchObject([{ id, lessonName: '导论', deviceName: 'Chrome 120' }]);
    const report = await ok('GET /app/feedback/report', { id }, { as: teacher });
    expect(report).toMatchObject({ question: null, deviceName: 'Chrome 120' });
    await ok('POST /app/feedback/answer', { id, version: 0, state: 2, answer: '已重新转码' }, { as: teacher });
    expect((await ok('GET /app/feedback/history', {}, { as })).list[0]).toMatchObject({
      state: 2,
      answer: '已重新转码',
      unread: true,
    });
  });

  it('that name no lesson mean the one that was opened last; without any there is nothing to report', async () => {
    const { as, packId, lesson } = await scene();
    expect(await refused(SUBMIT, said, { as })).toBe('notFound');
    await ok('POST /app/course/save_position', { packId, firstVideoId: lesson, position: 3 }, { as });
    await ok(SUBMIT, said, { as });
    expect((await ok('GET /app/feedback/history', {}, { as })).list).toMatchObject([{ lessonId: lesson, packId }]);
  });

  it('are refused for lessons that are not there, for nothing said, for others types, and for visitors', async () => {
    const { as, packId, lesson } = await scene();
    const other = await scene();
    expect(await refused(SUBMIT, { ...said, packId, resourceId: other.lesson }, { as })).toBe('notFound');
    expect(await refused(SUBMIT, { ...said, packId, resourceId: lesson, feedbackDesc: ' \n' }, { as })).toBe(
      'badInput',
    );
    expect(await refused(SUBMIT, { ...said, feedbackType: 13 as never, packId, resourceId: lesson }, { as })).toBe(
      'badInput',
    );
    expect(await refused(SUBMIT, { ...said, packId, resourceId: lesson })).toBe('notSignedIn');
    // What is no longer on offer is as if it were not there: a report would tell its names to whoever guesses an id.
    await kit.db.query.updateTable('packs').set({ archived: 1 }).where('id', '=', other.packId).execute();
    const gone = { ...said, packId: other.packId, resourceId: other.lesson };
    expect(await refused(SUBMIT, gone, { as })).toBe('notFound');
    expect((await ok('GET /app/feedback/history', {}, { as })).total).toBe(0);
  });

  it('are few: three a minute, twenty an hour', async () => {
    const { as, packId, lesson } = await scene();
    const send = () => kit.call(SUBMIT, { ...said, packId, resourceId: lesson }, { as });
    for (let at = 0; at < 3; at += 1) expect((await send()).code).toBe(200);
    expect((await send()).code).toBe(429);
    for (let minute = 0; minute < 30; minute += 1) {
      kit.time.now += 61_000;
      await send();
    }
    expect((await ok('GET /app/feedback/history', { pageSize: 100 }, { as })).total).toBe(20);
  });
});
