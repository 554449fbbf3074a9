import { Button } from '@mantine/core';
import { useState } from 'react';
import { QA_LONGEST } from '#contract/values/qa.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CountedArea } from '#web/lib/CountedArea.tsx';
import { typedDraft } from '#web/lib/drafts.ts';
import { useMe } from '#web/lib/me.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { msg, t } from '#web/lib/t.ts';
import { isBlank } from '#web/lib/typed-text.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import classes from './HideForm.module.css';
import { TAUGHT_LISTS } from './taught.ts';

/** A teacher's reply to what a student said below a question; its author is told. */
export function CommentReply({ id, parentId, onDone }: { id: number; parentId: number; onDone: () => void }) {
  const owner = useMe().me?.studentId ?? 0;
  const place = `qa.commentReply.${parentId}`;
  const [begun] = useState(() => typedDraft(owner, place, QA_LONGEST));
  const once = useSentOnce(owner, place);
  const save = useSend('POST /app/qa_core/save_comment', { renews: TAUGHT_LISTS });
  const form = useCallForm<{ comment: string }>({
    initialValues: { comment: begun },
    check: ({ comment }) => ({ comment: isBlank(comment) ? msg('请输入内容') : null }),
    fieldOf: ({ why }) => (why === 'commentEmpty' || why === 'textTooLong' ? 'comment' : undefined),
    send: async ({ comment }) => {
      const content = { id, parentId, comment };
      await save.mutateAsync({ ...content, clientId: once.nameOf(content) });
      once.arrived();
      done();
    },
  });
  const { comment } = form.values;
  const forget = useDraft(owner, place, comment === '' ? null : { text: comment });
  const done = () => {
    forget();
    onDone();
  };
  const fault: string | undefined = form.getInputProps('comment').error;
  return (
    <form {...form.formProps} className={classes.form} aria-label={t('回复')}>
      <CountedArea
        label={t('回复')}
        text={comment}
        longest={QA_LONGEST}
        onText={(now) => form.setFieldValue('comment', now)}
        fault={fault ?? form.refusal}
        wrong={fault !== undefined}
        readOnly={form.submitting}
        focused
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={done}>
          {t('取消')}
        </Button>
        <WaitButton type="submit" waiting={form.submitting} disabled={isBlank(comment)}>
          {t('回复')}
        </WaitButton>
      </div>
    </form>
  );
}
