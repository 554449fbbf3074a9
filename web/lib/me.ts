import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { hearWhoCame, keepDraftsAgain } from './drafts.ts';
import { afterFirstDrawing } from './first-drawing.ts';
import { paths } from './paths.ts';
import { type Data, send } from './send.ts';
import { callKey, shouldRetry, useCall } from './useCall.ts';

export type Me = NonNullable<Data<'GET /api/user/info'>['user']>;

const who = 'GET /api/user/info';
const keep = { staleTime: 5 * 60_000, gcTime: Number.POSITIVE_INFINITY };

/** Asks who is signed in before anything is drawn that wants to know. */
export function askWho(client: QueryClient): void {
  void client.prefetchQuery({
    ...keep,
    queryKey: callKey(who, {}),
    queryFn: ({ signal }) => afterFirstDrawing(send(who, {}, { signal })),
    retry: shouldRetry,
  });
}

/**
 * Who is signed in. `ready` is false until the server has said so once; `me` is null for a visitor. `failed` holds the
 * error when the first try to learn it failed; `call` is the call for it, for a page that shows its states.
 */
export function useMe() {
  const call = useCall(who, {}, keep);
  const { data, error } = call;
  return {
    call,
    ready: data !== undefined,
    me: data?.user ?? null,
    demo: data?.demo ?? false,
    failed: data === undefined ? error : null,
  };
}

/**
 * Who is signed in from now on, null for nobody. Answers cached for another person are dropped; with the same person they stay,
 * so that signing in again disturbs nothing.
 */
export function putMe(client: QueryClient, user: Me | null): void {
  const key = callKey(who, {});
  const last = client.getQueryData<Data<typeof who>>(key);
  if ((last?.user?.studentId ?? null) !== (user?.studentId ?? null)) {
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== who && !query.isActive() });
    void client.resetQueries({ predicate: (query) => query.queryKey[0] !== who && query.isActive() });
  }
  if (user !== null) keepDraftsAgain(user.studentId);
  client.setQueryData<Data<typeof who>>(key, { demo: last?.demo ?? false, now: last?.now ?? Date.now(), user });
}

/**
 * Leaves this window when somebody else signs in in another one: it goes on as theirs, and what it shows is of who was here before, whose words
 * a press would send in the name of who came. What is unsent stays in this browser under its own account.
 */
export function leaveToWhoComes(client: QueryClient): void {
  hearWhoCame((owner) => {
    const mine = client.getQueryData<Data<typeof who>>(callKey(who, {}))?.user?.studentId;
    if (mine !== undefined && mine !== owner) window.location.assign(paths.home());
  });
}

/** Says to the whole page who is signed in from now on, null for nobody. */
export function useSetMe(): (user: Me | null) => void {
  const client = useQueryClient();
  return useCallback((user) => putMe(client, user), [client]);
}
