import { afterAll, describe, expect, it } from 'vitest';
import { SaveQuestion } from '#contract/exam.ts';
import { startScene } from '#server/exam/scene.test-kit.ts';
import { type TestUser, testApp } from '#server/test-kit.ts';
import { Allowances } from './allowances.ts';

const kit = await testApp();
afterAll(() => kit.close());
const { ok } = kit;

describe('what one call allows one person', () => {
  const limits = { inFlight: 2, perMinute: 3, bytesPerMinute: 100 };

  it('so many at once, until one is answered', () => {
    const allowances = new Allowances(limits);
    const first = allowances.enter(1, 0, 0);
    expect(allowances.enter(1, 0, 0).ok).toBe(true);
    expect(allowances.enter(1, 0, 0)).toEqual({ ok: false, retryAfter: 1 });
    expect(allowances.enter(2, 0, 0).ok).toBe(true);
    if (first.ok) first.leave();
    expect(allowances.enter(1, 0, 0).ok).toBe(true);
    // What hangs is not forgotten, however long.
    allowances.forget(3_600_000);
    expect(allowances.enter(1, 0, 3_600_000)).toEqual({ ok: false, retryAfter: 1 });
  });

  it('so many and so many bytes in a minute, also after those who used nothing were forgotten', () => {
    const allowances = new Allowances(limits);
    const once = (bytes: number, now: number) => {
      const entry = allowances.enter(1, bytes, now);
      if (entry.ok) entry.leave();
      return entry.ok ? true : entry.retryAfter;
    };
    expect(once(90, 0)).toBe(true);
    expect(once(20, 0)).toBe(6);
    allowances.forget(0);
    expect(once(10, 0)).toBe(true);
    expect(once(0, 0)).toBe(true);
    expect(once(0, 0)).toBe(20);
    allowances.forget(60_000);
    expect(once(90, 60_000)).toBe(true);
  });
});

describe('nobody who studies meets a limit', () => {
  it('2,000 answers and marks of hours without a network, from two windows of two exams at once', async () => {
    const scene = await startScene(kit);
    const { as } = scene;
    const other = await startScene(kit, {}, as);
    // As the browser sends them: answers by four lanes of each window, marks all together.
    const lane = async ({ save }: typeof scene, at: number) => {
      for (let turn = 0; turn < 250; turn += 1)
        await ok('POST /api/exam/save_question', save(1, 'AB'[turn % 2] ?? 'A', at * 1000 + turn + 1), { as });
    };
    const marks = [scene, other].flatMap(({ base, ids }) =>
      Array.from({ length: 200 }, (_, at) =>
        ok('POST /api/exam/flag', { ...base, questionId: ids[at % 6] ?? 0, flag: at % 2 }, { as }),
      ),
    );
    await Promise.all([...[scene, other].flatMap((each) => [0, 1, 2, 3].map((at) => lane(each, at))), ...marks]);
  });

  it('a window that asks for its state every 1.5 s because its socket is blocked, in three windows, with lists between', async () => {
    const { as, recordId, pack } = await startScene(kit);
    for (let asked = 0; asked < 3 * 40; asked += 1) await ok('GET /api/exam/cache', { recordId }, { as });
    for (let asked = 0; asked < 30; asked += 1) await ok('GET /api/exam/exam_list', { packId: pack.packId }, { as });
  });

  it('a school behind one address, all at once', async () => {
    const students: TestUser[] = [];
    for (let at = 0; at < 300; at += 1) students.push(await kit.user());
    const answers = await Promise.all(students.map((as) => kit.call('GET /api/user/exam_list', {}, { as })));
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200]));
  });
});

describe('one student against all', () => {
  it('lists end with 429 and when to come back; the own saves and a stranger go on', async () => {
    const scene = await startScene(kit);
    const { as, pack } = scene;
    const stranger = await startScene(kit);
    const { token } = as;
    const headers = { authorization: `Bearer ${token}` };
    const url = `/api/exam/exam_list?packId=${pack.packId}`;
    let last = await kit.app.inject({ url, headers });
    for (let asked = 0; asked < 200 && last.statusCode === 200; asked += 1)
      last = await kit.app.inject({ url, headers });
    expect(last.json()).toEqual({ code: 429, msg: '操作太频繁，请稍后再试', data: { why: 'tooMany' } });
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    await ok('POST /api/exam/save_question', scene.save(1, 'B'), { as });
    await ok('GET /api/exam/exam_list', { packId: stranger.pack.packId }, { as: stranger.as });
  });

  it('large answers end with 429, before they are read', async () => {
    const { as, save } = await startScene(kit);
    const payload = JSON.stringify({ ...save(3, 'x'), padding: ' '.repeat(250_000) });
    const headers = { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' };
    let bytes = 0;
    let status = 200;
    while (status === 200 && bytes < 200_000_000) {
      status = (await kit.app.inject({ method: 'POST', url: SaveQuestion.path, payload, headers })).statusCode;
      bytes += payload.length;
    }
    expect(status).toBe(429);
    expect(bytes).toBeLessThan(1.2 * SaveQuestion.limits.bytesPerMinute);
    // Read, it would be refused as no JSON.
    const junk = await kit.app.inject({ method: 'POST', url: SaveQuestion.path, payload: payload.slice(1), headers });
    expect(junk.statusCode).toBe(429);
  });
});
