import { usePageName } from '#web/lib/useTitle.ts';

/**
 * The page's name as its heading, for a screen reader, while the page has none of its own: when what it shows is on its way, could not be
 * loaded, or is not there. `ui/base.css` says it, and takes it away where there is another h1.
 */
export function SpareHeading() {
  const name = usePageName();
  // biome-ignore lint/a11y/useHeadingContent: its content is the style sheet's, so that a search in the page finds its words once
  return name === '' ? null : <h1 className="unseen" data-spare={name} />;
}
