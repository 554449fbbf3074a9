import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { usePageName } from '#web/lib/useTitle.ts';

/** Milliseconds between two looks for the page's own heading: most have theirs at the first, and what a page is made of comes before. */
const LOOKS = 1000;

const isThere = () => document.querySelector('h1:not([data-spare])') !== null;

/** Whether the page has a heading of its own, or may still get it. */
function useOwnHeading(): boolean {
  const [own, setOwn] = useState(true);
  useEffect(() => {
    // Not with each change of the page, which would cost a first visit on a slow phone a tenth of a second.
    if (own) {
      const looks = setInterval(() => setOwn(isThere()), LOOKS);
      return () => clearInterval(looks);
    }
    // At once: two headings stand beside each other for no moment.
    const observer = new MutationObserver(() => {
      if (isThere()) flushSync(() => setOwn(true));
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [own]);
  return own;
}

/**
 * The page's name as its heading, for a screen reader, while the page has none of its own: when what it shows is on its way, could not be
 * loaded, or is not there. `ui/base.css` says it. A rule there that asked the whole page for an h1 (`:has`) would have the browser walk through all of it
 * with each part that comes (decision 080).
 */
export function SpareHeading() {
  const name = usePageName();
  const own = useOwnHeading();
  // biome-ignore lint/a11y/useHeadingContent: its content is the style sheet's, so that a search in the page finds its words once
  return name === '' || own ? null : <h1 className="unseen" data-spare={name} />;
}
