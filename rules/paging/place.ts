import { PLACE_PATTERN } from '#contract/values/paging.ts';

/**
 * Where a reader is in a list of work: behind which entry they go on. The entries that wait come first, in an order of their own, then the
 * rest. It holds what the entry was sorted by, so that it stays a place when the entry itself was answered, moved or deleted.
 */
export interface Place {
  /** The entry stood among those that wait; of comments: among those that are pinned. */
  waits: boolean;
  /** When it is due or came, by which its part is sorted; 0: its part is sorted by `id` alone. */
  at: number;
  id: number;
}

/** The text of a place. */
export const placeText = ({ waits, at, id }: Place): string => `${waits ? 'w' : 'r'}${at}-${id}`;

/** The place that a text names; null: it names none. */
export function placeOf(text: string): Place | null {
  if (!new RegExp(PLACE_PATTERN).test(text)) return null;
  const [at = '', id = ''] = text.slice(1).split('-');
  return { waits: text.startsWith('w'), at: Number(at), id: Number(id) };
}

/** How many pages there are for a reader who is on page `pageNum`, with so many entries on it and behind it: those before have been seen. */
export const pagesFrom = (pageNum: number, entries: number, pageSize: number): number =>
  pageNum - 1 + Math.ceil(entries / pageSize);
