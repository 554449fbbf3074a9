import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, mergeConfig, type Plugin, type UserConfig } from 'vite';
import { DRAWN_PAGES } from './contract/values/pages.ts';
import { chunks } from './tools/chunks.ts';
import { onlyDrawnPages, pageCode } from './tools/page-code.ts';
import { themeVariables } from './tools/theme-variables.ts';

const server = 'http://127.0.0.1:3000';

/** Not for the program that draws pages on the server. */
const forBrowsers: Plugin['apply'] = (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true;

/**
 * Compresses the built assets once, so that the server sends ready-made brotli or gzip, and prints what each page
 * transfers on a first visit: the entry, the page's own chunk and everything both import statically.
 */
function compressed(): Plugin {
  return {
    name: 'lixue-compressed',
    apply: forBrowsers,
    writeBundle(options, bundle) {
      const folder = join(options.dir ?? 'dist/web', 'assets');
      const sizes = new Map<string, number>();
      for (const name of readdirSync(folder)) {
        if (!/\.(?:m?js|css|svg|json)$/.test(name)) continue;
        const bytes = readFileSync(join(folder, name));
        const small = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
        writeFileSync(join(folder, `${name}.br`), small);
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        sizes.set(`assets/${name}`, small.length);
      }
      const needs = (file: string, seen: Set<string>): Set<string> => {
        const chunk = bundle[file];
        if (chunk?.type !== 'chunk' || seen.has(file)) return seen;
        seen.add(file);
        for (const css of chunk.viteMetadata?.importedCss ?? []) seen.add(css);
        for (const other of chunk.imports) needs(other, seen);
        return seen;
      };
      const total = (files: Set<string>) => [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0) / 1024;
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const entry = chunks.find(({ isEntry }) => isEntry);
      if (entry === undefined) return;
      console.log(`\nfirst visit, brotli: entry ${total(needs(entry.fileName, new Set())).toFixed(1)} KB`);
      const shell = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/web/app/Shell.tsx'));
      for (const page of chunks) {
        const name = /\/web\/pages\/(\w+Page)\.tsx$/.exec(page.facadeModuleId ?? '')?.[1];
        if (name === undefined) continue;
        const files = needs(page.fileName, needs(entry.fileName, new Set()));
        if (shell !== undefined && name !== 'ExamPage' && name !== 'ExamReviewPage') needs(shell.fileName, files);
        console.log(`  ${name.padEnd(20)} ${total(files).toFixed(1).padStart(6)} KB`);
      }
    },
  };
}

/** Of the component library: `of` names `part`, and gets something else in its place. */
interface Unused {
  part: string;
  of: RegExp;
  instead: string;
}

/**
 * Parts of the component library that come along by their name alone. Its dialogs name ScrollArea only to ask whether that is what they scroll with, which none of
 * ours does; the name alone brings all of Floating UI to a screen with dialogs alone, 15 KB on that of exams. They get something that nothing
 * is equal to. Its provider names what writes variables and classes into the page, which stand in our sheet (tools/theme-variables.ts).
 */
const UNUSED: readonly Unused[] = [
  {
    part: 'ScrollArea',
    of: /\/@mantine\/core\/esm\/components\/(?:Modal\/Modal|Drawer\/Drawer)Root\.mjs$/,
    instead: '{ Autosize: Symbol() }',
  },
  ...['MantineCssVariables', 'MantineClasses'].map((part) => ({
    part,
    of: /\/@mantine\/core\/esm\/core\/MantineProvider\/MantineProvider\.mjs$/,
    instead: '() => null',
  })),
];

/** The library without these parts. One that no longer names them stops the build. */
function withoutUnused(): Plugin {
  const left = new Set(UNUSED);
  const named = (id: string) => `\0lixue-without-${id}`;
  return {
    name: 'lixue-without-unused',
    apply: forBrowsers,
    // Before the resolver of packages, which would find the true one.
    enforce: 'pre',
    resolveId(source, importer = '') {
      const found = UNUSED.find(({ part, of }) => source.endsWith(`/${part}.mjs`) && of.test(importer));
      if (found === undefined) return;
      left.delete(found);
      return named(found.part);
    },
    load: (id) => {
      const found = UNUSED.find(({ part }) => named(part) === id);
      return found && `export const ${found.part} = ${found.instead};`;
    },
    buildEnd(error) {
      const names = [...left].map(({ part }) => part).join(', ');
      if (error === undefined && names !== '') this.error(`The library names ${names} no more: take that out.`);
    },
  };
}

const DIALOG_STYLES = /\/ui\/dialog\.css$/;
const OF_SCROLL_AREA = /[^{}]*:has\(\[data-mantine-scrollbar\]\)[^{}]*\{[^{}]*\}/g;

/**
 * Dialogs without the library's one rule for a ScrollArea in them: for it a browser walks through the whole page with each part that comes into it, a tenth
 * of the work of a long review (decision 080). A library without that rule stops the build.
 */
function withoutScrollRule(): Plugin {
  return {
    name: 'lixue-without-scroll-rule',
    transform: {
      filter: { id: DIALOG_STYLES },
      // Behind the bundler's own work, which puts the sheets that it imports inside.
      handler(sheet) {
        const code = sheet.replace(OF_SCROLL_AREA, '');
        if (code === sheet) this.error('Dialogs have no rule for a ScrollArea any more: take this plugin out.');
        return { code, map: null };
      },
    },
  };
}

const KATEX_STYLES = /\/katex\/dist\/katex(?:\.min)?\.css$/;

/**
 * Fonts of formulas in the form that every browser with modules reads: the addresses of two more for each were a third of the sheet that a
 * question with a formula waits for. A library that names them otherwise stops the build.
 */
function onlyWoff2(): Plugin {
  return {
    name: 'lixue-only-woff2',
    enforce: 'pre',
    transform: {
      filter: { id: KATEX_STYLES },
      handler(sheet) {
        const kept = sheet.replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\("(?:woff|truetype)"\)/g, '');
        if (kept === sheet || /\.(?:woff|ttf)\b/.test(kept))
          this.error('The fonts of formulas are named in another way: look at this plugin.');
        return kept;
      },
    },
  };
}

