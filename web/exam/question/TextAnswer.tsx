import { useMemo } from 'react';
import { ANSWER_LONGEST } from '#contract/values/exam.ts';
import { t } from '#web/lib/t.ts';
import type { KeyedQuestion } from '../paper.ts';
import { MarkedText } from './MarkedText.tsx';
import classes from './Question.module.css';

const none: KeyedQuestion['points'] = [];

interface Props {
  value: string;
  /** The scoring points of its key, once that may be seen: their words are marked in the answer. */
  points?: KeyedQuestion['points'] | undefined;
  onType?: ((text: string) => void) | undefined;
}

/** A written answer: the field while answering, the text afterwards. */
export function TextAnswer({ value, points = none, onType }: Props) {
  const words = useMemo(() => points.flatMap((point) => point.words), [points]);
  if (!onType) {
    return (
      <div>
        <p className={classes.mine}>{t('我的答案')}</p>
        {value !== '' && words.length > 0 ? (
          <MarkedText text={value} words={words} />
        ) : (
          <div className={classes.written} data-empty={value === '' || undefined}>
            {value === '' ? t('未作答') : value}
          </div>
        )}
      </div>
    );
  }
  return (
    <div>
      <textarea
        className={classes.field}
        value={value}
        maxLength={ANSWER_LONGEST}
        placeholder={t('请输入你的答案')}
        aria-label={t('我的答案')}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      {value.length > ANSWER_LONGEST * 0.9 && (
        <p className={classes.counter}>
          {value.length} / {ANSWER_LONGEST}
        </p>
      )}
    </div>
  );
}
