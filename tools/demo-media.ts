/**
 * Makes the films and the sound of the demo packs again: `node tools/with-node.mjs tools/demo-media.ts`. Slides are drawn by Chromium, the
 * music by FFmpeg's own synthesizer, the subtitles from the same lines. What it makes is committed: nobody needs it to run the demo.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from './browser.mjs';

const demo = join(import.meta.dirname, '..', 'content', 'demo');
const WIDTH = 1280;
const HEIGHT = 720;
/** Pictures a second: slides stand still, and only their change moves. */
const RATE = 5;
/** Seconds in which one slide becomes the next. */
const CHANGE = 0.6;

interface Slide {
  seconds: number;
  /** SVG of 1280 × 720. */
  drawing: string;
  zh: string;
  en: string;
}

const ffmpeg = (...args: string[]) =>
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...args], { stdio: 'inherit' });

const text = (x: number, y: number, size: number, words: string, more = '') =>
  `<text x="${x}" y="${y}" font-size="${size}" ${more}>${words}</text>`;
const line = (x1: number, y1: number, x2: number, y2: number, more: string) =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" ${more}/>`;
const head = (words: string, small: string) =>
  `${text(88, 116, 44, words, 'font-weight="700" font-family="Noto Serif CJK SC"')}${text(88, 164, 24, small, 'fill="#5b6472"')}${line(88, 192, 1192, 192, 'stroke="#e7e4dc" stroke-width="2"')}`;

/** 1 + (−1)ⁿ/n, with the band of a tolerance and the number from which on all lie in it. */
function sequence(band: number | null, from: number | null): string {
  const [left, middle, unit] = [140, 430, 190];
  const place = (n: number, value: number): [number, number] => [left + n * 34, middle - (value - 1) * unit];
  const strip =
    band === null
      ? ''
      : `<rect x="${left}" y="${middle - band * unit}" width="1040" height="${2 * band * unit}" fill="#0b7a5b" opacity="0.14"/>${text(1110, middle - band * unit - 12, 24, `ε = ${band}`, 'fill="#0b7a5b"')}`;
  const points = Array.from({ length: 30 }, (_, at) => {
    const n = at + 1;
    const [x, y] = place(n, 1 + (-1) ** n / n);
    const inside = from !== null && n >= from;
    return `<circle cx="${x}" cy="${y}" r="8" fill="${inside ? '#0b7a5b' : '#3b5bbf'}"/>`;
  });
  const [x] = place(from ?? 0, 1);
  const start =
    from === null
      ? ''
      : `${line(x - 17, 220, x - 17, 640, 'stroke="#d6452b" stroke-width="3" stroke-dasharray="10 8"')}${text(x - 4, 252, 24, `n = ${from}`, 'fill="#d6452b"')}`;
  return `${strip}${line(left, middle, 1180, middle, 'stroke="#1c2430" stroke-width="2"')}${text(92, middle + 8, 26, '1')}${points.join('')}${start}`;
}

const limitHead = head('极限的定义，一张图看懂', '数列 aₙ = 1 + (−1)ⁿ / n');
const limits: Slide[] = [
  {
    seconds: 6,
    drawing: `${text(640, 330, 72, '极限的定义', 'font-weight="700" text-anchor="middle" font-family="Noto Serif CJK SC"')}${text(640, 400, 34, '一张图看懂 ε 和 N', 'text-anchor="middle" fill="#5b6472"')}`,
    zh: '“越来越近”还不够：我们要的是想多近就有多近。',
    en: '“Closer and closer” is not enough: we want as close as we please.',
  },
  {
    seconds: 7,
    drawing: `${limitHead}${sequence(null, null)}`,
    zh: '这个数列在 1 的两边来回摆，越摆越小。',
    en: 'This sequence swings around 1, less and less.',
  },
  {
    seconds: 7,
    drawing: `${limitHead}${sequence(0.3, null)}`,
    zh: '对方给出误差 ε = 0.3，我们画一条带子。',
    en: 'Somebody names a tolerance of 0.3: we draw its band.',
  },
  {
    seconds: 8,
    drawing: `${limitHead}${sequence(0.3, 4)}`,
    zh: '从第 4 项起，所有的点都在带子里，取 N = 3 就够了。',
    en: 'From the fourth term on all points lie in it: N = 3 will do.',
  },
  {
    seconds: 8,
    drawing: `${limitHead}${sequence(0.1, 11)}`,
    zh: '误差改成 0.1，带子变窄，N 取 10，点还是全在里面。',
    en: 'With 0.1 the band is narrower. N = 10, and all points are in it again.',
  },
  {
    seconds: 9,
    drawing: `${head('先有 ε，后有 N', '定义')}${text(640, 350, 46, '对任意 ε &gt; 0，存在正整数 N，', 'text-anchor="middle"')}${text(640, 430, 46, '当 n &gt; N 时恒有 | aₙ − a | &lt; ε', 'text-anchor="middle"')}${text(640, 520, 30, '无论带子多窄，带子外面只剩有限个点', 'text-anchor="middle" fill="#0b7a5b"')}`,
    zh: '无论带子多窄，外面只剩有限个点：这就是极限。',
    en: 'However narrow the band, only finitely many points lie outside: that is a limit.',
  },
];

