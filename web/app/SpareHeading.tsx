import { useSyncExternalStore } from 'react';
import { usePageName } from '#web/lib/useTitle.ts';

/** Whether the page has a heading of its own. */
const hasOwn = () => document.querySelector('h1:not([data-spare])') !== null;

function onChange(look: () => void): () => void {
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/**
 * The page's name as its heading, for a screen reader, while the page has none of its own: when what it shows is on its way, could not be
 * loaded, or is not there. `ui/base.css` says it. A rule there that asked the whole page for an h1 (`:has`) would have the browser walk through all of it
 * with each part that comes (decision 080).
 */
export function SpareHeading() {
  const name = usePageName();
  const own = useSyncExternalStore(onChange, hasOwn, () => true);
  // biome-ignore lint/a11y/useHeadingContent: its content is the style sheet's, so that a search in the page finds its words once
  return name === '' || own ? null : <h1 className="unseen" data-spare={name} />;
}
