/** What is stored of a text that somebody typed: PostgreSQL takes no NUL in one, and nobody types it. */
export function tidyText(typed: string | undefined): string {
  return (typed ?? '').replaceAll('\u0000', '').trim();
}