const account = (x: number, name: string, debit: string, credit: string) =>
  `${text(x + 200, 300, 36, name, 'text-anchor="middle" font-weight="700"')}${line(x, 326, x + 400, 326, 'stroke="#1c2430" stroke-width="4"')}${line(x + 200, 326, x + 200, 600, 'stroke="#1c2430" stroke-width="4"')}${text(x + 24, 366, 24, '借', 'fill="#5b6472"')}${text(x + 376, 366, 24, '贷', 'text-anchor="end" fill="#5b6472"')}${text(x + 100, 450, 42, debit, 'text-anchor="middle" fill="#0b7a5b"')}${text(x + 300, 450, 42, credit, 'text-anchor="middle" fill="#d6452b"')}`;
const bookHead = head('一笔业务，两个 T 字账', '业务：用银行存款 5 000 元购入一台咖啡机');
const accounts: Slide[] = [
  {
    seconds: 6,
    drawing: `${text(640, 330, 72, '一笔业务', 'font-weight="700" text-anchor="middle" font-family="Noto Serif CJK SC"')}${text(640, 400, 34, '怎样走进两个 T 字账', 'text-anchor="middle" fill="#5b6472"')}`,
    zh: '每一笔业务，至少动两个账户。',
    en: 'Every transaction touches at least two accounts.',
  },
  {
    seconds: 8,
    drawing: `${bookHead}${account(180, '固定资产', '', '')}${account(700, '银行存款', '', '')}`,
    zh: '先问动了哪些账户：固定资产和银行存款。',
    en: 'First ask which accounts: fixed assets and cash at bank.',
  },
  {
    seconds: 8,
    drawing: `${bookHead}${account(180, '固定资产', '5 000', '')}${account(700, '银行存款', '', '')}`,
    zh: '咖啡机增加了资产，资产增加记左边，也就是借方。',
    en: 'The machine adds to assets, and assets grow on the left: debit.',
  },
  {
    seconds: 8,
    drawing: `${bookHead}${account(180, '固定资产', '5 000', '')}${account(700, '银行存款', '', '5 000')}`,
    zh: '存款减少，资产减少记右边，也就是贷方。',
    en: 'The bank balance falls, and assets fall on the right: credit.',
  },
  {
    seconds: 8,
    drawing: `${head('有借必有贷，借贷必相等', '检查')}${text(640, 340, 44, '借：固定资产　　 5 000', 'text-anchor="middle"')}${text(680, 410, 44, '贷：银行存款　　 5 000', 'text-anchor="middle"')}${text(640, 520, 32, '一项资产增加，另一项资产减少：等式仍然平', 'text-anchor="middle" fill="#0b7a5b"')}`,
    zh: '左右各五千，资产总额不变，等式仍然平。',
    en: 'Five thousand on each side: total assets stay, the equation still holds.',
  },
];

/** Each formula has a bar of music to answer in, and another one to check. */
const formulas: readonly (readonly [question: string, answer: string])[] = [
  ['x 的 n 次方', 'n 乘 x 的 n−1 次方'],
  ['sin x', 'cos x'],
  ['cos x', '负的 sin x'],
  ['e 的 x 次方', 'e 的 x 次方，不变'],
  ['ln x', 'x 分之一'],
  ['arctan x', '1+x² 分之一'],
];
const ENGLISH = ['x to the n', 'sin x', 'cos x', 'e to the x', 'ln x', 'arctan x'];
const ENGLISH_ANSWERS = [
  'n times x to the n−1',
  'cos x',
  'minus sin x',
  'e to the x itself',
  '1 over x',
  '1 over 1+x²',
];

