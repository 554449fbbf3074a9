// Runs npm with the given words in the project's folder. It says that it is alive while npm is at work, and what npm
// itself said only when it failed: on an older Node npm warns of nearly every package, which the pinned Node then runs.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Seconds between two lines where nobody looks at a terminal. */
const LINE_EVERY = 15;
const { stdout } = process;
const words = [...process.argv.slice(2), '--loglevel=http'];
const npm = process.env.npm_execpath;
const options = { cwd: join(import.meta.dirname, '..'), stdio: ['ignore', 'pipe', 'pipe'] };
const child = npm?.endsWith('.js')
  ? spawn(process.execPath, [npm, ...words], options)
  : spawn('npm', words, { ...options, shell: process.platform === 'win32' });

let npmSaid = '';
let fetched = 0;
/** A line of npm about a request that went well: counted where it brought a package, and not worth repeating. */
const WENT_WELL = /^npm http (?:fetch GET 2\d\d|cache) (\S+)/;
for (const stream of [child.stdout, child.stderr]) {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const address = WENT_WELL.exec(line)?.[1];
      if (address?.includes('.tgz')) fetched += 1;
      if (address === undefined) npmSaid += `${line}\n`;
    }
  });
  stream.on('end', () => {
    npmSaid += rest;
  });
}

const began = Date.now();
const seconds = () => Math.round((Date.now() - began) / 1000);
const progress = () => `Installing packages: ${fetched > 0 ? `${fetched} fetched, ` : ''}${seconds()} s`;
const heartbeat = setInterval(() => {
  if (stdout.isTTY) stdout.write(`\r${progress()} `);
  else if (seconds() % LINE_EVERY === 0) stdout.write(`${progress()}\n`);
}, 1000);

function end(code) {
  clearInterval(heartbeat);
  if (stdout.isTTY) stdout.write('\r\u001b[K');
  if (code === 0) stdout.write(`Packages installed in ${seconds()} s\n`);
  else process.stderr.write(npmSaid);
  process.exitCode = code;
}
child.on('error', (error) => {
  npmSaid += `npm could not be run: ${error.message}\n`;
  end(1);
});
child.on('close', (code) => end(code ?? 1));
