/** Characters as a person counts them, and as the contract does: one for 😀 too. */
export const lengthOf = (text: string): number => [...text].length;

/**
 * What a text field holds after a change: no more than `longest` characters. An input's own `maxlength` counts UTF-16 units, so that
 * it would stop at half as many 😀. A full field takes nothing more, and what is pasted into one with room is cut.
 */
export function withinLength(before: string, typed: string, longest: number): string {
  const characters = [...typed];
  if (characters.length <= longest) return typed;
  return lengthOf(before) >= longest ? before : characters.slice(0, longest).join('');
}
