import { expect, it } from 'vitest';
import { sizeWords } from './size-words.ts';

it.each([
  [0, '0 B'],
  [1, '1 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [1024, '1.0 KB'],
  [10_137, '9.9 KB'],
  [10_240, '10 KB'],
  [1_023_000, '999 KB'],
  [1_023_999, '1.0 MB'],
  [1_258_291, '1.2 MB'],
  [524_288_000, '500 MB'],
  [1_073_741_824, '1.0 GB'],
  [5_497_558_138_880, '5120 GB'],
])('%i bytes are %s', (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});
