import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { tickedScore } from '#rules/exam/scoring-points.ts';
import { examToast, toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { msg, t } from '#web/lib/t.ts';
import { invalidate, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import type { ReviewedQuestion } from '../paper.ts';
import { formatScore } from '../score.ts';
import { PointTicks } from './PointTicks.tsx';
import classes from './SelfScore.module.css';

/** What the student has filled in: the points as typed; right or wrong where the question asks for it. */
type OwnScore = { points: string; judge: 1 | 2 | null; ticks: readonly number[] };

/** What is stored of the own score. */
const storedScore = ({ myScore, judgeFlag, ticks }: ReviewedQuestion): OwnScore => ({
  points: myScore === null ? '' : formatScore(myScore),
  judge: judgeFlag === 1 || judgeFlag === 2 ? judgeFlag : null,
  ticks,
});

/** Points as typed, or null when they are none. */
const typedPoints = (typed: string) => (/^\d{1,4}(\.\d{1,2})?$/.test(typed.trim()) ? Number(typed) : null);

/** What is wrong with points as typed, or null. */
function pointsFault(typed: string, most: number): string | null {
  const points = typedPoints(typed);
  if (points === null) return msg('请输入你的得分');
  return points > most ? msg('得分须在 0 到本题满分之间') : null;
}

/** The student's own score of a written answer after hand-in; type 8 also says right or wrong (spec §3, §5). */
export function SelfScore({ recordId, question }: { recordId: number; question: ReviewedQuestion }) {
  const id = useId();
  const client = useQueryClient();
  const score = useSend('POST /app/exam/subjective_submit');
  const judged = question.questionTypesId === 8;
  const form = useCallForm<OwnScore>({
    initialValues: storedScore(question),
    check: ({ points, judge }) => ({
      points: pointsFault(points, question.score),
      judge: judged && judge === null ? msg('请选择答对还是答错') : null,
    }),
    send: async ({ points, judge, ticks }) => {
      await score.mutateAsync({
        recordId,
        questionId: question.questionId,
        myScore: typedPoints(points) ?? 0,
        judgeFlag: judge ?? undefined,
        ...(question.points.length > 0 ? { ticks: [...ticks] } : {}),
      });
      toast(t('评分已保存'), 'good', examToast);
      void invalidate(client, 'GET /app/exam/review', { recordId });
      void invalidate(client, 'GET /app/exam/result_tip', { recordId });
    },
    // A refusal names the field as the call has it.
    fieldOf: ({ field }) => (field === 'myScore' ? 'points' : field === 'judgeFlag' ? 'judge' : undefined),
  });
  // What another window stored meanwhile, as long as nothing was filled in here.
  const stored = JSON.stringify(storedScore(question));
  const shown = useRef(stored);
  useEffect(() => {
    if (stored === shown.current) return;
    if (JSON.stringify(form.getValues()) === shown.current) form.setValues(storedScore(question));
    shown.current = stored;
  }, [stored, question, form]);
  const pointsWrong: string | undefined = form.getInputProps('points').error;
  const judgeMissing: string | undefined = form.getInputProps('judge').error;
  const { judge, ticks } = form.values;
  /** The ticks propose a score, and with it right or wrong, unless the student said otherwise; both can be changed. */
  const tick = (next: number[]) => {
    const proposed = (of: readonly number[]) => tickedScore(question.points, of, question.score);
    const judgeOf = (of: readonly number[]) => (proposed(of) === question.score ? 1 : 2);
    form.setFieldValue('ticks', next);
    form.setFieldValue('points', formatScore(proposed(next)));
    if (judged && (judge === null || judge === judgeOf(ticks))) form.setFieldValue('judge', judgeOf(next));
  };
  const judgeButton = (value: 1 | 2, of: 'right' | 'wrong', word: string) => (
    <button
      type="button"
      aria-pressed={judge === value}
      data-of={of}
      onClick={() => form.setFieldValue('judge', value)}
    >
      {word}
    </button>
  );
  return (
    <form className={classes.form} {...form.formProps}>
      {question.points.length > 0 && <PointTicks question={question} ticks={ticks} onTicks={tick} />}
      <label htmlFor={id}>{t('我的得分')}</label>
      <span className={classes.entry}>
        <input
          id={id}
          className={classes.points}
          inputMode="decimal"
          value={form.values.points}
          placeholder={t('请输入你的得分')}
          aria-invalid={pointsWrong !== undefined}
          aria-describedby={`${id}-points-error ${id}-refusal`}
          onChange={(event) => form.setFieldValue('points', event.currentTarget.value)}
        />
        <span className={classes.total}>{t('/ 满分 {score}', { score: formatScore(question.score) })}</span>
      </span>
      {judged && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in the line of the form
        <span
          className={classes.judge}
          role="group"
          aria-label={t('答对还是答错')}
          aria-describedby={`${id}-judge-error`}
        >
          {judgeButton(1, 'right', t('答对'))}
          {judgeButton(2, 'wrong', t('答错'))}
        </span>
      )}
      <WaitButton type="submit" size="xs" className={classes.send} waiting={form.submitting}>
        {question.myScore === null ? t('提交评分') : t('修改评分')}
      </WaitButton>
      <p className={classes.error} role="alert">
        {pointsWrong && <span id={`${id}-points-error`}>{pointsWrong}</span>}
        {judgeMissing && <span id={`${id}-judge-error`}>{judgeMissing}</span>}
        {form.refusal && <span id={`${id}-refusal`}>{form.refusal}</span>}
      </p>
    </form>
  );
}