/** A bar of 8 s: plucked notes of a chord over a soft ground, as an input of FFmpeg that repeats it. */
function music(seconds: number, volume: number): string[] {
  const notes = [
    261.63, 329.63, 392, 493.88, 523.25, 493.88, 392, 329.63, 220, 261.63, 329.63, 392, 440, 392, 329.63, 261.63,
  ];
  const plucked = notes.map((pitch, at) => {
    const since = `mod(t-${at / 2}+8,8)`;
    return `exp(-2.2*${since})*(sin(2*PI*${pitch}*${since})+0.3*sin(4*PI*${pitch}*${since}))`;
  });
  const ground = '0.25*sin(2*PI*130.81*t)*lt(mod(t,8),4)+0.25*sin(2*PI*110*t)*gte(mod(t,8),4)';
  const tune = `aevalsrc='${volume}*(${plucked.join('+')}+${ground})':s=32000:d=8,aloop=loop=-1:size=256000,atrim=0:${seconds},afade=t=in:d=1,afade=t=out:st=${seconds - 2}:d=2,lowpass=f=5000`;
  return ['-f', 'lavfi', '-i', tune];
}

const clock = (seconds: number, mark: string) => `00:00:${seconds.toFixed(3).padStart(6, '0').replace('.', mark)}`;
/** Chinese as SubRip, English as WebVTT: both are what schools have. */
function subtitles(path: string, cues: readonly { from: number; to: number; zh: string; en: string }[]): void {
  const times = (mark: string, at: number) =>
    `${clock(cues[at]?.from ?? 0, mark)} --> ${clock(cues[at]?.to ?? 0, mark)}`;
  writeFileSync(`${path}.zh.srt`, cues.map(({ zh }, at) => `${at + 1}\n${times(',', at)}\n${zh}\n`).join('\n'));
  writeFileSync(`${path}.en.vtt`, `WEBVTT\n\n${cues.map(({ en }, at) => `${times('.', at)}\n${en}\n`).join('\n')}`);
}

async function film(path: string, slides: readonly Slide[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-slides-'));
  const executablePath = findBrowser({ mayInstall: false }) ?? undefined;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] } as Parameters<
    typeof chromium.launch
  >[0]);
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
    for (const [at, { drawing }] of slides.entries()) {
      await page.setContent(
        `<style>body{margin:0}</style><svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="Noto Sans CJK SC" fill="#1c2430"><rect width="${WIDTH}" height="${HEIGHT}" fill="#fbfaf7"/><rect width="${WIDTH}" height="10" fill="#0b7a5b"/>${drawing}</svg>`,
      );
      await page.screenshot({ path: join(folder, `${at}.png`) });
    }
  } finally {
    await browser.close();
  }
  const length = slides.reduce((sum, { seconds }) => sum + seconds, 0);
  const inputs = slides.flatMap(({ seconds }, at) => [
    ...['-loop', '1', '-framerate', String(RATE), '-t', String(seconds + CHANGE), '-i', join(folder, `${at}.png`)],
  ]);
  let passed = 0;
  const changes = slides.slice(1).map((_, at) => {
    passed += slides[at]?.seconds ?? 0;
    const before = at === 0 ? '[0:v]' : `[x${at}]`;
    return `${before}[${at + 1}:v]xfade=transition=fade:duration=${CHANGE}:offset=${passed - CHANGE / 2}[x${at + 1}]`;
  });
  ffmpeg(
    ...[...inputs, ...music(length, 0.05)],
    ...['-filter_complex', `${changes.join(';')};[x${slides.length - 1}]format=yuv420p,trim=0:${length}[v]`],
    ...['-map', '[v]', '-map', `${slides.length}:a`, '-t', String(length)],
    ...['-c:v', 'libx264', '-preset', 'slow', '-tune', 'stillimage', '-crf', '28', '-g', String(RATE * 10)],
    ...['-c:a', 'aac', '-ac', '1', '-b:a', '48k', '-movflags', '+faststart', '-map_metadata', '-1', `${path}.mp4`],
  );
  rmSync(folder, { recursive: true, force: true });
  let from = 0;
  const cues = slides.map(({ seconds, zh, en }) => {
    from += seconds;
    return { from: from - seconds + 0.5, to: from - 0.3, zh, en };
  });
  subtitles(path, cues);
}

function sound(path: string): void {
  const length = formulas.length * 8;
  ffmpeg(
    ...music(length, 0.09),
    ...['-c:a', 'aac', '-ac', '1', '-b:a', '64k', '-movflags', '+faststart', '-map_metadata', '-1', `${path}.m4a`],
  );
  const cues = formulas.flatMap(([question, answer], at) => [
    { from: at * 8, to: at * 8 + 4, zh: `${question} 的导数？`, en: `The derivative of ${ENGLISH[at]}?` },
    { from: at * 8 + 4, to: at * 8 + 8, zh: answer, en: ENGLISH_ANSWERS[at] ?? '' },
  ]);
  subtitles(path, cues);
}

await film(join(demo, 'gaoshu', 'lessons', 'limit-band'), limits);
await film(join(demo, 'kuaiji', 'lessons', 't-accounts'), accounts);
sound(join(demo, 'gaoshu', 'lessons', 'derivative-beat'));
