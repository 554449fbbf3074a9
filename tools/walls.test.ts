import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { features, serverRooms, sharedRules, webRooms } from './features.ts';
import walls from './walls.config.mjs';

const root = join(import.meta.dirname, '..');
const graph: Readonly<Record<string, readonly string[]>> = features;

/** Files of a small tree that break exactly the wall they name: the same checker and walls as `npm run check` look at them. */
const forbidden: readonly { wall: string; file: string; text: string }[] = [
  { wall: 'no-cycles', file: 'rules/exam/egg.ts', text: "export { hen as egg } from './hen.ts';" },
  { wall: 'no-missing', file: 'server/exam/lost.ts', text: "import './nowhere.ts';" },
  { wall: 'contract-is-the-wire', file: 'contract/course.ts', text: "import '#rules/exam/scoring.ts';" },
  { wall: 'contract-is-the-wire', file: 'contract/feedback.ts', text: "import 'node:crypto';" },
  { wall: 'rules-are-pure', file: 'rules/exam/reads.ts', text: "import 'node:fs';" },
  { wall: 'rules-are-pure', file: 'rules/exam/asks.ts', text: "import '#server/exam/store.ts';" },
  { wall: 'rules-are-pure', file: 'rules/exam/buys.ts', text: "import 'yaml';" },
  { wall: 'one-file-for-the-scheduler', file: 'rules/exam/schedules.ts', text: "import 'ts-fsrs';" },
  { wall: 'one-file-for-the-scheduler', file: 'server/exam/schedules.ts', text: "import 'ts-fsrs';" },
  {
    wall: 'rules-in-the-browser',
    file: 'rules/exam/checks.ts',
    text: "import { SaveQuestion } from '#contract/exam.ts';\nexport const name = SaveQuestion;",
  },
  {
    wall: 'web-takes-types-only',
    file: 'web/exam/validate.ts',
    text: "import { SaveQuestion } from '#contract/exam.ts';\nexport const name = SaveQuestion;",
  },
  { wall: 'web-knows-no-server', file: 'web/exam/peeks.ts', text: "import '#server/exam/store.ts';" },
  { wall: 'web-knows-no-server', file: 'ui/peeks.ts', text: "import '#content/sheet.ts';" },
  { wall: 'server-knows-no-web', file: 'server/exam/shows.ts', text: "import '#web/lib/send.ts';" },
  { wall: 'one-room-for-the-web-framework', file: 'server/exam/frames.ts', text: "import 'fastify';" },
  { wall: 'one-room-for-drivers', file: 'server/exam/drives.ts', text: "import 'node:sqlite';" },
  { wall: 'one-room-for-drivers', file: 'server/course/drives.ts', text: "import 'pg';" },
  { wall: 'ui-knows-no-product', file: 'ui/sends.ts', text: "import '#web/lib/send.ts';" },
  { wall: 'ui-knows-no-product', file: 'ui/decides.ts', text: "import '#rules/exam/scoring.ts';" },
  { wall: 'web-features-are-no-siblings', file: 'web/exam/sibling.ts', text: "import '#web/course/card.ts';" },
  { wall: 'features-do-not-know-pages', file: 'web/exam/opens.ts', text: "import '#web/pages/Exam.ts';" },
  { wall: 'lib-knows-no-feature', file: 'web/lib/knows.ts', text: "import '#web/course/card.ts';" },
  { wall: 'routes-are-put-together-above', file: 'server/exam/binds.ts', text: "import '#server/course/routes.ts';" },
  {
    wall: 'routes-are-put-together-above',
    file: 'server/exam/commands.ts',
    text: "import '#server/course/enrol-command.ts';",
  },
  { wall: 'rooms-know-no-feature', file: 'server/http/knows.ts', text: "import '#server/exam/store.ts';" },
  { wall: 'rooms-know-no-feature', file: 'server/files.ts', text: "import '#server/course/store.ts';" },
  {
    wall: 'parts-are-types',
    file: 'server/parts.ts',
    text: "import type { Row } from './exam/types-only.ts';\nexport type Part = Row;\nexport * from './user/store.ts';",
  },
  { wall: 'put-together-above', file: 'server/feedback/takes.ts', text: "import '#server/app.ts';" },
  { wall: 'put-together-above', file: 'server/bus.ts', text: "import './cli.ts';" },
  {
    wall: 'sql-in-stores-only',
    file: 'server/exam/asks.ts',
    text: "import { sql } from 'kysely';\nexport const one = sql;",
  },
  {
    wall: 'sql-in-stores-only',
    file: 'server/exam/prepares.ts',
    text: "import { Prepared } from '#server/db/prepared.ts';\nexport const one = Prepared;",
  },
  {
    wall: 'grades-are-withheld-in-one-place',
    file: 'server/exam/finding/lists.ts',
    text: "import '../grading/graded-store.ts';",
  },
  { wall: 'content-knows-no-server', file: 'content/writes.ts', text: "import '#server/files-kept.ts';" },
  { wall: 'no-tests-in-code', file: 'server/exam/plays.ts', text: "import './scene.test-kit.ts';" },
  { wall: 'no-dev-dependency-on-the-server', file: 'server/exam/borrows.ts', text: "import 'fast-check';" },
  // Each feature with one that it may not use: the first that the graph does not give it, as a store would.
  ...Object.entries(graph).map(([feature, uses]) => {
    const other = Object.keys(graph).find((name) => name !== feature && !uses.includes(name)) ?? '';
    return {
      wall: `feature-graph-${feature}`,
      file: `server/${feature}/strays.ts`,
      text: `import '#server/${other}/store.ts';`,
    };
  }),
];

