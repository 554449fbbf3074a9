import type { Site } from '#contract/site.ts';

let site: Partial<Site> | null = null;

/** What the school says of itself, as the server wrote it into the page (server/http/static.ts); nothing where it wrote nothing. */
export function readSite(): Partial<Site> {
  site ??= fromPage();
  return site;
}

/** Where there is no page to read: what the school says of itself (web/app/draw.tsx). */
export function putSite(given: Site): void {
  site = given;
}

function fromPage(): Partial<Site> {
  const text = document.querySelector('script[data-site]')?.textContent;
  return text ? (JSON.parse(text) as Site) : {};
}
