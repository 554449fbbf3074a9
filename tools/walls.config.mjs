// The walls between the rooms (docs/architecture.md). `npm run check` runs dependency-cruiser with them, and
// walls.test.ts shows of each one that it holds.
import { features as graph, sharedRules } from './features.ts';

const wall = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const features = Object.keys(graph).join('|');
const test = '\\.test\\.tsx?$';
const testKit = '(\\.test-kit|^server/test-kit|^server/test-process)\\.ts$';
/** One wall for each feature of the server: what it may not use is every feature that the graph does not name. */
const featureWalls = Object.entries(graph).map(([feature, uses]) => {
  const allowed = [feature, ...uses].join('|');
  return wall(
    `feature-graph-${feature}`,
    `server/${feature} may use ${uses.length > 0 ? uses.join(', ') : 'no other feature'} (tools/features.ts).`,
    { path: `^server/${feature}/`, pathNot: [test, testKit] },
    { path: `^server/(${features})/`, pathNot: `^server/(${allowed})/` },
  );
});

export default {
  forbidden: [
    wall('no-cycles', 'Two files that need each other are one subject or hide a third.', {}, { circular: true }),
    wall('no-missing', 'An import that leads nowhere.', {}, { couldNotResolve: true }),
    wall(
      'contract-is-the-wire',
      'contract/ imports only itself and the schema library.',
      { path: '^contract/', pathNot: test },
      { pathNot: ['^contract/', '^node_modules/typebox/'] },
    ),
    wall(
      'rules-are-pure',
      'rules/ imports only contract/, itself and arithmetic: no clock, network, DOM or Node.',
      { path: '^rules/', pathNot: test },
      { pathNot: ['^rules/', '^contract/', '^node_modules/(typebox|ts-fsrs)/'] },
    ),
    wall(
      'one-file-for-the-scheduler',
      'Only rules/exam/schedule.ts knows FSRS: arithmetic alone, but the library throws, overruns its bounds and adds to Date (decision 022).',
      { path: '^(server|content|contract|rules|web|ui)/', pathNot: ['^rules/exam/schedule\\.ts$', test] },
      { path: '^node_modules/ts-fsrs/' },
    ),
    wall(
      'web-takes-types-only',
      'The browser imports types from contract/, and values only from contract/values: the schema library stays out of the bundle.',
      { path: '^(web|ui)/', pathNot: test },
      { path: '^contract/', pathNot: '^contract/values/', dependencyTypesNot: ['type-only'] },
    ),
    wall(
      'rules-in-the-browser',
      'A rule that the browser uses too imports only types from contract/, and values only from contract/values.',
      { path: '^rules/', pathNot: test },
      { path: '^contract/', pathNot: '^contract/(values/|envelope\\.ts$)', dependencyTypesNot: ['type-only'] },
    ),
    wall(
      'web-knows-no-server',
      'web/ and ui/ never import server/ or content/.',
      { path: '^(web|ui)/' },
      { path: '^(server|content)/' },
    ),
    wall('server-knows-no-web', 'server/ never imports web/ or ui/.', { path: '^server/' }, { path: '^(web|ui)/' }),
    wall(
      'one-room-for-the-web-framework',
      'Only server/http knows the web framework.',
      { path: '^(server|content|contract|rules)/', pathNot: ['^server/http/', test] },
      { path: '^node_modules/(fastify|@fastify|ws|fast-json-stringify|ajv)/' },
    ),
    wall(
      'one-room-for-drivers',
      'Only server/db knows a database driver.',
      { path: '^(server|content)/', pathNot: ['^server/db/', testKit, test] },
      { path: '^(node:)?sqlite$|^node_modules/pg/' },
    ),
    wall(
      'ui-knows-no-product',
      'ui/ imports only itself, libraries, and what is true of rich text in any product.',
      { path: '^ui/' },
      { path: '^(web|server|rules|contract|content)/', pathNot: `^rules/(${sharedRules.join('|')})/` },
    ),
    wall(
      'web-features-are-no-siblings',
      'A web feature never imports another one; web/pages joins them.',
      { path: `^web/(${features})/` },
      { path: `^web/(${features})/`, pathNot: '^web/$1/' },
    ),
    wall(
      'features-do-not-know-pages',
      'web/pages joins the features, never the other way round.',
      { path: `^web/(${features}|lib)/` },
      { path: '^web/(pages|app)/' },
    ),
    wall(
      'lib-knows-no-feature',
      'web/lib serves every feature.',
      { path: '^web/lib/' },
      { path: `^web/(${features})/` },
    ),
    ...featureWalls,
    wall(
      'routes-are-put-together-above',
      "A feature never imports another one's routes, chores or commands: app.ts and cli.ts put them together.",
      { path: `^server/(${features})/`, pathNot: [test, testKit] },
      { path: '^server/.+[/-](routes|chores|command)\\.ts$', pathNot: '^server/$1/' },
    ),
    wall(
      'rooms-know-no-feature',
      'What serves every feature knows none; app.ts, main.ts and cli.ts put the features together, parts.ts names what they pass around.',
      { path: '^server/(http|db|[^/]+\\.ts$)', pathNot: ['^server/(app|main|cli|parts)\\.ts$', test, testKit] },
      { path: `^server/(${features})/` },
    ),
    wall(
      'parts-are-types',
      'Every feature imports parts.ts, which may name any of them: it imports types only, so that no value passes by the graph.',
      { path: '^server/parts\\.ts$' },
      { dependencyTypesNot: ['type-only'] },
    ),
    wall(
      'put-together-above',
      'app.ts, main.ts and cli.ts put the features together: who imports one of them has all features, past the graph.',
      { path: '^(server|content)/', pathNot: ['^server/(main|cli)\\.ts$', test, testKit] },
      { path: '^server/(app|main|cli)\\.ts$' },
    ),
    wall(
      'sql-in-stores-only',
      'SQL stands in stores: only store.ts, *-store.ts and server/db take more than types from the query builder.',
      { path: '^(server|content)/', pathNot: ['^server/db/', '[/-]store\\.ts$', test, testKit] },
      { path: ['^node_modules/kysely/', '^server/db/prepared\\.ts$'], dependencyTypesNot: ['type-only'] },
    ),
    wall(
      'grades-are-withheld-in-one-place',
      'What is graded leaves the grading room through VisibleGrades alone, which withholds what a student may not see now.',
      { path: '^server/', pathNot: ['^server/exam/grading/', test, testKit] },
      { path: '^server/exam/grading/(graded|open-exam|wrong-list|card|study)-store\\.ts$' },
    ),
    wall(
      'content-knows-no-server',
      'content/ reads files without a database: it imports only itself, rules, contract and libraries.',
      { path: '^content/', pathNot: test },
      { path: '^(server|web|ui)/' },
    ),
    wall(
      'no-tests-in-code',
      'Code never imports a test or its kit.',
      { pathNot: [test, testKit, '^(e2e|bench|tools)/'] },
      { path: `${test}|test-kit\\.ts$` },
    ),
    wall(
      'no-dev-dependency-on-the-server',
      'The server runs on dependencies alone.',
      { path: '^(server|content|rules|contract)/', pathNot: [test, testKit] },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data|content/(demo|test|universities))/' },
    tsPreCompilationDeps: 'specify',
    parser: 'tsc',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};
