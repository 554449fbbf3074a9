import { readPhone } from '#rules/user/phone.ts';
import type { CallError } from '#web/lib/send.ts';
import { msg } from '#web/lib/t.ts';
import type { FieldFaults } from '#web/lib/useCallForm.ts';

/** How a person proves who they are: by an SMS code or by password. */
export type LoginWay = 'code' | 'password';

/** What is asked beside a code whose number may have changed hands, by the field of the call. */
export type SecondWay = 'secondPassword' | 'idNumber' | 'deviceCode' | 'orderNo';
const secondMissing: Readonly<Record<SecondWay, string>> = {
  secondPassword: msg('请输入密码'),
  idNumber: msg('请输入身份证号'),
  deviceCode: msg('请输入登录确认码'),
  orderNo: msg('请输入订单号'),
};

/** What the sign-in form holds, as it was typed. */
export type LoginValues = {
  phone: string;
  smsCode: string;
  password: string;
  /** Of what is asked beside the code where the number may have changed hands. */
  fact: string;
  agreed: boolean;
  minor: boolean;
};

/** What is asked beside the fields of the way. */
interface Asked {
  /** Texts to agree to. */
  agreement: boolean;
  /** A fact that only the account's person knows; null: none. */
  second: SecondWay | null;
}

/** The sentence at a phone number that cannot be one. */
export const phoneWrong = msg('请输入正确的手机号');

/** What is missing before signing in by this way; the other way's field does not matter. */
export function checkLogin(
  { phone, smsCode, password, fact, agreed }: LoginValues,
  way: LoginWay,
  { agreement, second }: Asked = { agreement: false, second: null },
): FieldFaults<LoginValues> {
  return {
    phone: readPhone(phone).ok ? null : phoneWrong,
    smsCode: way === 'code' && smsCode.trim() === '' ? msg('请输入验证码') : null,
    password: way === 'password' && password === '' ? msg('请输入密码') : null,
    fact: second === null || fact.trim() !== '' ? null : secondMissing[second],
    agreed: agreement && !agreed ? msg('请勾选同意协议') : null,
  };
}

/** A wrong pair of phone and password is said at the password; the server does not tell which of the two is wrong. */
export function loginFieldOf({ why }: Pick<CallError, 'why'>, way: LoginWay): 'password' | 'fact' | undefined {
  if (why === 'secondFactWrong') return 'fact';
  return why === 'loginWrong' && way === 'password' ? 'password' : undefined;
}
