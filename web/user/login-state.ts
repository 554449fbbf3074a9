import { readPhone } from '#rules/user/phone.ts';
import { msg } from '#web/lib/t.ts';

/**
 * The sign-in form (decisions §7). Signing in needs a slider ticket only after the server asked for one, which it does
 * after repeated failures. The component draws this and makes the request while `signingIn`.
 */
export interface LoginState {
  readonly way: 'code' | 'password';
  readonly phone: string;
  readonly smsCode: string;
  readonly password: string;
  readonly slider: boolean;
  readonly signingIn: boolean;
  readonly errors: Readonly<Partial<Record<LoginField, string>>>;
}
type LoginField = 'phone' | 'smsCode' | 'password' | 'form';
export type LoginEvent =
  | { type: 'way'; way: LoginState['way'] }
  | { type: 'type'; field: 'phone' | 'smsCode' | 'password'; text: string }
  | { type: 'phoneNeeded' }
  | { type: 'submit' }
  | { type: 'sliderClosed' }
  | { type: 'ticket' }
  | { type: 'failed'; why: string; msg: string };

export const loginStart: LoginState = {
  way: 'code',
  phone: '',
  smsCode: '',
  password: '',
  slider: false,
  signingIn: false,
  errors: {},
};

const phoneWrong = msg('请输入正确的手机号');

/**
 * What the form becomes. `submit` says at the fields what is missing and otherwise starts signing in; a refusal that asks
 * for the slider opens it, and its ticket signs in again; every other refusal stands at the field it is about. Nothing
 * submits twice while signing in.
 */
export function loginNext(state: LoginState, event: LoginEvent): LoginState {
  switch (event.type) {
    case 'way':
      return { ...state, way: event.way, errors: {} };
    case 'type': {
      const { [event.field]: _gone, form: _alsoGone, ...errors } = state.errors;
      return { ...state, [event.field]: event.text, errors };
    }
    case 'phoneNeeded':
      return { ...state, errors: { phone: phoneWrong } };
    case 'submit': {
      if (state.signingIn) return state;
      const errors: LoginState['errors'] = {
        ...(readPhone(state.phone).ok ? {} : { phone: phoneWrong }),
        ...(state.way === 'code' && state.smsCode.trim() === '' ? { smsCode: msg('请输入验证码') } : {}),
        ...(state.way === 'password' && state.password === '' ? { password: msg('请输入密码') } : {}),
      };
      return { ...state, errors, signingIn: Object.keys(errors).length === 0 };
    }
    case 'sliderClosed':
      return { ...state, slider: false };
    case 'ticket':
      return { ...state, slider: false, signingIn: true };
    case 'failed':
      if (event.why === 'ticketNeeded') return { ...state, slider: true, signingIn: false };
      return { ...state, signingIn: false, errors: { [fieldOf(event.why, state.way)]: event.msg } };
  }
}

/** A refusal stands at the field it is about. */
function fieldOf(why: string, way: LoginState['way']): LoginField {
  if (why === 'phoneWrong') return 'phone';
  if (why === 'smsCodeWrong') return 'smsCode';
  if (why === 'loginWrong' && way === 'password') return 'password';
  return 'form';
}
