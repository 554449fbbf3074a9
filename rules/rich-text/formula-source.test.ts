import { describe, expect, it } from 'vitest';
import { LONGEST_FORMULA } from './bounds.ts';
import { formulaOptions, formulasIn } from './formula-source.ts';

describe('formulas of a text', () => {
  it.each([
    ['设 \\(x^2\\) 与 \\[\\int f\\]', ['\\(x^2\\)', '\\[\\int f\\]']],
    ['没有公式 (x) [y] $z$', []],
    ['\\(a\\)\\(b\\)', ['\\(a\\)', '\\(b\\)']],
    ['\\(a \\[b\\] c\\)', ['\\(a \\[b\\] c\\)']],
    ['\\( 没有结束', []],
    [`\\(${'x'.repeat(LONGEST_FORMULA + 1)}\\)`, []],
  ])('%#', (text, sources) => {
    expect([...formulasIn(text)].map(({ source }) => source)).toEqual(sources);
  });

  it('says what is between the signs, where, and whether it stands alone', () => {
    expect([...formulasIn('设 \\(x\\) 与 \\[y\\]')]).toEqual([
      { source: '\\(x\\)', tex: 'x', display: false, index: 2 },
      { source: '\\[y\\]', tex: 'y', display: true, index: 10 },
    ]);
  });

  it('gives each formula macros of its own', () => {
    expect(formulaOptions(true).macros).toEqual(formulaOptions(true).macros);
    expect(formulaOptions(true).macros).not.toBe(formulaOptions(true).macros);
  });
});
