import { randomBytes } from 'node:crypto';
import { existsSync, globSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * What a test file may do to everything that shares its process: replaces modules, globals, clocks or the environment, changes
 * what it did not make, looks at the process itself, or starts processes of its own, which take long and so begin first.
 */
const NEEDS_OWN_PROCESS =
  /\bvi\.(mock|doMock|stub|useFakeTimers|setSystemTime|resetModules)|process\.env\.\w+ =|syncBuiltinESMExports|\.prototype\b|\/proc\/self|from 'node:child_process'|startServer|startSweep|jobDatabase|importKilled/;

const FILES = '{contract,rules,server,web,ui,content,tools}/**/*.test.{ts,tsx}';
const alone = globSync(FILES, { cwd: import.meta.dirname }).filter((file) =>
  NEEDS_OWN_PROCESS.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);

// Processes that tests start, and start again, compile each module once (Node checks that it is the same).
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache/compiled');

// Databases of tests are copies of one that is migrated once in a run, and removed at its end (fresh-database.test-kit.ts).
process.env.TEST_RUN = randomBytes(6).toString('hex');

/** Bytes that the databases and files of tests may come to. */
const ROOM = 3e9;
/** Hundreds of databases that live for a second wait for the disk longer than for anything else: they live in memory. */
if (process.env.TMPDIR === undefined && existsSync('/dev/shm')) {
  const { bavail, bsize } = statfsSync('/dev/shm');
  if (bavail * bsize > ROOM) process.env.TMPDIR = '/dev/shm';
}

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['server/db/templates.test-kit.ts'],
    pool: 'forks',
    // By itself it leaves one core free, which is half of the machine that CI has.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Vitest runs projects in the order of their names: what takes long first.
    projects: [
      // What starts processes waits for them on a machine that is busy with other tests.
      { extends: true, test: { name: 'alone', include: alone, testTimeout: 60_000 } },
      // One process for many files: loading the app costs more than most of its tests.
      { extends: true, test: { name: 'together', include: [FILES], exclude: alone, isolate: false } },
    ],
  },
});
