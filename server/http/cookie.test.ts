import { expect, it } from 'vitest';
import { readCookie, writeCookie } from './cookie.ts';

it.each([
  ['alone', 'a=1', '1'],
  ['among others', 'x=2; a=1; y=3', '1'],
  ['the first of two', 'a=1; a=2', '1'],
  ['without spaces', 'x=2;a=1;y=3', '1'],
  ['with = in it', 'a=1=2', '1=2'],
  ['quoted', 'a="1"', '1'],
  ['empty', 'a=; b=2', ''],
  ['another that ends alike', 'ba=1', null],
  ['in the value of another', 'b=a=1', null],
  ['a name without a value', 'a; b=2', null],
  ['none', '', null],
  ['no header', undefined, null],
  ['only separators', ';;; ; =', null],
])('readCookie: %s', (_, header, expected) => {
  expect(readCookie(header, 'a')).toBe(expected);
});

it('writeCookie', () => {
  const expires = new Date(Date.UTC(2026, 10, 20, 10));
  expect(writeCookie('s', 'x', { expires, secure: true })).toBe(
    's=x; Path=/; Expires=Fri, 20 Nov 2026 10:00:00 GMT; HttpOnly; SameSite=Lax; Secure',
  );
  expect(writeCookie('s', null, { expires, secure: false })).toBe(
    's=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
  );
});
