import { Button, Textarea } from '@mantine/core';
import '#ui/form.css';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { RETIRE_REASON_LONGEST } from '#contract/values/exam.ts';
import { confirm } from '#ui/confirm.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, sentences, t, tIn } from '#web/lib/t.ts';
import { bounded } from '#web/lib/typed-text.ts';
import { callKey, invalidate, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { formatScore } from '../score.ts';
import classes from './RetireForm.module.css';

type Detail = Data<'GET /app/question/quality'>;
type Done = Data<'POST /app/question/retire'>;

const RENEWS = ['GET /app/question/quality_list', 'GET /app/question/quality_choices'] as const;

/** Taking a question out of everything new, and bringing it back. What that did to papers and open records stands here until the page is left. */
export function RetireForm({ detail }: { detail: Detail }) {
  const [done, setDone] = useState<{ what: 'retired' | 'restored'; of: Done } | null>(null);
  const [asking, setAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const client = useQueryClient();
  const show = (what: 'retired' | 'restored', of: Done) => {
    client.setQueryData<Detail>(callKey('GET /app/question/quality', { questionId: detail.questionId }), of.question);
    setDone({ what, of });
    setAsking(false);
    // The button that was pressed is gone.
    heading.current?.focus();
  };
  const { retired, archived } = detail;
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className={classes.head}>
        {tIn('question', '停用')}
      </h2>
      {retired !== null ? (
        <Retired detail={detail} retired={retired} onRestored={(of) => show('restored', of)} />
      ) : archived ? (
        <p className={classes.words}>{t('导入的文件里不再有这道题。把它写进文件再导入，它就回来。')}</p>
      ) : asking ? (
        <Reason questionId={detail.questionId} onDone={(of) => show('retired', of)} onLeave={() => setAsking(false)} />
      ) : (
        <>
          <p className={classes.words}>
            {t(
              '停用后，新的考试、练习、复习和随机组卷都不再出这道题；已有的答卷、解析和错题记录不变，再导入也不会恢复。',
            )}
          </p>
          <Button variant="default" fullWidth onClick={() => setAsking(true)}>
            {t('停用这道题')}
          </Button>
        </>
      )}
      {done !== null && <Effect {...done} />}
    </>
  );
}

interface ReasonProps {
  questionId: number;
  onDone: (done: Done) => void;
  onLeave: () => void;
}

function Reason({ questionId, onDone, onLeave }: ReasonProps) {
  const client = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const retiring = useSend('POST /app/question/retire', { renews: RENEWS });
  const form = useCallForm<{ reason: string }>({
    initialValues: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? msg('请写明停用的原因，老师会看到') : null }),
    send: async ({ reason }) => {
      const done = await retiring.mutateAsync({ questionId, reason: reason.trim() });
      toast(t('已停用'), 'good');
      onDone(done);
    },
    onRefused: ({ why }) => {
      if (why === 'questionRetired') void invalidate(client, 'GET /app/question/quality', { questionId });
      return false;
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <Textarea
        ref={field}
        label={t('停用的原因')}
        description={t('只有老师看得到，例如：超纲、与另一题重复')}
        size="md"
        rows={3}
        {...form.getInputProps('reason')}
        {...bounded(RETIRE_REASON_LONGEST, (text) => form.setFieldValue('reason', text))}
      />
      <FormRefusal text={form.refusal} />
      <div className={classes.actions}>
        <Button variant="default" onClick={onLeave}>
          {t('取消')}
        </Button>
        <WaitButton type="submit" waiting={form.submitting}>
          {t('确认停用')}
        </WaitButton>
      </div>
    </form>
  );
}

interface RetiredProps {
  detail: Detail;
  retired: NonNullable<Detail['retired']>;
  onRestored: (done: Done) => void;
}

function Retired({ detail: { questionId }, retired, onRestored }: RetiredProps) {
  const client = useQueryClient();
  const restoring = useSend('POST /app/question/restore', { renews: RENEWS });
  const form = useCallForm({
    initialValues: {},
    check: () => ({}),
    send: async () => {
      const sure = await confirm({
        title: t('恢复这道题？'),
        text: t('它回到原来的试卷和练习里，从现在起开始的考试会再出它。'),
        yes: t('恢复'),
      });
      if (!sure) return;
      const done = await restoring.mutateAsync({ questionId });
      toast(t('已恢复'), 'good');
      onRestored(done);
    },
    onRefused: ({ why }) => {
      if (why === 'questionNotRetired') void invalidate(client, 'GET /app/question/quality', { questionId });
      return false;
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <p className={classes.by}>
        <b>{retired.nickname ?? t('管理员')}</b>
        <span>{formatMoment(retired.at, serverNow())}</span>
      </p>
      <p className={classes.reason}>{t('原因：{reason}', { reason: retired.reason })}</p>
      <FormRefusal text={form.refusal} />
      <WaitButton type="submit" variant="default" fullWidth waiting={form.submitting}>
        {t('恢复这道题')}
      </WaitButton>
    </form>
  );
}

/** What it did: the papers as they are now, and who goes on with the paper of before. */
function Effect({ what, of: { papers, open } }: { what: 'retired' | 'restored'; of: Done }) {
  return (
    <div role="status" className={classes.effect}>
      <p>
        {sentences(
          papers.length === 0
            ? what === 'retired'
              ? t('没有试卷用到它。')
              : t('没有试卷要改。')
            : t('{count} 份试卷改了：', { count: papers.length }),
          open > 0 && t('{count} 份进行中的答卷继续使用开始时的试卷。', { count: open }),
        )}
      </p>
      {papers.length > 0 && (
        <ul>
          {papers.map(({ name, totalQuestion, totalScore, passScore }) => (
            <li key={name}>
              {t('{name}：现在 {count} 题，满分 {score} 分', {
                name,
                count: totalQuestion,
                score: formatScore(totalScore),
              })}
              {passScore !== null && passScore > totalScore && (
                <p className={fields.error}>
                  {t('它的及格分 {score} 高于满分，请在课程里改。', { score: formatScore(passScore) })}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
