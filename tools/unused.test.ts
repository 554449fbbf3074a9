import { expect, it } from 'vitest';
import { unused } from './unused.ts';

/** A program that uses `a.ts`; the rest differs from case to case. */
const faultsOf = (files: Readonly<Record<string, string>>, waiting: readonly string[] = []) =>
  unused(
    new Map(Object.entries({ 'server/main.ts': "import { run } from './a.ts';\nrun();", ...files })),
    new Set(waiting),
  );
const RUN = 'export function run() {}\n';

it.each<{ form: string; files: Readonly<Record<string, string>>; faults: readonly string[] }>([
  { form: 'what is used', files: { 'server/a.ts': RUN }, faults: [] },
  {
    form: 'a name that nobody imports, of each kind',
    files: {
      'server/a.ts': `${RUN}export const a = 1;\nexport interface B {}\nexport class C {}\nexport const [d] = [a];`,
    },
    faults: ['a', 'B', 'C', 'd'].map((name, at) => `server/a.ts:${at + 2} no other file imports ${name}`),
  },
  {
    form: 'a name that only its test imports',
    files: { 'server/a.ts': `${RUN}export const a = 1;`, 'server/a.test.ts': "import { a } from './a.ts';" },
    faults: ['server/a.ts:2 only tests import a'],
  },
  {
    form: 'a name for its test and its own file',
    files: {
      'server/a.ts': 'export const a = 1;\nexport function run() {\n  return a;\n}',
      'server/a.test.ts': "import { a } from './a.ts';",
    },
    faults: [],
  },
  {
    form: 'a file that only its test imports, with what it imports itself',
    files: {
      'server/a.ts': RUN,
      'server/b.ts': "import { c } from './c.ts';\nexport const b = c;",
      'server/c.ts': 'export const c = 1;',
      'server/b.test.ts': "import { b } from './b.ts';",
    },
    faults: ['server/b.ts no program comes to it', 'server/c.ts no program comes to it'],
  },
  {
    form: 'a maker of test data that no test uses any more',
    files: { 'server/a.ts': RUN, 'server/a.test-kit.ts': 'export const make = 1;' },
    faults: ['server/a.test-kit.ts:1 no other file imports make'],
  },
  {
    form: 'imports by another name, as a type, later, as a whole, and a worker by its path',
    files: {
      'server/a.ts': `import { b as other } from '#server/b.ts';
        import type { B } from './b.ts';
        import * as c from './c.ts';
        export async function run() {
          const { d } = await import('./d.ts');
          const load = () => import('./e.tsx');
          return [other, c.c, d, load, new Worker(new URL('./f.ts', import.meta.url))];
        }`,
      'server/b.ts': 'export const b = 1;\nexport type B = number;\nexport const rest = 1;',
      'server/c.ts': 'export const c = 1;',
      'server/d.ts': 'export const d = 1;',
      'server/e.tsx': 'export default function Page() {}',
      'server/f.ts': 'export {};',
    },
    faults: ['server/b.ts:3 no other file imports rest'],
  },
])('$form', ({ files, faults }) => {
  expect(faultsOf(files)).toEqual(faults);
});

it('passes over what is built before its use, and says when that is over', () => {
  const files = { 'server/a.ts': `${RUN}export const a = 1;` };
  for (const wait of ['server/a.ts a', 'server/']) expect(faultsOf(files, [wait])).toEqual([]);
  expect(faultsOf(files, ['server/a.ts a', 'server/a.ts run'])).toEqual([
    'tools/unused.ts server/a.ts run waits for nobody now',
  ]);
});
