import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { hearExamsBegin, tellExamBegan } from './exam-began.ts';
import { callKey } from './useCall.ts';

const me = callKey('GET /api/user/info', {});
const left = callKey('GET /app/exam/review', { recordId: 1 });
const shown = callKey('GET /app/exam/review', { recordId: 2 });
const exam = ['open record', 3];

/** A window that has left one review, shows another one, and runs an exam. */
function aWindow() {
  const client = new QueryClient();
  for (const key of [me, left, shown, exam]) client.setQueryData(key, 'before');
  const asked: unknown[] = [];
  const watch = (queryKey: readonly unknown[]) =>
    new QueryObserver(client, {
      queryKey,
      queryFn: () => {
        asked.push(queryKey);
        return 'after';
      },
      staleTime: Number.POSITIVE_INFINITY,
    }).subscribe(() => {});
  const ends = [shown, exam].map(watch);
  return {
    client,
    asked,
    end: () => {
      for (const end of ends) end();
      client.clear();
    },
  };
}

it('a scored exam that begins leaves nothing in memory of what was looked at before, in no window, and asks anew for what others show', async () => {
  const [here, there] = [aWindow(), aWindow()];
  const stop = hearExamsBegin(there.client);
  tellExamBegan(here.client);
  expect([me, left, shown, exam].map((key) => here.client.getQueryData(key))).toEqual([
    'before',
    undefined,
    'before',
    'before',
  ]);
  expect(here.asked).toEqual([]);
  await vi.waitFor(() => expect(there.client.getQueryData(shown)).toBe('after'));
  expect([me, left, exam].map((key) => there.client.getQueryData(key))).toEqual(['before', undefined, 'before']);
  expect(there.asked, 'an exam that runs there is not opened again').toEqual([shown]);
  stop();
  for (const one of [here, there]) one.end();
});
