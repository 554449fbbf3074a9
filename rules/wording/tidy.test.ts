import { expect, it } from 'vitest';
import { tidyText } from './tidy.ts';

it.each([
  [undefined, ''],
  [' \n', ''],
  ['\u0000', ''],
  [' 已\u0000改 ', '已改'],
])('keeps of %j what can be stored', (typed, kept) => {
  expect(tidyText(typed)).toBe(kept);
});
