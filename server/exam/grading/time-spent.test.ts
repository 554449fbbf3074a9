import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { startScene } from '../scene.test-kit.ts';

/** The time of a practice is what its windows counted (rules/exam/attempt.ts `usedSeconds`); the greatest count is the latest. */
describe.each(databases)('seconds spent on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok } = kit;

  async function practice(counts: readonly number[]) {
    const scene = await startScene(kit, { kind: 'chapter' });
    kit.time.now += 1_000_000;
    for (const [at, totalTime] of counts.entries()) {
      await ok('POST /api/exam/save_question', { ...scene.save(at, 'A', at + 1), totalTime }, { as: scene.as });
    }
    return scene;
  }

  it.each<[string, number[], number | undefined, number]>([
    ['as the last save counted', [50, 80], undefined, 80],
    ['as the greatest save counted, not the last', [80, 50], undefined, 80],
    ['as the hand-in counted, when that is more', [50, 80], 100, 100],
    ['as the saves counted, when the hand-in says less', [50, 80], 10, 80],
    ['as the hand-in counted, without a save', [], 40, 40],
  ])('%s', async (_, counts, totalTime, expected) => {
    const { as, base, recordId, windowId } = await practice(counts);
    const most = Math.max(0, ...counts);
    const cache = () => ok('GET /api/exam/cache', { recordId, windowId }, { as });
    expect(await cache()).toMatchObject({ totalTime: most, remaining: null, ownsWindow: true });
    // The exam context says the same wherever it is given.
    const { examId } = base;
    expect(await ok('GET /app/exam/test_start', { examId, windowId }, { as })).toMatchObject({
      resumed: true,
      totalTime: most,
    });
    const listed = async () => [
      (await ok('GET /api/user/exam_list', {}, { as })).list[0]?.totalTime,
      (await ok('POST /app/exam/history', { examId }, { as })).list[0]?.totalTime,
    ];
    expect(await listed()).toEqual([most, most]);
    const done = await ok('POST /api/exam/submit', { ...base, totalTime }, { as });
    expect(done.usedTime).toBe(expected);
    expect(await ok('GET /app/exam/result_tip', { recordId }, { as })).toMatchObject({
      usedTime: expected,
      totalTime: expected,
    });
    expect(await listed()).toEqual([expected, expected]);
    expect(await cache()).toMatchObject({
      totalTime: expected,
      remaining: 0,
      ownsWindow: false,
    });
  });

  it('reading counts: what a window noted when it was left stands with the saves, and with the hand-in', async () => {
    const { as, base, recordId, windowId } = await practice([5]);
    const note = (totalTime: number) => ok('POST /app/exam/time_spent', { recordId, windowId, totalTime }, { as });
    expect(await note(38.9)).toEqual({ totalTime: 38 });
    expect(await note(20)).toEqual({ totalTime: 38 });
    expect(await note(30_000_000), 'never more than the record has been open').toEqual({ totalTime: 1000 });
    expect(await ok('GET /api/exam/cache', { recordId }, { as })).toMatchObject({ totalTime: 1000 });
    expect((await ok('POST /api/exam/submit', { ...base, totalTime: 6 }, { as })).usedTime).toBe(1000);
    const late = { recordId, windowId, totalTime: 50 };
    expect(await kit.refused('POST /app/exam/time_spent', late, { as })).toBe('alreadySubmitted');
  });

  it('with the time stands the question on the screen, for whichever browser goes on', async () => {
    const { as, base, recordId, windowId } = await practice([5]);
    const note = (totalTime: number, place: { questionId?: number; seq?: number } = {}) =>
      ok('POST /app/exam/time_spent', { recordId, windowId, totalTime, ...place }, { as });
    const told = async () => (await ok('GET /api/exam/cache', { recordId }, { as })).place;
    expect(await told()).toBeNull();
    await note(20, { questionId: 12, seq: 1 });
    expect(await told()).toEqual({ questionId: 12, seq: 1 });
    await note(30);
    expect(await told(), 'a window that says no question moves nothing').toEqual({ questionId: 12, seq: 1 });
    await note(25, { questionId: 11, seq: 1 });
    expect(await told(), 'told earlier, come later').toEqual({ questionId: 12, seq: 1 });
    await note(30, { questionId: 11 });
    expect(await told(), 'in the same second').toEqual({ questionId: 11, seq: 0 });
    await ok('POST /app/exam/take_over', { recordId, windowId: 'window-0009' }, { as });
    const late = { recordId, windowId, totalTime: 90, questionId: 12, seq: 9 };
    expect(await kit.refused('POST /app/exam/time_spent', late, { as })).toBe('takenOver');
    const other = await kit.user();
    const theirs = { ...late, windowId: 'window-0009' };
    expect(await kit.refused('POST /app/exam/time_spent', theirs, { as: other })).toBe('notFound');
    expect(await told()).toEqual({ questionId: 11, seq: 0 });
    await ok('POST /api/exam/submit', { ...base, windowId: 'window-0009' }, { as });
    expect(await told(), 'it is the student’s own').toEqual({ questionId: 11, seq: 0 });
  });

  it('another window, and another student, note nothing', async () => {
    const { as, recordId } = await practice([5]);
    const note = { recordId, totalTime: 60 };
    expect(await kit.refused('POST /app/exam/time_spent', { ...note, windowId: 'window-0009' }, { as })).toBe(
      'takenOver',
    );
    const other = await kit.user();
    expect(await kit.refused('POST /app/exam/time_spent', note, { as: other })).toBe('notFound');
    expect(await ok('GET /api/exam/cache', { recordId }, { as })).toMatchObject({ totalTime: 5 });
  });

  it('a later save of the same question counts when it counts more', async () => {
    const { as, base, save } = await practice([80]);
    await ok('POST /api/exam/save_question', { ...save(0, 'B', 9), totalTime: 90 }, { as });
    expect((await ok('POST /api/exam/submit', base, { as })).usedTime).toBe(90);
  });

  it('a later save of the same question that counts less takes nothing back', async () => {
    const { as, base, save, recordId } = await practice([80]);
    await ok('POST /api/exam/save_question', { ...save(0, 'B', 9), totalTime: 30 }, { as });
    await ok('POST /api/exam/save_question', { ...save(1, 'B', 4), totalTime: 20 }, { as });
    // The next number a window gives is above the highest of all questions.
    expect(await ok('GET /api/exam/cache', { recordId }, { as })).toMatchObject({ totalTime: 80, lastSeq: 9 });
    expect((await ok('POST /api/exam/submit', base, { as })).usedTime).toBe(80);
  });
});
