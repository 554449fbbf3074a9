import { expect, it } from 'vitest';
import { lookedUpTogether } from './together.ts';

it('asks for all keys of one moment at once, each once, and gives everybody their own', async () => {
  const asked: string[][] = [];
  const find = lookedUpTogether(async (keys: readonly string[]) => {
    asked.push([...keys]);
    return new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, key.toUpperCase()]));
  });
  expect(await Promise.all([find('a'), find('b'), find('a'), find('nobody')])).toEqual(['A', 'B', 'A', undefined]);
  expect(await find('a')).toBe('A');
  expect(asked).toEqual([['a', 'b', 'nobody'], ['a']]);
});

it('tells a failure to those it was asked for, and asks anew for the next', async () => {
  let fails = true;
  const find = lookedUpTogether(async (keys: readonly number[]) => {
    if (fails) throw new Error('cut off');
    return new Map(keys.map((key) => [key, key]));
  });
  const all = await Promise.allSettled([find(1), find(2), find(1)]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  fails = false;
  expect(await find(1)).toBe(1);
});

it('a question that hangs holds up only its own', async () => {
  const answers: (() => void)[] = [];
  const find = lookedUpTogether(async (keys: readonly number[]) => {
    if (keys.includes(0)) await new Promise<void>((answer) => answers.push(answer));
    return new Map(keys.map((key) => [key, key]));
  });
  const hanging = [find(0)];
  for (const key of [1, 2, 3]) {
    await new Promise((turn) => setImmediate(turn));
    hanging.push(find(0));
    await new Promise((turn) => setImmediate(turn));
    expect(await find(key)).toBe(key);
  }
  for (const answer of answers) answer();
  expect(await Promise.all(hanging)).toEqual([0, 0, 0, 0]);
});
