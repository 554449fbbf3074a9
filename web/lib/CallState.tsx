import { type ReactNode, useEffect, useRef } from 'react';
import { FailedState } from '#ui/FailedState.tsx';
import { LoadingState } from '#ui/LoadingState.tsx';
import { usePassedFocus } from '#ui/usePassedFocus.ts';
import { type CallError, type FailedWhy, isPassing, retryHelps } from './send.ts';
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
  /** Puts the failure into what stands around it, on a page that has no header to leave by. */
  around?: (failure: ReactNode) => ReactNode;
  /** The content. */
  children: (data: Data) => ReactNode;
}

/**
 * The four states of a call: loading (skeleton), failed (the server's sentence, and 重试 where that can help), empty (what to do next),
 * content. What is already there stays when a later refresh fails. What failed for want of a server is asked for again
 * by itself, ever more slowly, and comes when the server is back. Who pressed 重试 by keyboard goes on from what comes.
 */
export function CallState<Data>({ call, skeleton, empty, refusals, around, children }: Props<Data>) {
  const { data, error, refetch } = call;
  const waits = useTriesAgain(data === undefined ? error : null, refetch);
  const shown = error ?? waits.latest;
  // What failed once more is tried once more.
  const passed = usePassedFocus(data === undefined && shown !== null ? 'button' : null);
  if (data !== undefined) return empty?.when(data) ? empty.show : children(data);
  if (shown === null) return <LoadingState ref={passed} skeleton={skeleton} />;
  const own = refusals?.[shown.why];
  if (own !== undefined) return own;
  const failure = (
    <FailedState
      ref={passed}
      text={t(shown.msg)}
      onRetry={retryHelps(shown) ? () => waits.pressed(refetch) : undefined}
    />
  );
  return around ? around(failure) : failure;
}

/** Milliseconds until the first try by itself, and at most between two. */
const SOON = 3000;
const SELDOM = 30_000;

/**
 * Asks again after a failure that may be over a moment later. `latest`: the failure that stays on the screen during a try of
 * its own; a person who presses 重试 sees that it is under way.
 */
function useTriesAgain(error: CallError | null, refetch: () => unknown) {
  const tries = useRef(0);
  const latest = useRef<CallError | null>(null);
  const again = useRef(refetch);
  useEffect(() => {
    again.current = refetch;
  });
  useEffect(() => {
    if (error === null || !isPassing(error)) return;
    const timer = setTimeout(
      () => {
        tries.current += 1;
        latest.current = error;
        void Promise.resolve(again.current()).finally(() => {
          latest.current = null;
        });
      },
      Math.min(SELDOM, SOON * 2 ** tries.current) * (0.75 + Math.random() / 2),
    );
    return () => clearTimeout(timer);
  }, [error]);
  return {
    latest: latest.current,
    pressed(retry: () => unknown) {
      latest.current = null;
      tries.current = 0;
      void retry();
    },
  };
}
