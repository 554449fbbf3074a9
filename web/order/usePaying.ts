import { useEffect, useRef } from 'react';
import type { OrderState } from '#contract/values/order.ts';
import { useCall } from '#web/lib/useCall.ts';

/** Milliseconds between two looks at an order that waits; the server asks the provider every 5 s at most. */
const LOOK = 3000;

/**
 * Looks at an order that waits for payment until it does not any more, in any number of windows, and calls `onChange` when it
 * stands otherwise than the page knows. Nothing is begun by looking.
 * @returns `lost`: the last look had no answer; it is tried again by itself
 */
export function usePaying(orderId: number, known: OrderState, onChange: () => void): { lost: boolean } {
  const waits = known === 'open';
  const look = useCall(
    'POST /api/order/query_order_state',
    { orderId },
    { enabled: waits, staleTime: 0, gcTime: 0, refetchInterval: waits ? LOOK : false },
  );
  const state = look.data?.state;
  const changed = useRef(onChange);
  useEffect(() => {
    changed.current = onChange;
  });
  useEffect(() => {
    if (waits && state !== undefined && state !== 'open') changed.current();
  }, [waits, state]);
  return { lost: waits && look.error !== null };
}
