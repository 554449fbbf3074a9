/** What a person is to the school. */
export const roles = ['student', 'teacher'] as const;
export type Role = (typeof roles)[number];

/** What a ticket from the slider may be used for (decisions §7: bound to the action). */
export const captchaActions = ['sms_code', 'login'] as const;
export type CaptchaAction = (typeof captchaActions)[number];

/** Where the captcha's provider verifies: mainland China, Singapore. */
export const captchaRegions = ['cn', 'sgp'] as const;

/** What an SMS code may be used for. */
export const smsPurposes = ['login', 'password', 'phone_old', 'phone_new', 'account', 'guardian'] as const;
export type SmsPurpose = (typeof smsPurposes)[number];

/** Longest texts that are taken as typed, in code points; an input's `maxlength`, in UTF-16 units, may stop a little sooner. */
export const PHONE_LONGEST = 20;
export const SMS_CODE_LONGEST = 10;
export const PASSWORD_LONGEST = 200;
export const TYPED_NAME_LONGEST = 100;

/** Shortest new password, in characters. */
export const PASSWORD_SHORTEST = 8;
/** Longest nickname and real name, in characters, once they are tidied. */
export const NAME_LONGEST = 20;
