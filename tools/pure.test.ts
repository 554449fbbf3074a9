import { describe, expect, it } from 'vitest';
import { impurities } from './pure.ts';

/** What a rule may not reach for, each in a file of its own. */
const impure: readonly [what: string, text: string][] = [
  ['the clock', 'export const now = Date.now();'],
  ['the clock, taken out', 'const { now } = Date;\nexport const at = now();'],
  ['the clock by another name', 'const Clock = Date;\nexport const at = new Clock();'],
  ['the clock by its text', "export const at = Date['now']();"],
  ['the clock of the global object', 'export const at = globalThis.Date.now();'],
  ['a new date of now', 'export const today = new Date();'],
  ['today as text', 'export const today = Date();'],
  ['today, formatted', "export const today = new Intl.DateTimeFormat('zh').format();"],
  ['today in parts', "export const today = new Intl.DateTimeFormat('zh').formatToParts();"],
  ['chance', 'export const lot = Math.random();'],
  ['chance, taken out', 'const { random } = Math;\nexport const lot = random();'],
  ['a stop watch', 'export const at = performance.now();'],
  ['a timer', 'export const timer = setTimeout(() => undefined, 5);'],
  ['a later turn', 'queueMicrotask(() => undefined);'],
  ['waiting', 'export const later = async () => 1;'],
  [
    'waiting for each',
    'export async function all(some: AsyncIterable<1>) {\n  for await (const one of some) return one;\n}',
  ],
  ['waiting at the top', 'await Promise.resolve();\nexport {};'],
  ["the browser's storage", "export const kept = localStorage.getItem('a');"],
  ['the page', 'export const title = document.title;'],
  ['the window', 'export const width = window.innerWidth;'],
  ['the network', "export const answer = fetch('/');"],
  ['the environment', 'export const home = process.env.HOME;'],
  ['a buffer', "export const bytes = Buffer.from('a');"],
  ['the log', "console.log('a');"],
  ['Node', "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;"],
  [
    'what it declares itself',
    'declare const process: { env: { HOME: string } };\nexport const home = process.env.HOME;',
  ],
  ['the clock behind a silenced compiler', '// @ts-nocheck\nexport const now = Date.now();'],
  ['the clock behind a silenced line', '// @ts-ignore\nexport const now = Date.now();'],
  ['the clock behind an expected error', '/* @ts-expect-error */ export const now = Date.now();'],
  ['the clock by a cast', 'export const now = (Date as unknown as { now(): number }).now();'],
  ['the clock by reflection', "export const now = Reflect.get(Date, 'now')();"],
  ['the clock by evaluation', "export const now: unknown = eval('Date.now()');"],
  ['the clock by a new function', "export const now: unknown = new Function('return Date.now()')();"],
  ['the hour of the machine', 'export const hour = (at: number) => new Date(at).getHours();'],
  ['the hour, taken out', 'export const hour = (at: Date) => { const { getHours } = at; return getHours.call(at); };'],
  ['the zone of the machine', 'export const offset = (at: Date) => at.getTimezoneOffset();'],
  ['a date set in the zone of the machine', 'export const midnight = (at: Date) => at.setHours(0, 0, 0, 0);'],
  ['a date made in the zone of the machine', 'export const day = new Date(2026, 10, 20);'],
  ['a date read in the zone of the machine', "export const day = new Date('2026-11-20 10:00');"],
  ['a date of any text', 'export const day = (text: string) => Date.parse(text);'],
  ['a date as local text', 'export const day = (at: Date) => at.toDateString();'],
  ['a date in a text', `export const day = (at: Date) => \`\${at}\`;`],
  ['a date beside a text', "export const day = (at: Date) => at + '';"],
  ['a date made a text', 'export const day = (at: Date) => String(at) + at.toString();'],
  [
    'what a library added to dates',
    "import { State } from 'ts-fsrs';\nexport const day = (at: Date) => at.format() + State.New;",
  ],
  ['a date in the locale of the machine', 'export const day = (at: Date) => at.toLocaleDateString();'],
  ['a number in the locale of the machine', 'export const shown = (1.5).toLocaleString();'],
  ['a text in the locale of the machine', "export const upper = 'i'.toLocaleUpperCase();"],
  ['the order of the machine', "export const order = 'a'.localeCompare('b');"],
  ['the order of the machine, asked for', "export const order = 'a'.localeCompare('b', undefined);"],
  ['the name of its zone', 'export const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;'],
  ['a given time in its zone', "export const shown = (at: number) => new Intl.DateTimeFormat('zh').format(at);"],
  ['throwing', "export const fail = () => {\n  throw new Error('a');\n};"],
  ['a promise', 'export const later = Promise.resolve(1);'],
  ['a promise that is given', 'export const after = (first: PromiseLike<1>) => first.then(() => 2);'],
  ['a later import', "export const later = import('./fixture-0.ts');"],
  ['secure chance', 'export const id = crypto.randomUUID();'],
];

/** What a rule may say. */
const pure = [
  'export const later = (now: number) => new Date(now + 1).toISOString();',
  'export const day = Date.UTC(2026, 10, 20);',
  "export const at = Date.parse('2026-11-20');",
  "export const at = new Date('2026-11-20T10:00:00+08:00').getTime();",
  'export const day = (at: Date) => at.getUTCDay() + at.setUTCHours(0);',
  `export const shown = \`\${1} \${'a'}\` + String(2) + (3).toString();`,
  'export const most = Math.max(1, 2);',
  "export const byName = ['b', 'a'].sort((a, b) => a.localeCompare(b, 'zh'));",
];

describe('rules and contract', () => {
  // One program over all of them: each says what is wrong in its own file.
  const file = (room: string, at: number) => `${room}/exam/fixture-${at}.ts`;
  const faults = impurities(
    new Map([
      ...impure.map(([, text], at) => [file('rules', at), text] as const),
      ...impure.map(([, text], at) => [file('contract', at), text] as const),
      ...pure.map((text, at) => [file('rules/pure', at), text] as const),
    ]),
  );

  it.each(impure.map(([what], at) => [what, at] as const))('cannot reach %s', (_what, at) => {
    for (const room of ['rules', 'contract'])
      expect(faults.filter((fault) => fault.startsWith(`${file(room, at)}:`))).not.toEqual([]);
  });

  it.each([
    ['Node', '/// <reference types="node" />\nexport const home = process.env.HOME;'],
    ['the page', '/// <reference lib="dom" />\nexport const title = document.title;'],
  ])('cannot bring in %s by its types', (_what, text) => {
    expect(impurities(new Map([['rules/exam/reference.ts', text]]))).toEqual([
      expect.stringContaining('brings in what a rule must not have'),
    ]);
  });

  it('have the language: times that are given, dates, numbers, texts', () => {
    expect(faults.filter((fault) => fault.startsWith('rules/pure/'))).toEqual([]);
  });
});
