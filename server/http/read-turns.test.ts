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

/** A change as a save is one: it needs the thread so many times before it is done. */
const steps = async (count: number) => {
  for (let step = 0; step < count; step += 1) await new Promise((wake) => setImmediate(wake));
};

it('a save that needs the thread ten times waits for one long read or two, not for one at each of its steps', async () => {
  const turns = new ReadTurns();
  const order: string[] = [];
  const reads = Array.from({ length: 12 }, (_, at) =>
    turns.of(1, async () => {
      busy(30);
      order.push(`read ${at}`);
    }),
  );
  const save = turns.change(async () => {
    await steps(10);
    order.push('save');
  });
  await Promise.all([...reads, save]);
  expect(order.indexOf('save')).toBeLessThan(4);
  expect(order).toHaveLength(13);
});

it('one read after another, each begun when the last is answered, rests for a save as well', async () => {
  const turns = new ReadTurns();
  const order: string[] = [];
  const save = turns.change(async () => {
    await steps(10);
    order.push('save');
  });
  for (let at = 0; at < 6; at += 1) {
    await turns.of(1, async () => {
      busy(30);
      order.push(`read ${at}`);
    });
    await steps(1);
  }
  await save;
  expect(order.indexOf('save')).toBeLessThan(4);
});

it('a change that takes for ever holds up no reader for longer than its rest', async () => {
  const turns = new ReadTurns();
  let end = () => {};
  const never = turns.change(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  const done = await Promise.all(
    Array.from({ length: 5 }, (_, at) =>
      turns.of(1, async () => {
        busy(10);
        return at;
      }),
    ),
  );
  expect(done).toEqual([0, 1, 2, 3, 4]);
  end();
  await never;
});
