import { readPhone } from '#rules/user/phone.ts';
import type { CallError } from '#web/lib/send.ts';
import { msg } from '#web/lib/t.ts';
import type { FieldFaults } from '#web/lib/useCallForm.ts';

/** How a person proves who they are: by an SMS code or by password. */
export type LoginWay = 'code' | 'password';

/** What the sign-in form holds, as it was typed. */
export type LoginValues = { phone: string; smsCode: string; password: string };

/** The sentence at a phone number that cannot be one. */
export const phoneWrong = msg('请输入正确的手机号');

/** What is missing before signing in by this way; the other way's field does not matter. */
export function checkLogin({ phone, smsCode, password }: LoginValues, way: LoginWay): FieldFaults<LoginValues> {
  return {
    phone: readPhone(phone).ok ? null : phoneWrong,
    smsCode: way === 'code' && smsCode.trim() === '' ? msg('请输入验证码') : null,
    password: way === 'password' && password === '' ? msg('请输入密码') : null,
  };
}

/** A wrong pair of phone and password is said at the password; the server does not tell which of the two is wrong. */
export function loginFieldOf({ why }: Pick<CallError, 'why'>, way: LoginWay): 'password' | undefined {
  return why === 'loginWrong' && way === 'password' ? 'password' : undefined;
}
