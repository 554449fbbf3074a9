// Finds a Chromium for the journeys, or installs Debian's with CJK fonts where we may.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// The one without a window of its own first: the same engine, a third less work for the processor.
const candidates = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The path of a Chromium, or null when there is none and none can be installed. */
export function findBrowser({ mayInstall }) {
  const there = candidates.find((path) => path && existsSync(path));
  const apt = mayInstall && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  const fonts = spawnSync('fc-list', [':lang=zh'], { encoding: 'utf8' });
  const hasFonts = fonts.status === 0 && fonts.stdout.trim() !== '';
  if ((there && hasFonts) || !apt) return there ?? null;
  process.stdout.write('Installing Chromium and Chinese fonts …\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore', env });
  // Where the distribution has no headless shell, the whole browser.
  for (const chromium of ['chromium-headless-shell', 'chromium']) {
    const words = ['install', '-y', '-q', chromium, 'fonts-noto-cjk', 'fontconfig'];
    if (spawnSync('apt-get', words, { stdio: 'ignore', env }).status === 0) break;
  }
  return candidates.find((path) => path && existsSync(path)) ?? null;
}
