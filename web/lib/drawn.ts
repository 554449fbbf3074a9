import type { QueryClient } from '@tanstack/react-query';
import type { Drawn, Look } from '#contract/drawing.ts';
import { LANGUAGE_COOKIE, THEME_COOKIE } from '#contract/values/look.ts';
import { serverClock } from './clock.ts';
import { recall } from './remember.ts';

/** A year, in seconds. */
const LONG = 31_536_000;

/** What the server says of the page that it has drawn; null: it drew none. */
export function readDrawn(): Drawn | null {
  const text = document.querySelector('script[data-drawn]')?.textContent;
  return text ? (JSON.parse(text) as Drawn) : null;
}

/** How this browser wants its pages, as far as it remembers. */
export function rememberedLook(): Look {
  const theme = recall('theme');
  return {
    language: recall('language') === 'en' ? 'en' : 'zh-CN',
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
  };
}

/** Tells the server how this browser wants its next page drawn; nothing is told of what is so by itself. */
export function tellLook({ language, theme }: Look): void {
  if (typeof document === 'undefined') return;
  put(LANGUAGE_COOKIE, language === 'zh-CN' ? null : language);
  put(THEME_COOKIE, theme === 'auto' ? null : theme);
}

function put(name: string, value: string | null): void {
  const now = value === null ? 'max-age=0' : `max-age=${LONG}`;
  // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser that we serve.
  document.cookie = `${name}=${value ?? ''}; path=/; samesite=lax; ${now}`;
}

/**
 * Begins with what the drawn page shows, as if it had just been asked for; of a bare frame nothing is known. Who is signed in is asked
 * again all the same.
 */
export function takeOver(client: QueryClient, { answers, now }: Pick<Drawn, 'answers' | 'now'>): void {
  if (answers === null) return;
  serverClock.guess(now);
  for (const { name, input, data } of answers)
    client.setQueryData([name, input], data, name === 'GET /api/user/info' ? { updatedAt: 1 } : {});
}
