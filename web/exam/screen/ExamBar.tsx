import { Button } from '@mantine/core';
import { IconArrowLeft, IconSettings } from '@tabler/icons-react';
import { languageOf } from '#rules/rich-text/language.ts';
import icon from '#ui/icon-button.module.css';
import { t } from '#web/lib/t.ts';
import classes from './ExamBar.module.css';
import { useExamState, useShownRecord } from './ExamContext.ts';
import { ExamTimer } from './ExamTimer.tsx';
import { Progress } from './Progress.tsx';
import { SaveState } from './SaveState.tsx';

/** The exam's own bar: title, mode, progress, what is saved, time, hand-in. */
export function ExamBar({ onLeave }: { onLeave: () => void }) {
  const { dispatch } = useShownRecord();
  const name = useExamState((state) => state.record.examName);
  const closed = useExamState((state) => state.phase !== 'open' && state.phase !== 'handing');
  return (
    // No <header>: a dialog brings one of its own, and a page has one banner.
    <section className={classes.bar} aria-label={t('考试')}>
      <div className={classes.left}>
        <button type="button" className={icon.button} onClick={onLeave} aria-label={t('离开')} title={t('离开')}>
          <IconArrowLeft size={20} aria-hidden />
        </button>
        <h1 className={classes.title} title={name} lang={languageOf(name)}>
          {name}
        </h1>
        <ModeSwitch />
      </div>
      <Progress />
      <div className={classes.where}>
        <SaveState />
      </div>
      <div className={classes.right}>
        <ExamTimer />
        <button
          type="button"
          className={icon.button}
          onClick={() => dispatch({ type: 'dialog', dialog: 'keys' })}
          aria-label={t('显示与快捷键')}
          title={t('显示与快捷键')}
        >
          <IconSettings size={20} aria-hidden />
        </button>
        <Button
          onClick={() => dispatch({ type: 'dialog', dialog: 'submit' })}
          disabled={closed}
          className={classes.hand}
        >
          {t('交卷')}
        </Button>
      </div>
    </section>
  );
}

/** Answering or reciting; there only where keys may be seen (decisions §3: a scored exam has no recite mode). */
function ModeSwitch() {
  const { dispatch } = useShownRecord();
  const may = useExamState((state) => state.record.mayReveal && state.phase === 'open');
  const mode = useExamState((state) => state.questionMode);
  if (!may) return null;
  const option = (value: 1 | 2, text: string, short: string) => (
    <button
      type="button"
      aria-pressed={mode === value}
      aria-label={text}
      onClick={() => dispatch({ type: 'mode', questionMode: value })}
    >
      <span className={classes.long}>{text}</span>
      <span className={classes.short}>{short}</span>
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as part of a form
    <div className={classes.modes} role="group" aria-label={t('模式')}>
      {option(1, t('答题模式'), t('答题'))}
      {option(2, t('背题模式'), t('背题'))}
    </div>
  );
}
