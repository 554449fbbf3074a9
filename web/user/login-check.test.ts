import { describe, expect, it } from 'vitest';
import { CallError, type FailedWhy } from '#web/lib/send.ts';
import { faultyField } from '#web/lib/useCallForm.ts';
import { checkLogin, type LoginWay, loginFieldOf } from './login-check.ts';

const typed = { phone: '138 0000 0001', smsCode: '', password: '', fact: '', agreed: false, minor: false };
const none = { fact: null, agreed: null };

describe('sign-in form', () => {
  it('does not sign in with empty fields, and says so at each', () => {
    expect(checkLogin({ ...typed, phone: '' }, 'code')).toEqual({
      phone: '请输入正确的手机号',
      smsCode: '请输入验证码',
      password: null,
      ...none,
    });
    expect(checkLogin(typed, 'password')).toEqual({
      ...{ phone: null, smsCode: null, password: '请输入密码' },
      ...none,
    });
  });

  it.each([
    ['code', { ...typed, smsCode: '123456' }],
    ['password', { ...typed, password: ' ' }],
  ] as const)('signs in by %s once its fields are filled', (way, values) => {
    expect(Object.values(checkLogin(values, way)).every((fault) => fault === null)).toBe(true);
  });

  it('asks for consent and a second fact only where they are needed', () => {
    const coded = { ...typed, smsCode: '123456' };
    const asked = { agreement: true, second: 'idNumber' } as const;
    expect(checkLogin(coded, 'code', asked)).toMatchObject({ agreed: '请勾选同意协议', fact: '请输入身份证号' });
    expect(checkLogin({ ...coded, agreed: true, fact: 'x' }, 'code', asked)).toMatchObject(none);
    expect(loginFieldOf({ why: 'secondFactWrong' }, 'code')).toBe('fact');
  });

  it.each<[FailedWhy, string | undefined, LoginWay, string | null]>([
    ['phoneWrong', 'phone', 'code', 'phone'],
    ['smsCodeWrong', 'smsCode', 'code', 'smsCode'],
    ['loginWrong', undefined, 'code', null],
    ['loginWrong', undefined, 'password', 'password'],
    ['tooMany', undefined, 'code', null],
    ['offline', undefined, 'code', null],
  ])('puts the refusal %s with the field %s by %s at %s', (why, field, way, place) => {
    const refusal = new CallError(422, why, '…', field === undefined ? {} : { field });
    expect(faultyField(refusal, typed, (failure) => loginFieldOf(failure, way))).toBe(place);
  });
});
