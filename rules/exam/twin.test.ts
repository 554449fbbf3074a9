import { expect, it } from 'vitest';
import { comparable, type QuestionText, undescribed } from './twin.ts';

const question: QuestionText = {
  topic: '<p>下列说法正确的是（ ）。</p>',
  options: { A: '<p>甲</p>', B: '<p>乙 1</p>' },
  material: null,
};

it.each<[string, Partial<QuestionText>, boolean]>([
  ['itself', {}, true],
  ['blanks', { topic: '<p> 下列\u3000说法\n正确的是（）。 </p>' }, true],
  ['blanks that have no width', { topic: '<p>下列\u200b说法&nbsp;正确的是（\u00a0）。</p>' }, true],
  ['width of characters', { topic: '<p>下列说法正确的是( )。</p>', options: { A: '甲', B: '乙１' } }, true],
  ['tags', { topic: '下列说法<strong>正确</strong>的是（ ）。<br />' }, true],
  ['options in another order', { options: { A: '<p>乙 1</p>', B: '<p>甲</p>' } }, true],
  ['no material, an empty one', { material: '' }, true],
  ['another topic', { topic: '<p>下列说法错误的是（ ）。</p>' }, false],
  ['another option', { options: { A: '<p>甲</p>', B: '<p>乙 2</p>' } }, false],
  ['one option more', { options: { ...question.options, C: '<p>丙</p>' } }, false],
  ['a material', { material: '<p>某企业…</p>' }, false],
  ['a picture', { topic: `${question.topic}<img src="/files/1.png" alt="图" />` }, false],
])('told from a question by %s: same %s', (_, change, same) => {
  expect(comparable({ ...question, ...change }) === comparable(question)).toBe(same);
});

it('another picture is another question, the same one with other words for it is not', () => {
  const with1 = (src: string, alt = '图') =>
    comparable({ ...question, topic: `<img alt="${alt}" width="80" src="${src}" />如图` });
  const srcFirst = comparable({ ...question, topic: '<img src="/files/1.png" alt="图" />如图' });
  expect(with1('/files/1.png')).toBe(srcFirst);
  expect(with1('/files/1.png')).not.toBe(with1('/files/2.png'));
  expect(with1('/files/1.png', 'A')).toBe(with1('/files/1.png', 'B'));
});

it.each([
  ['<img src="/files/1.png" alt="红色" width="8" />如图', '<img src="/files/1.png" alt="" width="8" />如图'],
  [
    '<img alt="a&quot; src=&quot;b" src="/1" /><img src="/2" alt="b" />',
    '<img alt="" src="/1" /><img src="/2" alt="" />',
  ],
  ['写作 alt="x" 的属性', '写作 alt="x" 的属性'],
  ['<img src="/1" />写作 alt="x"', '<img src="/1" />写作 alt="x"'],
])('%s without what is said of pictures', (html, expected) => {
  expect(undescribed(html)).toBe(expected);
});
