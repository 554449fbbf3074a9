// What `npm start` and `npm test` share: runs on any Node from 20, before anything is installed, so it is plain
// JavaScript without imports beyond Node's own.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
/** The Node that the project pins, as the npm package `node`. */
export const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const stamps = join(root, '.cache');

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

const readStamp = (name) => {
  try {
    return readFileSync(join(stamps, name), 'utf8');
  } catch {
    return '';
  }
};
const writeStamp = (name, value) => {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(join(stamps, name), value);
};

/** Ends with a sentence, not with a stack. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Installs what the lock file names, when it changed or is not there. */
export function install() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20) fail(`Lixue needs Node 20 or newer; this is ${process.versions.node}.`);
  const stamp = digest(['package.json', 'package-lock.json']);
  if (existsSync(node) && readStamp('installed') === stamp) return;
  process.stdout.write('Installing packages … (1 to 2 minutes the first time, longer on a slow network)\n');
  // A fresh folder takes exactly what the lock file names; a present one is only brought up to date, since `ci` would
  // empty it under a running server.
  const words = [...(existsSync(node) ? ['install', '--no-save'] : ['ci']), '--no-audit', '--no-fund'];
  const done = spawnSync(process.execPath, [join(root, 'tools/npm-install.mjs'), ...words], { stdio: 'inherit' });
  if (done.status !== 0 || !existsSync(node)) fail('Installing the packages failed: see the lines above.');
  const works = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (works.status !== 0) fail('The pinned Node does not run: were install scripts allowed for the package "node"?');
  writeStamp('installed', stamp);
}

function sources(folder, found = []) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) sources(path, found);
    else if (!/\.test\.tsx?$/.test(entry.name)) found.push(path);
  }
  return found;
}

/** Builds the web app when its sources changed since the last build. `sizes`: prints what each page transfers. */
export function buildWeb({ sizes = true } = {}) {
  const files = [
    'index.html',
    'vite.config.ts',
    'tools/chunks.ts',
    'tools/page-code.ts',
    'tools/theme-variables.ts',
    'package-lock.json',
    ...['web', 'ui', 'contract', 'rules'].flatMap((folder) => sources(folder)),
  ].sort();
  const stamp = digest(files);
  const built = ['dist/web/index.html', 'dist/draw/draw.js'].every((file) => existsSync(join(root, file)));
  if (built && readStamp('web-built') === stamp) return;
  process.stdout.write('Building the web app …\n');
  const stdio = ['inherit', sizes ? 'inherit' : 'ignore', 'inherit'];
  // What browsers get, then the program that draws pages on the server.
  for (const what of [[], ['--ssr']]) {
    const build = ['node_modules/vite/bin/vite.js', 'build', ...what, '--logLevel', 'warn'];
    const done = spawnSync(node, build, { cwd: root, stdio });
    if (done.status !== 0) fail('Building the web app failed: see the lines above.');
  }
  writeStamp('web-built', stamp);
}

/** Runs a script with the pinned Node and waits; @returns its exit code */
export function run(args, env = {}) {
  const done = spawnSync(node, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  return done.status ?? 1;
}

/** Runs a script with the pinned Node in place of this process: signals reach it, its exit code is ours. */
export function become(args, env = {}) {
  const child = spawn(node, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
