/** The search box: what is typed, what is asked for, and whether suggestions show. */
interface SearchState {
  /** As it stands in the box, an unfinished composition included. */
  text: string;
  /** What suggestions and the list are asked for: the text of the last finished input. */
  keyword: string;
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
  | { type: 'choose'; name: string }
  /** 搜索 was pressed, or Enter without a suggestion. */
  | { type: 'search' }
  /** The name filter changed elsewhere: back, a cleared filter. */
  | { type: 'filter'; name: string };

export const searchOn = (name: string): SearchState => ({
  text: name,
  keyword: name,
  composing: false,
  open: false,
  active: -1,
});

/** What an event makes of the search box. During a composition (IME) nothing is asked for and nothing shows (spec §2, §5). */
export function searchNext(state: SearchState, event: SearchEvent): SearchState {
  switch (event.type) {
    case 'typed':
      return state.composing
        ? { ...state, text: event.text }
        : { ...state, text: event.text, keyword: event.text.trim(), open: true, active: -1 };
    case 'compositionStart':
      return { ...state, composing: true, active: -1 };
    case 'compositionEnd':
      return {
        ...state,
        composing: false,
        text: event.text,
        keyword: event.text.trim(),
        open: true,
        active: -1,
      };
    case 'focus':
      return { ...state, open: true };
    case 'blur':
      // Browsers end a composition when the focus goes, but not all say so.
      return { ...state, composing: false, keyword: state.text.trim(), open: false, active: -1 };
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
      return { ...searchOn(event.name) };
    case 'search':
      return { ...state, keyword: state.text.trim(), open: false, active: -1 };
    case 'filter':
      return event.name === state.keyword ? state : { ...searchOn(event.name) };
  }
}

/** Whether suggestions are asked for and may show: something is typed, and no composition is under way. */
export const suggesting = (state: SearchState) => state.open && !state.composing && state.keyword !== '';
