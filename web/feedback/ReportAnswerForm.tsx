import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type AnswerState, answerStates, feedbackState, REASON_LONGEST } from '#contract/values/feedback.ts';
import { isDecided } from '#rules/feedback/answer.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { keptDraft } from '#web/lib/drafts.ts';
import { useMe } from '#web/lib/me.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { bounded, lengthOf } from '#web/lib/typed-text.ts';
import { callKey, invalidate, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import classes from './ReportAnswerForm.module.css';
import { stateWords } from './report-words.ts';

type Report = Data<'GET /app/feedback/report'>;
type Answer = { state: AnswerState | null; answer: string };

/** An answer that was begun; null: it is none. */
function readDraft(kept: object): Answer | null {
  const { state, answer } = kept as Record<string, unknown>;
  if (typeof answer !== 'string') return null;
  return {
    state: answerStates.find((known) => known === state) ?? null,
    answer: [...answer].slice(0, REASON_LONGEST).join(''),
  };
}

/** What a teacher says to a report. Another teacher who was quicker is shown first, and what was typed stays. */
export function ReportAnswerForm({ report }: { report: Report }) {
  const id = useId();
  const client = useQueryClient();
  const key = callKey('GET /app/feedback/report', { id: report.id });
  const send = useSend('POST /app/feedback/answer', {
    renews: ['GET /app/feedback/reports', 'GET /app/feedback/waiting'],
  });
  const given: Answer = { state: report.state === feedbackState.waiting ? null : report.state, answer: report.answer };
  const owner = useMe().me?.studentId ?? 0;
  const place = `report.answer.${report.id}`;
  const [begun] = useState(() => keptDraft(owner, place, readDraft));
  const form = useCallForm<Answer>({
    initialValues: begun ?? given,
    check: ({ state, answer }) => ({
      state: state === null ? msg('请选择处理结果') : null,
      answer:
        state === feedbackState.declined && tidyText(answer) === '' ? msg('不采纳时请写明原因，学员会看到') : null,
    }),
    send: async ({ state, answer }) => {
      if (state === null) return;
      const saved = await send.mutateAsync({ id: report.id, version: report.version, state, answer });
      client.setQueryData<Report>(key, saved);
      forget();
      form.setValues({ state, answer: saved.answer });
      toast(t('已保存，学员可以看到'), 'good');
    },
    onRefused: ({ why }) => {
      if (why === 'answeredMeanwhile') void invalidate(client, 'GET /app/feedback/report', { id: report.id });
      return false;
    },
  });
  const { state, answer } = form.values;
  const changed = state !== given.state || answer !== given.answer;
  const forget = useDraft(owner, place, changed ? { state, answer } : null);
  const stateMissing: string | undefined = form.getInputProps('state').error;
  const reasonMissing: string | undefined = form.getInputProps('answer').error;
  const missing = stateMissing ?? reasonMissing;
  const decided = isDecided(report.state);
  return (
    <form {...form.formProps} className={classes.form}>
      <fieldset className={fields.group} aria-describedby={stateMissing ? `${id}-error` : undefined}>
        <legend>{t('处理结果')}</legend>
        {answerStates.map((value) => (
          <label key={value} className={fields.choice}>
            <input
              type="radio"
              name={id}
              disabled={decided && value === feedbackState.received}
              aria-invalid={stateMissing !== undefined || undefined}
              checked={state === value}
              onChange={() => form.setFieldValue('state', value)}
            />
            {t(stateWords[value])}
          </label>
        ))}
      </fieldset>
      <label className={fields.label} htmlFor={`${id}-text`}>
        {state === feedbackState.declined ? t('不采纳的原因') : t('给学员的回复（选填）')}
        <small>
          {lengthOf(form.values.answer)} / {REASON_LONGEST}
        </small>
      </label>
      <textarea
        id={`${id}-text`}
        className={fields.area}
        value={form.values.answer}
        readOnly={form.submitting}
        aria-required={state === feedbackState.declined}
        aria-invalid={reasonMissing !== undefined || undefined}
        aria-describedby={reasonMissing ? `${id}-error` : undefined}
        {...bounded(REASON_LONGEST, (text) => form.setFieldValue('answer', text))}
      />
      <p id={`${id}-error`} className={fields.error} role="alert">
        {missing}
      </p>
      <FormRefusal text={form.refusal} />
      <WaitButton type="submit" waiting={form.submitting} fullWidth className={classes.save}>
        {t('保存处理结果')}
      </WaitButton>
    </form>
  );
}
