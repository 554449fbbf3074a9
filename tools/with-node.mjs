// Runs a TypeScript file, or a tool by its name, with the pinned Node: `node tools/with-node.mjs server/cli.ts import …`.
import { become, install } from './prepare.mjs';

const tools = {
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/@playwright/test/cli.js',
  vite: 'node_modules/vite/bin/vite.js',
};

install();
const [what, ...rest] = process.argv.slice(2);
become([tools[what] ?? what, ...rest]);
