import { afterAll, describe, expect, it } from 'vitest';
import { databases, START, testApp } from '#server/test-kit.ts';
import { HOUR, startScene, storedAnswers } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const FLAG = 'POST /api/exam/flag';

describe.each(databases)('marking questions on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('are set, taken away and toggled, and survive a reload', async () => {
    const { as, base, ids, recordId, save } = await startScene(kit);
    const mark = { ...base, questionId: ids[1] };
    expect(await ok(FLAG, mark, { as })).toEqual({ flag: 1 });
    expect(await ok(FLAG, mark, { as })).toEqual({ flag: 0 });
    expect(await ok(FLAG, { ...mark, flag: 1 }, { as })).toEqual({ flag: 1 });
    expect(await ok(FLAG, { ...mark, flag: 1 }, { as })).toEqual({ flag: 1 });
    const snapshot = await ok('GET /api/exam/cache', { recordId }, { as });
    expect(snapshot.answers).toEqual([
      { questionId: ids[1], answer: '', seq: 0, flag: 1, showAnswerFlag: 0, state: 0 },
    ]);
    // A mark neither hinders the first answer nor is lost by it.
    await ok(SAVE, save(1, 'B', 1), { as });
    const after = await ok('GET /api/exam/cache', { recordId }, { as });
    expect(after.answers[0]).toMatchObject({ answer: 'B', seq: 1, flag: 1 });
    await ok(FLAG, { ...mark, flag: 0 }, { as });
    expect((await storedAnswers(kit, recordId)).get(ids[1])).toEqual({ answer: 'B', seq: 1 });
  });

  it('two toggles in one moment cancel out', async () => {
    const { as, base, ids } = await startScene(kit);
    const mark = { ...base, questionId: ids[1] };
    const both = await Promise.all([ok(FLAG, mark, { as }), ok(FLAG, mark, { as })]);
    expect(both.map((mark) => mark.flag).sort()).toEqual([0, 1]);
  });

  it('follow the window and the time as answers do', async () => {
    const { as, base, ids } = await startScene(kit);
    const mark = { ...base, questionId: ids[1] };
    expect(await refused(FLAG, { ...mark, windowId: 'window-0002' }, { as })).toBe('takenOver');
    kit.time.now = START + HOUR + 10_001;
    expect(await refused(FLAG, mark, { as })).toBe('tooLate');
  });
});
