import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { startScene, storedAnswers } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';

describe.each(databases)('two windows of one record on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('the last one that started may save, the other is told so', async () => {
    const { as, save, examId, recordId, ids } = await startScene(kit);
    await ok('GET /app/exam/test_start', { examId, windowId: 'window-0002' }, { as });
    expect(await refused(SAVE, save(0, 'A', 1), { as })).toBe('takenOver');
    expect(await ok('GET /api/exam/cache', { recordId, windowId: 'window-0001' }, { as })).toMatchObject({
      ownsWindow: false,
    });
    await ok(SAVE, { ...save(0, 'B', 2), windowId: 'window-0002' }, { as });
    expect((await storedAnswers(kit, recordId)).get(ids[0])?.answer).toBe('B');
    await ok('POST /app/exam/take_over', { recordId, windowId: 'window-0001' }, { as });
    await ok(SAVE, save(0, 'A', 3), { as });
    expect(await refused(SAVE, { ...save(0, 'B', 4), windowId: 'window-0002' }, { as })).toBe('takenOver');
    expect(await refused('POST /api/exam/submit', { ...save(0, 'A'), windowId: 'window-0002' }, { as })).toBe(
      'takenOver',
    );
  });

  it('after hand-in none can save or take over (incidents: Artemis #1903)', async () => {
    const { as, save, base, recordId, ids } = await startScene(kit);
    await ok(SAVE, save(0, 'A', 1), { as });
    await ok('POST /api/exam/submit', base, { as });
    for (const windowId of ['window-0001', 'window-0002']) {
      expect(await refused(SAVE, { ...save(0, 'B', 9), windowId }, { as })).toBe('alreadySubmitted');
      expect(await refused('POST /app/exam/take_over', { recordId, windowId }, { as })).toBe('alreadySubmitted');
      // A mark is no answer (sitting/flag.test.ts).
      expect(await ok('POST /api/exam/flag', { ...base, questionId: ids[0], flag: 1, windowId }, { as })).toEqual({
        flag: 1,
      });
    }
    expect((await storedAnswers(kit, recordId)).get(ids[0])).toEqual({ answer: 'A', seq: 1 });
  });
});
