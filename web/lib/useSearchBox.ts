import { useEffect, useEffectEvent, useReducer } from 'react';
import { empties, keywordOf, searchNext, searchOn, suggesting, waitingFor } from './search-state.ts';

interface Filter {
  /** The name in the address. It has to be the new one as soon as `onName` was called. */
  name: string;
  /** `settled`: the person said so (搜索, a suggestion, emptied); else it is a pause while typing. */
  onName: (name: string, settled: boolean) => void;
}

/** The list follows typing after this pause, in milliseconds; suggestions follow at once. */
const PAUSE = 220;

/** What a box that searches by name holds (`search-state.ts`), and what it asks for. */
export function useSearchBox({ name, onName }: Filter) {
  const [state, dispatch] = useReducer(searchNext, name, searchOn);
  // What this box asks for it knows; any other name was set by back, forward or a filter, and replaces the text.
  if (name !== state.inForce) dispatch({ type: 'changedElsewhere', name });
  const keyword = keywordOf(state);

  const ask = (wanted: string, settled: boolean) => {
    dispatch({ type: 'asked', name: wanted });
    onName(wanted, settled);
  };
  const waiting = waitingFor(state);
  const askAfterPause = useEffectEvent((wanted: string) => ask(wanted, false));
  useEffect(() => {
    if (waiting === null) return;
    const timer = setTimeout(() => askAfterPause(waiting), PAUSE);
    return () => clearTimeout(timer);
  }, [waiting]);

  return {
    state,
    dispatch,
    keyword,
    /** Suggestions are asked for and may show. */
    suggesting: suggesting(state),
    write: (text: string) => {
      dispatch({ type: 'typed', text });
      // The whole list from page 1, without waiting (spec §4), also when the text was never asked for.
      if (empties(state, text)) ask('', true);
    },
    endComposition: (text: string) => {
      dispatch({ type: 'compositionEnd', text });
      if (text.trim() === '') ask('', true);
    },
    choose: (chosen: string) => {
      dispatch({ type: 'choose', name: chosen });
      onName(chosen, true);
    },
    search: () => {
      dispatch({ type: 'search' });
      onName(keyword, true);
    },
  };
}

export type SearchBox = ReturnType<typeof useSearchBox>;
