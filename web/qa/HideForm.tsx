import { Button } from '@mantine/core';
import { useState } from 'react';
import { QA_REASON_LONGEST } from '#contract/values/qa.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CountedArea } from '#web/lib/CountedArea.tsx';
import { typedDraft } from '#web/lib/drafts.ts';
import { useMe } from '#web/lib/me.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import classes from './HideForm.module.css';
import { TAUGHT_LISTS } from './taught.ts';

/** Takes an entry out of sight. Why is asked, since its author is told; it may be left out. */
export function HideForm({ id, onDone }: { id: number; onDone: () => void }) {
  const hide = useSend('POST /app/qa_core/hide', { renews: TAUGHT_LISTS });
  const owner = useMe().me?.studentId ?? 0;
  const place = `qa.hide.${id}`;
  const [begun] = useState(() => typedDraft(owner, place, QA_REASON_LONGEST));
  const form = useCallForm<{ reason: string }>({
    initialValues: { reason: begun },
    check: () => ({}),
    fieldOf: () => 'reason',
    send: async ({ reason }) => {
      await hide.mutateAsync({ id, hidden: 1, reason });
      done();
    },
  });
  const { reason } = form.values;
  const forget = useDraft(owner, place, reason === '' ? null : { text: reason });
  const done = () => {
    forget();
    onDone();
  };
  const fault: string | undefined = form.getInputProps('reason').error;
  return (
    <form {...form.formProps} className={classes.form} aria-label={t('隐藏')}>
      <CountedArea
        label={t('隐藏的原因（可不填，会告诉作者）')}
        text={reason}
        longest={QA_REASON_LONGEST}
        onText={(now) => form.setFieldValue('reason', now)}
        fault={fault ?? form.refusal}
        wrong={fault !== undefined}
        readOnly={form.submitting}
        focused
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={done}>
          {t('取消')}
        </Button>
        <WaitButton type="submit" waiting={form.submitting}>
          {t('确认隐藏')}
        </WaitButton>
      </div>
    </form>
  );
}
