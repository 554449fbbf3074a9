/**
 * Makes docs/pages.md: of each address of the site (contract/values/pages.ts) the page that web/app/router.tsx shows there, the
 * components of the product that it is made of, what holds its state, and the calls that all of it sends.
 */
import { posix } from 'node:path';
import ts from 'typescript';
import { PAGES } from '#contract/values/pages.ts';
import { isComponentFile, walk } from './code.ts';
import type { Signposts } from './signposts.ts';

/** What one address shows; files as paths. */
interface PageFiles {
  address: string;
  page: string;
  components: string[];
  state: string[];
  calls: string[];
}

const ROUTER = 'web/app/router.tsx';
const MOST_COMPONENTS = 6;
const MOST_STATE = 5;

const isPart = (file: string) => file.startsWith('web/pages/') && isComponentFile(file) && !/Page\.tsx$/.test(file);
/** A dialog stands over what the page shows. */
const opens = (file: string) => (file.endsWith('Dialog.tsx') ? 1 : 0);
const isBones = (file: string) => file.endsWith('Bones.tsx');
const isHook = (file: string) => /\/use[A-Z]\w*\.ts$/.test(file);
const sameRoom = (a: string, b: string) => posix.dirname(a) === posix.dirname(b);
const isOfFeature = (file: string) => /^web\/\w+\//.test(file) && !/^web\/(app|lib|pages)\//.test(file);

/** The file of each page by its key in PAGES: `page(patterns.exam, () => import('#web/pages/ExamPage.tsx'))`. */
function pagesOf({ code }: Signposts): Map<string, string> {
  const found = new Map<string, string>();
  const source = code.sources.get(ROUTER);
  if (!source) throw new Error(`${ROUTER} is not there`);
  walk(source, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'page') return undefined;
    const [pattern, load] = node.arguments;
    const file = load && /import\('#([^']+)'\)/.exec(load.getText())?.[1];
    if (pattern && ts.isPropertyAccessExpression(pattern) && file) found.set(pattern.name.text, file);
    return undefined;
  });
  return found;
}

/** Everything that a file imports, and what that imports. */
function reachedFrom(imports: Signposts['web']['imports'], start: readonly string[]): Set<string> {
  const seen = new Set(start);
  for (const file of seen) for (const next of imports.get(file) ?? []) seen.add(next);
  return seen;
}

