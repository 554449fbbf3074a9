import { usePageName } from '#web/lib/useTitle.ts';

/**
 * The page's name as its heading, for a screen reader, while the page has none of its own: when what it shows is on its way, could not be
 * loaded, or is not there. `ui/base.css` takes it away where there is another h1.
 */
export function SpareHeading() {
  const name = usePageName();
  return name === '' ? null : (
    <h1 className="unseen" data-spare>
      {name}
    </h1>
  );
}
