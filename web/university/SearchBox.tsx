import { Button } from '@mantine/core';
import { IconSchool, IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useReducer, useRef } from 'react';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './SearchBox.module.css';
import { Suggestion } from './Suggestion.tsx';
import { searchNext, searchOn, suggesting } from './search-state.ts';
import { universitiesStay } from './useUniversities.ts';
import { LONGEST_NAME } from './view.ts';

interface Props {
  /** The name filter that is in force. */
  name: string;
  /** `settled`: the person said so (搜索, a suggestion, emptied); else it is a pause while typing. */
  onName: (name: string, settled: boolean) => void;
}

/** The list follows typing after this pause, in milliseconds; suggestions follow at once. */
const pause = 220;

/**
 * Search by name with suggestions (spec §2, §4, §5), as a WAI-ARIA combobox with a list box: the focus stays in the text,
 * arrows walk through the suggestions, Enter takes one, Escape closes and then empties.
 */
export function SearchBox({ name, onName }: Props) {
  const [state, dispatch] = useReducer(searchNext, name, searchOn);
  const input = useRef<HTMLInputElement>(null);
  /** Names this box has asked for and that are not yet in force; any other name in force was set elsewhere. */
  const asked = useRef<string[]>([]);
  const ask = (text: string, settled: boolean) => {
    if (text === (asked.current.at(-1) ?? name)) return;
    asked.current.push(text);
    onName(text, settled);
  };
  const follow = useEffectEvent((inForce: string) => {
    const at = asked.current.indexOf(inForce);
    if (at >= 0) {
      asked.current.splice(0, at + 1);
    } else {
      asked.current = [];
      dispatch({ type: 'filter', name: inForce });
    }
  });
  useEffect(() => follow(name), [name]);
  const { keyword } = state;
  const typed = useEffectEvent((text: string) => ask(text, text === ''));
  useEffect(() => {
    // Emptied: the whole list from page 1, without waiting (spec §4).
    const timer = setTimeout(() => typed(keyword), keyword === '' ? 0 : pause);
    return () => clearTimeout(timer);
  }, [keyword]);

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
    ask(chosen, true);
  };
  const search = () => {
    dispatch({ type: 'search' });
    ask(state.text.trim(), true);
  };
  const clear = () => {
    dispatch({ type: 'typed', text: '' });
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of a composition belong to the input method: Enter there confirms characters (Safari says so with 229 only).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      // Closed suggestions open at their first or last.
      const count = state.keyword === '' ? 0 : (data?.list.length ?? 0);
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
          maxLength={LONGEST_NAME}
          placeholder={t('请输入院校名称')}
          aria-label={t('院校名称')}
          aria-autocomplete="list"
          aria-expanded={opened}
          aria-controls={listId}
          aria-activedescendant={active === undefined ? undefined : optionId(state.active)}
          value={state.text}
          onChange={(event) => dispatch({ type: 'typed', text: event.currentTarget.value })}
          onCompositionStart={() => dispatch({ type: 'compositionStart' })}
          onCompositionEnd={(event) => dispatch({ type: 'compositionEnd', text: event.currentTarget.value })}
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
          {suggestions.map((one, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses from the text box
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text box
            <div
              key={one.id}
              id={optionId(at)}
              role="option"
              aria-selected={at === state.active}
              className={classes.option}
              onClick={() => choose(one.name)}
            >
              <IconSchool size={18} stroke={1.6} className={classes.school} aria-hidden />
              <Suggestion name={one.name} match={one.match} />
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
