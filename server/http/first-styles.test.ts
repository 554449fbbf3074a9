import { expect, it } from 'vitest';
import { FirstStyles } from './first-styles.ts';

const html = '<div class="a b" style="x:var(--w)" data-a><p id="x" class="m:c"></p></div>';

it.each([
  ['classes that are there', '.a .b{x:1}', '.a .b{x:1}'],
  ['classes that are not', '.a .z{x:1}.y{x:1}', ''],
  ['one of several', '.z,.a{x:1}', '.a{x:1}'],
  ['elements, ids, attributes and states', 'p,#x,[data-a=".z"]:hover{x:1}', 'p,#x,[data-a=".z"]:hover{x:1}'],
  ['what is of others', 'h1,#y,[data-b],a:hover,div>ul,p[data-c="]"]{x:1}:host{x:1}', ''],
  ['what every document has', ':root,html,body,*,::before{x:1}', ':root,html,body,*,::before{x:1}'],
  [
    'the theme that a script says',
    ':root[data-mantine-color-scheme="dark"] .a{x:1}',
    ':root[data-mantine-color-scheme="dark"] .a{x:1}',
  ],
  ['what is asked not to be, or one of', '.a:not(.z):is(.y,.b){x:1}', '.a:not(.z):is(.y,.b){x:1}'],
  [
    'one of none',
    '.a:is(.y,h1){x:1}.a:where([data-z]){x:1}:root:has(.z){x:1}.a:not(:is(.z)){x:2}',
    '.a:not(:is(.z)){x:2}',
  ],
  [
    'its language, and others inside of it',
    ':root:lang(en){x:1}:root:lang(zh-CN){x:1}:lang(en) .a{x:1}',
    ':root:lang(zh-CN){x:1}:lang(en) .a{x:1}',
  ],
  ['names with a sign', '.m\\:c{x:1}', '.m\\:c{x:1}'],
  ['rules within rules', '.a{x:1;& .z{x:2}}', '.a{x:1;& .z{x:2}}'],
  ['blocks of rules', '@media (x){.z{x:1}.a{x:1}}@media (y){.z{x:1}}', '@media (x){.a{x:1}}'],
  ['layers, whose order counts', '@layer m{.z{x:1}}@layer n,m;', '@layer m{}@layer n,m;'],
  [
    'fonts and movements that are named',
    '@font-face{font-family:"f";x:1}@font-face{font-family:g}@keyframes k{from{x:1}}@keyframes l{from{x:1}}.a{animation:k 1s;font:1px "f"}.z{animation:l 1s}',
    '@font-face{font-family:"f";x:1}@keyframes k{from{x:1}}.a{animation:k 1s;font:1px "f"}',
  ],
  [
    'braces in texts and remarks',
    '.a::after{content:"}\\"{"}/* .z{ */.z{x:1}.b{x:1}',
    '.a::after{content:"}\\"{"}.b{x:1}',
  ],
  [
    'variables that are asked for, by way of others too',
    ':root{--a:1;--b:var(--a);--c:2;--d:3}.a{x:var(--b)}.z{x:var(--c)}',
    ':root{--a:1;--b:var(--a)}.a{x:var(--b)}',
  ],
  ['variables that only what is in the drawing asks for', ':root{--w:1;--v:2}', ':root{--w:1}'],
  ['a sheet cut off', '.a{x:1}.b{x:', '.a{x:1}.b{x:}'],
])('first styles: %s', (_what, sheet, left) => {
  expect(new FirstStyles(sheet).of(html, 'zh-CN')).toBe(left);
});
