import { describe, expect, it } from 'vitest';
import { tidyText } from './tidy.ts';

describe('what is kept of a typed text', () => {
  it.each([
    [undefined, ''],
    [' \n', ''],
    ['\u0000', ''],
    [' \u0000 ', ''],
    [' 已\u0000改 ', '已改'],
    ['停\ud800电', '停\ufffd电'],
    ['\u200b\u200d \u3164\u2800\u00ad', ''],
    [' \u200b👨‍👩‍👧\u200b', '\u200b👨‍👩‍👧\u200b'],
  ])('of %j: what can be stored', (typed, kept) => {
    expect(tidyText(typed)).toBe(kept);
  });
});
