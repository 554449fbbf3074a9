import { expect, it } from 'vitest';
import { slidesName } from './file-name.ts';

it.each([
  ['第一节 会计基础', '第一节 会计基础.pdf'],
  ['《第1章 导论》（终）"引"\n😀', '《第1章 导论》（终）_引__😀.pdf'],
  ['借/贷：../../etc', '借_贷：.._.._etc.pdf'],
  ['...', '课件.pdf'],
  ['', '课件.pdf'],
  ['𠮷'.repeat(100), `${'𠮷'.repeat(80)}.pdf`],
])('the slides of %j are saved as %j', (lesson, name) => {
  expect(slidesName(lesson)).toBe(name);
});
