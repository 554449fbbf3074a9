import { useSyncExternalStore } from 'react';
import { fill, type Values } from '#rules/wording/fill.ts';
import { rememberedLook, tellLook } from './drawn.ts';
import { recall, remember } from './remember.ts';

export type Language = 'zh-CN' | 'en';

/** The English of every text: its words, or by context where they differ by place, `default` for everywhere else. */
type Dictionary = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

let language: Language = 'zh-CN';
let dictionary: Dictionary | null = null;
/** Ends telling what is Chinese in an English page (heard-language.ts). */
let endTelling: (() => void) | undefined;
const listeners = new Set<() => void>();

/**
 * The text in the person's language. The words stand in the code in Chinese; their English is in `web/locale/en.json`
 * under that very text. `{name}` is replaced by `values.name`. A text without a translation stays Chinese.
 * Call it while rendering, never at the top of a module: the language can change while the page is open.
 */
export function t(text: string, values?: Values): string {
  return tIn('default', text, values);
}

/**
 * `t` for a text whose English is another one here than elsewhere: `tIn('level', '全部')` is “all” where the product spec
 * prints it so, while `t('全部')` is “All”. In `en.json` such a text has its English by context.
 */
export function tIn(context: string, text: string, values?: Values): string {
  const english = dictionary?.[text];
  const words = (typeof english === 'object' ? english[context] : english) ?? text;
  return values === undefined ? words : fill(words, values);
}

/** Marks a text that is translated later, where it is shown: `t(error.msg)`. */
export function msg(text: string): string {
  return text;
}

/** Sentences one after the other, as the language writes them; those that are `false` are left out. */
export function sentences(...said: (string | false)[]): string {
  return said.filter((sentence) => sentence !== false).join(currentLanguage() === 'en' ? ' ' : '');
}

/** The language now. */
export function currentLanguage(): Language {
  return language;
}

/** What a language calls itself; whoever needs a language reads its name in it. */
export function languageName(of: Language): string {
  return new Intl.DisplayNames([of], { type: 'language' }).of(of === 'en' ? 'en' : 'zh') ?? of;
}

/** Re-renders when the language changes. The router wraps every page with it, so pages need not call it themselves. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage, currentLanguage);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Changes the language and remembers it in this browser. The English dictionary is loaded only now; when that fails the
 * language stays and the error is thrown.
 */
export async function setLanguage(next: Language): Promise<void> {
  await use(next);
  remember('language', next);
  tellLook(rememberedLook());
}

/** Before the first render: the language remembered in this browser, Chinese otherwise and when English cannot load. */
export async function restoreLanguage(): Promise<void> {
  if (recall('language') !== 'en') return;
  try {
    await use('en');
  } catch (error) {
    console.error('English could not be loaded', error);
  }
}

/** For who draws pages of both languages, one at a time (web/app/draw.tsx): that of the next one. */
export function speakNext(next: Language, english: Dictionary): void {
  dictionary = next === 'en' ? english : null;
  language = next;
}

async function use(next: Language): Promise<void> {
  const [english, heard] =
    next === 'en' ? await Promise.all([import('../locale/en.json'), import('./heard-language.ts')]) : [];
  dictionary = english?.default ?? null;
  language = next;
  if (typeof document !== 'undefined') {
    document.documentElement.lang = next;
    endTelling?.();
    endTelling = heard?.tellChinese(document.body);
  }
  for (const listener of listeners) listener();
}
