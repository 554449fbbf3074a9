/** Longest address worth returning to; a longer one is junk or an attack. */
const longest = 2000;
/** Prefixes that are not pages: calls, stored files, the built assets. */
const notPages = /^\/(?:api|app|files|assets|docs)(?:[/?#]|$)/i;

/**
 * Where to go after signing in: the page named by `ref` in /login?ref= (spec §2) if it is a path of this site, else the
 * home page. `ref` comes from the address bar, so anyone may have written it: whatever a browser could read as another
 * site (//evil, /\evil, a tab or line break between the slashes, dot segments that leave // behind, encoded slashes in
 * the path), a scheme (javascript:) or the sign-in page itself (a circle) is refused.
 * @param ref already decoded once, as URLSearchParams gives it
 */
export function returnPath(ref: string | null | undefined): string {
  const home = '/';
  if (!ref || ref.length > longest || !ref.startsWith('/')) return home;
  // Browsers drop tabs and line breaks from addresses and read a backslash as a slash.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not pass
  if (/[\u0000-\u0020\u007f-\u009f\u2028\u2029\\]/.test(ref)) return home;
  const path = ref.split(/[?#]/, 1)[0] ?? '';
  if (path.includes('//') || /%(?:2f|5c)/i.test(path)) return home;
  if (path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) return home;
  if (notPages.test(ref) || /^\/login(?:[/?#]|$)/i.test(ref)) return home;
  return ref;
}
