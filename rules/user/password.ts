import { PASSWORD_SHORTEST } from '#contract/values/user.ts';

type PasswordCheck = { ok: true } | { ok: false; why: 'passwordWeak' };

/** Classes of characters; what is neither (Chinese, emoji, space) counts as one class of its own with the signs. */
const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];

/**
 * Whether a new password may be used: at least 8 characters, of at least two kinds (lower case, upper case, digits,
 * others), the sentence of `passwordWeak`. Length is counted in code points, at most 200 (the contract). Old passwords are
 * never judged by this.
 */
export function checkPassword(password: string): PasswordCheck {
  const long = [...password].length >= PASSWORD_SHORTEST;
  const kinds = classes.filter((pattern) => pattern.test(password)).length;
  return long && kinds >= 2 ? { ok: true } : { ok: false, why: 'passwordWeak' };
}
