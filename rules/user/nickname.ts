import { NAME_LONGEST } from '#contract/values/user.ts';

type NameCheck = { ok: true; name: string } | { ok: false; why: 'nicknameWrong' };

/** Trims, makes every run of white space one space, and takes out what would be invisible or turn text around. */
function tidy(typed: string): string {
  return typed
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cn}\p{Co}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .trim();
}

/** A nickname: 1 to 20 characters after tidying (envelope `nicknameWrong`). @returns the name to store */
export function checkNickname(typed: string): NameCheck {
  const name = tidy(typed);
  const length = [...name].length;
  return length >= 1 && length <= NAME_LONGEST ? { ok: true, name } : { ok: false, why: 'nicknameWrong' };
}

/** A real name: as a nickname, but it may be empty, which says that it is unknown. */
export function checkRealName(typed: string): NameCheck {
  const name = tidy(typed);
  return [...name].length <= NAME_LONGEST ? { ok: true, name } : { ok: false, why: 'nicknameWrong' };
}

/** The nickname that a new student starts with: 同学 and the last four digits of the phone. */
export function firstNickname(phone: string): string {
  return `同学${phone.slice(-4)}`;
}
