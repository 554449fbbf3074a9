import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { theme, variables } from '../ui/theme.ts';

/** Colours of the component library that are none of ours: `MantineThemeColorsOverride` in ui/theme.ts lets nobody name them. */
const NOT_OURS = ['pink', 'grape', 'violet', 'blue', 'cyan', 'teal', 'green', 'lime', 'yellow', 'orange'];
const OF_OTHERS = new RegExp(`\\s*--mantine-color-(?:${NOT_OURS.join('|')})-[\\w-]+:[^;{}]*;?`, 'g');
const BASE = /\/ui\/base\.css$/;

/** The variables of our theme as a style sheet: the very text that the library's provider would put into every page. */
export function themeSheet(): string {
  const said = renderToStaticMarkup(
    createElement(MantineProvider, { theme, cssVariablesResolver: variables, withGlobalClasses: false }),
  );
  const [, sheet] = /<style[^>]*>([^<]*)<\/style>/.exec(said) ?? [];
  if (sheet === undefined) throw new Error('The library says the variables of its theme in another way');
  return sheet;
}

/** Without the variables of colours that are none of ours. */
export const onlyOurColours = (sheet: string) => sheet.replace(OF_OTHERS, '');

/** The library's own rules for its variables, which name the host of a shadow too, as none of ours does. */
const OF_LIBRARY = /(:root\b[^{}]*:host\b[^{}]*)\{([^{}]*)\}/g;
const NAMES = /(--[\w-]+)\s*:/g;

/**
 * The sheet of the library and ours with the variables of the theme behind it. The library's values for the same variables are left out: they
 * stand in a layer, so the theme's win wherever it sets one for both looks.
 */
export function withTheme(sheet: string, themed = themeSheet()): string {
  const [dark = '', light = ''] = ['dark', 'light'].map(
    (look) => new RegExp(`"${look}"[^{]*\\{([^}]*)\\}`).exec(themed)?.[1],
  );
  const inBoth = namesIn(dark).filter((name) => namesIn(light).includes(name));
  const set = new Set([...namesIn(/^[^{]*\{([^}]*)\}/.exec(themed)?.[1] ?? ''), ...inBoth]);
  const without = sheet.replace(OF_LIBRARY, (_rule, head: string, body: string) => {
    const kept = body.split(';').filter((one) => !set.has(namesIn(`${one} `)[0] ?? ''));
    return `${head}{${kept.join(';')}}`;
  });
  return onlyOurColours(`${without}\n${themed}`);
}

const namesIn = (text: string): string[] => [...text.matchAll(NAMES)].map(([, name = '']) => name);

/**
 * Puts the variables of our theme into ui/base.css, and takes out of it those of colours that nobody may name. Left to the library's
 * provider, all of them stand in the HTML of every page, twelve kilobytes before its first word, and each browser counts them out anew.
 */
export function themeVariables(): Plugin {
  return {
    name: 'lixue-theme-variables',
    transform: {
      filter: { id: BASE },
      // Behind the bundler's own work, which puts the sheets that it imports inside.
      handler: (sheet) => ({ code: withTheme(sheet), map: null }),
    },
  };
}
