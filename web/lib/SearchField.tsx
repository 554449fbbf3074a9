import { Button } from '@mantine/core';
import { type IconProps, IconSearch, IconX } from '@tabler/icons-react';
import { type ComponentType, type KeyboardEvent, useId, useRef } from 'react';
import classes from './SearchField.module.css';
import { Suggestion, type SuggestionMatch } from './Suggestion.tsx';
import { t } from './t.ts';
import type { SearchBox } from './useSearchBox.ts';

interface Props {
  box: SearchBox;
  /** What arrived last for what is typed; `stale`: for what was typed before. */
  found: readonly { id: number; name: string; match: SuggestionMatch }[];
  stale: boolean;
  placeholder: string;
  /** What is looked for, for whoever hears the page. */
  label: string;
  longest: number;
  Icon: ComponentType<IconProps>;
  /** What a match beside the name is called: 又名. */
  other: string;
}

/**
 * Search by name with suggestions (spec §2, §4, §5), as a WAI-ARIA combobox with a list box: the focus stays in the text,
 * arrows walk through the suggestions, Enter takes one, Escape closes and then empties.
 */
export function SearchField({ box, found, stale, placeholder, label, longest, Icon, other }: Props) {
  const { state, dispatch, keyword, write, endComposition, choose, search } = box;
  const input = useRef<HTMLInputElement>(null);
  const suggestions = box.suggesting ? found : [];
  const opened = suggestions.length > 0;
  const active = opened ? suggestions[state.active] : undefined;

  const listId = useId();
  const optionId = (at: number) => `${listId}-${at}`;
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
      const count = keyword === '' ? 0 : found.length;
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
          maxLength={longest}
          placeholder={placeholder}
          aria-label={label}
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
          data-stale={stale || undefined}
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
              <Icon size={18} stroke={1.6} className={classes.kind} aria-hidden />
              <Suggestion name={suggestion.name} match={suggestion.match} other={other} />
            </div>
          ))}
        </div>
      </div>
      <Button className={classes.go} onClick={search}>
        {t('搜索')}
      </Button>
      <span className="unseen" role="status">
        {opened && !stale ? t('{n} 条搜索建议，用上下方向键选择', { n: suggestions.length }) : ''}
      </span>
    </search>
  );
}
