/**
 * The search box. The name that filters the list stands in the address; the box owns only what is being typed, and gives
 * it up when something else changes that name (back, a filter taken away).
 */
interface SearchState {
  /** As it stands in the box, an unfinished composition included. */
  text: string;
  /** The name in the address as far as this box knows: the one it began with, asked for, or took over. */
  inForce: string;
  composing: boolean;
  /** The person wants to see suggestions; whether there are any is another question. */
  open: boolean;
  /** The suggestion that the keyboard stands on; -1: none. */
  active: number;
}

export type SearchEvent =
  | { type: 'typed'; text: string }
  | { type: 'compositionStart' }
  | { type: 'compositionEnd'; text: string }
  | { type: 'focus' }
  | { type: 'blur' }
  | { type: 'close' }
  /** An arrow key: `by` 1 or -1 among `count` suggestions. */
  | { type: 'move'; by: 1 | -1; count: number }
  /** A suggestion was taken. */
  | { type: 'choose'; name: string }
  /** 搜索 was pressed, or Enter without a suggestion. */
  | { type: 'search' }
  /** The box asked for this name after a pause, or because it was emptied. */
  | { type: 'asked'; name: string }
  /** The name in the address was changed by somebody else. */
  | { type: 'changedElsewhere'; name: string };

export const searchOn = (name: string): SearchState => ({
  text: name,
  inForce: name,
  composing: false,
  open: false,
  active: -1,
});

/** What the text in the box looks for: blanks at its ends do not count. */
export const keywordOf = (state: SearchState) => state.text.trim();

/** What an event makes of the search box. During a composition (IME) nothing is asked for and nothing shows (spec §2, §5). */
export function searchNext(state: SearchState, event: SearchEvent): SearchState {
  switch (event.type) {
    case 'typed':
      return state.composing ? { ...state, text: event.text } : { ...state, text: event.text, open: true, active: -1 };
    case 'compositionStart':
      return { ...state, composing: true, active: -1 };
    case 'compositionEnd':
      return { ...state, text: event.text, composing: false, open: true, active: -1 };
    case 'focus':
      return { ...state, open: true };
    case 'blur':
      // Browsers end a composition when the focus goes, but not all say so.
      return { ...state, composing: false, open: false, active: -1 };
    case 'close':
      return { ...state, open: false, active: -1 };
    case 'move': {
      if (event.count === 0) return { ...state, open: true };
      const places = event.count + 1;
      // One place stands for the box itself, so that the arrows lead back to what was typed.
      const next = ((state.active + 1 + event.by + places) % places) - 1;
      return { ...state, open: true, active: state.open ? next : event.by === 1 ? 0 : event.count - 1 };
    }
    case 'choose':
      return searchOn(event.name);
    case 'search':
      return { ...state, inForce: keywordOf(state), open: false, active: -1 };
    case 'asked':
      return { ...state, inForce: event.name };
    case 'changedElsewhere':
      return searchOn(event.name);
  }
}

/** Whether typing `text` empties the box: nothing is left in it, or nothing to look for where something was. */
export const empties = (state: SearchState, text: string) =>
  !state.composing && (text === '' || (text.trim() === '' && keywordOf(state) !== ''));

/** Whether suggestions are asked for and may show: something is typed, and no composition is under way. */
export const suggesting = (state: SearchState) => state.open && !state.composing && keywordOf(state) !== '';

/** What the list is to follow after a pause in typing; null when it follows already or a composition is under way. */
export function waitingFor(state: SearchState): string | null {
  const keyword = keywordOf(state);
  return state.composing || keyword === state.inForce ? null : keyword;
}
