import { pinyin } from 'pinyin-pro';
import { fold, type Searchable, searchable } from '#rules/search/match.ts';

/** Pinyin of every character, without tones, ü as v; what is no Chinese character stands for itself. */
function syllables(text: string): string[] {
  return pinyin(text, { toneType: 'none', type: 'array', v: true, nonZh: 'spaced' });
}

/** A syllable for every UTF-16 unit: the second half of a character outside the basic plane has none. */
function byUnit(folded: string): string[] {
  const read = syllables(folded);
  return [...folded].flatMap((char, at) => (char.length === 1 ? [read[at] ?? char] : [read[at] ?? char, '']));
}

/** A name ready for searching. */
export function readName(name: string): Searchable {
  const folded = fold(name);
  return searchable(folded, byUnit(folded.folded));
}

/**
 * A short name ready for searching. It is read as its characters are in the full name where they come from there in order:
 * 重大 is chong da, since it is short for 重庆大学.
 */
export function readAlias(alias: string, name: Searchable): Searchable {
  const folded = fold(alias);
  const reading: string[] = [];
  let at = -1;
  for (const unit of folded.folded) {
    at = name.folded.indexOf(unit, at + 1);
    if (at < 0) return searchable(folded, byUnit(folded.folded));
    reading.push(name.reading[at] ?? unit);
  }
  return searchable(folded, reading);
}
