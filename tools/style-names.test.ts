import { describe, expect, it } from 'vitest';
import { classesOf, styleFaults } from './style-names.ts';

const SHEET = '.card { color: red; }';
const faultsOf = (code: string, css = SHEET) =>
  styleFaults(
    new Map([
      ['ui/Card.tsx', code],
      ['ui/Card.module.css', css],
    ]),
  );
const IMPORT = "import classes from './Card.module.css';\n";
const USE = `${IMPORT}export const a = <p className={classes.card} />;\n`;

const cases: readonly { form: string; code: string; css?: string; faults: readonly string[] }[] = [
  { form: 'a class that is there', code: USE, faults: [] },
  {
    form: 'a sheet by its address from the root',
    code: "import card from '#ui/Card.module.css';\nexport const a = card.card;",
    faults: [],
  },
  {
    form: 'a class that moved to another file',
    code: `${USE}export const b = classes.actions;`,
    faults: ['ui/Card.tsx:3 ui/Card.module.css has no class .actions'],
  },
  {
    form: 'a class that nobody uses',
    code: USE,
    css: `${SHEET} .card .old:hover { color: blue; }`,
    faults: ['ui/Card.module.css nobody uses .old'],
  },
  {
    form: 'a sheet that nobody imports',
    code: 'export const a = 1;',
    faults: ['ui/Card.module.css nobody uses .card'],
  },
  {
    form: 'a sheet that is not there',
    code: `${USE}import other from './Other.module.css';`,
    faults: ['ui/Card.tsx:3 there is no ui/Other.module.css'],
  },
  {
    form: 'a name put together',
    code: `${USE}export const b = (of: string) => classes[of];`,
    faults: ['ui/Card.tsx:3 write the class out: classes.name'],
  },
  {
    form: 'a sheet handed on',
    code: `${USE}export const b = { classes };`,
    faults: ['ui/Card.tsx:3 write the class out: classes.name'],
  },
  {
    form: 'a sheet without a name',
    code: `${USE}import './Card.module.css';`,
    faults: ["ui/Card.tsx:3 import a style sheet by one name: import classes from './Card.module.css'"],
  },
  {
    form: 'a parameter with the name of the sheet',
    code: `${USE}export const b = (classes: { other: string }) => classes.other;`,
    faults: [],
  },
];

describe('style sheets and code', () => {
  it.each(cases)('$form', ({ code, css, faults }) => {
    expect(faultsOf(code, css)).toEqual(faults);
  });

  it('reads the classes of nested, grouped and conditional rules, and no others', () => {
    const css = `
      /* .comment { } */
      .a:is([data-b=".no"], .b) > .c + p::before { background: url(x.png); transition: opacity .5s; }
      @media (max-width: 48.5em) { .d { color: red; &.e { color: blue; } } }
      .f :global(.katex) { margin: 0; }
      @keyframes turn { 12.5% { opacity: 0; } }`;
    expect([...classesOf(css)].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});
