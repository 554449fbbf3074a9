import { describe, expect, it } from 'vitest';
import { type LoginEvent, loginNext, loginStart } from './login-state.ts';

const play = (...events: LoginEvent[]) => events.reduce(loginNext, loginStart);
const phone: LoginEvent = { type: 'type', field: 'phone', text: '138 0000 0001' };
const byPassword: LoginEvent[] = [
  phone,
  { type: 'way', way: 'password' },
  { type: 'type', field: 'password', text: 'lixue-demo' },
];

describe('sign-in form', () => {
  it('does not sign in with empty fields, and says so at each', () => {
    expect(play({ type: 'submit' })).toMatchObject({
      signingIn: false,
      errors: { phone: '请输入正确的手机号', smsCode: '请输入验证码' },
    });
    expect(play(phone, { type: 'way', way: 'password' }, { type: 'submit' }).errors).toEqual({
      password: '请输入密码',
    });
  });

  it('signs in once, however often the button is pressed', () => {
    const state = play(...byPassword, { type: 'submit' });
    expect(state.signingIn).toBe(true);
    expect(loginNext(state, { type: 'submit' })).toBe(state);
  });

  it('opens the slider when the server wants a ticket, and signs in with it', () => {
    const asked = play(
      ...byPassword,
      { type: 'submit' },
      { type: 'failed', why: 'ticketNeeded', msg: '请先完成滑块验证' },
    );
    expect(asked).toMatchObject({ slider: true, signingIn: false, errors: {} });
    expect(loginNext(asked, { type: 'ticket' })).toMatchObject({ slider: false, signingIn: true });
    expect(loginNext(asked, { type: 'sliderClosed' })).toMatchObject({ slider: false, signingIn: false });
  });

  it.each([
    ['phoneWrong', 'phone'],
    ['smsCodeWrong', 'smsCode'],
    ['loginWrong', 'form'],
    ['tooMany', 'form'],
    ['offline', 'form'],
  ])('puts the refusal %s at %s', (why, field) => {
    expect(play(phone, { type: 'failed', why, msg: '…' }).errors).toEqual({ [field]: '…' });
  });

  it('puts a wrong password at the password', () => {
    expect(play(...byPassword, { type: 'failed', why: 'loginWrong', msg: '…' }).errors).toEqual({ password: '…' });
  });

  it('takes an error away when its field is typed in', () => {
    expect(play({ type: 'submit' }, phone).errors).toEqual({ smsCode: '请输入验证码' });
  });

  it('keeps the phone when the way changes', () => {
    expect(play({ type: 'submit' }, phone, { type: 'way', way: 'password' })).toMatchObject({
      phone: '138 0000 0001',
      errors: {},
    });
  });
});
