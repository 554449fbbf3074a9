import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { type Me, putMe } from './me.ts';
import { callKey } from './useCall.ts';

const person = (studentId: number) => ({ studentId }) as Me;

describe('answers cached for a person', () => {
  /** What is left of an answer that nothing on the page shows, and of one that is shown. */
  function leftOf(first: Me | null, second: Me | null) {
    const client = new QueryClient();
    putMe(client, first);
    const cached = callKey('GET /api/user/course_list', {});
    const shown = callKey('GET /app/feedback/unread', {});
    for (const key of [cached, shown]) client.setQueryData(key, 'of the first');
    const stop = new QueryObserver(client, {
      queryKey: shown,
      queryFn: () => new Promise(() => {}),
      staleTime: 1e6,
    }).subscribe(() => {});
    putMe(client, second);
    const left = [cached, shown].map((key) => client.getQueryData(key));
    const me = client.getQueryData(callKey('GET /api/user/info', {}));
    stop();
    client.clear();
    return { left, me };
  }

  it.each([
    ['another', person(1), person(2)],
    ['nobody', person(1), null],
    ['somebody after nobody', null, person(1)],
  ])('are gone when %s is signed in', (_, first, second) => {
    expect(leftOf(first, second)).toMatchObject({ left: [undefined, undefined], me: { user: second } });
  });

  it('stay when the same one signs in again', () => {
    expect(leftOf(person(1), person(1)).left).toEqual(['of the first', 'of the first']);
  });
});
