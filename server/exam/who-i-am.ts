import { userInfo } from 'node:os';

/** Who does what a command does: the account of the machine. */
export function whoIAm(): string {
  try {
    return userInfo().username;
  } catch {
    // An account without a name, as containers have them.
    return `uid ${process.getuid?.() ?? ''}`.trim();
  }
}
