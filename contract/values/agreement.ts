/** What people agree to, by the id in its address (spec §2: `/agreeContentHtml?id=1`). */
export const agreementDocuments = [1, 2, 3] as const;
export type AgreementDocument = (typeof agreementDocuments)[number];

/** Their names, in Chinese. */
export const agreementNames = {
  1: '用户服务协议',
  2: '隐私政策',
  3: '儿童个人信息保护规则',
} as const satisfies Record<AgreementDocument, string>;

/** What everybody agrees to; the third is for the guardians of children. */
export const forEverybody: readonly AgreementDocument[] = [1, 2];
export const forGuardians: AgreementDocument = 3;

/** Under this age a guardian has to consent (Personal Information Protection Law, art. 31). */
export const ADULT_ENOUGH = 14;
