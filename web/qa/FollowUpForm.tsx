import { Button } from '@mantine/core';
import { useState } from 'react';
import { imageOpt } from '#contract/values/image.ts';
import { QA_LONGEST } from '#contract/values/qa.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CountedArea } from '#web/lib/CountedArea.tsx';
import { ImagePicker } from '#web/lib/ImagePicker.tsx';
import { useMe } from '#web/lib/me.ts';
import { orNothing } from '#web/lib/picture-draft.ts';
import { isPassing } from '#web/lib/send.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { msg, t } from '#web/lib/t.ts';
import { isBlank } from '#web/lib/typed-text.ts';
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
  const save = useSend('POST /app/feedback/reply', { renews: QUESTION_LISTS });
  const owner = useMe().me?.studentId ?? 0;
  const place = followUpPlace(parentId);
  const [begun] = useState(() => followUpDraft(owner, parentId));
  const once = useSentOnce(owner, place);
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
      <CountedArea
        label={t('追问')}
        text={feedbackDesc}
        longest={QA_LONGEST}
        onText={(now) => form.setFieldValue('feedbackDesc', now)}
        fault={fault ?? form.refusal}
        wrong={fault !== undefined}
        readOnly={form.submitting}
        focused={takesFocus}
        placeholder={t('还有哪里不明白')}
      >
        <ImagePicker uploads={uploads} label={t('上传图片')} />
      </CountedArea>
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
