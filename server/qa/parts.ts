import { readWordList, type WordList, wordsIn } from '#rules/qa/words.ts';
import type { PackAccess } from '#server/course/access.ts';
import type { Query } from '#server/db/open.ts';
import { readSetting } from '#server/db/settings-store.ts';
import type { GradesFor } from '#server/exam/grading/visible-grades.ts';
import type { ReadContent } from '#server/exam/paper/content-store.ts';
import type { RecordStore } from '#server/exam/record/store.ts';
import type { Parts } from '#server/parts.ts';
import type { SearchNotes } from './search-notes.ts';

/** What the calls of Q&A share; what is of other features is passed in by `app.ts`. */
export interface QaParts extends Pick<Parts, 'db' | 'random'> {
  access: PackAccess;
  gradesFor: GradesFor;
  records: RecordStore;
  readContent: ReadContent;
  searches: SearchNotes;
}

/** What pictures say that belongs to an entry. */
export const takenForEntry = (entryId: number) => `qa:${entryId}`;

/** Where the school's list of words stands (`lixue qa words`). */
export const WORDS_SETTING = 'qa.words';
let kept: { text: string; list: WordList } = { text: '', list: { words: [], allowed: [] } };

/** The words of the school's list that a text has, each once. */
export async function heldWordsIn(query: Query, text: string): Promise<string[]> {
  return wordsIn(text, await heldWordList(query));
}

/** The words for which a text is held; none where the school has given no list. */
export async function heldWordList(query: Query): Promise<WordList> {
  const text = (await readSetting(query, WORDS_SETTING)) ?? '';
  // A long list is read once, until it is another one.
  if (text !== kept.text) {
    const read = readWordList(text);
    kept = { text, list: read.ok ? read.list : { words: [], allowed: [] } };
  }
  return kept.list;
}
