import { IconArrowBackUp, IconCheck, IconStrikethrough, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, memo } from 'react';
import { RichText } from '#ui/RichText.tsx';
import { msg, t } from '#web/lib/t.ts';
import { lettersOf, manyLetters } from '../paper.ts';
import classes from './Options.module.css';

interface Props {
  type: number;
  options: Readonly<Record<string, string>>;
  /** The letters chosen. */
  chosen: string;
  /** The right letters, where they may be seen. */
  right?: string | undefined;
  /** Whether the key decides: of a void question (作废), or where everybody gets the points, no choice is wrong. Left out: it does. */
  byKey?: boolean | undefined;
  /** Absent: the options are only shown. */
  onChoose?: Choose | undefined;
  label: string;
  /** What else is told of them to who hears the page. */
  note?: string | undefined;
  /** Whether letters and numbers choose from anywhere on the screen; said of each option to who cannot see its letter. */
  letterKeys?: boolean;
  /** Letters that the student has struck out for themselves. */
  struck?: string;
  /** Strikes an option out or takes that back. Absent: that cannot be done now. The same function each time. */
  onStrike?: ((letter: string) => void) | undefined;
}

/** `stays`: on the way through the options by arrow keys. */
type Choose = (letter: string, stays?: boolean) => void;

/**
 * The options of a question as full-width rows with a letter badge. Of one choice they are one stop of the keyboard, the
 * chosen one or the first, and ↑ and ↓ choose, as in any group of radio buttons; ← and → turn the page here. Of several
 * each is a stop of its own.
 */
export const Options = memo(function Options({
  type,
  options,
  chosen,
  right,
  byKey = true,
  onChoose,
  label,
  note,
  letterKeys = false,
  struck = '',
  onStrike,
}: Props) {
  const many = manyLetters(type);
  const letters = lettersOf(options);
  const stop = letters.find((letter) => chosen.includes(letter)) ?? letters[0];
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a label; the check reads only a role that is one text
    // biome-ignore lint/a11y/noStaticElementInteractions: both are roles; the check reads only a role that is one text
    <div
      className={classes.options}
      role={many ? 'group' : 'radiogroup'}
      aria-label={label}
      aria-description={note}
      onKeyDown={many ? undefined : (event) => step(event, letters, onChoose)}
    >
      {letters.map((letter, at) => (
        <Option
          key={letter}
          letter={letter}
          html={options[letter] ?? ''}
          many={many}
          chosen={chosen.includes(letter)}
          check={byKey ? checkOf(letter, chosen, right, many) : keyOf(letter, right)}
          onChoose={onChoose}
          tabIndex={many || letter === stop ? 0 : -1}
          keys={letterKeys && onChoose ? `${letter} ${at + 1}` : undefined}
          struck={struck.includes(letter)}
          onStrike={onStrike}
        />
      ))}
    </div>
  );
});

/** ↑ and ↓ in a group of one choice: to the next option, round at the ends, which is chosen where it can be. */
function step(event: KeyboardEvent<HTMLElement>, letters: readonly string[], onChoose: Choose | undefined): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]')];
  const at = all.findIndex((option) => option.matches(':focus'));
  if (by === 0 || at < 0 || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const to = (at + by + all.length) % all.length;
  all[to]?.focus();
  const letter = letters[to];
  if (letter !== undefined) onChoose?.(letter, true);
}

/** Pixels of one step of Shift with ← or →. */
const SIDEWAYS = 80;

/** Shift with ← or → scrolls what is wider than an option, which is one button: its text, or a table in it. */
function scrollSideways(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (by === 0 || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  const wide = event.currentTarget.querySelectorAll<HTMLElement>('[data-more]');
  if (wide.length === 0) return;
  // It does not turn the page, also at the end.
  event.preventDefault();
  for (const element of wide) element.scrollLeft += by * SIDEWAYS;
}

type OptionCheck = 'right' | 'missed' | 'wrong' | null;

/** Missed is a word for several letters only: of one, the other one was simply right. */
function checkOf(letter: string, chosen: string, right: string | undefined, many: boolean): OptionCheck {
  if (right === undefined) return null;
  if (right.includes(letter)) return chosen.includes(letter) || chosen === '' || !many ? 'right' : 'missed';
  return chosen.includes(letter) ? 'wrong' : null;
}

const keyOf = (letter: string, right: string | undefined): OptionCheck => (right?.includes(letter) ? 'right' : null);

interface OptionProps {
  letter: string;
  html: string;
  many: boolean;
  chosen: boolean;
  check: OptionCheck;
  onChoose?: Choose | undefined;
  tabIndex: 0 | -1;
  /** The keys that choose it from anywhere, as ARIA writes them. */
  keys: string | undefined;
  struck: boolean;
  onStrike: ((letter: string) => void) | undefined;
}

const checkWords = { right: msg('正确答案'), missed: msg('漏选'), wrong: msg('选错') } as const;

const Option = memo(function Option(props: OptionProps) {
  const { letter, html, many, chosen, check, onChoose, tabIndex, keys, struck, onStrike } = props;
  const option = (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles can be checked; the check reads only a role that is one text
    <button
      type="button"
      // Not a native input: that one chooses with ← and →, too, which turn the page here.
      role={many ? 'checkbox' : 'radio'}
      aria-checked={chosen}
      aria-keyshortcuts={keys}
      tabIndex={tabIndex}
      aria-disabled={onChoose === undefined || undefined}
      className={classes.option}
      data-chosen={chosen || undefined}
      data-check={check ?? undefined}
      data-still={onChoose === undefined || undefined}
      data-struck={struck || undefined}
      onClick={() => onChoose?.(letter)}
      onKeyDown={(event) => {
        // Enter means "next question" (useExamKeys.ts); choosing is Space, as for any radio button.
        if (event.key === 'Enter') event.preventDefault();
        scrollSideways(event);
      }}
    >
      <span className={classes.badge} data-many={many || undefined}>
        {letter}
      </span>
      <RichText html={html} zoom={false} className={classes.text} picture={t('选项 {letter} 的图片', { letter })} />
      {struck && <span className="unseen">{t('已划掉')}</span>}
      {check !== null && (
        <span className={classes.check}>
          {check === 'wrong' ? <IconX size={18} aria-hidden /> : <IconCheck size={18} aria-hidden />}
          <span>{t(checkWords[check])}</span>
        </span>
      )}
    </button>
  );
  if (!onStrike) return option;
  const word = struck ? t('恢复选项 {letter}', { letter }) : t('划掉选项 {letter}', { letter });
  return (
    <div className={classes.row}>
      {option}
      <button type="button" className={classes.strike} aria-label={word} title={word} onClick={() => onStrike(letter)}>
        {struck ? <IconArrowBackUp size={18} aria-hidden /> : <IconStrikethrough size={18} aria-hidden />}
      </button>
    </div>
  );
});
