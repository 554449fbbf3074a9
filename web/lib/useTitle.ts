import { useEffect, useSyncExternalStore } from 'react';
import { type Naming, pageName } from './page-names.ts';
import { t, useLanguage } from './t.ts';

/**
 * Names the page in the tab and the history: “课程 · 砺学”. Already in the person's language.
 * @param instead this stands in place of the page that the address asks for, whatever that calls itself
 */
export function useTitle(title: string, { instead = false }: { instead?: boolean } = {}): void {
  useLanguage();
  const site = t('砺学');
  // What is drawn without a page (web/app/draw.tsx) runs no effects.
  if (typeof document === 'undefined') drawnTitle = wholeOf(title, site);
  useEffect(() => {
    const naming = { name: title, instead };
    namings.push(naming);
    show(site);
    return () => {
      namings.splice(namings.indexOf(naming), 1);
      show(site);
    };
  }, [title, instead, site]);
}

/** Those on the screen, in the order in which they said so. */
const namings: Naming[] = [];
let named = '';
const listeners = new Set<() => void>();

/** Shows what the page is called now; between two pages the last one's name stays. */
function show(site: string): void {
  const name = pageName(namings);
  if (name === null) return;
  document.title = wholeOf(name, site);
  named = name === '' ? site : name;
  for (const listener of listeners) listener();
}

const wholeOf = (name: string, site: string) => (name === '' ? site : `${name} · ${site}`);

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