/** What pdf.js fetches while it reads: Chinese encodings, the fonts every PDF may take for granted, decoders of pictures, colours. */
const PDF_FOLDERS = ['cmaps', 'standard_fonts', 'wasm', 'iccs'];
/** Left out: the interpreter for what a PDF wants to run (docs/decisions/037-course-files.md). */
const RUNS_SCRIPTS = /^quickjs/;

/** Puts what pdf.js fetches beside the assets, in a folder of its version (ui/pdf/pdf-document.ts), and serves it to `npm run dev`. */
function pdfData(): Plugin {
  const library = join(import.meta.dirname, 'node_modules', 'pdfjs-dist');
  const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as { version: string };
  const base = `assets/pdfjs-${version}`;
  const files = new Map<string, string>(
    PDF_FOLDERS.flatMap((folder) =>
      readdirSync(join(library, folder))
        .filter((name) => !RUNS_SCRIPTS.test(name))
        .map((name) => [`${base}/${folder}/${name}`, join(library, folder, name)] as const),
    ),
  );
  return {
    name: 'lixue-pdf-data',
    apply: (_config, { isSsrBuild }) => isSsrBuild !== true,
    generateBundle() {
      for (const [fileName, path] of files) this.emitFile({ type: 'asset', fileName, source: readFileSync(path) });
    },
    configureServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        const path = files.get((request.url ?? '').slice(1).split('?')[0] ?? '');
        if (path === undefined) next();
        else
          response
            .setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'application/octet-stream')
            .end(readFileSync(path));
      });
    },
  };
}

/** What plays a film, and the library under it. */
const PLAYER = /\/(?:node_modules\/hls\.js|ui\/player)\//;
/**
 * Asks Chromium to compile all of a file while it arrives, beside the page (its "explicit compile hints"). Otherwise each function of the
 * player is compiled when it is first called: on the page's thread, while a film should begin. Other browsers read a comment.
 */
const COMPILED_AS_IT_COMES = '//# allFunctionsCalledOnLoad';

/** The program that draws pages on the server (web/app/draw.tsx), with all that it needs inside: no library of it is installed beside the server. */
const drawing: UserConfig = {
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: 'dist/draw',
    copyPublicDir: false,
    rolldownOptions: { input: 'web/app/draw.tsx', output: { entryFileNames: 'draw.js', codeSplitting: false } },
  },
};

const divided = chunks();

/** What people's browsers get. */
const web: UserConfig = {
  publicDir: 'web/public',
  plugins: [divided],
  build: {
    outDir: 'dist/web',
    chunkSizeWarningLimit: 700,
    // A small font inside a sheet would be fetched by everybody who has a formula; few have one with the sign that it is for.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
    // Browsers without it take a little longer; the script for them would be a request of its own for all others.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: divided.groups },
        postBanner: ({ moduleIds }) => (moduleIds.some((id) => PLAYER.test(id)) ? COMPILED_AS_IT_COMES : ''),
      },
    },
  },
};

const both: UserConfig = {
  plugins: [
    react(),
    themeVariables(),
    pdfData(),
    withoutUnused(),
    withoutScrollRule(),
    onlyWoff2(),
    compressed(),
    pageCode(),
    onlyDrawnPages(DRAWN_PAGES),
  ],
  build: { emptyOutDir: true, reportCompressedSize: false },
  server: {
    port: 5173,
    // Calls, stored files and the API's description come from the server; no page has such an address.
    proxy: Object.fromEntries(
      ['/api/', '/app/', '/files/', '/docs', '/openapi.json'].map((path) => [path, { target: server, ws: true }]),
    ),
  },
};

export default defineConfig(({ isSsrBuild }) => mergeConfig(both, isSsrBuild ? drawing : web));
