import type { Site } from '#contract/site.ts';

/** What the school says of itself, as the server wrote it into the page (server/http/static.ts); nothing where it wrote nothing. */
export function readSite(): Partial<Site> {
  const text = document.querySelector('script[data-site]')?.textContent;
  return text ? (JSON.parse(text) as Site) : {};
}
