import { DomUtils, parseDocument } from 'htmlparser2';
import katex from 'katex';
import { describe, expect, it } from 'vitest';
import { type FormulaNode, spokenFormula } from './spoken-formula.ts';

type Parsed = ReturnType<typeof parseDocument>['children'][number];

function nodeOf(parsed: Parsed): FormulaNode {
  const attributes = 'attribs' in parsed ? parsed.attribs : {};
  return {
    name: 'name' in parsed ? parsed.name : '',
    text: DomUtils.textContent(parsed),
    children: 'children' in parsed ? parsed.children.filter(({ type }) => type === 'tag').map(nodeOf) : [],
    variant: attributes.mathvariant ?? '',
    lineless: attributes.linethickness === '0px',
  };
}

function said(tex: string, language: 'zh' | 'en' = 'zh'): string {
  const [math] = DomUtils.getElementsByTagName(
    'math',
    parseDocument(katex.renderToString(tex, { output: 'mathml' }), { xmlMode: true }),
  );
  return math ? spokenFormula(nodeOf(math), language) : '';
}

const cases: [tex: string, zh: string, en: string][] = [
  ['x+1', 'x 加 1', 'x plus 1'],
  ['-1', '负 1', 'negative 1'],
  ['a=-b', 'a 等于 负 b', 'a equals negative b'],
  ['(-1)-1', '左括号 负 1 右括号 减 1', 'open paren negative 1 close paren minus 1'],
  ['\\frac12', '2 分之 1', '1 over 2'],
  ['\\dfrac{x+1}{2}', '分数，分子 x 加 1，分母 2，分数结束', 'fraction, x plus 1, over, 2, end fraction'],
  ['2\\frac{b}{a}', '2 a 分之 b', '2 b over a'],
  ['\\frac{b}{2a}', '分数，分子 b，分母 2 a，分数结束', 'fraction, b, over, 2 a, end fraction'],
  ['x^2', 'x 的平方', 'x squared'],
  ['x^{3}', 'x 的立方', 'x cubed'],
  ['x^n', 'x 的 n 次方', 'x to the power of n'],
  ['e^{-x}', 'e 的 负 x 次方', 'e to the power of negative x, end power'],
  ['A^{-1}', '大写 A 的 负 1 次方', 'capital A to the power of negative 1, end power'],
  ['A^{\\mathrm T}', '大写 A 的转置', 'capital A transpose'],
  ['A^T', '大写 A 的 大写 T 次方', 'capital A to the power of capital T'],
  ['A^*', '大写 A 上标 星，上标结束', 'capital A superscript star, end superscript'],
  ['f^{(n)}', 'f 上标 左括号 n 右括号，上标结束', 'f superscript open paren n close paren, end superscript'],
  ["f'(x)", 'f 一撇 左括号 x 右括号', 'f prime open paren x close paren'],
  ["y''", 'y 两撇', 'y double prime'],
  ['90^\\circ', '90 度', '90 degrees'],
  ['a_n', 'a 下标 n', 'a sub n'],
  ['a_{n+1}b', 'a 下标 n 加 1，下标结束 b', 'a sub n plus 1, end sub b'],
  ['x_1^2', 'x 下标 1 的平方', 'x sub 1 squared'],
  ['\\sqrt2', '根号 2', 'square root of 2'],
  ['\\sqrt{x+1}', '根号下 x 加 1，根号结束', 'square root of x plus 1, end root'],
  ['\\sqrt[3]{x}', '三次根号下 x，根号结束', 'cube root of x, end root'],
  ['\\sqrt[n]{x}', 'n 次根号下 x，根号结束', 'root of order n of x, end root'],
  ['\\sin x', '正弦 x', 'sine x'],
  ['\\lim_{x\\to0}f', '极限，x 趋于 0，f', 'limit as x to 0 of f'],
  ['\\int_0^1x\\,\\mathrm dx', '积分，从 0 到 1，x d x', 'integral from 0 to 1 of x d x'],
  ['\\iint_D f', '二重积分，范围 大写 D，f', 'double integral over capital D of f'],
  ['\\sum_{n=1}^{\\infty}a_n', '求和，从 n 等于 1 到 无穷，a 下标 n', 'sum from n equals 1 to infinity of a sub n'],
  ['\\sum\\limits_{n=1}^{\\infty}a', '求和，从 n 等于 1 到 无穷，a', 'sum from n equals 1 to infinity of a'],
  ['\\alpha+\\Delta', '阿尔法 加 大写 德尔塔', 'alpha plus capital delta'],
  ['\\varphi', '斐', 'phi'],
  ['\\mathbb R', '实数集', 'the reals'],
  ['\\vec a', '向量 a', 'vector a'],
  ['\\overline{A}', '大写 A 上划线', 'capital A bar'],
  ['\\left|x-1\\right|', '绝对值 x 减 1，绝对值结束', 'absolute value of x minus 1, end absolute value'],
  ['|A|', '绝对值 大写 A，绝对值结束', 'absolute value of capital A, end absolute value'],
  ['|a|+|b|', '竖线 a 竖线 加 竖线 b 竖线', 'vertical bar a vertical bar plus vertical bar b vertical bar'],
  ['y\\Big|_{x=0}', 'y，在 x 等于 0 处', 'y, at x equals 0'],
  ['\\left.y\\right|_{x=0}', 'y，在 x 等于 0 处', 'y, at x equals 0'],
  ['\\binom nk', '组合数，n 取 k', 'n choose k'],
  [
    '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
    '2 行 2 列矩阵，第 1 行，1，2，第 2 行，3，4，矩阵结束',
    '2 by 2 matrix, row 1, 1, 2, row 2, 3, 4, end matrix',
  ],
  [
    '\\begin{vmatrix}a&b\\\\c&d\\end{vmatrix}',
    '2 阶行列式，第 1 行，a，b，第 2 行，c，d，行列式结束',
    'determinant of order 2, row 1, a, b, row 2, c, d, end determinant',
  ],
  [
    '\\begin{cases}x,&x>0\\\\0,&x\\le0\\end{cases}',
    '大括号，第 1 行，x，x 大于 0，第 2 行，0，x 小于等于 0，大括号结束',
    'open brace, line 1, x, x is greater than 0, line 2, 0, x is at most 0, end brace',
  ],
  [
    '\\begin{aligned}x&=1\\\\y&=2\\end{aligned}',
    '第 1 行，x 等于 1，第 2 行，y 等于 2',
    'row 1, x equals 1, row 2, y equals 2',
  ],
  ['x>0\\text{ 时 }', 'x 大于 0 时', 'x is greater than 0 时'],
  ['\\{x\\}', '左花括号 x 右花括号', 'open brace x close brace'],
  ['\\text{\\{a\\}}', '{a}', '{a}'],
  ['5!', '5 阶乘', '5 factorial'],
  ['x\\not\\in A', 'x 不属于 大写 A', 'x not in capital A'],
  ['\\phantom{x}', '', ''],
];

describe('spokenFormula', () => {
  it.each(cases)('%s', (tex, zh, en) => {
    expect(said(tex)).toBe(zh);
    expect(said(tex, 'en')).toBe(en);
  });

  it('tells a part from what follows it', () => {
    const alike = [
      ['\\frac{a}{b+c}', '\\frac ab+c'],
      ['\\sqrt{x}+1', '\\sqrt{x+1}'],
      ['\\frac{a}{b}c', '\\frac{a}{bc}', '\\frac{ac}{b}'],
      ['x_{n+1}', 'x_n+1'],
      ['x^{n+1}', 'x^n+1'],
      ['|x+1|', '|x|+1'],
    ];
    for (const formulas of alike) {
      for (const language of ['zh', 'en'] as const) {
        expect(new Set(formulas.map((tex) => said(tex, language))).size).toBe(formulas.length);
      }
    }
  });
});
