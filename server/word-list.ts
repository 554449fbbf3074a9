import { readWordList, type WordList } from '#rules/wording/words.ts';
import type { Query } from '#server/db/open.ts';
import { readSetting } from '#server/db/settings-store.ts';

/** Where the school's list of words stands (`lixue qa words`). */
export const WORDS_SETTING = 'qa.words';
let kept: { text: string; list: WordList } = { text: '', list: { words: [], allowed: [] } };

/** The words for which a text of a student is held, in Q&A and in comments on courses; none where the school has given no list. */
export async function heldWordList(query: Query): Promise<WordList> {
  const text = (await readSetting(query, WORDS_SETTING)) ?? '';
  // A long list is read once, until it is another one.
  if (text !== kept.text) {
    const read = readWordList(text);
    kept = { text, list: read.ok ? read.list : { words: [], allowed: [] } };
  }
  return kept.list;
}
