import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { PAGES } from '../contract/values/pages.ts';

/** Files of a page besides those of index.html, in the order in which they have to come. */
interface PageCode {
  js: string[];
  css: string[];
  /** What its code fetches as soon as it runs. */
  soon: string[];
}

const ROUTER = join(import.meta.dirname, '..', 'web', 'app', 'router.tsx');
const MAIN = '/web/app/main.tsx';
const SHELL = '/web/app/Shell.tsx';
/** What texts with formulas need besides (`formulas` in page-code.json). */
const FORMULAS = '/ui/formulas.ts';
/** What a page's own code fetches as soon as it runs: named with the page, it comes while that is read. */
const FETCHES: Readonly<Record<string, string>> = { '/web/pages/PlayPage.tsx': '/hls.js/dist/hls.light.mjs' };
/** What stands around the pages of each list in the router. */
const AROUND: Readonly<Record<string, readonly string[]>> = {
  questionScreens: [],
  inShell: [SHELL],
  inTeachFrame: [SHELL, '/web/teach/TeachFrame.tsx'],
  inPersonFrame: [SHELL, '/web/pages/PersonCenterFrame.tsx'],
};

/**
 * The modules of each page by its key in PAGES, the outermost first, as the router names them: `page(patterns.exam, () =>
 * import('#web/pages/ExamPage.tsx'))` in one of its lists. @throws where one of PAGES is not there
 */
export function modulesOf(router = readFileSync(ROUTER, 'utf8')): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const part of router.split(/^const (?=\w+: readonly Place\[\] = )/m).slice(1)) {
    const around = AROUND[/^\w+/.exec(part)?.[0] ?? ''];
    if (around === undefined) continue;
    const list = part.slice(0, part.indexOf('\n];'));
    for (const [, key = '', file] of list.matchAll(/page\(\s*patterns\.(\w+),\s*\(\) => import\('#([^']+)'\)/g))
      if (key in PAGES) found.set(key, [...around, `/${file}`]);
  }
  for (const key of Object.keys(PAGES))
    if (!found.has(key)) throw new Error(`The router does not show the page ${key} where its code is looked for`);
  return found;
}

/**
 * These files and all that they import, each once and behind what it imports, so that its styles win. Files may need each other in a circle.
 * @param from their names
 */
export function needed(
  from: readonly string[],
  files: readonly { fileName: string; imports: readonly string[] }[],
): string[] {
  const imports = new Map(files.map((file) => [file.fileName, file.imports]));
  const seen = new Set<string>();
  const order: string[] = [];
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const next of imports.get(file) ?? []) visit(next);
    order.push(file);
  };
  for (const file of from) visit(file);
  return order;
}

/** Writes beside index.html, in `page-code.json`, which files each page needs besides, and texts with formulas, for the server to name them in its HTML. */
export function pageCode(): Plugin {
  return {
    name: 'lixue-page-code',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk');
        const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
        const files = chunks.map(({ fileName, imports }) => ({ fileName, imports }));
        const containing = (module: string) => {
          const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
          return chunk?.fileName ?? this.error(`${module} is in no file`);
        };
        const begun = new Set(needed([containing(MAIN)], files));
        const codeOf = (modules: readonly string[]): PageCode => {
          const js = needed(modules.map(containing), files).filter((file) => !begun.has(file));
          const css = js.flatMap((file) => [...(named.get(file)?.viteMetadata?.importedCss ?? [])]);
          const soon = modules.flatMap((module) => FETCHES[module] ?? []).map(containing);
          return { js, css: [...new Set(css)], soon };
        };
        const pages = [...modulesOf(), ['formulas', [FORMULAS]] as const].map(([key, files]) => [key, codeOf(files)]);
        const source = JSON.stringify(Object.fromEntries(pages));
        this.emitFile({ type: 'asset', fileName: 'page-code.json', source });
      },
    },
  };
}

/**
 * In the program that draws pages for the server, those that it does not draw are empty: their libraries need a browser.
 * @param pages their keys in PAGES
 */
export function onlyDrawnPages(pages: readonly (keyof typeof PAGES)[]): Plugin {
  const modules = modulesOf();
  /** As the router imports them. */
  const drawn = pages.map((page) => modules.get(page)?.at(-1)?.replace('/', '#') ?? '');
  const EMPTY = '\0lixue-not-drawn';
  return {
    name: 'lixue-only-drawn-pages',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild === true,
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer === undefined || !importer.endsWith('/web/app/router.tsx')) return;
      if (!/^#web\/(?:pages|teach)\//.test(source) || drawn.includes(source)) return;
      return EMPTY;
    },
    load: (id) => (id === EMPTY ? 'export default () => null;' : undefined),
  };
}
