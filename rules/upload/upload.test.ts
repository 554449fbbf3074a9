import { describe, expect, it } from 'vitest';
import { LARGEST_UPLOAD, MOST_UPLOAD_BYTES, MOST_UPLOADS } from '#contract/values/upload.ts';
import { HELD_FOR, isHeld, KEPT_FREE, mayBegin } from './room.ts';
import { readBytes, readChecksum, readMetadata } from './tus.ts';

describe('headers of tus', () => {
  it.each([
    ['0', 0],
    ['10737418240', 10_737_418_240],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', null],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    [' 1', null],
    ['1,1', null],
    [['1', '1'], null],
    [undefined, null],
  ])('bytes %j', (header, bytes) => expect(readBytes(header)).toBe(bytes));

  it.each([
    [undefined, []],
    ['', []],
    ['filename MS5tcDQ=', [['filename', 'MS5tcDQ=']]],
    ['filename MS5tcDQ=,secret', [['filename', 'MS5tcDQ='], ['secret', '']]], // biome-ignore format: a row
    ['filename MS5tcDQ=, purpose bWVkaWE=', [['filename', 'MS5tcDQ='], ['purpose', 'bWVkaWE=']]], // biome-ignore format: a row
    ['filename MS5tcDQ', null],
    ['filename 1.mp4', null],
    ['a MQ==,a MQ==', null],
    ['a MQ== MQ==', null],
    [',', null],
    [`a ${'MTEx'.repeat(2000)}`, null],
  ])('metadata %j', (header, pairs) => {
    const found = readMetadata(header);
    expect(found && [...found]).toEqual(pairs);
  });

  it.each([
    [undefined, null],
    ['sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=', { algorithm: 'sha1', digest: 'Kq5sNclPz7QV2+lfQIuc6R7oRu0=' }],
    ['crc32 AAAA', 'wrong'],
    ['sha1', 'wrong'],
    ['sha1 !', 'wrong'],
    ['constructor AAAA', 'wrong'],
  ])('checksum %j', (header, checksum) => expect(readChecksum(header)).toEqual(checksum));
});

describe('room for an upload', () => {
  const none = { own: { count: 0, bytes: 0 }, missing: 0 };
  const plenty = 2 ** 45;
  it.each([
    ['the smallest', 1, none, plenty, null],
    ['the largest', LARGEST_UPLOAD, none, plenty, null],
    ['nothing', 0, none, plenty, 'uploadEmpty'],
    ['more than the largest', LARGEST_UPLOAD + 1, none, plenty, 'uploadTooLarge'],
    ['one too many', 1, { ...none, own: { count: MOST_UPLOADS, bytes: 0 } }, plenty, 'uploadsFull'],
    ['the last one', 1, { ...none, own: { count: MOST_UPLOADS - 1, bytes: 0 } }, plenty, null],
    ['too much together', 2, { ...none, own: { count: 1, bytes: MOST_UPLOAD_BYTES - 1 } }, plenty, 'uploadsFull'],
    ['just what is free', 10, none, KEPT_FREE + 10, null],
    ['more than is free', 11, none, KEPT_FREE + 10, 'diskFull'],
    ['what others were promised', 10, { ...none, missing: 1 }, KEPT_FREE + 10, 'diskFull'],
  ] as const)('%s', (_, bytes, unfinished, free, why) => {
    const said = mayBegin(bytes, unfinished, free);
    expect(said.ok ? null : said.why).toBe(why);
  });

  it('is held while its writer is heard of', () => {
    expect([isHeld(null, 1), isHeld(1, 1), isHeld(1, HELD_FOR), isHeld(1, HELD_FOR + 1)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
