import { Button } from '@mantine/core';
import { IconSchool, IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useReducer, useRef } from 'react';
import { UNIVERSITY_NAME_LONGEST } from '#contract/values/university.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './SearchBox.module.css';
import { Suggestion } from './Suggestion.tsx';
import { empties, keywordOf, searchNext, searchOn, suggesting, waitingFor } from './search-state.ts';
import { universitiesStay } from './useUniversities.ts';

interface Props {
  /** The name in the address. It has to be the new one as soon as `onName` was called. */
  name: string;
  /** `settled`: the person said so (搜索, a suggestion, emptied); else it is a pause while typing. */
  onName: (name: string, settled: boolean) => void;
}

/** The list follows typing after this pause, in milliseconds; suggestions follow at once. */
const PAUSE = 220;

/**
 * Search by name with suggestions (spec §2, §4, §5), as a WAI-ARIA combobox with a list box: the focus stays in the text,
 * arrows walk through the suggestions, Enter takes one, Escape closes and then empties.
 */
export function SearchBox({ name, onName }: Props) {
  const [state, dispatch] = useReducer(searchNext, name, searchOn);
  // What this box asks for it knows; any other name was set by back, forward or a filter, and replaces the text.
  if (name !== state.inForce) dispatch({ type: 'changedElsewhere', name });
  const input = useRef<HTMLInputElement>(null);
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

  const write = (text: string) => {
    dispatch({ type: 'typed', text });
    // The whole list from page 1, without waiting (spec §4), also when the text was never asked for.
    if (empties(state, text)) ask('', true);
  };
  const endComposition = (text: string) => {
    dispatch({ type: 'compositionEnd', text });
    if (text.trim() === '') ask('', true);
  };

  const shows = suggesting(state);
  const { data, isPlaceholderData } = useCall(
    'GET /app/university/suggest',
    { name: keyword },
    // An answer that comes too late belongs to another key and is never shown for this one.
    { enabled: shows, staleTime: universitiesStay, keepPrevious: true },
  );
  const suggestions = shows ? (data?.list ?? []) : [];
  const opened = suggestions.length > 0;
  const active = opened ? suggestions[state.active] : undefined;

  const listId = useId();
  const optionId = (at: number) => `${listId}-${at}`;
  const choose = (chosen: string) => {
    dispatch({ type: 'choose', name: chosen });
    onName(chosen, true);
  };
  const search = () => {
    dispatch({ type: 'search' });
    onName(keyword, true);
  };
  const clear = () => {
    write('');
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of a composition belong to the input method: Enter there confirms characters (Safari says so with 229 only).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      // Closed suggestions open at their first or last.
      const count = keyword === '' ? 0 : (data?.list.length ?? 0);
      dispatch({ type: 'move', by: event.key === 'ArrowDown' ? 1 : -1, count });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (active) choose(active.name);
      else search();
    } else if (event.key === 'Escape' && (opened || state.text !== '')) {
      event.preventDefault();
      if (opened) dispatch({ type: 'close' });
      else clear();
    }
  };

  return (
    <search className={classes.search}>
      <div className={classes.field} data-open={opened || undefined}>
        <IconSearch size={18} className={classes.icon} aria-hidden />
        <input
          ref={input}
          className={classes.input}
          type="text"
          role="combobox"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={UNIVERSITY_NAME_LONGEST}
          placeholder={t('请输入院校名称')}
          aria-label={t('院校名称')}
          aria-autocomplete="list"
          aria-expanded={opened}
          aria-controls={listId}
          aria-activedescendant={active === undefined ? undefined : optionId(state.active)}
          value={state.text}
          onChange={(event) => write(event.currentTarget.value)}
          onCompositionStart={() => dispatch({ type: 'compositionStart' })}
          onCompositionEnd={(event) => endComposition(event.currentTarget.value)}
          onFocus={() => dispatch({ type: 'focus' })}
          onBlur={() => dispatch({ type: 'blur' })}
          onKeyDown={onKeyDown}
        />
        {state.text !== '' && (
          <button
            type="button"
            className={classes.clear}
            aria-label={t('清空')}
            // The box keeps the focus, so that one can type on.
            onPointerDown={(event) => event.preventDefault()}
            onClick={clear}
          >
            <IconX size={16} aria-hidden />
          </button>
        )}
        <div
          id={listId}
          role="listbox"
          aria-label={t('搜索建议')}
          className={classes.list}
          hidden={!opened}
          data-stale={isPlaceholderData || undefined}
          // A press must not take the focus away before it has chosen.
          onPointerDown={(event) => event.preventDefault()}
        >
          {suggestions.map((suggestion, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses from the text box
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text box
            <div
              key={suggestion.id}
              id={optionId(at)}
              role="option"
              aria-selected={at === state.active}
              className={classes.option}
              onClick={() => choose(suggestion.name)}
            >
              <IconSchool size={18} stroke={1.6} className={classes.school} aria-hidden />
              <Suggestion name={suggestion.name} match={suggestion.match} />
            </div>
          ))}
        </div>
      </div>
      <Button className={classes.go} onClick={search}>
        {t('搜索')}
      </Button>
      <span className="unseen" role="status">
        {opened && !isPlaceholderData ? t('{n} 条搜索建议，用上下方向键选择', { n: suggestions.length }) : ''}
      </span>
    </search>
  );
}
