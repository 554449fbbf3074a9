import { Type } from 'typebox';
import { call, Millis, Nothing, OneOf, YesNo } from './call.ts';
import { agreementDocuments } from './values/agreement.ts';
import { PHONE_LONGEST, SMS_CODE_LONGEST, TYPED_NAME_LONGEST } from './values/user.ts';

const DocumentId = Type.Integer({
  minimum: 1,
  // Few, and as many as both databases can look for.
  maximum: 99,
  description: '1 用户服务协议 · 2 隐私政策 · 3 儿童个人信息保护规则',
});
const Hash = Type.String({ minLength: 64, maxLength: 64, description: 'SHA-256 of the text' });

export const GetAgreement = call('GET /app/user/agreement', {
  says: 'The documents in force, whether the caller has agreed to them, and whether a guardian has to.',
  source: 'spec §7 Feedback and agreement; decisions §7',
  who: 'visitor',
  input: Type.Object({}),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        id: OneOf(agreementDocuments),
        version: Type.Integer(),
        hash: Hash,
        publishedAt: Millis,
        asked: YesNo,
        agreed: YesNo,
        agreedBefore: Type.Integer({ minimum: 0, maximum: 1, description: '1: to an earlier version' }),
      }),
    ),
    minor: Type.Integer({ minimum: 0, maximum: 1, description: '1: under 14, by the identity number or as they said' }),
    guardianNeeded: YesNo,
  }),
});

export const GetAgreementText = call('GET /app/user/agreement_text', {
  says: 'The text of a document in force.',
  source: 'spec §2 /agreeContentHtml',
  who: 'visitor',
  input: Type.Object({ id: DocumentId }),
  data: Type.Object({
    id: OneOf(agreementDocuments),
    version: Type.Integer(),
    hash: Hash,
    html: Type.String({ description: 'sanitized HTML' }),
    sample: Type.Integer({ minimum: 0, maximum: 1, description: '1: the sample that ships; the school replaces it' }),
    publishedAt: Millis,
  }),
  refuses: ['notFound'],
});

export const Agree = call('POST /app/user/agreement_agree', {
  says: 'Agrees to a document in force. With the hash of the text that was read, a newer one is not agreed to by mistake.',
  source: 'spec §4, §5, §7; decisions §7',
  who: 'user',
  input: Type.Object({
    resourceId: DocumentId,
    hash: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    minor: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1, description: '1: the caller is under 14; cannot be taken back here' }),
    ),
  }),
  data: Nothing,
  refuses: ['notFound', 'agreementChanged'],
});

export const GuardianConsent = call('POST /app/user/guardian_consent', {
  says: 'The consent of a guardian, proven by a code that was sent to their number for `guardian`.',
  source: 'decisions §7',
  who: 'user',
  input: Type.Object({
    name: Type.String({ minLength: 1, maxLength: TYPED_NAME_LONGEST }),
    phone: Type.String({ minLength: 1, maxLength: PHONE_LONGEST }),
    smsCode: Type.String({ minLength: 1, maxLength: SMS_CODE_LONGEST }),
    hash: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  }),
  data: Nothing,
  refuses: [
    'notFound',
    'agreementChanged',
    'guardianNotNeeded',
    'realNameWrong',
    'phoneWrong',
    'guardianSelf',
    'smsCodeWrong',
    'tooMany',
  ],
});
