import { expect, it } from 'vitest';
import { chosenSubtitles } from './subtitle-choice.ts';

const all = [{ language: 'en' }, { language: 'zh-TW' }, { language: 'zh-CN' }];

it.each([
  ['zh-CN', 2],
  ['en', 0],
  ['en-GB', 0],
  ['zh', 1],
  ['fr', null],
  [null, null],
])('who chose %j sees %j', (wanted, index) => expect(chosenSubtitles(all, wanted)).toBe(index));
