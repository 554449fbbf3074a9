import { readWordList, type WordList } from '#rules/qa/words.ts';
import type { PackAccess } from '#server/course/access.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { readSetting } from '#server/db/settings-store.ts';
import type { GradesFor } from '#server/exam/grading/visible-grades.ts';
import type { ReadContent } from '#server/exam/paper/content-store.ts';
import type { RecordStore } from '#server/exam/record/store.ts';
import type { Parts } from '#server/parts.ts';

/** Pictures that were named are not to be had: thrown, so that the transaction takes nothing. Answered with `imageNotYours`. */
export class ImagesRefused extends Error {}

/**
 * Gives an entry the pictures that its writer names, in the transaction that stores it.
 * @returns the stored files, in their order
 * @throws ImagesRefused
 */
type TakeImages = (
  trx: Trx,
  taking: { userId: number; fileNames: readonly string[]; takenFor: string },
) => Promise<string[]>;

/** Until when an answer to what comes now is promised (decisions §6); null: no date can be promised. */
type PromiseOf = (now: number) => number | null | Promise<number | null>;

/** What the calls of Q&A share; what is of other features is passed in by `app.ts`. */
export interface QaParts extends Pick<Parts, 'db' | 'random'> {
  access: PackAccess;
  gradesFor: GradesFor;
  records: RecordStore;
  readContent: ReadContent;
  promiseOf: PromiseOf;
  takeImages: TakeImages;
  /** Gives up the pictures of an entry that was deleted. */
  releaseImages: (trx: Trx, takenFor: string) => Promise<void>;
}

/** What pictures say that belongs to an entry. */
export const takenForEntry = (entryId: number) => `qa:${entryId}`;

/** Where the school's list of words stands (`lixue qa words`). */
export const WORDS_SETTING = 'qa.words';
let kept: { text: string; list: WordList } = { text: '', list: { words: [], allowed: [] } };

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
