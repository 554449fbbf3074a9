import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { imageOpt } from '#contract/values/image.ts';
import { QA_LONGEST, type QaType, qaType } from '#contract/values/qa.ts';
import fields from '#ui/fields.module.css';
import { Pills } from '#ui/Pills.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CountedArea } from '#web/lib/CountedArea.tsx';
import { ImagePicker } from '#web/lib/ImagePicker.tsx';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { orNothing } from '#web/lib/picture-draft.ts';
import { type Data, isPassing } from '#web/lib/send.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { msg, t } from '#web/lib/t.ts';
import { isBlank } from '#web/lib/typed-text.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import { useImageUploads } from '#web/lib/useImageUploads.ts';
import { AnswerPromise } from './AnswerPromise.tsx';
import classes from './AskForm.module.css';
import { draftOf } from './draft.ts';
import { typeWords } from './qa-words.ts';
import { SimilarQuestions } from './SimilarQuestions.tsx';

type Asked = Data<'POST /app/feedback/submit'>;

/** What a question is about: a pack, and in it a lesson at a second, or an exam question as a record shows it. */
export interface Subject {
  packId: number;
  firstVideoId?: number | undefined;
  /** The second of that lesson at this moment; left out where nothing is played. */
  position?: (() => number | undefined) | undefined;
  questionId?: number | undefined;
  recordId?: number | undefined;
}

interface Props {
  subject: Subject;
  /** Only 教学答疑, where corrections have a way of their own. */
  teachingOnly?: boolean;
  onAsked: (question: Asked) => void;
  onClose: () => void;
}

/** The place of a draft: one for each thing that can be asked about. */
export const placeOf = ({ packId, firstVideoId, questionId }: Subject) =>
  `qa.${packId}.${firstVideoId ?? ''}.${questionId ?? ''}`;

/** The whole editor of a question (spec §2 Q&A screens, §4 Q&A input, §5): what it is, its words, its pictures. */
export function AskForm({ subject, teachingOnly = false, onAsked, onClose }: Props) {
  const id = useId();
  const { me } = useMe();
  const owner = me?.studentId ?? 0;
  // What is begun stays about that lesson, though the next one plays by now.
  const [about] = useState(subject);
  const place = placeOf(about);
  const [begun] = useState(() => draftOf(owner, place));
  const once = useSentOnce(owner, place);
  const ask = useSend('POST /app/feedback/submit');
  const form = useCallForm<{ feedbackType: QaType; feedbackDesc: string }>({
    initialValues: { feedbackType: teachingOnly ? qaType.teaching : begun.feedbackType, feedbackDesc: begun.text },
    check: ({ feedbackDesc }) => ({ feedbackDesc: isBlank(feedbackDesc) ? msg('请输入内容') : null }),
    fieldOf: ({ why }) => (why === 'commentEmpty' || why === 'textTooLong' ? 'feedbackDesc' : undefined),
    send: async ({ feedbackType, feedbackDesc }) => {
      const { packId, firstVideoId, questionId, recordId } = about;
      const position = place === placeOf(subject) && firstVideoId !== undefined ? subject.position?.() : undefined;
      const content = { packId, feedbackType, feedbackDesc, firstVideoId, questionId, recordId, ...uploads.fields };
      const asked = await ask.mutateAsync({ ...content, position, clientId: once.nameOf(content) });
      forget();
      once.arrived();
      form.setValues({ feedbackType, feedbackDesc: '' });
      uploads.clear();
      if (feedbackType !== qaType.teaching) toast(t('提交成功'), 'good');
      onAsked(asked);
    },
    onRefused: (failure) => {
      if (!isPassing(failure)) return false;
      toast(t('提交失败，请稍后重试'), 'bad');
      return true;
    },
  });
  const uploads = useImageUploads(imageOpt.qa, { images: begun.images, owner, place }, form.submitting);
  const { feedbackType, feedbackDesc } = form.values;
  const { kept } = uploads;
  const forget = useDraft(owner, place, orNothing({ feedbackType, text: feedbackDesc, images: kept }));
  const fault: string | undefined = form.getInputProps('feedbackDesc').error;
  const corrects = feedbackType === qaType.correction || feedbackType === qaType.videoStuck;
  const choose = (type: QaType) => form.setFieldValue('feedbackType', type);
  return (
    <form {...form.formProps} {...uploads.areaProps} className={classes.form} aria-label={t('提问')}>
      {!teachingOnly && (
        <Pills<QaType>
          label={t('问题类型')}
          value={corrects ? qaType.correction : feedbackType}
          choices={[
            [qaType.teaching, t(typeWords[qaType.teaching])],
            [qaType.correction, t('纠错')],
            [qaType.suggestion, t(typeWords[qaType.suggestion])],
          ]}
          onChoose={choose}
        />
      )}
      {corrects && (
        <fieldset className={`${fields.group} ${classes.kinds}`}>
          <legend>{t('哪里有错')}</legend>
          {([qaType.correction, qaType.videoStuck] as const).map((type) => (
            <label key={type} className={fields.choice}>
              <input type="radio" name={`${id}-kind`} checked={feedbackType === type} onChange={() => choose(type)} />
              {t(typeWords[type])}
            </label>
          ))}
        </fieldset>
      )}
      <CountedArea
        label={corrects ? t('错在哪里') : feedbackType === qaType.suggestion ? t('您的建议') : t('您的问题')}
        text={feedbackDesc}
        longest={QA_LONGEST}
        onText={(now) => form.setFieldValue('feedbackDesc', now)}
        fault={fault ?? form.refusal}
        wrong={fault !== undefined}
        readOnly={form.submitting}
        focused
        placeholder={t('请详细、具体的描述您的问题')}
      >
        <ImagePicker uploads={uploads} label={t('上传图片')} />
      </CountedArea>
      {feedbackType === qaType.teaching && <SimilarQuestions packId={about.packId} text={feedbackDesc} />}
      <div className={classes.foot}>
        <p className={classes.said}>
          <AnswerPromise /> <Link to={paths.qaRules()}>{t('提问答疑规范')}</Link>
        </p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('取消')}
          </Button>
          <WaitButton
            type="submit"
            waiting={form.submitting}
            disabled={isBlank(feedbackDesc) || uploads.busy || uploads.failed}
          >
            {t('提问')}
          </WaitButton>
        </div>
      </div>
    </form>
  );
}
