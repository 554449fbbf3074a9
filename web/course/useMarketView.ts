import { startTransition, useOptimistic } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { type MarketView, marketSearchOf, marketViewOf } from './market-view.ts';

/** What the market shows, read from the address, and the way to change it: the address is the only place that holds it. */
export function useMarketView() {
  const { search } = useLocation();
  const navigate = useNavigate();
  // The router takes a new address when it finds the time; until then what was asked for last shows.
  const [view, showAtOnce] = useOptimistic(marketViewOf(new URLSearchParams(search)));
  /** @param replace no step of its own for the back button (typing) */
  const show = (change: Partial<MarketView>, { replace = false }: { replace?: boolean } = {}) => {
    const next = { ...view, ...change };
    if (marketSearchOf(next) === marketSearchOf(view)) return;
    startTransition(() => {
      showAtOnce(next);
      void navigate(paths.courses() + marketSearchOf(next), { replace });
    });
  };
  return { view, show };
}