/** What every address shows, in the order of PAGES. */
function pageFiles(signposts: Signposts): PageFiles[] {
  const { callFiles, web, code } = signposts;
  const byKey = pagesOf(signposts);
  const showing = new Map<string, number>();
  for (const { components, senders } of callFiles.values())
    for (const file of new Set([...components, ...senders])) showing.set(file, (showing.get(file) ?? 0) + 1);
  const reached = new Map<string, Set<string>>();
  const below = (file: string) => {
    const known = reached.get(file) ?? reachedFrom(web.imports, [file]);
    reached.set(file, known);
    return known;
  };
  /** How much of what the server says a component shows, with what is in it. */
  const weight = (file: string) =>
    [...below(file)]
      .filter((one) => isOfFeature(one) && isComponentFile(one))
      .reduce((sum, one) => sum + (showing.get(one) ?? 0), 0);
  const text = (file: string) => code.sources.get(file)?.text ?? '';
  const readsAddress = (file: string) => /URLSearchParams|useSearchParams/.test(text(file));
  /**
   * What holds the state of a page: what reads it from the address (the page itself, where nothing is made for that), then
   * state and hooks that its components import, with the state in the room of a hook.
   */
  const stateOf = (files: readonly string[]): string[] => {
    const found = new Set<string>();
    for (const file of files)
      for (const next of web.imports.get(file) ?? []) if (isOfFeature(next) && isState(next)) found.add(next);
    for (const file of found)
      for (const next of web.imports.get(file) ?? [])
        if (sameRoom(file, next) && !isComponentFile(next) && (isState(next) || isHook(file))) found.add(next);
    const state = [...found].filter(isState);
    const filters = state.filter((file) => readsAddress(file));
    const rest = state.filter((file) => !readsAddress(file)).sort((a, b) => Number(isHook(a)) - Number(isHook(b)));
    const own = files.filter((file) => file.startsWith('web/pages/') && readsAddress(file));
    return [...new Set([...(filters.length > 0 ? filters : own), ...rest])].slice(0, MOST_STATE);
  };
  const isState = (file: string) =>
    file.endsWith('.ts') && (/(-state|-filter|-runner|\/view)\.ts$/.test(file) || readsAddress(file) || isHook(file));
  return Object.entries(PAGES).flatMap(([key, address]) => {
    const page = byKey.get(key);
    if (!page) return [];
    const parts = [page];
    for (const part of parts)
      for (const next of web.imports.get(part) ?? []) if (isPart(next) && !parts.includes(next)) parts.push(next);
    // What the page itself asks for, by a hook too, is what it is for.
    const asking = [page, ...[...(web.imports.get(page) ?? [])].filter(isHook)].flatMap(web.sends);
    const asked = asking.flatMap((name) => callFiles.get(name)?.components ?? []);
    const main = (file: string) => asked.filter((one) => below(file).has(one)).length;
    const shownBy = (file: string) =>
      [...(web.imports.get(file) ?? [])].filter((one) => isOfFeature(one) && isComponentFile(one) && !isBones(one));
    const heaviest = (files: readonly string[]) =>
      [...files].sort((a, b) => opens(a) - opens(b) || main(b) - main(a) || weight(b) - weight(a));
    // A page without such components shows what it asks for itself.
    const [direct, far] = [shownBy(page), parts.slice(1).flatMap(shownBy)].map(heaviest);
    const telling = (files: readonly string[] = []) => files.filter((file) => weight(file) > 0);
    const quiet = (files: readonly string[] = []) => files.filter((file) => weight(file) === 0);
    const components = [
      ...new Set([
        ...(telling(direct).length === 0 ? [page] : []),
        ...telling(direct),
        ...parts.slice(1),
        ...telling(far),
        ...quiet(direct),
        ...quiet(far),
      ]),
    ].slice(0, MOST_COMPONENTS);
    const state = stateOf([...parts, ...components]);
    return [
      {
        address,
        page,
        components,
        state,
        calls: [...new Set([...below(page)].flatMap(web.sends))].sort(byPath),
      },
    ];
  });
}

const byPath = (a: string, b: string) => (a.replace(/^\w+ /, '') < b.replace(/^\w+ /, '') ? -1 : 1);

/** docs/pages.md, and addresses that the router does not show. */
export function pagesText(signposts: Signposts): { text: string; faults: string[] } {
  const pages = pageFiles(signposts);
  const faults = Object.values(PAGES)
    .filter((address) => !pages.some((page) => page.address === address))
    .map((address) => `${ROUTER} shows no page at ${address}`);
  const named = (files: readonly string[]) => files.map((file) => `\`${file.slice('web/'.length)}\``).join(', ');
  const frame = [...reachedFrom(signposts.web.imports, ['web/app/Shell.tsx'])]
    .flatMap(signposts.web.sends)
    .sort(byPath);
  const lines = [
    '# Pages',
    '',
    'Made from `contract/values/pages.ts`, `web/app/router.tsx` and what they import by `npm run check -- --fix`. Files in `web/`; from a call on to',
    'the server: [calls.md](calls.md). The components are those of the product that the page is made of, what shows most first, its',
    'parts in `pages/` last; the calls are all that the page and anything it imports sends.',
    '',
    `Around every page but the question screens stands \`app/Shell.tsx\`, around the teachers\u2019 \`teach/TeachFrame.tsx\` too; the shell sends ${[...new Set(frame)].map((name) => `\`${name}\``).join(', ')}.`,
    '',
    '| address | page | shows | state, filter | calls |',
    `|${' --- |'.repeat(5)}`,
    ...pages.map(
      ({ address, page, components, state, calls }) =>
        `| \`${address}\` | ${named([page])} | ${named(components)} | ${named(state)} | ${calls.map((name) => `\`${name}\``).join(', ')} |`,
    ),
  ];
  return { text: `${lines.join('\n')}\n`, faults };
}
