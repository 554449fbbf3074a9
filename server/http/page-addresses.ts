import { PAGES } from '#contract/values/pages.ts';

const shapes = Object.entries(PAGES).map(
  ([key, pattern]) => [key, new RegExp(`^${pattern.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?$`, 'i')] as const,
);

/**
 * The page that a path belongs to, by its key in PAGES, read as the web app's router reads it: capitals and a slash at the end do not
 * count. Whether there is something to show under its id is for the page to find out.
 * @param path without query and anchor
 * @returns null: none
 */
export function pageAt(path: string): string | null {
  return shapes.find(([, shape]) => shape.test(path))?.[0] ?? null;
}
