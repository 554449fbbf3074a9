import { useEffect } from 'react';
import { t, useLanguage } from './t.ts';

/** Names the page in the tab and the history: “课程 · 砺学”. Already in the person's language. */
export function useTitle(title: string): void {
  useLanguage();
  const site = t('砺学');
  useEffect(() => {
    document.title = title === '' ? site : `${title} · ${site}`;
  }, [title, site]);
}
