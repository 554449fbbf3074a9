import { expect, it } from 'vitest';
import { ReadTurns } from './read-turns.ts';

/** Reads as SQLite does: the thread is busy until it has them. */
const busy = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

it('one person’s reads, however many, let everything else go between them', async () => {
  const turns = new ReadTurns();
  const order: string[] = [];
  const reads = Array.from({ length: 20 }, (_, at) =>
    turns.of(1, async () => {
      busy(5);
      order.push(`read ${at}`);
    }),
  );
  const save = new Promise<void>((done) =>
    setImmediate(() => {
      order.push('save');
      done();
    }),
  );
  await Promise.all([...reads, save]);
  expect(order.indexOf('save')).toBeLessThan(4);
  expect(order).toHaveLength(21);
});

it('another person’s read waits for one of them, not for all', async () => {
  const turns = new ReadTurns();
  const order: number[] = [];
  const read = (userId: number) =>
    turns.of(userId, async () => {
      busy(5);
      order.push(userId);
    });
  await Promise.all([...Array.from({ length: 20 }, () => read(1)), read(2)]);
  expect(order.indexOf(2)).toBeLessThan(4);
});

it('of one person only a few wait for the database at once, of many people all', async () => {
  const turns = new ReadTurns();
  let underWay = 0;
  let most = 0;
  const slow = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((wake) => setTimeout(wake, 20));
    underWay -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, () => turns.of(1, slow)));
  expect(most).toBe(4);
  most = 0;
  await Promise.all(Array.from({ length: 20 }, (_, at) => turns.of(at + 1, slow)));
  expect(most).toBeGreaterThan(10);
});

it('a read that fails says so and holds nobody up', async () => {
  const turns = new ReadTurns();
  const reads = Array.from({ length: 8 }, (_, at) =>
    turns.of(1, async () => {
      busy(5);
      if (at % 2) throw new Error('no');
      return at;
    }),
  );
  const done = await Promise.allSettled(reads);
  expect(done.map(({ status }) => status)).toEqual(done.map((_, at) => (at % 2 ? 'rejected' : 'fulfilled')));
});
