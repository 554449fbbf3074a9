import { describe, expect, it } from 'vitest';
import { checkNickname, checkRealName, firstNickname } from './nickname.ts';
import { checkPassword } from './password.ts';

describe('checkPassword', () => {
  it.each(['lixue-demo', 'abcdefg1', 'ABCDEFGh', '1234567.', '密码密码密码密码a', 'correct horse'])(
    'takes %j',
    (password) => expect(checkPassword(password)).toEqual({ ok: true }),
  );
  it.each(['', 'abc-123', 'abcdefgh', '12345678', 'ABCDEFGH', '--------', '密码密码密码密码', '😀😀😀a'])(
    'refuses %j',
    (password) => expect(checkPassword(password)).toEqual({ ok: false, why: 'passwordWeak' }),
  );
});

describe('checkNickname', () => {
  it.each([
    ['小明', '小明'],
    ['明', '明'],
    ['  小  明 ', '小 明'],
    ['二十个字二十个字二十个字二十个字二十个字', '二十个字二十个字二十个字二十个字二十个字'],
    ['😀'.repeat(20), '😀'.repeat(20)],
    ['a\u202eb\u200bc\u0000', 'abc'],
    ['小\n明', '小 明'],
  ])('%j → %j', (typed, name) => expect(checkNickname(typed)).toEqual({ ok: true, name }));
  it.each(['', '   ', '\u200b\u202e', '一'.repeat(21), '😀'.repeat(21), '\ud800'])('refuses %j', (typed) =>
    expect(checkNickname(typed)).toEqual({ ok: false, why: 'nicknameWrong' }),
  );
});

describe('checkRealName', () => {
  it('may be empty, which says unknown', () => expect(checkRealName(' ')).toEqual({ ok: true, name: '' }));
  it('takes names of peoples with a dot', () =>
    expect(checkRealName('阿卜杜拉·买买提')).toEqual({ ok: true, name: '阿卜杜拉·买买提' }));
  it('is not longer than 20 characters', () => {
    expect(checkRealName('一'.repeat(20))).toEqual({ ok: true, name: '一'.repeat(20) });
    expect(checkRealName('一'.repeat(21))).toEqual({ ok: false, why: 'nicknameWrong' });
  });
});

it('a new student is called by the end of the phone', () => expect(firstNickname('13800001234')).toBe('同学1234'));
