/** What a page is when its script asks ahead. */
export interface AheadPage {
  path?: string;
  search?: string;
  /** The answer to a request by its path; null: refused, undefined: there is none. */
  answer?: (path: string) => unknown;
  /** How many files of code are to come. */
  code?: number;
  now?: number;
  /** How the page was opened (Navigation Timing). */
  opened?: 'navigate' | 'reload' | 'back_forward';
  /** What the browser remembers, by its name; null: it may not. */
  stored?: Readonly<Record<string, string>> | null;
  /** It may remember nothing more. */
  full?: boolean;
}

/** The script in a page without anything else; `arrive` is one file of code that has come. */
export function openAhead(
  script: string,
  {
    path,
    search = '',
    answer,
    code = 4,
    now = 500,
    opened = 'navigate',
    stored = {},
    full = false,
  }: AheadPage & { path: string },
) {
  const asked: string[] = [];
  let onLoad = (_event: object) => {};
  const fetch = async (url: string, { method, body }: { method: string; body?: string }) => {
    asked.push(`${method} ${url}${body ? ` ${body}` : ''}`.replaceAll(/[0-9a-z]{28}/g, 'W'));
    const data = answer?.(url.split('?')[0] ?? '');
    if (data === undefined) throw new Error('no network');
    return { status: data === null ? 401 : 200, text: async () => JSON.stringify({ code: 200, data }) };
  };
  const window = { fetch, URLSearchParams } as {
    lixueAhead?: { answers: Record<string, Promise<unknown>>; noted: Record<string, string | null> };
  };
  const links: { rel?: string; href?: string }[] = [];
  const document = {
    currentScript: { dataset: { code: String(code), formulas: 'assets/f.js assets/f.css' } },
    createElement: () => ({}),
    head: { appendChild: (link: object) => links.push(link) },
    addEventListener: (_name: string, take: typeof onLoad) => {
      onLoad = take;
    },
  };
  const localStorage = {
    getItem: (name: string) => {
      if (stored === null) throw new Error('storage is forbidden');
      return stored[name] ?? null;
    },
    setItem: () => {
      if (full) throw new Error('storage is full');
    },
    removeItem: () => undefined,
  };
  const named = {
    window,
    document,
    location: { pathname: path, search },
    fetch,
    performance: { now: () => now, getEntriesByType: () => [{ type: opened }] },
    crypto,
  };
  new Function(...Object.keys(named), 'localStorage', script)(...Object.values(named), localStorage);
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
  return {
    asked,
    links,
    ahead: () => window.lixueAhead,
    arrive: async (files: number, rel = 'modulepreload') => {
      for (let at = 0; at < files; at += 1) onLoad({ target: { rel } });
      await settled();
    },
    settled,
  };
}
