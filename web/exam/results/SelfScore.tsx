import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { examToast, toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { t } from '#web/lib/t.ts';
import { invalidate, useSend } from '#web/lib/useCall.ts';
import type { ReviewedQuestion } from '../paper.ts';
import { formatScore } from '../score.ts';
import classes from './SelfScore.module.css';

/** The student's own score of a written answer after hand-in; type 8 also says right or wrong (spec §3, §5). */
export function SelfScore({ recordId, question }: { recordId: number; question: ReviewedQuestion }) {
  const id = useId();
  const client = useQueryClient();
  const [text, setText] = useState(question.myScore === null ? '' : formatScore(question.myScore));
  const [judge, setJudge] = useState<1 | 2 | null>(
    question.judgeFlag === 1 || question.judgeFlag === 2 ? question.judgeFlag : null,
  );
  const [tried, setTried] = useState(false);
  const score = useSend('POST /app/exam/subjective_submit');
  const judged = question.questionTypesId === 8;
  const points = /^\d{1,4}(\.\d{1,2})?$/.test(text.trim()) ? Number(text) : null;
  const wrong =
    points === null
      ? t('请输入你的得分')
      : points > question.score
        ? t('得分须在 0 到本题满分之间')
        : judged && judge === null
          ? t('请选择答对还是答错')
          : null;
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrong !== null || points === null) return;
    score.mutate(
      { recordId, questionId: question.questionId, myScore: points, ...(judge === null ? {} : { judgeFlag: judge }) },
      {
        onSuccess: () => {
          toast(t('评分已保存'), 'good', examToast);
          void invalidate(client, 'GET /app/exam/review', { recordId });
          void invalidate(client, 'GET /app/exam/result_tip', { recordId });
        },
      },
    );
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <label htmlFor={id}>{t('我的得分')}</label>
      <span className={classes.entry}>
        <input
          id={id}
          className={classes.points}
          inputMode="decimal"
          value={text}
          placeholder={t('请输入你的得分')}
          aria-invalid={tried && wrong !== null}
          aria-describedby={`${id}-error`}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <span className={classes.total}>{t('/ 满分 {score}', { score: formatScore(question.score) })}</span>
      </span>
      {judged && (
        <span className={classes.judge} {...{ role: 'group', 'aria-label': t('答对还是答错') }}>
          <button type="button" aria-pressed={judge === 1} data-of="right" onClick={() => setJudge(1)}>
            {t('答对')}
          </button>
          <button type="button" aria-pressed={judge === 2} data-of="wrong" onClick={() => setJudge(2)}>
            {t('答错')}
          </button>
        </span>
      )}
      <WaitButton type="submit" size="xs" waiting={score.isPending}>
        {question.myScore === null ? t('提交评分') : t('修改评分')}
      </WaitButton>
      <p id={`${id}-error`} className={classes.error} role="alert">
        {score.isError ? t(score.error.msg) : tried ? wrong : null}
      </p>
    </form>
  );
}
