import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * What a test file may do to everything that shares its process: replaces modules, globals, clocks or the environment, changes
 * what it did not make, looks at the process itself, or starts processes of its own, which take long and so begin first.
 */
const NEEDS_OWN_PROCESS =
  /\bvi\.(mock|doMock|stub|useFakeTimers|setSystemTime|resetModules)|process\.env\.\w+ =|syncBuiltinESMExports|\.prototype\b|\/proc\/self|from 'node:child_process'|startServer/;

const FILES = '{contract,rules,server,web,ui,content,tools}/**/*.test.{ts,tsx}';
const alone = globSync(FILES, { cwd: import.meta.dirname }).filter((file) =>
  NEEDS_OWN_PROCESS.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);

// Processes that tests start, and start again, compile each module once (Node checks that it is the same).
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache/compiled');

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // By itself it leaves one core free, which is half of the machine that CI has.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Vitest runs projects in the order of their names: what takes long first.
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // One process for many files: loading the app costs more than most of its tests.
      { extends: true, test: { name: 'together', include: [FILES], exclude: alone, isolate: false } },
    ],
  },
});
