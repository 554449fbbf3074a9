/** What a text's places are filled with, by name. */
export type Values = Readonly<Record<string, string | number>>;

/**
 * Replaces `{name}` by its value; a name without a value stays as it is. In `《{name}》` the value's own 《》 become 〈〉, as names of works
 * within names of works are written (GB/T 15834 §4.15). `{name|question|questions}` becomes the first
 * word when the value is 1 and the second otherwise, for languages that tell one from many. `{name:th}` is an English ordinal: 1st, 12th, 1,002nd.
 */
export function fill(words: string, values: Values): string {
  const has = (name: string) => Object.hasOwn(values, name);
  // The names at once: what a value is filled in with is what somebody wrote, and a name in it is none.
  return words
    .replace(/\{(\w+)\|([^|{}]*)\|([^|{}]*)\}/g, (whole, name: string, singular: string, plural: string) =>
      has(name) ? (String(values[name]) === '1' ? singular : plural) : whole,
    )
    .replace(/\{(\w+):th\}/g, (whole, name: string) => (has(name) ? ordinal(String(values[name])) : whole))
    .replace(/《\{(\w+)\}》|\{(\w+)\}/g, (whole, work: string | undefined, name = work ?? '') =>
      !has(name)
        ? whole
        : work === undefined
          ? String(values[name])
          : `《${String(values[name]).replaceAll('《', '〈').replaceAll('》', '〉')}》`,
    );
}

function ordinal(figure: string): string {
  const teens = /1\d$/.test(figure.replaceAll(',', ''));
  const ending = teens ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[figure.at(-1) ?? ''];
  return figure + (ending ?? 'th');
}
