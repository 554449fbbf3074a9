import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bus, localBus, redisBus } from './bus.ts';
import { networkTo } from './db/tcp-proxy.test-kit.ts';

const redisUrl = process.env.TEST_REDIS_URL;
const noError = (error: unknown) => {
  throw error;
};

describe.each([
  { name: 'in process', pair: async (): Promise<[Bus, Bus]> => ((bus) => [bus, bus] as [Bus, Bus])(localBus()) },
  ...(redisUrl
    ? [
        {
          name: 'through Redis, between two processes',
          pair: async (): Promise<[Bus, Bus]> => [await redisBus(redisUrl, noError), await redisBus(redisUrl, noError)],
        },
      ]
    : []),
])('the bus $name', ({ pair }) => {
  let here: Bus;
  let there: Bus;
  beforeAll(async () => {
    [here, there] = await pair();
  });
  afterAll(async () => {
    await here.close();
    if (there !== here) await there.close();
  });

  it('carries a message to everyone who listens to its topic, until they stop', async () => {
    const topic = `test:${process.pid}:${Date.now()}`;
    const heard: unknown[] = [];
    let arrived = () => {};
    const end = await there.subscribe(topic, (message) => {
      heard.push(message);
      arrived();
    });
    await there.subscribe(`${topic}:other`, () => heard.push('not mine'));
    const first = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await here.publish(topic, { event: 'takenOver', windowId: '窗口一' });
    await first;
    expect(heard).toEqual([{ event: 'takenOver', windowId: '窗口一' }]);
    await end();
    const again = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await there.subscribe(`${topic}:last`, () => arrived());
    await here.publish(topic, 'nobody');
    await here.publish(`${topic}:last`, 'done');
    await again;
    expect(heard).toHaveLength(1);
  });
});

describe.runIf(redisUrl)('a Redis that goes away', () => {
  /** A way to Redis that can be cut and mended. */
  async function wayTo(target: URL) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      const other = connect(Number(target.port || 6379), target.hostname);
      for (const [from, to] of [
        [socket, other],
        [other, socket],
      ] as const) {
        sockets.add(from);
        from.on('error', () => undefined).on('close', () => to.destroy());
        from.pipe(to);
      }
    });
    const listen = async (port: number) => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      return typeof address === 'object' && address ? address.port : 0;
    };
    const cut = async () => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      if (server.listening) await new Promise((done) => server.close(done));
    };
    return { listen, cut };
  }

  it('holds up nobody, and messages flow again when it is back', async () => {
    const target = new URL(redisUrl ?? '');
    const way = await wayTo(target);
    const port = await way.listen(0);
    const through = new URL(target);
    through.host = `127.0.0.1:${port}`;
    const errors: unknown[] = [];
    const bus = await redisBus(through.href, (error) => errors.push(error));
    const topic = `test:gone:${process.pid}:${Date.now()}`;
    let hear: (message: unknown) => void = () => undefined;
    await bus.subscribe(topic, (message) => hear(message));
    await way.cut();
    await bus.publish(topic, 'lost');
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    await bus.publish(topic, 'lost too');
    await way.listen(port);
    const heard = new Promise((resolve) => {
      hear = resolve;
    });
    const again = setInterval(() => void bus.publish(topic, 'back'), 50);
    expect(await heard).toBe('back');
    clearInterval(again);
    await way.cut();
    await bus.close();
  });

  it('is noticed where it went without a word, and messages flow again', async () => {
    const network = await networkTo(redisUrl ?? '');
    const errors: unknown[] = [];
    const bus = await redisBus(network.url, (error) => errors.push(error), 300);
    const topic = `test:silent:${process.pid}:${Date.now()}`;
    let hear: (message: unknown) => void = () => undefined;
    await bus.subscribe(topic, (message) => hear(message));
    const heard = new Promise((resolve) => {
      hear = resolve;
    });
    network.killSilently();
    const again = setInterval(() => void bus.publish(topic, 'back'), 50);
    expect(await heard).toBe('back');
    clearInterval(again);
    expect(errors.length).toBeGreaterThan(0);
    await bus.close();
    await network.close();
  });

  it('is said at the start where it takes the connection and says nothing', async () => {
    const network = await networkTo(redisUrl ?? '');
    network.swallowAll();
    await expect(redisBus(network.url, () => undefined, 300)).rejects.toThrow('timeout');
    await network.close();
  });

  it('is said at the start', async () => {
    await expect(redisBus('redis://127.0.0.1:1', () => undefined)).rejects.toThrow('ECONNREFUSED');
  });
});
