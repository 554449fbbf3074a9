/** What is stored of a typed text: PostgreSQL takes no NUL in one, half a character can be shown nowhere, and nobody types either. */
export function tidyText(typed: string | undefined): string {
  return (typed ?? '').replaceAll('\u0000', '').toWellFormed().trim();
}
