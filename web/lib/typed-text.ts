import type { ChangeEvent, CompositionEvent } from 'react';
import { tidyText } from '#rules/wording/tidy.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Whether nothing of a text can be seen, so that it says nothing: the server takes none of these. */
export const isBlank = (text: string): boolean => tidyText(text) === '';

/** Characters as a person counts them, and as the contract does: one for 😀 too. */
export const lengthOf = (text: string): number => [...text].length;

/**
 * A text without what is too much for its field. What was typed or pasted last stands before the caret, and goes: never the end of what stood
 * there before. What looks like one sign (👨‍👩‍👧 is five characters) is taken whole or not at all.
 * @param caret UTF-16 offset
 */
export function fitting(text: string, caret: number, longest: number): { text: string; caret: number } {
  const after = text.slice(caret);
  const room = longest - lengthOf(after);
  const before = text.slice(0, caret);
  if (lengthOf(before) <= room) return { text, caret };
  let kept = '';
  let count = 0;
  for (const sign of signsOf(before)) {
    count += lengthOf(sign);
    if (count > room) break;
    kept += sign;
  }
  // The end alone is too long, too: a draft of a longer field.
  return room < 0 ? fitting(after, after.length, longest) : { text: kept + after, caret: kept.length };
}

function signsOf(text: string): Iterable<string> {
  if (typeof Intl === 'undefined' || !('Segmenter' in Intl)) return text;
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment);
}

/** What a field holds after a change, where the caret is not known: what is new in it stands before what both end with. */
export function withinLength(before: string, typed: string, longest: number): string {
  let same = 0;
  const most = Math.min(before.length, typed.length);
  while (same < most && before.at(-1 - same) === typed.at(-1 - same)) same += 1;
  const caret = typed.length - same;
  // Never in the middle of a character.
  return fitting(typed, /^[\udc00-\udfff]/.test(typed.slice(caret)) ? caret + 1 : caret, longest).text;
}

/**
 * For a text field that takes so many characters and no more: its `onChange` with what it holds. An input's own `maxlength` counts UTF-16 units, so that
 * it would stop at half as many 😀. While a word is composed nothing is cut, since the letters of its pinyin are more than its signs: the word is looked at
 * once it is chosen. The caret stays where it is.
 */
export function bounded(longest: number, change: (text: string) => void) {
  const look = (field: Field) => {
    const fits = fitting(field.value, field.selectionEnd ?? field.value.length, longest);
    if (fits.text !== field.value) {
      field.value = fits.text;
      field.setSelectionRange(fits.caret, fits.caret);
    }
    change(fits.text);
  };
  return {
    onChange: ({ currentTarget, nativeEvent }: ChangeEvent<Field>) => {
      if ('isComposing' in nativeEvent && nativeEvent.isComposing === true) change(currentTarget.value);
      else look(currentTarget);
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<Field>) => look(currentTarget),
  };
}
