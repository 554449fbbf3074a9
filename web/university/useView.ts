import { startTransition, useEffectEvent, useLayoutEffect, useOptimistic, useRef } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router';
import { patterns } from '#web/lib/paths.ts';
import { searchOf, type View, viewOf } from './view.ts';

/** Set on an entry of the history that was made by opening something on this page: closing it is then going back. */
interface Opened {
  opened?: boolean;
}

/** What the page shows, read from the address, and the ways to change it: the address is the only place that holds it. */
export function useView() {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  // The router takes a new address when it finds the time; until then what was asked for last shows.
  const [view, showAtOnce] = useOptimistic(viewOf(new URLSearchParams(search)));
  const addressOf = (next: View) => patterns.universities + searchOf(next);
  const go = (next: View, options: NavigateOptions) =>
    startTransition(() => {
      showAtOnce(next);
      void navigate(addressOf(next), options);
    });
  const show = (next: View, { replace = false }: { replace?: boolean } = {}) => {
    if (searchOf(next) !== searchOf(view)) go(next, { replace, state: replace ? state : null });
  };

  // An emptied name begins at page 1 (spec §4), also when back or forward emptied it and its entry says another page.
  const nameBefore = useRef(view.name);
  const begin = useEffectEvent(() => show({ ...view, page: 1 }, { replace: true }));
  useLayoutEffect(() => {
    if (nameBefore.current !== '' && view.name === '') begin();
    nameBefore.current = view.name;
  }, [view.name]);

  return {
    view,
    /** The address of this view with a university open. */
    openAddress: (id: number) => addressOf({ ...view, id, comparing: false }),
    openState: { opened: true } satisfies Opened,
    /** Filters and pages. `replace`: no step of its own for the back button (typing, load more). */
    show,
    open: (what: Partial<Pick<View, 'id' | 'comparing'>>) =>
      go({ ...view, id: null, comparing: false, ...what }, { state: { opened: true } satisfies Opened }),
    /** Closes what is open: back where it was opened from, or the same view without it when the page began with it. */
    close: () => {
      if ((state as Opened | null)?.opened) void navigate(-1);
      else go({ ...view, id: null, comparing: false }, { replace: true });
    },
  };
}
