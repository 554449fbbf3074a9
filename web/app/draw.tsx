import { QueryClient } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import type { Drawing } from '#contract/drawing.ts';
import { speakWith } from '#ui/words.ts';
import { takeOver } from '#web/lib/drawn.ts';
import { putSite } from '#web/lib/site.ts';
import { speakNext, t } from '#web/lib/t.ts';
import { takeTitle } from '#web/lib/useTitle.ts';
import english from '../locale/en.json';
import { App } from './App.tsx';
import { drawBare } from './bare-frame.ts';
import { askAheadOf, asksOf, pathsDrawn, scripts } from './first-views.ts';
import { askForCode, frameOf } from './router.tsx';

speakWith(t);
for (const path of pathsDrawn) await askForCode(path);

/**
 * Draws pages for the server, which loads this file as it is built (`vite build --ssr`). One page at a time, from beginning to end:
 * language, site and frame are those of the page being drawn. Of the pages only those are in it that are drawn with what they show.
 */
export const drawing: Drawing = {
  frameOf,
  asks: asksOf,
  askAhead: askAheadOf,
  scripts,
  draw({ path, language, theme, site, now, answers }) {
    speakNext(language, english);
    putSite(site);
    drawBare(answers === null);
    takeTitle();
    const client = new QueryClient();
    takeOver(client, { now, answers });
    const html = renderToString(
      <App
        client={client}
        theme={theme}
        inAddresses={(children) => <StaticRouter location={path}>{children}</StaticRouter>}
      />,
    );
    client.clear();
    return { html, title: answers === null ? null : takeTitle() };
  },
};
