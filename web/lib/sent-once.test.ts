import { expect, it } from 'vitest';
import { triedAs } from './sent-once.ts';

const first = triedAs(null, { text: '第一问', images: ['a'] });

it.each([
  ['the same content again, whose answer was lost, has the same name', { text: '第一问', images: ['a'] }, true],
  ['other words are something else, and not taken for what is stored', { text: '第一问。', images: ['a'] }, false],
  ['other pictures are something else', { text: '第一问', images: [] }, false],
])('%s', (_, content, same) => {
  expect(triedAs(first, content).name === first.name).toBe(same);
});

it('names what is tried first by chance', () => {
  expect(first.name).toMatch(/^[a-z0-9]{20,}$/);
  expect(triedAs(null, { text: '第一问', images: ['a'] }).name).not.toBe(first.name);
});
