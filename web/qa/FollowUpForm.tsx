import { Button } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { imageOpt } from '#contract/values/image.ts';
import { QA_LONGEST } from '#contract/values/qa.ts';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { ImagePicker } from '#web/lib/ImagePicker.tsx';
import { useMe } from '#web/lib/me.ts';
import { orNothing } from '#web/lib/picture-draft.ts';
import { isPassing } from '#web/lib/send.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { msg, t } from '#web/lib/t.ts';
import { bounded, isBlank, lengthOf } from '#web/lib/typed-text.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import { useImageUploads } from '#web/lib/useImageUploads.ts';
import { followUpDraft, followUpPlace } from './draft.ts';
import classes from './FollowUpForm.module.css';
import { QUESTION_LISTS } from './question-lists.ts';

interface Props {
  parentId: number;
  /** The keyboard goes to its words as it opens. */
  takesFocus: boolean;
  onClose: () => void;
}

/** 追问 below the entry that it is about (spec §2, decisions §6). */
export function FollowUpForm({ parentId, takesFocus, onClose }: Props) {
  const id = useId();
  const save = useSend('POST /app/feedback/reply', { renews: QUESTION_LISTS });
  const owner = useMe().me?.studentId ?? 0;
  const place = followUpPlace(parentId);
  const [begun] = useState(() => followUpDraft(owner, parentId));
  const area = useRef<HTMLTextAreaElement>(null);
  const once = useSentOnce(owner, place);
  useEffect(() => {
    if (takesFocus) area.current?.focus();
  }, [takesFocus]);
  const form = useCallForm<{ feedbackDesc: string }>({
    initialValues: { feedbackDesc: begun.text },
    check: ({ feedbackDesc }) => ({ feedbackDesc: isBlank(feedbackDesc) ? msg('请输入内容') : null }),
    fieldOf: ({ why }) => (why === 'commentEmpty' || why === 'textTooLong' ? 'feedbackDesc' : undefined),
    send: async ({ feedbackDesc }) => {
      const content = { parentId, feedbackDesc, ...uploads.fields };
      await save.mutateAsync({ ...content, clientId: once.nameOf(content) });
      forget();
      once.arrived();
      toast(t('提交成功'), 'good');
      onClose();
    },
    onRefused: (failure) => {
      if (!isPassing(failure)) return false;
      toast(t('提交失败，请稍后重试'), 'bad');
      return true;
    },
  });
  const uploads = useImageUploads(imageOpt.qa, { images: begun.images, owner, place }, form.submitting);
  const { feedbackDesc } = form.values;
  const { kept } = uploads;
  const forget = useDraft(owner, place, orNothing({ text: feedbackDesc, images: kept }));
  const fault: string | undefined = form.getInputProps('feedbackDesc').error;
  const cancel = () => {
    forget();
    uploads.clear();
    onClose();
  };
  return (
    <form {...form.formProps} {...uploads.areaProps} className={classes.form} aria-label={t('追问')}>
      <label className={fields.label} htmlFor={`${id}-text`}>
        {t('追问')}
        <small>
          {lengthOf(feedbackDesc)} / {QA_LONGEST}
        </small>
      </label>
      <textarea
        ref={area}
        id={`${id}-text`}
        className={fields.area}
        value={feedbackDesc}
        readOnly={form.submitting}
        placeholder={t('还有哪里不明白')}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={`${id}-error`}
        {...bounded(QA_LONGEST, (text) => form.setFieldValue('feedbackDesc', text))}
      />
      <ImagePicker uploads={uploads} label={t('上传图片')} />
      <p id={`${id}-error`} className={fields.error} role="alert">
        {fault ?? form.refusal}
      </p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={cancel}>
          {t('取消')}
        </Button>
        <WaitButton
          type="submit"
          waiting={form.submitting}
          disabled={isBlank(feedbackDesc) || uploads.busy || uploads.failed}
        >
          {t('追问')}
        </WaitButton>
      </div>
    </form>
  );
}
