import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { imageOpt } from '#contract/values/image.ts';
import {
  QA_ANSWER_LONGEST,
  type QaAnswerState,
  type QaType,
  qaAnswerStates,
  qaState,
  qaType,
} from '#contract/values/qa.ts';
import { decideQaAnswer } from '#rules/qa/answer.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { ImagePicker } from '#web/lib/ImagePicker.tsx';
import { useMe } from '#web/lib/me.ts';
import { orNothing } from '#web/lib/picture-draft.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { msg, t } from '#web/lib/t.ts';
import { bounded, lengthOf, withinLength } from '#web/lib/typed-text.ts';
import { invalidate, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import { useImageUploads } from '#web/lib/useImageUploads.ts';
import classes from './AnswerForm.module.css';
import { CannedPhrases } from './CannedPhrases.tsx';
import { answerDraft, answerPlace } from './draft.ts';
import { stateWord } from './qa-words.ts';
import { TAUGHT_LISTS, type Taught } from './taught.ts';

type Answer = { feedbackDesc: string; state: QaAnswerState | null };

/** What is missing of the words: 收到 and 已修正 need none, nor does an answer in pictures (docs/decisions/038-questions-and-answers.md). */
function missingWords(type: QaType, state: QaAnswerState | null, typed: string, images: number): string | null {
  const wanted = { version: 0, state: state ?? undefined, text: typed.trim(), images };
  const decided = decideQaAnswer({ type, state: qaState.waiting, version: 0, wanted });
  if (decided.ok) return null;
  return decided.why === 'reasonNeeded' ? msg('不采纳时请写明原因，学员会看到') : msg('请输入内容');
}

/** A teacher's answer to a question, and with it to others that ask the same; of corrections and suggestions also what becomes of them. */
export function AnswerForm({ question }: { question: Taught }) {
  const id = useId();
  const client = useQueryClient();
  const owner = useMe().me?.studentId ?? 0;
  const place = answerPlace(question.id);
  const [begun] = useState(() => answerDraft(owner, question.id));
  const once = useSentOnce(owner, place);
  const [same, setSame] = useState<ReadonlySet<number>>(new Set());
  // One that a colleague answered meanwhile is none of them any more.
  const others = question.similar.filter((other) => same.has(other.id));
  const send = useSend('POST /app/qa_core/answer', { renews: TAUGHT_LISTS });
  const decides = question.feedbackType !== qaType.teaching;
  const form = useCallForm<Answer>({
    initialValues: { feedbackDesc: begun.text, state: begun.state },
    check: ({ feedbackDesc, state }) => ({
      state: decides && state === null ? msg('请选择处理结果') : null,
      feedbackDesc: missingWords(question.feedbackType, state, feedbackDesc, uploads.kept.length),
    }),
    fieldOf: ({ why }) =>
      why === 'commentEmpty' || why === 'textTooLong' || why === 'reasonNeeded' ? 'feedbackDesc' : undefined,
    send: async ({ feedbackDesc, state }) => {
      const content = {
        ids: [question.id, ...others.map((other) => other.id)],
        feedbackDesc,
        ...(decides && state !== null ? { state } : {}),
        ...uploads.fields,
      };
      const versions = [question.version, ...others.map((other) => other.version)];
      await send.mutateAsync({ ...content, versions, clientId: once.nameOf(content) });
      forget();
      once.arrived();
      setSame(new Set());
      form.setValues({ feedbackDesc: '', state: null });
      uploads.clear();
      toast(t('已回答，学员会收到通知'), 'good');
    },
    onRefused: ({ why }) => {
      if (why === 'answeredMeanwhile') void invalidate(client, 'GET /app/qa/question', { id: question.id });
      return false;
    },
  });
  const uploads = useImageUploads(imageOpt.qa, { images: begun.images, owner, place }, form.submitting);
  const { feedbackDesc, state } = form.values;
  const forget = useDraft(owner, place, orNothing({ state, text: feedbackDesc, images: uploads.kept }));
  const stateMissing: string | undefined = form.getInputProps('state').error;
  const fault: string | undefined = form.getInputProps('feedbackDesc').error;
  return (
    <form {...form.formProps} {...uploads.areaProps} className={classes.form} aria-label={t('回答')}>
      {decides && (
        <fieldset
          className={`${fields.group} ${classes.states}`}
          aria-describedby={stateMissing ? `${id}-error` : undefined}
        >
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
        {!decides ? t('给学员的回答') : state === qaState.declined ? t('不采纳的原因') : t('给学员的回复（选填）')}
        <small>
          {lengthOf(feedbackDesc)} / {QA_ANSWER_LONGEST}
        </small>
      </label>
      <textarea
        id={`${id}-text`}
        className={fields.area}
        value={feedbackDesc}
        readOnly={form.submitting}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={`${id}-error`}
        {...bounded(QA_ANSWER_LONGEST, (text) => form.setFieldValue('feedbackDesc', text))}
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
        {others.length === 0 ? t('回答') : t('回答这 {count} 个问题', { count: others.length + 1 })}
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
