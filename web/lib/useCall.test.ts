import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { CallError } from './send.ts';
import { callKey, invalidate, shouldRetry } from './useCall.ts';

describe('repeating a call', () => {
  it.each([
    ['no answer', new CallError(0, 'offline', ''), [true, true, false]],
    ['a busy server', new CallError(503, 'busy', ''), [true, true, false]],
    ['a refusal', new CallError(403, 'notEnrolled', ''), [false, false, false]],
    ['a lost session', new CallError(401, 'notSignedIn', ''), [false, false, false]],
    ['a mistake of ours', new TypeError('x is not a function'), [false, false, false]],
  ])('after %s', (_name, error, answers) => {
    expect([0, 1, 2].map((failures) => shouldRetry(failures, error))).toEqual(answers);
  });
});

describe('the cache', () => {
  const filled = () => {
    const client = new QueryClient();
    const details = (packId: number) => callKey('GET /api/common/course_details', { packId });
    const list = callKey('GET /api/common/course_list', {});
    for (const key of [details(1), details(2), list]) client.setQueryData(key, {});
    const stale = () => [details(1), details(2), list].map((key) => client.getQueryState(key)?.isInvalidated);
    return { client, stale };
  };

  it('marks every answer of a call as out of date, and no other', async () => {
    const { client, stale } = filled();
    await invalidate(client, 'GET /api/common/course_details');
    expect(stale()).toEqual([true, true, false]);
  });

  it('marks only the answer for one input when that is named', async () => {
    const { client, stale } = filled();
    await invalidate(client, 'GET /api/common/course_details', { packId: 2 });
    expect(stale()).toEqual([false, true, false]);
  });
});
