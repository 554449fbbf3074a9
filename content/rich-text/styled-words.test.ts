import { describe, expect, test } from 'vitest';
import { richFromCell, richFromMarkdown } from './rich-text.ts';

const images = () => null;
const md = (source: string) => richFromMarkdown(source, images).html;

describe('what styles say of words is said by elements', () => {
  test.each([
    ['选出<span style="text-decoration: underline;">划线</span>部分', '选出<span><u>划线</u></span>部分'],
    ["x<SPAN STYLE='vertical-align:super'>2</SPAN>", 'x<span><sup>2</sup></span>'],
    ['H<sub style="vertical-align:sub">2</sub>O', 'H<sub>2</sub>O'],
    ['<p style="font-weight:700;font-style: italic">甲<br>乙</p>', '<strong><em>甲<br />乙</em></strong>'],
    ['<font style="text-decoration:line-through">甲</font>乙', '<s>甲</s>乙'],
    [
      '填<span style="border-bottom:1px solid #000">&nbsp;&nbsp;&nbsp;</span>空',
      `填<span><u>${'\u00a0'.repeat(3)}</u></span>空`,
    ],
    ['<div style="border-bottom:1px solid">甲</div>', '<div>甲</div>'],
    ['<span style="border-bottom:0px solid #e5e7eb">甲</span>乙', '<span>甲</span>乙'],
    ['<span style="border-bottom:#000 0.0pt solid">甲</span>乙', '<span>甲</span>乙'],
    ['<b style="font-weight:normal">甲</b>', '<span>甲</span>'],
    ['x<sup style="position:relative;vertical-align:baseline;top:-0.5em">2</sup>', 'x<sup>2</sup>'],
    ['<u style="text-decoration:none;border-bottom:1px solid">甲</u>', '<u>甲</u>'],
    [
      '<u style="text-decoration:underline">甲<span style="text-decoration:underline">乙</span></u>',
      '<u>甲<span><u>乙</u></span></u>',
    ],
    ['<table style="font-weight:bold"><tr><td>甲</td></tr></table>', '<table><tr><td>甲</td></tr></table>'],
  ])('%s', (source, html) => {
    expect(richFromCell(source, images)).toMatchObject({ html, warnings: [] });
  });

  test('in a pack too; an element without its end says nothing', () => {
    expect(md('选出<span style="text-decoration:underline">**划线**</span>部分')).toBe(
      '选出<span><u><strong>划线</strong></u></span>部分',
    );
    expect(md('<p style="font-weight:bold">甲')).toBe('甲');
  });

  test.each([
    ['找出<span style="color:red">红字</span>', /颜色或底色/],
    ['找出<font color="#FF0000">红字</font>', /颜色或底色/],
    ['<span style="background-color: rgb(255, 255, 0)">黄</span>底', /颜色或底色/],
    ['<span style="-webkit-text-emphasis: dot">点</span>字', /着重号/],
    ['<span style="display: none">答案 B</span>题', /藏起来的字/],
    ['<span style="opacity:0">答案 B</span>题', /藏起来的字/],
    ['角<span style="font-family: &quot;Symbol&quot;, serif">a</span>', /用 symbol 字体显示的符号/],
    ['<span style="font-family:Symbol">a<font face="Arial">b</font></span>', /用 symbol 字体显示的符号/],
    ['<font face="Wingdings">ü</font>对', /用 Wingdings 字体显示的符号/],
    ['x<span style="position:relative;top:-6.0pt">2</span>', /升高或降低的字/],
    ['x<span style="mso-text-raise:6.0pt">2</span>', /升高或降低的字/],
    ['<span style="text-decoration:overline">AB</span>+C', /有上划线或边框/],
    ['<span style="border-top:1px solid">AB</span>+C', /有上划线或边框/],
    ['文中<span style="text-decoration: underline wavy">波浪线</span>部分', /有波浪线、虚线或双线/],
    ['文中<u style="text-underline:wave">波浪线</u>部分', /有波浪线、虚线或双线/],
    ['文中<span style="border-bottom:1px dashed #000">虚线</span>部分', /有波浪线、虚线或双线/],
    ['<span style="text-transform: uppercase">abc</span>d', /变成大写或小写/],
  ])('what no element says is a warning: %s', (source, why) => {
    expect(richFromCell(source, images).warnings).toEqual([expect.stringMatching(why)]);
  });

  test.each([
    ['<p style="color:red">全红</p>'],
    ['<span style="color:rgb(51, 51, 51);font-size:14px">甲</span>乙'],
    ['<span style="color:black;background:white">甲</span>乙'],
    ['<span style="color:#212529;background:#f8f9fa">甲</span>乙'],
    ['<span style="font-family:Symbol">，1</span><font face="宋体, Symbol">a</font>'],
    ['<span style="position:relative;top:0;opacity:0.9;border-bottom:0;border:none">甲</span>乙'],
    ['<span style="mso-text-raise:-10pt"><sub>2</sub></span>x<sup style="position:relative;top:-3px">2</sup>'],
    ['<div style="border:1px solid">甲</div>'],
    ['<span style="border:rgb(0, 0, 0) 0px solid;border-top:0.0pt solid">甲</span>乙'],
    ['<span style="font-family:Symbol">·</span>甲 30<font face="Symbol">°±</font>'],
    ['<span style="font-family:Symbol"><span style="font-family:Arial">abc</span></span>'],
    ['<span style="border:0px solid #e5e7eb;border-top:0 solid;border-style:solid">甲</span>乙'],
    ['<p style="text-transform:none;font-family:Times New Roman">甲 a</p>'],
  ])('how all of a text looks, and black or grey, is none: %s', (source) => {
    expect(richFromCell(source, images).warnings).toEqual([]);
  });

  test('twenty thousand signs of styles and breaks take no time', () => {
    const began = performance.now();
    for (const piece of ['<span style="color:red">', 'x<br>', '<p style="', '<b a=b '])
      richFromCell(piece.repeat(20_000 / piece.length), images);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
