/** One that names the page, from when it is on the screen until it leaves it. */
export interface Naming {
  /** In the person's language; '': the site alone. */
  name: string;
  /** It stands in place of the page: there is none at this address. */
  instead: boolean;
}

/**
 * What the page on the screen is called: as what stands in place of the page says, else as the last one said. React tells a page of its
 * effects after what is inside of it, so that the last word alone would be the page's where both came at once.
 * @param namings in the order in which they were said
 * @returns null: nothing on the screen has said so
 */
export function pageName(namings: readonly Naming[]): string | null {
  return (namings.findLast(({ instead }) => instead) ?? namings.at(-1))?.name ?? null;
}
