import type { Plugin, Rolldown } from 'vite';

/** One module of a build: its imports, those of whole libraries left out, and whether it comes later than who asks for it (`import()`). */
interface Module {
  imports: readonly string[];
  isLate: boolean;
}

const MAIN = '/web/app/main.tsx';
const SHELL = '/web/app/Shell.tsx';
const EXAM = '/web/pages/ExamPage.tsx';
/** What shows a text of a content pack, and the parts of a question, which lists show too. */
const READ = /\/(?:ui\/(?:RichText\.tsx|safe-html\.ts|formulas\.ts)|web\/exam\/question\/\w+\.(?:tsx|module\.css))$/;
/** The screens of exams, and what comes later in them. */
const SCREENS = /\/web\/(?:pages\/(?:Exam(?:Page|ReviewPage|Overlays)|ReviewOverlays)|exam\/screen\/\w+)\.tsx$/;

/** Files of many modules, in the order in which they are made: each takes with it what its modules need and no file before it has. */
type Chunk = (typeof CHUNKS)[number];
const CHUNKS = ['base', 'reading', 'sitting', 'dialog', 'frame'] as const;

/**
 * Which file each module of our own, each icon and each small library belongs to that the first view of an exam needs, so that it comes in
 * few and large ones. `base`: what every page needs, and small parts that other pages have too. `reading`: what shows texts and questions.
 * `sitting`: the screen itself, which the review shares. And of the frame of the site: `dialog` for what it shares with what opens over a
 * question later, `frame` for the rest. What is not in the answer is for the bundler to divide. Left alone it made 34 scripts and 9 sheets for
 * the exam, most of them smaller than their request.
 * @param modules by their path
 */
export function chunksOf(modules: ReadonlyMap<string, Module>): Map<string, Chunk> {
  const reach = (from: Iterable<string>, seen = new Set<string>()): Set<string> => {
    for (const id of from) {
      if (seen.has(id)) continue;
      seen.add(id);
      reach(modules.get(id)?.imports ?? [], seen);
    }
    return seen;
  };
  const ending = (end: string) => [...modules.keys()].filter((id) => id.endsWith(end));
  const chunks = new Map<string, Chunk>([...reach(ending(MAIN))].map((id) => [id, 'base']));
  const others = [...modules].filter(([id, { isLate }]) => isLate && !SCREENS.test(id)).map(([id]) => reach([id]));
  for (const id of reach(ending(EXAM))) {
    if (chunks.has(id)) continue;
    const alsoIn = others.filter((other) => other.has(id));
    if (alsoIn.length === 0) chunks.set(id, 'sitting');
    else chunks.set(id, alsoIn.every((other) => [...other].some((one) => READ.test(one))) ? 'reading' : 'base');
  }
  const inScreens = [...modules].filter(([id, { isLate }]) => isLate && SCREENS.test(id)).map(([id]) => reach([id]));
  for (const id of reach(ending(SHELL)))
    if (!chunks.has(id)) chunks.set(id, inScreens.some((screen) => screen.has(id)) ? 'dialog' : 'frame');
  return chunks;
}

/** One file names all icons: which of them a module takes stands in its code alone. */
const ICONS = /\/@tabler\/icons-react\/dist\/esm\/tabler-icons-react\.mjs$/;
const TAKES_ICONS = /import\s*\{([^}]*)\}\s*from\s*["']@tabler\/icons-react["']/g;
/** Libraries of which a module takes a part, or that every page has. */
const WHOLE_LIBRARIES = /\/node_modules\/(?:@mantine|@tanstack|react|react-dom|react-router|scheduler)\//;

/** Parts of the library that dialogs share with the menus of the frame. */
const DIALOG_PARTS =
  /\/@mantine\/(?:core\/esm\/(?:components\/(?:CloseButton|FocusTrap|Overlay|Paper|Portal)\/|core\/utils\/(?:create-safe-context|get-default-z-index|get-env)\/|core\/MantineProvider\/(?:use-mantine-color-scheme|color-functions\/rgba)\/)|hooks\/esm\/use-(?:focus-return|id|merged-ref|uncontrolled|window-event)\/)/;

/** Divides a build so. `groups` is for `output.codeSplitting`. */
export function chunks(): Plugin & { groups: Rolldown.CodeSplittingGroup[] } {
  let known: ReadonlyMap<string, Chunk> = new Map();
  return {
    name: 'lixue-chunks',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    buildEnd(error) {
      if (error !== undefined) return;
      const modules = new Map<string, Module>();
      for (const id of this.getModuleIds()) {
        const about = this.getModuleInfo(id);
        if (about === null || WHOLE_LIBRARIES.test(id) || ICONS.test(id)) continue;
        const icons = about.importedIds.find((other) => ICONS.test(other));
        const imports = about.importedIds.filter((other) => other !== icons && !WHOLE_LIBRARIES.test(other));
        if (icons !== undefined) {
          for (const [, names = ''] of (about.code ?? '').matchAll(TAKES_ICONS))
            for (const name of names.split(','))
              imports.push(icons.replace('tabler-icons-react.mjs', `icons/${name.trim().split(' ')[0]}.mjs`));
        }
        modules.set(id, { imports, isLate: about.dynamicImporters.length > 0 });
      }
      known = chunksOf(modules);
    },
    groups: CHUNKS.map((name) => ({
      name,
      test: (id) => known.get(id) === name || (name === 'dialog' && DIALOG_PARTS.test(id)),
    })),
  };
}
