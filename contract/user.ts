import { Type } from 'typebox';
import { call, Id, Nothing, Nullable, OneOf, YesNo } from './call.ts';
import { ImageName } from './image.ts';
import { TYPED_ID_LONGEST } from './values/account.ts';
import {
  captchaActions,
  captchaRegions,
  PASSWORD_LONGEST,
  PHONE_LONGEST,
  roles,
  SMS_CODE_LONGEST,
  smsPurposes,
  TYPED_NAME_LONGEST,
} from './values/user.ts';

export const CaptchaAction = OneOf(captchaActions);
export const SmsPurpose = OneOf(smsPurposes);

const Phone = Type.String({ minLength: 1, maxLength: PHONE_LONGEST, description: 'mainland mobile number' });
const Ticket = Type.String({ minLength: 1, maxLength: 100 });
const SmsCode = Type.String({ minLength: 1, maxLength: SMS_CODE_LONGEST });
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_LONGEST });

/** The signed-in person as the person may see themself. */
export const UserInfo = Type.Object({
  studentId: Id,
  userName: Type.String({ description: 'real name; empty when unknown' }),
  nickname: Type.String(),
  avatarUrlExt: Type.String({ description: 'address of the avatar; empty for the default one' }),
  validPhoneExt: Type.String({ description: 'own phone, masked as 138****1234' }),
  role: OneOf(roles),
  hasPassword: YesNo,
  closesAt: Nullable(
    Type.Integer({
      description: 'when the account is closed as its person asked, epoch milliseconds; null: it is not',
    }),
  ),
});

export const SliderChallenge = call('GET /api/captcha/slider', {
  says: 'Hands out a one-time slider challenge for one action with one number, and the work to be done behind it.',
  source: 'decisions §7',
  who: 'visitor',
  input: Type.Object({ action: CaptchaAction, phone: Phone }),
  data: Type.Object({
    challengeId: Type.String(),
    expiresIn: Type.Integer({ description: 'milliseconds until the challenge is void' }),
    work: Type.Object(
      { seed: Type.String(), bits: Type.Integer() },
      {
        description:
          'a whole number n is to be found of which the SHA-256 of `seed:n` begins with so many zero bits; the bits grow with failures',
      },
    ),
    provider: Nullable(
      Type.Object(
        {
          sceneId: Type.String(),
          prefix: Type.String(),
          region: OneOf(captchaRegions),
          bits: Type.Integer({ description: 'of the work beside a proof, instead of those in `work`' }),
        },
        { description: 'Aliyun’s captcha, whose proof may take the place of the drag; null where none is asked for' },
      ),
    ),
  }),
  refuses: ['phoneWrong'],
  writes: true,
});

export const SliderProof = call('POST /api/captcha/slider', {
  says: 'Redeems a finished drag, or a proof of the captcha’s provider, and the work for a ticket that is bound to action, number and browser, lives 2 minutes and works once.',
  source: 'decisions §7',
  who: 'visitor',
  input: Type.Object({
    challengeId: Type.String({ minLength: 1, maxLength: 600 }),
    /** What was found for the challenge's `work`. */
    work: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    /** Positions as permille of the track with the milliseconds since the drag began; a keyboard drag is a series of steps. */
    track: Type.Optional(
      Type.Array(
        Type.Object({
          at: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
          x: Type.Integer({ minimum: 0, maximum: 1000 }),
        }),
        {
          minItems: 1,
          maxItems: 500,
        },
      ),
    ),
    /** What the provider's script gave the page, where the challenge names a provider: then no track is needed. */
    proof: Type.Optional(Type.String({ minLength: 1, maxLength: 8000 })),
  }),
  data: Type.Object({ ticket: Type.String() }),
  refuses: ['captchaFailed', 'captchaAway'],
});

