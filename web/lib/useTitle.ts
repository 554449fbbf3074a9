import { useEffect, useSyncExternalStore } from 'react';
import { t, useLanguage } from './t.ts';

/** Names the page in the tab and the history: “课程 · 砺学”. Already in the person's language. */
export function useTitle(title: string): void {
  useLanguage();
  const site = t('砺学');
  const whole = title === '' ? site : `${title} · ${site}`;
  // What is drawn without a page (web/app/draw.tsx) runs no effects.
  if (typeof document === 'undefined') drawnTitle = whole;
  useEffect(() => {
    document.title = whole;
    named = title === '' ? site : title;
    for (const listener of listeners) listener();
  }, [whole, title, site]);
}

let named = '';
const listeners = new Set<() => void>();

/** What the page on the screen calls itself, without the site; '' until a page has said so. */
export function usePageName(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => named,
    () => '',
  );
}

let drawnTitle: string | null = null;

/** The title of what was drawn last without a page, told once. */
export function takeTitle(): string | null {
  const title = drawnTitle;
  drawnTitle = null;
  return title;
}
