/** A statement over rows that it is given (prepared.ts), up to the word that says what it does. */
const GIVEN = /^with "given"\([^)]*\) as \((?:select \* from unnest\([^)]*\)|values [(),? ]*)\) (?=\w)/i;

/** Whether a statement certainly writes nothing. Any that is in doubt counts as one that writes. */
export function onlyReads(text: string): boolean {
  return /^\s*select\b/i.test(text.replace(GIVEN, ''));
}
