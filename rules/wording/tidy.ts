/** Spaces, and signs that take no room: U+200B, a soft hyphen, marks of direction, fillers, the empty Braille pattern. */
const UNSEEN = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * What is stored of a typed text: PostgreSQL takes no NUL in one, half a character can be shown nowhere, and nobody types either. A text of which
 * nothing can be seen says nothing.
 */
export function tidyText(typed: string | undefined): string {
  const text = (typed ?? '').replaceAll('\u0000', '').toWellFormed().trim();
  return UNSEEN.test(text) ? '' : text;
}
