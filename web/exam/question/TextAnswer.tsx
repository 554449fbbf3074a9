import { ANSWER_LONGEST } from '#contract/values/exam.ts';
import { t } from '#web/lib/t.ts';
import classes from './Question.module.css';

/** A written answer: the field while answering, the text afterwards. */
export function TextAnswer({ value, onType }: { value: string; onType?: ((text: string) => void) | undefined }) {
  if (!onType) {
    return (
      <div>
        <p className={classes.mine}>{t('我的答案')}</p>
        <div className={classes.written} data-empty={value === '' || undefined}>
          {value === '' ? t('未作答') : value}
        </div>
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
