/** What a text's places are filled with, by name. */
export type Values = Readonly<Record<string, string | number>>;

/**
 * Replaces `{name}` by its value; a name without a value stays as it is. In `《{name}》` the value's own 《》 become 〈〉, as names of works
 * within names of works are written (GB/T 15834 §4.15). `{name|question|questions}` becomes the first
 * word when the value is 1 and the second otherwise, for languages that tell one from many.
 */
export function fill(words: string, values: Values): string {
  return words
    .replace(/\{(\w+)\|([^|{}]*)\|([^|{}]*)\}/g, (whole, name: string, singular: string, plural: string) =>
      name in values ? (String(values[name]) === '1' ? singular : plural) : whole,
    )
    .replace(/《\{(\w+)\}》/g, (whole, name: string) =>
      name in values ? `《${String(values[name]).replaceAll('《', '〈').replaceAll('》', '〉')}》` : whole,
    )
    .replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}
