import { Button, Modal } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import { examFeedback, FEEDBACK_LONGEST } from '#contract/values/feedback.ts';
import { examToast, toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './FeedbackDialog.module.css';

/** Spec §9: the types of exam-question feedback, in the order of the dialog. */
const TYPES = [
  [examFeedback.hasProblem, msg('题目有误')],
  [examFeedback.typo, msg('错别字')],
  [examFeedback.answerHasProblem, msg('答案有误')],
  [examFeedback.answerAndExplanationDiffer, msg('答案与解析不符')],
  [examFeedback.other, msg('其他')],
] as const;

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The question that the report is about. */
  questionId: number;
  packId: number;
  /** The course of the exam; null for one of the whole pack: the server then takes the course of the question. */
  courseId: number | null;
}

/** 试题反馈 about one question (spec §2, §5). What was begun stays when the dialog is closed, until another question comes. */
export function FeedbackDialog({ opened, onClose, questionId, packId, courseId }: Props) {
  const id = useId();
  const [type, setType] = useState<number | null>(null);
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const report = useSend('POST /app/feedback/lx_submit');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is another report
  useEffect(() => {
    setType(null);
    setText('');
    setTried(false);
    report.reset();
  }, [questionId]);

  const wrong = type === null ? t('请至少选择一个选项') : text.trim() === '' ? t('请输入问题描述') : null;
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrong !== null || type === null) return;
    report.mutate(
      { feedbackType: type, resourceId: courseId ?? undefined, packId, feedbackDesc: text.trim(), questionId },
      {
        onSuccess: () => {
          toast(t('已收到您的反馈，感谢'), 'good', examToast);
          setType(null);
          setText('');
          setTried(false);
          onClose();
        },
      },
    );
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('试题反馈')}
      size={480}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      <form onSubmit={submit} noValidate>
        <fieldset className={classes.choices} aria-describedby={tried && type === null ? `${id}-error` : undefined}>
          <legend>{t('问题类型')}</legend>
          {TYPES.map(([value, word]) => (
            <label key={value} className={classes.choice}>
              <input type="radio" name={id} checked={type === value} onChange={() => setType(value)} />
              {t(word)}
            </label>
          ))}
        </fieldset>
        <label className={classes.label} htmlFor={`${id}-text`}>
          {t('问题描述')}
          <small>
            {text.length} / {FEEDBACK_LONGEST}
          </small>
        </label>
        <textarea
          id={`${id}-text`}
          className={classes.area}
          value={text}
          maxLength={FEEDBACK_LONGEST}
          placeholder={t('请说明哪里有问题')}
          aria-invalid={tried && type !== null && wrong !== null}
          aria-describedby={tried && wrong !== null ? `${id}-error` : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <p id={`${id}-error`} className={classes.error} role="alert">
          {(tried ? wrong : null) ?? (report.isError ? t('反馈失败，请稍后重试') : null)}
        </p>
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            {t('取消')}
          </Button>
          <WaitButton type="submit" waiting={report.isPending}>
            {t('提交')}
          </WaitButton>
        </div>
      </form>
    </Modal>
  );
}