export const SendSmsCode = call('POST /api/user/sms_code', {
  says: 'Sends a 6-digit code by SMS; 1 a minute, 5 an hour, 10 a day for one number, fewer to devices its person never used.',
  source: 'decisions §7',
  who: 'visitor',
  input: Type.Object({ phone: Phone, purpose: SmsPurpose, ticket: Type.Optional(Ticket) }),
  data: Type.Object({
    resendAfter: Type.Integer({ description: 'seconds until another code may be asked for' }),
    demoCode: Nullable(Type.String({ description: 'the code itself, only with DEMO=1' })),
  }),
  refuses: ['phoneWrong', 'ticketNeeded', 'smsTooSoon', 'smsNotSent', 'tooMany'],
});

export const Login = call('POST /api/user/login', {
  says: 'Signs in by phone and SMS code (a new number becomes a new student) or by phone and password. A number that may have changed hands has to prove more than its code.',
  source: 'decisions §2, §7; docs/decisions/048-account.md',
  who: 'visitor',
  input: Type.Object({
    phone: Phone,
    smsCode: Type.Optional(SmsCode),
    password: Type.Optional(Password),
    ticket: Type.Optional(Ticket),
    secondPassword: Type.Optional(Password),
    idNumber: Type.Optional(
      Type.String({ minLength: 1, maxLength: TYPED_ID_LONGEST, description: 'as `secondPassword`' }),
    ),
    deviceCode: Type.Optional(
      Type.String({ minLength: 1, maxLength: 20, description: 'as `secondPassword`: of GET /api/user/device_code' }),
    ),
    orderNo: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description:
          'as `secondPassword`: number of a paid order of the account, or the one under which its provider lists the payment',
      }),
    ),
    startAnew: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1,
        description: '1: the number gets a new account; the old one is kept without it',
      }),
    ),
  }),
  data: Type.Object({
    user: UserInfo,
    token: Type.String({ description: 'session token for clients without cookies; the web app ignores it' }),
  }),
  refuses: [
    'phoneWrong',
    'smsCodeWrong',
    'loginWrong',
    'ticketNeeded',
    'secondFactNeeded',
    'secondFactWrong',
    'tooMany',
  ],
});

export const Logout = call('POST /api/user/logout', {
  says: 'Ends the session at once.',
  source: 'decisions §7',
  who: 'visitor',
  input: Type.Object({}),
  data: Nothing,
});

export const GetUserInfo = call('GET /api/user/info', {
  says: 'The signed-in person; `user` is null for a visitor.',
  source: 'decisions §2',
  who: 'visitor',
  input: Type.Object({}),
  data: Type.Object({
    user: Nullable(UserInfo),
    demo: Type.Boolean(),
    now: Type.Integer({ description: 'server time' }),
  }),
});

export const UpdateUser = call('POST /api/user/update', {
  says: 'Changes nickname, real name or avatar (an upload with opt 1; empty: the default one), or the phone (which needs codes from the old and the new number; where the old one went to somebody else, password or identity number instead of its code).',
  source: 'decisions §2, §7',
  who: 'user',
  input: Type.Object({
    nickname: Type.Optional(Type.String({ maxLength: TYPED_NAME_LONGEST })),
    userName: Type.Optional(Type.String({ maxLength: TYPED_NAME_LONGEST })),
    avatar: Type.Optional(ImageName),
    phone: Type.Optional(Phone),
    oldSmsCode: Type.Optional(SmsCode),
    newSmsCode: Type.Optional(SmsCode),
    password: Type.Optional(Password),
    idNumber: Type.Optional(Type.String({ minLength: 1, maxLength: TYPED_ID_LONGEST })),
  }),
  data: Type.Object({ user: UserInfo }),
  refuses: [
    'nicknameWrong',
    'nicknameStaff',
    'imageNotYours',
    'identitySet',
    'phoneWrong',
    'phoneTaken',
    'smsCodeWrong',
    'secondFactWrong',
    'tooMany',
  ],
});

export const ChangePassword = call('POST /api/user/password', {
  says: 'Sets or changes the password against the old one or an SMS code, and ends all other sessions.',
  source: 'decisions §2, §7',
  who: 'user',
  input: Type.Object({
    oldPassword: Type.Optional(Password),
    smsCode: Type.Optional(SmsCode),
    newPassword: Password,
  }),
  data: Nothing,
  refuses: ['passwordWrong', 'passwordWeak', 'smsCodeWrong', 'tooMany'],
});
