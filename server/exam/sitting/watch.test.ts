import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { redisBus } from '#server/bus.ts';
import { databases, START, type TestUser, testApp } from '#server/test-kit.ts';
import { classmate, HOUR, SWEEP, startScene } from '../scene.test-kit.ts';
import { announceTakeOver } from './watch.ts';

const redisUrl = process.env.TEST_REDIS_URL;

describe.each(databases)('watching a record on $name', async ({ kind }) => {
  const kit = await testApp(kind);
  let port = 0;
  beforeAll(async () => {
    port = await kit.app.listen(0, '127.0.0.1');
  });
  afterAll(() => kit.close());
  const { ok } = kit;

  /** A window's socket: what it heard, and how it closed. */
  async function watch(
    as: TestUser | null,
    recordId: number | string,
    windowId: string,
    headers: Record<string, string> = {},
    at = port,
  ) {
    const heard: unknown[] = [];
    const waiting: (() => void)[] = [];
    let closed: number | null = null;
    let opened = false;
    const socket = new WebSocket(`ws://127.0.0.1:${at}/app/exam/watch?recordId=${recordId}&windowId=${windowId}`, {
      headers: { ...(as ? { authorization: `Bearer ${as.token}` } : {}), ...headers },
    } as never);
    const wake = () => {
      for (const goOn of waiting.splice(0)) goOn();
    };
    socket.onmessage = (message) => {
      heard.push(JSON.parse(String(message.data)));
      wake();
    };
    socket.onclose = ({ code }) => {
      closed = code;
      wake();
    };
    await new Promise<void>((resolve) => {
      socket.onopen = () => {
        opened = true;
        resolve();
      };
      socket.onerror = () => resolve();
    });
    return {
      heard,
      opened,
      /** Waits until so many messages were heard, or the socket closed. */
      async until(count: number) {
        while (heard.length < count && closed === null) await new Promise<void>((resolve) => waiting.push(resolve));
        return heard;
      },
      async untilClosed() {
        while (closed === null) await new Promise<void>((resolve) => waiting.push(resolve));
        return closed;
      },
      send: (text: string) => socket.send(text),
      close: () => socket.close(),
    };
  }

  it('a window hears that another took over, and which', async () => {
    const { as, examId, recordId } = await startScene(kit);
    const first = await watch(as, recordId, 'window-0001');
    await ok('GET /app/exam/test_start', { examId, windowId: 'window-0002' }, { as });
    await first.until(1);
    await ok('POST /app/exam/take_over', { recordId, windowId: 'window-0003' }, { as });
    expect(await first.until(2)).toEqual([
      { event: 'takenOver', windowId: 'window-0002' },
      { event: 'takenOver', windowId: 'window-0003' },
    ]);
    first.close();
  });

  it('what happened before the socket opened is told first', async () => {
    const { as, base, recordId } = await startScene(kit);
    const late = await watch(as, recordId, 'window-0002');
    expect(await late.until(1)).toEqual([{ event: 'takenOver', windowId: 'window-0001' }]);
    await ok('POST /api/exam/submit', base, { as });
    expect(await late.until(2)).toEqual([{ event: 'takenOver', windowId: 'window-0001' }, { event: 'submitted' }]);
    const later = await watch(as, recordId, 'window-0001');
    expect(await later.until(1)).toEqual([{ event: 'submitted' }]);
    late.close();
    later.close();
  });

  it('messages of two take-overs that come in the wrong order end with who holds the record', async () => {
    const { as, recordId } = await startScene(kit);
    const first = await watch(as, recordId, 'window-0001');
    const last = await watch(as, recordId, 'window-0003');
    await last.until(1);
    await kit.db.query
      .updateTable('exam_records')
      .set({ window_id: 'window-0003' })
      .where('id', '=', recordId)
      .execute();
    await announceTakeOver(kit.parts.bus, recordId, 'window-0003');
    await announceTakeOver(kit.parts.bus, recordId, 'window-0002');
    expect(await first.until(1)).toEqual([{ event: 'takenOver', windowId: 'window-0003' }]);
    // Each looks by itself: who looks only after the next take-over hears of that one alone.
    await last.until(2);
    await ok('POST /app/exam/take_over', { recordId, windowId: 'window-0004' }, { as });
    const both = [
      { event: 'takenOver', windowId: 'window-0003' },
      { event: 'takenOver', windowId: 'window-0004' },
    ];
    expect(await first.until(2)).toEqual(both);
    expect(await last.until(3)).toEqual([{ event: 'takenOver', windowId: 'window-0001' }, ...both]);
    first.close();
    last.close();
  });

  it('hears that a start closed the record that had run out', async () => {
    const { as, examId, recordId } = await startScene(kit);
    const window = await watch(as, recordId, 'window-0001');
    kit.time.now = START + HOUR + 12_001;
    await ok('GET /app/exam/test_start', { examId, windowId: 'window-0002' }, { as });
    expect(await window.until(1)).toEqual([{ event: 'submitted' }]);
    window.close();
  });

  it.runIf(redisUrl)('hears of a take-over at another process within 2 s, through Redis', async () => {
    const bus = () => redisBus(redisUrl ?? '', (error) => expect(error).toBeUndefined());
    const [here, there] = [await kit.sibling(await bus()), await kit.sibling(await bus())];
    try {
      const { as, examId, recordId } = await startScene(kit);
      const first = await watch(as, recordId, 'window-0001', {}, await here.app.listen(0, '127.0.0.1'));
      const began = performance.now();
      await there.ok('POST /app/exam/take_over', { recordId, windowId: 'window-0002' }, { as });
      expect(await first.until(1)).toEqual([{ event: 'takenOver', windowId: 'window-0002' }]);
      await there.ok('GET /app/exam/test_start', { examId, windowId: 'window-0003' }, { as });
      expect((await first.until(2))[1]).toEqual({ event: 'takenOver', windowId: 'window-0003' });
      await there.ok('POST /api/exam/submit', { examId, recordId, windowId: 'window-0003' }, { as });
      expect((await first.until(3))[2]).toEqual({ event: 'submitted' });
      expect(performance.now() - began).toBeLessThan(2000);
      first.close();
    } finally {
      await Promise.all([here.close(), there.close()]);
    }
  });

  it('hears that the server closed the record', async () => {
    const { as, recordId } = await startScene(kit);
    const window = await watch(as, recordId, 'window-0001');
    kit.time.now = START + HOUR + 12_001;
    await kit.chore(SWEEP);
    expect(await window.until(1)).toEqual([{ event: 'submitted' }]);
    window.close();
  });

  it('a little of what a browser says is dropped, who floods is cut off', async () => {
    const { as, recordId } = await startScene(kit);
    const window = await watch(as, recordId, 'window-0001');
    for (let sent = 0; sent < 10; sent += 1) window.send(`[${'0,'.repeat(1000)}0]`);
    window.send('no JSON');
    await ok('POST /app/exam/take_over', { recordId, windowId: 'window-0002' }, { as });
    expect(await window.until(1)).toEqual([{ event: 'takenOver', windowId: 'window-0002' }]);
    for (let sent = 0; sent < 100; sent += 1) window.send(`[${'0,'.repeat(2000)}0]`);
    expect(await window.untilClosed()).toBe(1006);
  });

  it('one message that is larger than any ends the connection', async () => {
    const { as, recordId } = await startScene(kit);
    const window = await watch(as, recordId, 'window-0001');
    window.send(`[${'0,'.repeat(20_000)}0]`);
    expect(await window.untilClosed()).toBe(1009);
  });

  it.each([
    ['sign-out', (as: TestUser) => ok('POST /api/user/logout', {}, { as })],
    [
      'switching the person off',
      (as: TestUser) =>
        kit.db.changePeople((trx) =>
          trx.updateTable('users').set({ disabled: 1 }).where('id', '=', as.userId).execute(),
        ),
    ],
  ])('an open one ends with %s; others stay', async (_, end) => {
    const { as, pack, recordId } = await startScene(kit);
    const other = await startScene(kit, {}, await classmate(kit, pack));
    const [window, stays] = [
      await watch(as, recordId, 'window-0001'),
      await watch(other.as, other.recordId, 'window-0001'),
    ];
    await end(as);
    expect(await window.untilClosed()).toBe(4401);
    await ok('POST /app/exam/take_over', { recordId: other.recordId, windowId: 'window-0002' }, { as: other.as });
    expect(await stays.until(1)).toHaveLength(1);
    stays.close();
  });

  it('one that closes while it is still being looked up leaves nothing behind', async () => {
    const { as, recordId } = await startScene(kit);
    let [begun, ended] = [0, 0];
    const subscribe = kit.parts.bus.subscribe.bind(kit.parts.bus);
    const spied = vi.spyOn(kit.parts.bus, 'subscribe').mockImplementation(async (topic, hear) => {
      begun += 1;
      // Gone before the subscription stands.
      const gone = await opened;
      gone.close();
      await gone.untilClosed();
      await new Promise((wake) => setTimeout(wake, 50));
      const leave = await subscribe(topic, hear);
      return async () => {
        ended += 1;
        await leave();
      };
    });
    const opened = watch(as, recordId, 'window-0001');
    await vi.waitFor(() => expect([begun, ended]).toEqual([1, 1]));
    spied.mockRestore();
  });

  it('one person has so many connections and no more, and closed ones make room', async () => {
    const { as, recordId } = await startScene(kit);
    const all = await Promise.all(Array.from({ length: 50 }, () => watch(as, recordId, 'window-0001')));
    expect((await watch(as, recordId, 'window-0001')).opened).toBe(false);
    for (const window of all) window.close();
    await Promise.all(all.map((window) => window.untilClosed()));
    let windows = 1;
    await vi.waitFor(async () => {
      windows += 1;
      const next = await watch(as, recordId, 'window-0001');
      await ok('POST /app/exam/take_over', { recordId, windowId: `window-000${windows}` }, { as });
      expect(await next.until(1)).toHaveLength(1);
      next.close();
    });
  });

  it('only the owner may watch', async () => {
    const { pack, recordId } = await startScene(kit);
    const other = await watch(await classmate(kit, pack), recordId, 'window-0001');
    expect(await other.untilClosed()).toBe(1000);
    expect(other.heard).toEqual([]);
    const nobody = await watch(null, recordId, 'window-0001');
    expect(nobody.opened).toBe(false);
    const elsewhere = await startScene(kit);
    const crossSite = await watch(elsewhere.as, elsewhere.recordId, 'window-0001', { origin: 'https://evil.example' });
    expect(crossSite.opened).toBe(false);
  });

  it('a record that is not there is none', async () => {
    const window = await watch(await kit.user(), '987654', 'window-0001');
    expect(await window.untilClosed()).toBe(1000);
  });

  it.each(['x', '-1', '1e99', '', '1.5'])('a record %j opens nothing', async (recordId) => {
    const window = await watch(await kit.user(), recordId, 'window-0001');
    expect(window.opened).toBe(false);
  });
});
