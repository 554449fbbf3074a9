import { describe, expect, test } from 'vitest';
import { richFromCell } from './rich-text.ts';

const images = () => null;

describe('what of a formula is not shown is said', () => {
  test.each([
    ['$A={1,2,3}$', /\{ \} 学员看不到/],
    ['$x\\in {x|x>1}$', /\{ \} 学员看不到/],
    ['$\\href{http://a.b}{c}$', /\\href 不能用/],
    ['\\frac{1}{2} 与 $x$', /像是公式（\\frac\{…），但没有写在 \$…\$ 之间/],
    ['共3个$4元，5$', /\$ 不显示/],
    ['echo $a$b;', /“\$a\$”按公式显示.*请写在 <code>/],
    ["sed 's/\\(a*\\)b/\\1c/' file", /“\\\(a\*\\\)”按公式显示/],
    ['正则表达式 ^a$|^b$ 匹配', /“\$\|\^b\$”按公式显示/],
  ])('%s', (source, why) => {
    expect(richFromCell(source, images).warnings).toEqual([expect.stringMatching(why)]);
  });

  test.each([
    ['$A=\\{1,2\\}$，$x_{i,j}$，$1{,}000$，$\\frac{a,b}{c}$，$\\left\\{1,2\\right\\}$，$\\text{a,b}$'],
    ['$A\\left( {1,2} \\right)$，$P\\left( {A|B} \\right)$'],
    ['$速度=\\frac{路程}{时间}$，$5元$'],
    ['C:\\timer\\fraction'],
    ['<code>\\frac{1}{2}</code>'],
    ["<code>sed 's/\\(a*\\)b/\\1c/'</code>"],
    ['正则语言 $L$、正则化 $w^2$、正则方程中 $p$、$q$；正则表达式 $(a|b)^*$ 与字符集 $S$'],
    ['回声 (echo) 经 $t$ 秒传回；sed 与 awk 的 $\\frac{1}{2}$'],
  ])('nothing is lost: %s', (source) => {
    expect(richFromCell(source, images).warnings).toEqual([]);
  });
});
