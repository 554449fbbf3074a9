import { expect, test } from 'vitest';
import { formulaLine } from './formula-line.ts';

test.each([
  ['words alone', '下列说法正确的是', 80, '下列说法正确的是'],
  ['exactly as long as the line', '一二三', 3, '一二三'],
  ['too long', '一二三四', 3, '一二三…'],
  ['markup is text here', 'a < b & c', 80, 'a &lt; b &amp; c'],
  ['a formula stays', '设 \\(y=x^2\\) 则', 80, '设 \\(y=x^2\\) 则'],
  ['a sign inside a formula', '\\(a<b\\)', 80, '\\(a&lt;b\\)'],
  ['a display becomes one between the words', '有 \\[\\int_0^1 f\\] 成立', 80, '有 \\(\\int_0^1 f\\) 成立'],
  [
    'a high one becomes a low one',
    '\\(\\displaystyle\\lim\\limits_{n}\\dfrac{1}{n}\\)',
    80,
    '\\(\\lim_{n}\\frac{1}{n}\\)',
  ],
  [
    'rows with a spacing that looks like a delimiter',
    '设 \\[\\begin{cases}1\\\\[2mm]2\\end{cases}\\] 在',
    80,
    '设 … 在',
  ],
  ['never cut inside a formula', '设 \\(y=x^2+1\\)，则', 4, '设 \\(y=x^2+1\\)…'],
  ['ends with a formula that fills the line', '设 \\(y=x^2+1\\)', 4, '设 \\(y=x^2+1\\)…'],
  ['the words before it fill the line', '一二三四\\(x\\)', 3, '一二三…'],
])('%s', (_, text, most, line) => {
  expect(formulaLine(text, most)).toBe(line);
});
