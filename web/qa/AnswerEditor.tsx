import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { QA_ANSWER_LONGEST } from '#contract/values/qa.ts';
import { TextBones } from '#ui/Bones.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { typedDraft } from '#web/lib/drafts.ts';
import { formatMoment } from '#web/lib/format.ts';
import { useMe } from '#web/lib/me.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { bounded, isBlank, lengthOf } from '#web/lib/typed-text.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import classes from './AnswerEditor.module.css';
import { TAUGHT_LISTS } from './taught.ts';

interface Props {
  answer: { id: number; feedbackDesc: string };
  onDone: () => void;
}

/** Changes the words of an own answer; what it said before is kept and shown. */
export function AnswerEditor({ answer, onDone }: Props) {
  const history = useCall('GET /app/qa/answer_history', { id: answer.id }, { staleTime: 0 });
  return (
    <CallState call={history} skeleton={<TextBones lines={3} />}>
      {(known) => <Editor answer={answer} history={known} onDone={onDone} />}
    </CallState>
  );
}

function Editor({ answer, history, onDone }: Props & { history: Data<'GET /app/qa/answer_history'> }) {
  const id = useId();
  const save = useSend('POST /app/qa_core/edit_answer', { renews: [...TAUGHT_LISTS, 'GET /app/qa/answer_history'] });
  const owner = useMe().me?.studentId ?? 0;
  // What was begun belongs to the words that it changes.
  const place = `qa.edit.${answer.id}.${history.revision}`;
  const [begun] = useState(() => typedDraft(owner, place, QA_ANSWER_LONGEST));
  const form = useCallForm<{ feedbackDesc: string }>({
    initialValues: { feedbackDesc: begun === '' ? answer.feedbackDesc : begun },
    check: ({ feedbackDesc }) => ({ feedbackDesc: isBlank(feedbackDesc) ? msg('请输入内容') : null }),
    fieldOf: ({ why }) => (why === 'commentEmpty' || why === 'textTooLong' ? 'feedbackDesc' : undefined),
    send: async ({ feedbackDesc }) => {
      await save.mutateAsync({ id: answer.id, revision: history.revision, feedbackDesc });
      toast(t('已保存，学员可以看到'), 'good');
      done();
    },
  });
  const { feedbackDesc } = form.values;
  const forget = useDraft(owner, place, feedbackDesc === answer.feedbackDesc ? null : { text: feedbackDesc });
  const done = () => {
    forget();
    onDone();
  };
  const fault: string | undefined = form.getInputProps('feedbackDesc').error;
  return (
    <form {...form.formProps}>
      <label className={fields.label} htmlFor={id}>
        {t('修改回答')}
        <small>
          {lengthOf(feedbackDesc)} / {QA_ANSWER_LONGEST}
        </small>
      </label>
      <textarea
        id={id}
        className={fields.area}
        value={feedbackDesc}
        readOnly={form.submitting}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={`${id}-error`}
        {...bounded(QA_ANSWER_LONGEST, (text) => form.setFieldValue('feedbackDesc', text))}
      />
      <p id={`${id}-error`} className={fields.error} role="alert">
        {fault ?? form.refusal}
      </p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={done}>
          {t('取消')}
        </Button>
        <WaitButton type="submit" waiting={form.submitting}>
          {t('保存')}
        </WaitButton>
      </div>
      {history.list.length > 0 && (
        <details className={classes.history}>
          <summary>{t('以前的内容（{count}）', { count: history.list.length })}</summary>
          <ul>
            {history.list.map((kept) => (
              <li key={kept.revision}>
                <time>{formatMoment(kept.savedAt, serverNow())}</time>
                <p>{kept.feedbackDesc}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </form>
  );
}
