import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { patterns } from '#web/lib/paths.ts';
import { searchOf, type View, viewOf } from './view.ts';

/** Set on an entry of the history that was made by opening something on this page: closing it is then going back. */
interface Opened {
  opened?: boolean;
}

/** What the page shows, read from the address, and the ways to change it. */
export function useView() {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  // The router takes a new address when it finds the time; a pressed filter shows at once.
  const [ahead, setAhead] = useState<{ of: string; view: View } | null>(null);
  if (ahead !== null && ahead.of !== search) setAhead(null);
  const view = ahead?.of === search ? ahead.view : viewOf(new URLSearchParams(search));
  const to = (next: View) => patterns.universities + searchOf(next);
  return {
    view,
    /** The address of this view with a university open. */
    openAddress: (id: number) => to({ ...view, id, comparing: false }),
    openState: { opened: true } satisfies Opened,
    /** Filters and pages. `replace`: no step of its own for the back button (typing, load more). */
    show: (next: View, { replace = false }: { replace?: boolean } = {}) => {
      if (searchOf(next) === searchOf(view)) return;
      setAhead({ of: search, view: next });
      void navigate(to(next), { replace, state: replace ? state : null });
    },
    open: (what: Partial<Pick<View, 'id' | 'comparing'>>) =>
      void navigate(to({ ...view, id: null, comparing: false, ...what }), { state: { opened: true } satisfies Opened }),
    /** Closes what is open: back where it was opened from, or the same view without it when the page began with it. */
    close: () => {
      if ((state as Opened | null)?.opened) void navigate(-1);
      else void navigate(to({ ...view, id: null, comparing: false }), { replace: true });
    },
  };
}
