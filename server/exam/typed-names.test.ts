import { afterAll, describe, expect, it } from 'vitest';
import { databases, testApp } from '#server/test-kit.ts';
import { classRoom } from './quality/quality.test-kit.ts';

describe.each(databases)('names and reasons that no database stores, on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  afterAll(() => kit.close());
  const { ok, refused } = kit;

  it('in a name or a reason that only has them are nothing; beside others they are left out', async () => {
    const typed = ' \u0000';
    const { pack, ids, examId, teacher, sits } = await classRoom(kit);
    const { packId } = pack;
    const { as } = await sits('BAAAAAAA');
    await ok('GET /app/exam/test_start', { examId }, { as });
    const lines = [{ questionTypesId: 2 as const, count: 1, score: 2 }];
    const random = { packId, name: typed, lines, examTime: 60 };
    expect(await refused('POST /app/exam/random_paper', random, { as })).toBe('badInput');
    expect(await refused('POST /app/exam/own_paper', { packId, name: typed, questionIds: ids }, { as })).toBe(
      'badInput',
    );
    const give = { giveKey: `give-00${packId}`, examId, minutes: 5, reason: typed };
    expect(await refused('POST /app/exam/give_time', give, { as: teacher })).toBe('badInput');
    expect(
      (await ok('GET /app/question/quality_list', { packId, text: typed, pageSize: 20 }, { as: teacher })).list,
    ).toHaveLength(8);
    await ok('POST /app/exam/give_time', { ...give, reason: '停\u0000电' }, { as: teacher });
    expect(await ok('GET /app/exam/given_time', {}, { as: teacher })).toMatchObject({ list: [{ reason: '停电' }] });
    const { examId: made } = await ok('POST /app/exam/random_paper', { ...random, name: '期\u0000末' }, { as });
    expect(await ok('GET /app/exam/print', { examId: made }, { as })).toMatchObject({ examName: '期末' });
  });
});
