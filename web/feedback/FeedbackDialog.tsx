import { Button, Modal } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { FEEDBACK_LONGEST } from '#contract/values/feedback.ts';
import { imageOpt } from '#contract/values/image.ts';
import dialog from '#ui/dialog-actions.module.css';
import fields from '#ui/fields.module.css';
import { examToast, toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { keptDraft } from '#web/lib/drafts.ts';
import { ImagePicker } from '#web/lib/ImagePicker.tsx';
import { useMe } from '#web/lib/me.ts';
import { begunFrom, nothingBegun, orNothing } from '#web/lib/picture-draft.ts';
import { CallError } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { bounded, isBlank, lengthOf } from '#web/lib/typed-text.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import { useImageUploads } from '#web/lib/useImageUploads.ts';
import classes from './FeedbackDialog.module.css';
import { feedbackTypes } from './report-words.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The question that the report is about. */
  questionId: number;
  /** Where it is seen: its version, and its letters. */
  recordId: number;
  packId: number;
  /** The course of the exam; null for one of the whole pack: the server then takes the course of the question. */
  courseId: number | null;
}

/** What the student has filled in; a type other than null once it was checked. */
type Report = { feedbackType: number | null; feedbackDesc: string };

/** A report that was begun; null: it is none. */
function readDraft(kept: object) {
  const said = begunFrom(kept, FEEDBACK_LONGEST);
  const type = (kept as Record<string, unknown>).feedbackType;
  const known = feedbackTypes.find(([value]) => value === type);
  return said === null ? null : { feedbackType: known?.[0] ?? null, ...said };
}

/**
 * 试题反馈 about one question (spec §2, §5), one instance a question: what was begun stays when the dialog is closed, until
 * another question comes. What is missing is said at its field; below the fields stands what became of the sending.
 */
export function FeedbackDialog({ opened, onClose, questionId, recordId, packId, courseId }: Props) {
  const id = useId();
  const report = useSend('POST /app/feedback/lx_submit', { renews: ['GET /app/feedback/history'] });
  // By the time the answer is here, another question or another dialog may be: that one stays.
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = opened;
    return () => {
      isOpen.current = false;
    };
  }, [opened]);
  const owner = useMe().me?.studentId ?? 0;
  const place = `report.${recordId}.${questionId}`;
  const [begun] = useState(() => keptDraft(owner, place, readDraft) ?? { feedbackType: null, ...nothingBegun });
  const form = useCallForm<Report>({
    initialValues: { feedbackType: begun.feedbackType, feedbackDesc: begun.text },
    check: ({ feedbackType, feedbackDesc }) => ({
      feedbackType: feedbackType === null ? msg('请至少选择一个选项') : null,
      feedbackDesc: isBlank(feedbackDesc) ? msg('请输入问题描述') : null,
    }),
    send: async ({ feedbackType, feedbackDesc }) => {
      if (feedbackType === null) return;
      await report.mutateAsync({
        feedbackType,
        resourceId: courseId ?? undefined,
        packId,
        feedbackDesc: feedbackDesc.trim(),
        questionId,
        recordId,
        ...uploads.fields,
      });
      toast(t('已收到您的反馈，感谢'), 'good', examToast);
      forget();
      form.setValues({ feedbackType: null, feedbackDesc: '' });
      uploads.clear();
      if (isOpen.current) onClose();
    },
  });
  const uploads = useImageUploads(imageOpt.feedback, { images: begun.images, owner, place }, form.submitting);
  const { feedbackType, feedbackDesc } = form.values;
  const forget = useDraft(owner, place, orNothing({ feedbackType, text: feedbackDesc, images: uploads.kept }));
  // A picture that is no longer there is the only fault that its author can mend.
  const gone = report.error instanceof CallError && report.error.why === 'imageNotYours';
  const typeMissing: string | undefined = form.getInputProps('feedbackType').error;
  const textMissing: string | undefined = form.getInputProps('feedbackDesc').error;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('试题反馈')}
      size={480}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      <form {...form.formProps} {...uploads.areaProps}>
        <fieldset className={`${fields.group} ${classes.choices}`} aria-describedby={`${id}-type-error`}>
          <legend>{t('问题类型')}</legend>
          {feedbackTypes.map(([value, word], at) => (
            <label key={value} className={fields.choice}>
              <input
                type="radio"
                name={id}
                data-autofocus={at === 0 || undefined}
                aria-invalid={typeMissing !== undefined || undefined}
                checked={form.values.feedbackType === value}
                onChange={() => form.setFieldValue('feedbackType', value)}
              />
              {t(word)}
            </label>
          ))}
        </fieldset>
        <p id={`${id}-type-error`} className={`${fields.error} ${classes.typeError}`} role="alert">
          {typeMissing}
        </p>
        <label className={fields.label} htmlFor={`${id}-text`}>
          {t('问题描述')}
          <small>
            {lengthOf(form.values.feedbackDesc)} / {FEEDBACK_LONGEST}
          </small>
        </label>
        <textarea
          id={`${id}-text`}
          className={fields.area}
          value={form.values.feedbackDesc}
          readOnly={form.submitting}
          placeholder={t('请说明哪里有问题')}
          aria-invalid={textMissing !== undefined || undefined}
          aria-describedby={`${id}-text-error`}
          {...bounded(FEEDBACK_LONGEST, (text) => form.setFieldValue('feedbackDesc', text))}
        />
        <p id={`${id}-text-error`} className={`${fields.error} ${classes.textError}`} role="alert">
          {textMissing}
        </p>
        <ImagePicker
          uploads={uploads}
          label={t('上传图片')}
          hint={t('JPG、PNG 格式，每张不超过 500KB，可以粘贴或拖入')}
        />
        <p className={`${fields.error} ${classes.error}`} role="alert" data-of="sending">
          {gone ? form.refusal : form.refusal === null ? null : t('反馈失败，请稍后重试')}
        </p>
        <div className={dialog.actions}>
          <Button variant="default" onClick={onClose}>
            {t('取消')}
          </Button>
          <WaitButton type="submit" waiting={form.submitting} disabled={uploads.busy || uploads.failed}>
            {uploads.busy ? t('图片上传中') : t('提交')}
          </WaitButton>
        </div>
      </form>
    </Modal>
  );
}
