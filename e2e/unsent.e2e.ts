import { expect, type Page, test } from '@playwright/test';
import type * as Unsent from '#web/exam/session/unsent.ts';
import { openWith } from './in-browser.ts';

/** The store of unsent answers on the database of a real browser (decision 009); web/exam/session/unsent.test.ts has its twin in memory. */
test.beforeEach(({ page }) => openWith(page, 'web/exam/session/unsent.ts'));

type Answer = Unsent.Left;
interface Step {
  put?: [seq: number, answer: string];
  remove?: number;
  clear?: true;
}
const FROM = { examId: 5, windowId: 'window-0001' };

/** Does the steps in the store of student 1 and one record, and gives what it holds after each of them, as `seq answer`. */
function after(page: Page, steps: readonly Step[], recordId: number): Promise<string[][]> {
  return page.evaluate(
    async ([steps, recordId, from]) => {
      const { openUnsent } = (globalThis as unknown as { built: typeof Unsent }).built;
      const store = openUnsent(1, recordId, from);
      const held: string[][] = [];
      for (const { put, remove, clear } of steps) {
        if (put && !(await store.put({ questionId: 3, seq: put[0], answer: put[1] })))
          throw new Error('not on the disk');
        if (remove !== undefined) await store.remove({ questionId: 3, seq: remove, answer: '' });
        if (clear) await store.clear();
        held.push((await store.all()).map(({ seq, answer }) => `${seq} ${answer}`));
      }
      return held;
    },
    [steps, recordId, FROM] as const,
  );
}

const cases: [string, Step[], string[][]][] = [
  ['a newer answer replaces an older one', [{ put: [5, 'A'] }, { put: [7, 'B'] }], [['5 A'], ['7 B']]],
  ['an older answer never replaces a newer one', [{ put: [7, 'B'] }, { put: [5, 'A'] }], [['7 B'], ['7 B']]],
  ['removing really removes', [{ put: [5, 'A'] }, { remove: 5 }], [['5 A'], []]],
  ['removing with a newer number removes the older answer', [{ put: [5, 'A'] }, { remove: 6 }], [['5 A'], []]],
  ['removing an older number leaves a newer answer', [{ put: [7, 'B'] }, { remove: 5 }], [['7 B'], ['7 B']]],
  ['removing what is not there does nothing', [{ remove: 5 }, { put: [5, 'A'] }], [[], ['5 A']]],
  ['clear forgets all', [{ put: [5, 'A'] }, { clear: true }], [['5 A'], []]],
];
test('answers and removals, newer and older', async ({ page }) => {
  for (const [at, [name, steps, expected]] of cases.entries()) {
    expect(await after(page, steps, at), name).toEqual(expected);
  }
  // The next page knows nothing of what this one did, and finds the same.
  await page.reload();
  await page.waitForFunction(() => 'built' in globalThis);
  for (const [at, [name, , expected]] of cases.entries()) {
    expect(await after(page, [{}], at), name).toEqual([expected.at(-1)]);
  }
});

test('an older answer does not replace a newer one of an earlier page either', async ({ page }) => {
  await after(page, [{ put: [7, 'B'] }], 2);
  await page.reload();
  await page.waitForFunction(() => 'built' in globalThis);
  expect(await after(page, [{ put: [5, 'A'] }, { remove: 5 }, { put: [8, 'C'] }], 2)).toEqual([
    ['7 B'],
    ['7 B'],
    ['8 C'],
  ]);
});

test('what is done at once is done in turn: the last answer stays, and a removal never overtakes its write', async ({
  page,
}) => {
  const held = await page.evaluate(async (from) => {
    const { openUnsent } = (globalThis as unknown as { built: typeof Unsent }).built;
    const store = await openUnsent(1, 2, from);
    const work: Promise<unknown>[] = [];
    for (let seq = 1; seq <= 30; seq += 1) {
      work.push(store.put({ questionId: 3, answer: 'A', seq }));
      if (seq < 30) work.push(store.remove({ questionId: 3, answer: 'A', seq }));
      work.push(store.put({ questionId: 4, answer: 'A', seq }), store.remove({ questionId: 4, answer: 'A', seq }));
    }
    await Promise.all(work);
    return store.all();
  }, FROM);
  expect(held).toEqual([{ questionId: 3, answer: 'A', seq: 30 }]);
});

test('another record and another student have their own; what stayed behind is told of one student and all records', async ({
  page,
}) => {
  const [own, record, student, left, strangers] = await page.evaluate(async (from) => {
    const { leftBehind, openUnsent } = (globalThis as unknown as { built: typeof Unsent }).built;
    const first = await openUnsent(1, 2, from);
    const otherRecord = await openUnsent(1, 22, { ...from, windowId: 'window-0002' });
    const otherStudent = await openUnsent(11, 2, from);
    const nameless = await openUnsent(1, 23);
    for (const store of [first, otherRecord, otherStudent, nameless]) {
      await store.put({ questionId: 3, answer: 'A', seq: 5 });
      await store.put({ questionId: 4, answer: 'B', seq: 6 });
    }
    await first.remove({ questionId: 3, answer: 'A', seq: 9 });
    const before = await leftBehind(1);
    await first.clear();
    return [await first.all(), await otherRecord.all(), await otherStudent.all(), before, await leftBehind(2)];
  }, FROM);
  const both = [
    { questionId: 3, answer: 'A', seq: 5 },
    { questionId: 4, answer: 'B', seq: 6 },
  ];
  expect(own).toEqual([]);
  expect(record).toEqual(both);
  expect(student).toEqual(both);
  // Without exam and window it could not be sent by anybody else.
  expect(
    (left as Answer[]).map(({ recordId, examId, windowId, questionId }) => [recordId, examId, windowId, questionId]),
  ).toEqual([
    [2, 5, 'window-0001', 4],
    [22, 5, 'window-0002', 3],
    [22, 5, 'window-0002', 4],
  ]);
  expect(strangers).toEqual([]);
});

test('the window that comes back to an unsent answer takes it over', async ({ page }) => {
  const left = await page.evaluate(async (from) => {
    const { leftBehind, openUnsent } = (globalThis as unknown as { built: typeof Unsent }).built;
    const answer = { questionId: 3, answer: 'A', seq: 5 };
    await (await openUnsent(1, 2, from)).put(answer);
    await (await openUnsent(1, 2, { ...from, windowId: 'window-0002' })).put(answer);
    return leftBehind(1);
  }, FROM);
  expect(left).toMatchObject([{ windowId: 'window-0002', seq: 5 }]);
});

test('what nobody came back to for half a year is thrown away by the next exam, the rest stays', async ({ page }) => {
  const day = 86_400_000;
  const start = Date.UTC(2026, 0, 1);
  const putAt = async (now: number, recordId: number) => {
    await page.clock.setFixedTime(now);
    await page.evaluate(
      async ([recordId, from]) => {
        const { openUnsent } = (globalThis as unknown as { built: typeof Unsent }).built;
        await (await openUnsent(1, recordId, from)).put({ questionId: 3, answer: 'A', seq: 5 });
      },
      [recordId, FROM] as const,
    );
  };
  const records = () =>
    page.evaluate(async () => {
      const { leftBehind } = (globalThis as unknown as { built: typeof Unsent }).built;
      return (await leftBehind(1)).map(({ recordId }) => recordId);
    });
  await putAt(start, 1);
  await putAt(start + day, 2);
  await putAt(start + 183 * day, 3);
  expect(await records()).toEqual([1, 2, 3]);
  await putAt(start + 183 * day + 1, 4);
  await expect.poll(records).toEqual([2, 3, 4]);
});
