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
  ['secure chance', 'export const id = crypto.randomUUID();'],
];

/** What a rule may say. */
const pure = [
  'export const later = (now: number) => new Date(now + 1).toISOString();',
  'export const day = Date.UTC(2026, 10, 20);',
  "export const at = Date.parse('2026-11-20');",
  "export const shown = (now: number) => new Intl.DateTimeFormat('zh', { timeZone: 'Asia/Shanghai' }).format(now);",
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
