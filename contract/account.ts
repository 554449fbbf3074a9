import { Type } from 'typebox';
import { call, Id, Millis, Nothing, Nullable, OneOf, YesNo } from './call.ts';
import { exportStates, TYPED_ID_LONGEST } from './values/account.ts';
import { PASSWORD_LONGEST, SMS_CODE_LONGEST, TYPED_NAME_LONGEST } from './values/user.ts';

const SessionId = Type.String({ minLength: 1, maxLength: 40, description: 'of the list; says nothing of the token' });
/** One of the two: what only the person knows or holds. */
const proof = {
  password: Type.Optional(Type.String({ minLength: 1, maxLength: PASSWORD_LONGEST })),
  smsCode: Type.Optional(
    Type.String({ minLength: 1, maxLength: SMS_CODE_LONGEST, description: 'sent for `account` to the own number' }),
  ),
};
const SOURCE = 'docs/decisions/048-account.md';

export const ListSessions = call('GET /api/user/session_list', {
  says: 'Where the caller is signed in, last used first.',
  source: SOURCE,
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        sessionId: SessionId,
        browser: Type.String({ description: 'by what the browser said of itself; empty: not known' }),
        system: Type.String(),
        place: Type.String({ description: 'the beginning of its address, e.g. 203.0.*.*; empty: not known' }),
        createdAt: Millis,
        lastSeenAt: Type.Integer({ description: 'epoch milliseconds, written down once an hour' }),
        current: YesNo,
      }),
    ),
  }),
});

export const EndSessions = call('POST /api/user/session_end', {
  says: 'Signs the caller out on one device, or on all others when no id is given; at once, open sockets too.',
  source: SOURCE,
  who: 'user',
  input: Type.Object({ sessionId: Type.Optional(SessionId) }),
  data: Type.Object({ ended: Type.Integer({ description: 'how many sessions that were' }) }),
  refuses: ['notFound'],
});

export const GetDeviceCode = call('GET /api/user/device_code', {
  says: 'A code with which the caller proves on a new device that they are signed in here: beside an SMS code, where that is too little.',
  source: SOURCE,
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({ code: Type.String({ description: '8 digits' }), until: Millis }),
});

export const GetIdentity = call('GET /api/user/identity', {
  says: 'The real name and the masked identity number of the caller; null when none was given.',
  source: 'spec §5; decisions §7',
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({
    identity: Nullable(
      Type.Object({
        userName: Type.String(),
        idNumber: Type.String({ description: 'masked: 110*************2X' }),
        createdAt: Millis,
      }),
    ),
  }),
});

export const SaveIdentity = call('POST /api/user/identity', {
  says: 'Gives the caller’s real name and identity number, once; an identity belongs to one account.',
  source: 'spec §5; decisions §7',
  who: 'user',
  input: Type.Object({
    userName: Type.String({ minLength: 1, maxLength: TYPED_NAME_LONGEST }),
    idNumber: Type.String({ maxLength: TYPED_ID_LONGEST }),
    ...proof,
  }),
  data: Nothing,
  refuses: [
    'realNameWrong',
    'idCardRequired',
    'idCardLength',
    'idCardDigits',
    'idCardRegion',
    'idCardBirth',
    'idCardChecksum',
    'identityTaken',
    'identityNotGrown',
    'identitySet',
    'passwordWrong',
    'smsCodeWrong',
    'tooMany',
  ],
});

const Export = Type.Object({
  id: Id,
  state: OneOf(exportStates),
  url: Type.String({ description: 'address of the zip, for the caller alone; empty: not there' }),
  bytes: Type.Integer({ description: '0: not there' }),
  reason: Type.String({ description: 'why there will be none; empty: nothing is wrong' }),
  withheld: Type.Boolean({
    description:
      'it may tell what answers were graded to questions that the caller sits now: it can be fetched after the hand-in',
  }),
  createdAt: Millis,
  expiresAt: Millis,
});

export const ListExports = call('GET /api/user/export_list', {
  says: 'Copies of the caller’s data that were asked for and have not expired, newest first.',
  source: SOURCE,
  who: 'user',
  input: Type.Object({}),
  data: Type.Object({ list: Type.Array(Export) }),
});

export const MakeExport = call('POST /api/user/export', {
  says: 'Has a copy of all that the caller has here made as a zip; while one is being made, it is that one.',
  source: SOURCE,
  who: 'user',
  input: Type.Object(proof),
  data: Export,
  refuses: ['passwordWrong', 'smsCodeWrong', 'tooMany'],
});

export const CloseAccount = call('POST /api/user/close', {
  says: 'Asks for the closing of the own account after 15 days, and signs out everywhere; orders that wait are closed first.',
  source: 'decisions §7',
  who: 'user',
  input: Type.Object(proof),
  data: Type.Object({ closesAt: Millis }),
  refuses: ['passwordWrong', 'smsCodeWrong', 'lastTeacher', 'payUnsure', 'tooMany'],
});

export const WithdrawClosing = call('POST /api/user/close_withdraw', {
  says: 'Takes the asked closing back: the account stays.',
  source: 'decisions §7',
  who: 'user',
  input: Type.Object({}),
  data: Nothing,
});
