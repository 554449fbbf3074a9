import {
  keepPreviousData,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { afterFirstDrawing } from './first-drawing.ts';
import { CallError, type CallKey, type Data, type Input, isPassing, type SendOptions, send } from './send.ts';

export interface CallOptions<D> {
  /** `false`: do not ask yet (a visitor, an id that is not known). */
  enabled?: boolean;
  /** Milliseconds for which a cached answer is used without asking again. */
  staleTime?: number;
  /** Milliseconds between repetitions while the page is visible, also as said of the last answer; `false`: none. */
  refetchInterval?: number | false | ((last: D | undefined) => number | false);
  /** Keep showing the last answer while the next input loads (filters, pages). */
  keepPrevious?: boolean;
  /** Milliseconds an unused answer stays cached; 0 for what must never be shown again from memory. */
  gcTime?: number;
  timeout?: SendOptions['timeout'];
}

/** Cache key of a call: its name, then its input. */
export function callKey<N extends CallKey>(name: N, input: Input<N>): readonly [N, Input<N>] {
  return [name, input];
}

/** Whether another try can help: yes for no answer, a busy or a broken server; no for a refusal. At most two more tries. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof CallError && isPassing(error);
}

/** Reads a call and keeps its answer cached under `[name, input]`; `error` is always a CallError. */
export function useCall<N extends CallKey>(
  name: N,
  input: Input<N>,
  options: CallOptions<Data<N>> = {},
): UseQueryResult<Data<N>, CallError> {
  const { keepPrevious, timeout, refetchInterval, ...rest } = options;
  return useQuery<Data<N>, CallError, Data<N>, readonly unknown[]>({
    ...rest,
    queryKey: callKey(name, input),
    queryFn: ({ signal }) =>
      afterFirstDrawing(send(name, input, { signal, ...(timeout === undefined ? {} : { timeout }) })),
    retry: shouldRetry,
    ...(refetchInterval === undefined
      ? {}
      : {
          refetchInterval:
            typeof refetchInterval === 'function' ? ({ state }) => refetchInterval(state.data) : refetchInterval,
        }),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/**
 * A call that a person starts by a press: `mutate(input)` or `mutateAsync(input)`, `isPending` for the button. It is never
 * repeated by itself, and offers to sign in though that was put off a moment ago. `renews` names the calls whose cached answers are out of date after a success.
 */
export function useSend<N extends CallKey>(
  name: N,
  options: { renews?: readonly CallKey[]; timeout?: number } = {},
): UseMutationResult<Data<N>, CallError, Input<N>> {
  const client = useQueryClient();
  const { renews = [], timeout } = options;
  return useMutation<Data<N>, CallError, Input<N>>({
    mutationFn: (input) => send(name, input, { pressed: true, ...(timeout === undefined ? {} : { timeout }) }),
    retry: false,
    // 'always': without a network a button must say so at once instead of waiting silently for it.
    networkMode: 'always',
    onSuccess: async () => {
      await Promise.all(renews.map((renewed) => invalidate(client, renewed)));
    },
  });
}

/** Marks every cached answer of a call as out of date, or only the one with this input. */
export function invalidate<N extends CallKey>(client: QueryClient, name: N, input?: Input<N>): Promise<void> {
  return client.invalidateQueries({ queryKey: input === undefined ? [name] : callKey(name, input) });
}
