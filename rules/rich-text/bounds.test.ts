import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEEPEST_ELEMENT,
  DEEPEST_FORMULA,
  formulaFault,
  LONGEST_FORMULA,
  MOST_ELEMENTS,
  markupFault,
} from './bounds.ts';

const nest = (open: string, close: string, times: number) => `${open.repeat(times)}x${close.repeat(times)}`;

describe('a formula', () => {
  it.each([
    ['a fraction', '\\frac{-b\\pm\\sqrt{b^2-4ac}}{2a}'],
    ['an interval', '[0,1)\\cup(2,3]'.repeat(40)],
    ['a matrix', '\\begin{pmatrix}1&2\\\\[2pt]3&4\\end{pmatrix}'],
    ['a system', '\\left\\{\\begin{aligned}x+y&=1\\\\x-y&=0\\end{aligned}\\right.'],
    ['the Greek alphabet', '\\alpha\\beta\\gamma\\delta\\epsilon\\zeta\\eta\\theta\\iota\\kappa\\lambda\\mu\\nu\\xi'],
    ['many beside each other', '\\sqrt{x}+'.repeat(200)],
    ['fonts beside each other', '{\\bf x}+'.repeat(200)],
    ['cells with switches', `\\begin{matrix}${'\\displaystyle x&'.repeat(60)}y\\end{matrix}`],
    ['roots with an option', '\\sqrt[3]{x}+'.repeat(100)],
    ['as deep as it may', nest('{', '}', DEEPEST_FORMULA)],
    ['as long as it may', 'x'.repeat(LONGEST_FORMULA)],
    ['closed more often than opened', '}}]]\\right)\\end{x}x'],
    ['a word that begins as a definition', '\\defined \\letter \\longrightarrow \\longmapsto'],
  ])('%s is set', (_, tex) => {
    expect(formulaFault(tex)).toBeNull();
  });

  it.each([
    ['too long', 'x'.repeat(LONGEST_FORMULA + 1), 'long'],
    ['groups', nest('{', '}', DEEPEST_FORMULA + 1), 'deep'],
    ['groups that nothing closes', '{'.repeat(1500), 'deep'],
    ['roots', nest('\\sqrt{', '}', 200), 'deep'],
    ['options', nest('\\sqrt[', ']{x}', 100), 'deep'],
    ['powers', nest('x^{', '}', 200), 'deep'],
    ['fences', nest('\\left(', '\\right)', 80), 'deep'],
    ['environments', nest('\\begin{matrix}', '\\end{matrix}', 50), 'deep'],
    ['switches', '\\bf'.repeat(300), 'deep'],
    ['switches with words between', '\\bf x '.repeat(300), 'deep'],
    ['colours', '\\color{red}x'.repeat(100), 'deep'],
    ['arguments without groups', '\\mathrm'.repeat(200), 'deep'],
    ['a definition', '\\def\\a{\\a\\a}\\a', 'defines'],
    ['a definition for all', '\\gdef\\frac{x}', 'defines'],
    ['a new command', '\\newcommand{\\a}{x}', 'defines'],
    ['a definition with blanks', '\\def \\a{x}', 'defines'],
    ['a letter for another', '\\let\\a=\\b', 'defines'],
  ])('%s is not', (_, tex, fault) => {
    expect(formulaFault(tex)).toBe(fault);
  });

  it('is read in one go, whatever it is made of', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', '\\', '\\left', '\\right', '\\begin', 'x', ' ', '\\\\', '^');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
        const fault = formulaFault(pieces.join(''));
        return fault === null || fault === 'deep';
      }),
    );
  });
});

describe('a text', () => {
  it.each([
    ['paragraphs that nothing ends', '<p>x'.repeat(500)],
    ['a table', `<table>${'<tr><td>x</td><td>y</td></tr>'.repeat(300)}</table>`],
    ['lines', 'x<br>'.repeat(2000)],
    ['comparisons', 'a<1 '.repeat(5000)],
    ['as deep as it may', nest('<div>', '</div>', DEEPEST_ELEMENT)],
  ])('%s is shown', (_, html) => {
    expect(markupFault(html)).toBeNull();
  });

  it.each([
    ['deep', nest('<div>', '</div>', DEEPEST_ELEMENT + 1), 'deepElements'],
    ['deep and never closed', '<span>'.repeat(5000), 'deepElements'],
    ['hidden in an attribute', `<b title="${'<i>'.repeat(100)}">`, 'deepElements'],
    ['thousands', '<span>x</span>'.repeat(MOST_ELEMENTS + 1), 'manyElements'],
    ['thousands without an end', '<br>'.repeat(MOST_ELEMENTS + 1), 'manyElements'],
  ])('%s is not', (_, html, fault) => {
    expect(markupFault(html)).toBe(fault);
  });
});
