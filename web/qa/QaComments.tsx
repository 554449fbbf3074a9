import { useId, useRef, useState } from 'react';
import { QA_LONGEST } from '#contract/values/qa.ts';
import { RowBones } from '#ui/Bones.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { typedDraft } from '#web/lib/drafts.ts';
import { useMe } from '#web/lib/me.ts';
import { failureText } from '#web/lib/send.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { msg, t } from '#web/lib/t.ts';
import { bounded, isBlank, lengthOf } from '#web/lib/typed-text.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import { useMore } from '#web/lib/useMore.ts';
import classes from './QaComments.module.css';
import { Entry } from './QuestionItem.tsx';
import { QUESTION_LISTS } from './question-lists.ts';

const LIST = 'GET /app/qa/comment';

/** 讨论: what students say below a question, newest first. */
export function QaComments({ id, mayWrite }: { id: number; mayWrite: boolean }) {
  const { call, hasMore, loadingMore, moreError, readMore } = useMore(LIST, { id, pageSize: 20 });
  const whole = useRef<HTMLElement>(null);
  useKeptFocus(whole, 'li');
  return (
    <section ref={whole} tabIndex={-1} className={classes.comments} aria-labelledby="qa-comments">
      <h2 id="qa-comments">{t('讨论')}</h2>
      {mayWrite && <CommentForm id={id} />}
      <CallState
        call={call}
        skeleton={<RowBones count={2} height={72} />}
        empty={{
          when: (pages) => pages.every(({ list }) => list.length === 0),
          show: <p className={classes.none}>{t('还没有人参与讨论')}</p>,
        }}
      >
        {(pages) => (
          <>
            <ul className={classes.list}>
              {pages.flatMap(({ list }) => list.map((comment) => <Entry key={comment.id} child={comment} />))}
            </ul>
            {moreError !== null && <p role="alert">{failureText(moreError)}</p>}
            {hasMore && (
              <WaitButton variant="default" fullWidth waiting={loadingMore} onClick={readMore}>
                {t('加载更多')}
              </WaitButton>
            )}
          </>
        )}
      </CallState>
    </section>
  );
}

function CommentForm({ id }: { id: number }) {
  const field = useId();
  const owner = useMe().me?.studentId ?? 0;
  const place = `qa.comment.${id}`;
  const [begun] = useState(() => typedDraft(owner, place, QA_LONGEST));
  const once = useSentOnce(owner, place);
  const save = useSend('POST /app/qa_core/save_comment', { renews: [LIST, ...QUESTION_LISTS] });
  const area = useRef<HTMLTextAreaElement>(null);
  const form = useCallForm<{ comment: string }>({
    initialValues: { comment: begun },
    check: ({ comment }) => ({ comment: isBlank(comment) ? msg('请输入内容') : null }),
    fieldOf: ({ why }) => (why === 'commentEmpty' || why === 'textTooLong' ? 'comment' : undefined),
    send: async ({ comment }) => {
      const content = { id, comment };
      const saved = await save.mutateAsync({ ...content, clientId: once.nameOf(content) });
      forget();
      once.arrived();
      form.setValues({ comment: '' });
      // Its button sends nothing now, and a browser takes the keyboard away from it. Not to the words: a phone would open its keys over them.
      const whole = form.formProps.ref.current;
      if (document.activeElement !== area.current && whole?.contains(document.activeElement))
        whole.focus({ preventScroll: true });
      if (!saved.held) toast(t('评论已发表'), 'good');
    },
  });
  const { comment } = form.values;
  const forget = useDraft(owner, place, comment === '' ? null : { text: comment });
  const fault: string | undefined = form.getInputProps('comment').error;
  return (
    <form {...form.formProps} tabIndex={-1} aria-label={t('发表评论')}>
      <label className={fields.label} htmlFor={field}>
        {t('说点什么')}
        <small>
          {lengthOf(comment)} / {QA_LONGEST}
        </small>
      </label>
      <textarea
        ref={area}
        id={field}
        className={`${fields.area} ${classes.area}`}
        value={comment}
        readOnly={form.submitting}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={`${field}-error`}
        {...bounded(QA_LONGEST, (text) => form.setFieldValue('comment', text))}
      />
      <div className={classes.foot}>
        <p id={`${field}-error`} className={fields.error} role="alert">
          {fault ?? form.refusal}
        </p>
        <WaitButton type="submit" waiting={form.submitting} disabled={isBlank(comment)}>
          {t('发表评论')}
        </WaitButton>
      </div>
    </form>
  );
}
