import { expect, it } from 'vitest';
import { languageOf } from './language.ts';

it.each([
  ['下列各项中，属于会计要素的是', 'zh-CN'],
  ['<p>The author <em>implies</em> that</p>', 'en'],
  ['选出与 look forward to 同义的一项', 'zh-CN'],
  ['IFRS', 'en'],
  ['1 200', undefined],
  ['\\(\\frac{1}{2}\\)', undefined],
  ['\\[\\lim_{x\\to0} x\\]', undefined],
  ['\\(\\text{当 }x>0\\)', 'zh-CN'],
  ['<p>x &lt; y</p>', undefined],
  ['<strong>A</strong>', undefined],
  ['', undefined],
] as const)('%s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});
