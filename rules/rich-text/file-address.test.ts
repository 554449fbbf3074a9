import { expect, it } from 'vitest';
import { fileAddress, isFileAddress } from './file-address.ts';

const hash = '3f'.repeat(32);

it.each([
  [fileAddress(`3f/${hash}.png`), true],
  [`/files/3f/${hash}.svg`, true],
  ['/api/exam/test_start?examId=1', false],
  ['/app/exam/test_start?examId=1', false],
  [`/files/3f/${hash}.png?x=1`, false],
  [`/files/3f/${hash}.png#x`, false],
  [`/files/../api/exam/${hash}.png`, false],
  [`/files/3f/../../app/exam/test_start`, false],
  [`//files/3f/${hash}.png`, false],
  [`https://evil.example/files/3f/${hash}.png`, false],
  [`/files/3f/${hash}.png\n`, false],
  [` /files/3f/${hash}.png`, false],
  ['data:image/png;base64,AAAA', false],
  ['', false],
])('isFileAddress(%j): %s', (address, is) => {
  expect(isFileAddress(address)).toBe(is);
});
