import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { imageOpt } from '#contract/values/image.ts';
import { QA_ANSWER_LONGEST, type QaAnswerState, qaAnswerStates, qaState, qaType } from '#contract/values/qa.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { ImagePicker } from '#web/lib/ImagePicker.tsx';
import { randomName } from '#web/lib/random-name.ts';
import { msg, t } from '#web/lib/t.ts';
import { lengthOf, withinLength } from '#web/lib/typed-text.ts';
import { invalidate, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useImageUploads } from '#web/lib/useImageUploads.ts';
import classes from './AnswerForm.module.css';
import { CannedPhrases } from './CannedPhrases.tsx';
import { stateWord } from './qa-words.ts';
import { TAUGHT_LISTS, type Taught } from './taught.ts';

type Answer = { feedbackDesc: string; state: QaAnswerState | null };

/** A teacher's answer to a question, and with it to others that ask the same; of corrections and suggestions also what becomes of them. */
export function AnswerForm({ question }: { question: Taught }) {
  const id = useId();
  const client = useQueryClient();
  const [clientId, setClientId] = useState(randomName);
  const [same, setSame] = useState<ReadonlySet<number>>(new Set());
  const send = useSend('POST /app/qa_core/answer', { renews: TAUGHT_LISTS });
  const uploads = useImageUploads(imageOpt.qa);
  const decides = question.feedbackType !== qaType.teaching;
  const form = useCallForm<Answer>({
    initialValues: { feedbackDesc: '', state: null },
    check: ({ feedbackDesc, state }) => ({
      state: decides && state === null ? msg('请选择处理结果') : null,
      feedbackDesc: feedbackDesc.trim() === '' ? msg('请输入内容') : null,
    }),
    fieldOf: ({ why }) =>
      why === 'commentEmpty' || why === 'textTooLong' || why === 'reasonNeeded' ? 'feedbackDesc' : undefined,
    send: async ({ feedbackDesc, state }) => {
      const others = question.similar.filter((other) => same.has(other.id));
      await send.mutateAsync({
        ids: [question.id, ...others.map((other) => other.id)],
        versions: [question.version, ...others.map((other) => other.version)],
        feedbackDesc,
        clientId,
        ...(decides && state !== null ? { state } : {}),
        ...uploads.fields,
      });
      setClientId(randomName());
      setSame(new Set());
      form.reset();
      uploads.clear();
      toast(t('已回答，学员会收到通知'), 'good');
    },
    onRefused: ({ why }) => {
      if (why === 'answeredMeanwhile') void invalidate(client, 'GET /app/qa/question', { id: question.id });
      return false;
    },
  });
  const { feedbackDesc, state } = form.values;
  const stateMissing: string | undefined = form.getInputProps('state').error;
  const fault: string | undefined = form.getInputProps('feedbackDesc').error;
  return (
    <form {...form.formProps} {...uploads.areaProps} className={classes.form} aria-label={t('回答')}>
      {decides && (
        <fieldset className={fields.group} aria-describedby={stateMissing ? `${id}-error` : undefined}>
          <legend>{t('处理结果')}</legend>
          {qaAnswerStates.map((value) => (
            <label key={value} className={fields.choice}>
              <input
                type="radio"
                name={id}
                disabled={value === qaState.received && question.state > qaState.received}
                aria-invalid={stateMissing !== undefined || undefined}
                checked={state === value}
                onChange={() => form.setFieldValue('state', value)}
              />
              {t(stateWord(question.feedbackType, value))}
            </label>
          ))}
        </fieldset>
      )}
      <label className={fields.label} htmlFor={`${id}-text`}>
        {t('给学员的回答')}
        <small>
          {lengthOf(feedbackDesc)} / {QA_ANSWER_LONGEST}
        </small>
      </label>
      <textarea
        id={`${id}-text`}
        className={fields.area}
        value={feedbackDesc}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => {
          const { value } = event.currentTarget;
          form.setFieldValue('feedbackDesc', (before) => withinLength(before, value, QA_ANSWER_LONGEST));
        }}
      />
      <ImagePicker uploads={uploads} label={t('上传图片')} />
      <p id={`${id}-error`} className={fields.error} role="alert">
        {stateMissing ?? fault}
      </p>
      {question.similar.length > 0 && (
        <fieldset className={`${fields.group} ${classes.similar}`}>
          <legend>{t('一起回答同样的问题')}</legend>
          {question.similar.map((other) => (
            <label key={other.id} className={fields.choice}>
              <input
                type="checkbox"
                checked={same.has(other.id)}
                onChange={({ currentTarget: { checked } }) =>
                  setSame((was) => {
                    const now = new Set(was);
                    if (checked) now.add(other.id);
                    else now.delete(other.id);
                    return now;
                  })
                }
              />
              <span>
                {other.feedbackDesc}
                <small>{other.nickname}</small>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <FormRefusal text={form.refusal} />
      <WaitButton type="submit" waiting={form.submitting} disabled={uploads.busy || uploads.failed} fullWidth>
        {same.size === 0 ? t('回答') : t('回答这 {count} 个问题', { count: same.size + 1 })}
      </WaitButton>
      <CannedPhrases
        text={feedbackDesc}
        onChoose={(phrase) =>
          form.setFieldValue('feedbackDesc', (before) =>
            withinLength(before, before === '' ? phrase : `${before}\n${phrase}`, QA_ANSWER_LONGEST),
          )
        }
      />
    </form>
  );
}
