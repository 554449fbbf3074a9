import { describe, expect, it } from 'vitest';
import { goesOnHeld, keyMeaning } from './keys.ts';

const plain = { modified: false, composing: false, on: 'elsewhere', clicked: false } as const;

describe('keys of the player', () => {
  it.each([
    ['Space on the page', { ...plain, key: ' ' }, false, 'toggle'],
    ['Space in a comment', { ...plain, key: ' ', on: 'text' }, false, undefined],
    ['Space while a word is composed', { ...plain, key: ' ', composing: true }, false, undefined],
    ['Space on a button, which it presses', { ...plain, key: ' ', on: 'control' }, true, undefined],
    [
      'Space after a click on a row of the directory',
      { ...plain, key: ' ', on: 'button', clicked: true },
      false,
      'toggle',
    ],
    ['Space after a click on a tab', { ...plain, key: ' ', on: 'control', clicked: true }, false, 'toggle'],
    [
      'Space in the player after a click on its menu',
      { ...plain, key: ' ', on: 'control', clicked: true },
      true,
      'toggle',
    ],
    ['M after a click elsewhere', { ...plain, key: 'm', on: 'button', clicked: true }, false, undefined],
    ['Space on the seek bar, which has no use for it', { ...plain, key: ' ', on: 'slider' }, true, 'toggle'],
    ['Space on a slider of the page', { ...plain, key: ' ', on: 'slider' }, false, undefined],
    ['Ctrl and Space', { ...plain, key: ' ', modified: true }, false, undefined],
    ['an arrow in the player', { ...plain, key: 'ArrowRight' }, true, 'seek'],
    ['an arrow elsewhere scrolls', { ...plain, key: 'ArrowRight' }, false, undefined],
    ['an arrow on the seek bar, which has its own', { ...plain, key: 'ArrowRight', on: 'slider' }, true, undefined],
    ['an arrow on a button, which has none', { ...plain, key: 'ArrowRight', on: 'button' }, true, 'seek'],
    ['an arrow on a button of the page', { ...plain, key: 'ArrowRight', on: 'button' }, false, undefined],
    ['Space on a button of the page', { ...plain, key: ' ', on: 'button' }, false, undefined],
    ['M in the player', { ...plain, key: 'm', on: 'control' }, true, 'mute'],
    ['M elsewhere', { ...plain, key: 'm' }, false, undefined],
    ['F in the player', { ...plain, key: 'F' }, true, 'fullscreen'],
  ] as const)('%s', (_name, key, inside, does) => {
    expect(keyMeaning(key, inside)?.does).toBe(does);
  });

  it.each([
    ['ArrowRight', true],
    ['ArrowUp', true],
    [' ', false],
    ['m', false],
    ['f', false],
  ] as const)('held, %j goes on: %s', (key, goesOn) => {
    const meaning = keyMeaning({ ...plain, key }, true);
    expect(meaning !== null && goesOnHeld(meaning)).toBe(goesOn);
  });
});
