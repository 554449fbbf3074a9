import type { ReactNode } from 'react';
import { FailedState } from '#ui/FailedState.tsx';
import { LoadingState } from '#ui/LoadingState.tsx';
import type { CallError, FailedWhy } from './send.ts';
import { t } from './t.ts';

/** A call as far as its states go: what `useCall` returns, or several calls put together to one. */
interface ReadCall<Data> {
  data: Data | undefined;
  error: CallError | null;
  refetch: () => unknown;
}

interface Props<Data> {
  call: ReadCall<Data>;
  /** Stands in the place and size of what is coming. */
  skeleton: ReactNode;
  /** What is shown instead of the content when it arrived and there is nothing in it. */
  empty?: { when: (data: Data) => boolean; show: ReactNode };
  /** What is shown for refusals that this page answers in its own way, instead of their sentence with 重试. */
  refusals?: Partial<Record<FailedWhy, ReactNode>>;
  /** The content. */
  children: (data: Data) => ReactNode;
}

/**
 * The four states of a call: loading (skeleton), failed (the server's sentence and 重试), empty (what to do next),
 * content. What is already there stays when a later refresh fails.
 */
export function CallState<Data>({ call, skeleton, empty, refusals, children }: Props<Data>) {
  const { data, error, refetch } = call;
  if (data !== undefined) return empty?.when(data) ? empty.show : children(data);
  if (error === null) return <LoadingState skeleton={skeleton} />;
  const own = refusals?.[error.why];
  return own === undefined ? <FailedState text={t(error.msg)} onRetry={() => void refetch()} /> : own;
}
