import { describe, expect, it } from 'vitest';
import { imageOpt } from '#contract/values/image.ts';
import { checkImage, kindOfImage } from './check.ts';

const { avatar, feedback, qa } = imageOpt;
const MB = 1024 * 1024;

describe('a picture', () => {
  it.each<[string, number[], string | null]>([
    ['a JPEG', [0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0], 'jpg'],
    ['a JPEG of a camera', [0xff, 0xd8, 0xff, 0xe1, 0, 0, 0, 0], 'jpg'],
    ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'png'],
    ['a PNG that went through a text editor', [0x89, 0x50, 0x4e, 0x47, 0x0a, 0x1a, 0x0a, 0], null],
    ['a GIF', [...new TextEncoder().encode('GIF89a--')], null],
    ['a page', [...new TextEncoder().encode('<svg xml')], null],
    ['the beginning of a beginning', [0xff, 0xd8], null],
    ['nothing', [], null],
  ])('%s is told by its first bytes', (_what, bytes, kind) => expect(kindOfImage(bytes)).toBe(kind));

  it.each([
    [avatar, MB - 1, true],
    [avatar, MB, 'avatarTooLarge'],
    [feedback, MB - 1, true],
    [feedback, MB, 'imageTooLarge'],
    [qa, MB, true],
    [qa, 10_240 * 1024, true],
    [qa, 10_240 * 1024 + 1, 'qaImageTooLarge'],
  ] as const)('for %i with %i bytes: %s', (opt, size, said) => {
    const checked = checkImage(opt, { size, kind: 'jpg' });
    expect(checked.ok ? true : checked.why).toBe(said);
    // What is no picture is told so, whatever its size.
    expect(checkImage(opt, { size, kind: null })).toEqual({ ok: false, why: 'imageFormat' });
  });
});
