import { IconCheck, IconX } from '@tabler/icons-react';
import { memo } from 'react';
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
  onChoose?: ((letter: string) => void) | undefined;
  label: string;
}

/** The options of a question as full-width rows with a letter badge. */
export const Options = memo(function Options({ type, options, chosen, right, byKey = true, onChoose, label }: Props) {
  const many = manyLetters(type);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a label; the check reads only a role that is one text
    <div className={classes.options} role={many ? 'group' : 'radiogroup'} aria-label={label}>
      {lettersOf(options).map((letter) => (
        <Option
          key={letter}
          letter={letter}
          html={options[letter] ?? ''}
          many={many}
          chosen={chosen.includes(letter)}
          check={byKey ? checkOf(letter, chosen, right, many) : keyOf(letter, right)}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
});

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
  onChoose?: ((letter: string) => void) | undefined;
}

const checkWords = { right: msg('正确答案'), missed: msg('漏选'), wrong: msg('选错') } as const;

const Option = memo(function Option({ letter, html, many, chosen, check, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles can be checked; the check reads only a role that is one text
    <button
      type="button"
      // Not a native input: that one moves with the arrow keys, which turn the page here.
      role={many ? 'checkbox' : 'radio'}
      aria-checked={chosen}
      aria-disabled={onChoose === undefined || undefined}
      className={classes.option}
      data-chosen={chosen || undefined}
      data-check={check ?? undefined}
      data-still={onChoose === undefined || undefined}
      onClick={() => onChoose?.(letter)}
      onKeyDown={(event) => {
        // Enter means "next question" (useExamKeys.ts); choosing is Space, as for any radio button.
        if (event.key === 'Enter') event.preventDefault();
      }}
    >
      <span className={classes.badge} data-many={many || undefined}>
        {letter}
      </span>
      <RichText html={html} zoom={false} className={classes.text} />
      {check !== null && (
        <span className={classes.check}>
          {check === 'wrong' ? <IconX size={18} aria-hidden /> : <IconCheck size={18} aria-hidden />}
          <span>{t(checkWords[check])}</span>
        </span>
      )}
    </button>
  );
});
