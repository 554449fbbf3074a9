// The walls between the rooms (docs/architecture.md). `npm run check` runs dependency-cruiser with them.
const wall = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const features = 'exam|course|play|live|qa|comment|file|feedback|agreement|university|order|user';
const test = '\\.test\\.tsx?$';

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
      'rules/ imports only contract/ and itself: no clock, network, DOM or Node.',
      { path: '^rules/', pathNot: test },
      { pathNot: ['^rules/', '^contract/', '^node_modules/typebox/'] },
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
      { path: '^(server|content)/', pathNot: ['^server/db/', '^server/test-kit\\.ts$', test] },
      { path: '^(node:)?sqlite$|^node_modules/pg/' },
    ),
    wall(
      'ui-knows-no-product',
      'ui/ imports only itself and libraries.',
      { path: '^ui/' },
      { path: '^(web|server|rules|contract|content)/' },
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
    wall(
      'server-features-along-one-graph',
      'A server feature uses another one only along: exam → course, feedback → course, exam; everyone → user/session and user/rate-limit.',
      { path: `^server/(${features})/`, pathNot: test },
      {
        path: `^server/(${features})/`,
        pathNot: [
          '^server/$1/',
          '^server/user/(session|sms|rate-limit)\\.ts$',
          '^server/course/(enrolment|store)\\.ts$',
          '^server/exam/store\\.ts$',
        ],
      },
    ),
    wall(
      'no-tests-in-code',
      'Code never imports a test or its kit.',
      { pathNot: [test, '^server/test-kit\\.ts$', '^(e2e|bench|tools)/', '\\.test-kit\\.ts$'] },
      { path: `${test}|test-kit\\.ts$` },
    ),
    wall(
      'no-dev-dependency-on-the-server',
      'The server runs on dependencies alone.',
      { path: '^(server|content|rules|contract)/', pathNot: [test, 'test-kit\\.ts$'] },
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
