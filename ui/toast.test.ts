import { describe, expect, it } from 'vitest';
import { examToast, standsFor } from './toast.ts';

describe('how long a toast stands', () => {
  it.each([
    ['不行', 1000],
    ['提交题目失败', 1700],
    ['作答还没送达服务器，暂时不能看答案', 3900],
    ['The answer has not reached the server yet, so its key cannot be shown', 4640],
  ])('%s', (text, ms) => expect(standsFor(text, examToast)).toBe(ms));

  it('is at least what its place says', () => expect(standsFor('好', 2000)).toBe(2000));
});
