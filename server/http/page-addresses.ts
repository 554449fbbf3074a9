import { PAGES } from '#contract/values/pages.ts';

const shapes = Object.values(PAGES).map(
  (pattern) => new RegExp(`^${pattern.replace(/\/$/, '').replace(/:\w+/g, '[^/]+')}/?$`, 'i'),
);

/**
 * Whether a path belongs to a page, read as the web app's router reads it: capitals and a slash at the end do not count.
 * Whether there is something to show under its id is for the page to find out.
 * @param path without query and anchor
 */
export function isPage(path: string): boolean {
  return shapes.some((shape) => shape.test(path));
}