/** What stands beside them and breaks nothing. */
const permitted: Readonly<Record<string, string>> = {
  'contract/exam.ts': "import 'typebox';\nexport const SaveQuestion = 'POST /api/exam/save_question';",
  'contract/envelope.ts': 'export const refusals = {};',
  'rules/exam/scoring.ts':
    "import type { SaveQuestion } from '#contract/exam.ts';\nexport type Name = typeof SaveQuestion;",
  'rules/exam/schedule.ts': "import 'ts-fsrs';",
  // The other half of a circle: the checker names one of the two.
  'rules/exam/hen.ts': "export { egg as hen } from './egg.ts';",
  'rules/exam/words.ts': "import { refusals } from '#contract/envelope.ts';\nexport const words = refusals;",
  'rules/exam/scoring.test.ts': "import 'node:fs';\nimport 'fast-check';",
  'server/db/prepared.ts': "import 'kysely';\nimport 'pg';\nimport 'node:sqlite';\nexport class Prepared {}",
  'server/http/web-server.ts': "import 'fastify';",
  'server/files-kept.ts': "import 'node:fs';",
  'server/main.ts': "import './app.ts';",
  'server/cli.ts': "import './course/enrol-command.ts';",
  'server/app.ts': "import './exam/routes.ts';\nimport './course/routes.ts';",
  'server/course/routes.ts': "import './store.ts';",
  'server/course/enrol-command.ts': "import './store.ts';",
  'server/exam/routes.ts': "import './store.ts';\nimport '#server/course/store.ts';",
  'server/exam/types-only.ts':
    "import type { Insertable } from 'kysely';\nexport type Row = Insertable<{ id: number }>;",
  'server/exam/answers-store.ts': "import 'kysely';\nimport '#server/db/prepared.ts';",
  'server/exam/grading/graded-store.ts': "import 'kysely';",
  'server/exam/scene.test-kit.ts': "import '#server/university/store.ts';\nimport 'fast-check';",
  'web/lib/send.ts': "import type { SaveQuestion } from '#contract/exam.ts';\nexport type Name = typeof SaveQuestion;",
  'web/course/card.ts': "import '#web/lib/send.ts';",
  'web/pages/Exam.ts': "import '#web/course/card.ts';\nimport '#web/exam/save.ts';",
  'web/exam/save.ts': "import '#web/lib/send.ts';\nimport '#ui/Button.ts';",
  'ui/Button.ts': 'export const Button = 1;',
  'content/sheet.ts': "import 'yaml';\nimport '#rules/exam/scoring.ts';",
  ...Object.fromEntries(
    Object.entries(graph).flatMap(([feature, uses]) => [
      [`server/${feature}/store.ts`, "import 'kysely';"],
      [`server/${feature}/within.ts`, uses.map((other) => `import '#server/${other}/store.ts';`).join('\n')],
    ]),
  ),
};

interface Report {
  summary: { violations: { from: string; rule: { name: string } }[] };
}

describe('the walls', () => {
  const tree = mkdtempSync(join(tmpdir(), 'lixue-walls-'));
  afterAll(() => rmSync(tree, { recursive: true, force: true }));
  let broken: Map<string, string[]>;

  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  };

  beforeAll(() => {
    write('package.json', readFileSync(join(root, 'package.json'), 'utf8'));
    for (const name of ['typebox', 'kysely', 'pg', 'fastify', 'yaml', 'fast-check', 'ts-fsrs']) {
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
      write(`node_modules/${name}/index.js`, '');
    }
    for (const [file, text] of Object.entries(permitted)) write(file, text);
    for (const { file, text } of forbidden) write(file, text);
    const checker = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
    const config = join(root, 'tools/walls.config.mjs');
    const rooms = ['contract', 'rules', 'server', 'web', 'ui', 'content'];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [checker, '--config', config, '--output-type', 'json', ...rooms],
      { cwd: tree, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    if (stdout === '') throw new Error(`the checker said nothing: ${stderr}`);
    const { summary } = JSON.parse(stdout) as Report;
    broken = new Map();
    for (const { from, rule } of summary.violations) broken.set(from, [...(broken.get(from) ?? []), rule.name]);
  });

  it.each(forbidden)('$wall: $file', ({ wall, file }) => {
    expect(broken.get(file) ?? []).toContain(wall);
  });

  it('let through what is permitted', () => {
    expect([...broken.keys()].filter((file) => file in permitted)).toEqual([]);
  });

  it('are each shown to hold', () => {
    const shown = new Set(forbidden.map(({ wall }) => wall));
    expect(walls.forbidden.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe('the graph of features', () => {
  it('leads nowhere in a circle and to nothing unknown', () => {
    const reaches = (feature: string, path: readonly string[]): void => {
      expect(path, `circle: ${[...path, feature].join(' → ')}`).not.toContain(feature);
      expect(graph).toHaveProperty(feature);
      for (const other of graph[feature] ?? []) reaches(other, [...path, feature]);
    };
    for (const feature of Object.keys(graph)) reaches(feature, []);
  });

  it('knows every folder, so that no feature stands outside of it', () => {
    const folders = (room: string) =>
      readdirSync(join(root, room), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name);
    const known = Object.keys(graph);
    const unknown = [
      ...folders('server').filter((name) => !known.includes(name) && !serverRooms.some((room) => room === name)),
      ...folders('web').filter((name) => !known.includes(name) && !webRooms.some((room) => room === name)),
      ...folders('rules').filter((name) => !known.includes(name) && !sharedRules.some((room) => room === name)),
    ];
    expect(unknown).toEqual([]);
  });
});
