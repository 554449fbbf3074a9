import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { COMMENT_LONGEST } from '#contract/values/comment.ts';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { typedDraft } from '#web/lib/drafts.ts';
import { Face } from '#web/lib/Face.tsx';
import { dayInChina } from '#web/lib/format.ts';
import { useMe } from '#web/lib/me.ts';
import { CallError, type Data } from '#web/lib/send.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { msg, sentences, t, tIn } from '#web/lib/t.ts';
import { bounded, isBlank } from '#web/lib/typed-text.ts';
import { invalidate, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import classes from './CommentPanel.module.css';
import { Replies } from './Replies.tsx';
import own from './TaughtComments.module.css';

const MANAGE = 'GET /app/comment/manage';
type Taught = Data<typeof MANAGE>['list'][number];

/** Comments as teachers see them: replying, pinning, hiding. */
export function TaughtComments({ list }: { list: readonly Taught[] }) {
  return (
    <ul className={classes.list}>
      {list.map((comment) => (
        <TaughtComment key={comment.id} comment={comment} />
      ))}
    </ul>
  );
}

function TaughtComment({ comment }: { comment: Taught }) {
  const [replying, setReplying] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  useSwapFocus(row, replying);
  const pin = useSend('POST /app/comment/pin', { renews: [MANAGE] });
  const hide = useSend('POST /app/comment/hide', { renews: [MANAGE] });
  const client = useQueryClient();
  const tell = (error: unknown) => {
    if (!(error instanceof CallError)) return;
    toast(t(error.msg), 'bad');
    // Its writer has deleted it: it leaves.
    if (error.why === 'notFound') void invalidate(client, MANAGE);
  };
  const { id, pinned, hidden } = comment;
  return (
    <li ref={row} tabIndex={-1} className={classes.comment}>
      <Face url={comment.avatarUrl} />
      <div className={classes.body}>
        <p className={classes.who}>
          <span>{comment.nickname}</span>
          <span className={own.phone}>{comment.validPhoneExt}</span>
          {pinned && <span className={classes.pinned}>{t('置顶')}</span>}
          {hidden && (
            <span className={classes.hidden}>
              {comment.held
                ? t('含有“{words}”，只有作者能看到。', { words: comment.heldWords.join(t('、')) })
                : t('已隐藏')}
            </span>
          )}
        </p>
        <p className={own.where}>
          {sentences(comment.packName, comment.firstVideoName !== '' && ` · ${comment.firstVideoName}`)}
        </p>
        <p className={classes.text}>{comment.comment}</p>
        <div className={classes.foot}>
          <time>{dayInChina(comment.createTime * 1000)}</time>
          <span>{t('赞（{n}）', { n: comment.praiseCount })}</span>
        </div>
        <Replies list={comment.childes} />
        <div className={own.tools}>
          <Button variant="default" aria-expanded={replying} onClick={() => setReplying(!replying)} data-takes-focus>
            {t('回复')}
          </Button>
          <WaitButton
            variant="default"
            waiting={pin.isPending}
            onClick={() => void pin.mutateAsync({ id, pinned: pinned ? 0 : 1 }).catch(tell)}
          >
            {pinned ? t('取消置顶') : tIn('do', '置顶')}
          </WaitButton>
          <WaitButton
            variant="default"
            waiting={hide.isPending}
            onClick={() => void hide.mutateAsync({ id, hidden: hidden ? 0 : 1 }).catch(tell)}
          >
            {comment.held ? t('放行') : hidden ? t('恢复显示') : t('隐藏')}
          </WaitButton>
        </div>
        {replying && <ReplyForm id={id} onDone={() => setReplying(false)} />}
      </div>
    </li>
  );
}

function ReplyForm({ id, onDone }: { id: number; onDone: () => void }) {
  const field = useId();
  const reply = useSend('POST /app/comment/reply', { renews: [MANAGE] });
  const owner = useMe().me?.studentId ?? 0;
  const place = `comment.reply.${id}`;
  const [begun] = useState(() => typedDraft(owner, place, COMMENT_LONGEST));
  const once = useSentOnce(owner, place);
  const form = useCallForm<{ comment: string }>({
    initialValues: { comment: begun },
    check: ({ comment }) => ({ comment: isBlank(comment) ? msg('请输入内容') : null }),
    fieldOf: ({ why }) => (why === 'commentEmpty' || why === 'textTooLong' ? 'comment' : undefined),
    send: async ({ comment }) => {
      const content = { id, comment: comment.trim() };
      await reply.mutateAsync({ ...content, clientId: once.nameOf(content) });
      forget();
      once.arrived();
      toast(t('回复已发表'), 'good');
      onDone();
    },
  });
  const { comment } = form.values;
  const forget = useDraft(owner, place, comment === '' ? null : { text: comment });
  const missing: string | undefined = form.getInputProps('comment').error;
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <form {...form.formProps} className={classes.form}>
      <label htmlFor={field}>{t('回复这条评论')}</label>
      <textarea
        ref={area}
        id={field}
        rows={3}
        value={form.values.comment}
        readOnly={form.submitting}
        aria-invalid={missing !== undefined || undefined}
        aria-describedby={`${field}-error`}
        {...bounded(COMMENT_LONGEST, (text) => form.setFieldValue('comment', text))}
      />
      <div className={classes.formFoot}>
        <p id={`${field}-error`} className={classes.error} role="alert">
          {missing ?? form.refusal}
        </p>
        <WaitButton type="submit" waiting={form.submitting}>
          {t('发表回复')}
        </WaitButton>
      </div>
    </form>
  );
}
