import { Button } from '@mantine/core';
import { IconHeart, IconHeartFilled, IconPinnedFilled, IconTrash, IconX } from '@tabler/icons-react';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { COMMENT_LONGEST } from '#contract/values/comment.ts';
import { RowBones } from '#ui/Bones.tsx';
import { confirm } from '#ui/confirm.ts';
import icon from '#ui/icon-button.module.css';
import { toast } from '#ui/toast.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { typedDraft } from '#web/lib/drafts.ts';
import { Face } from '#web/lib/Face.tsx';
import { dayInChina } from '#web/lib/format.ts';
import { useMe } from '#web/lib/me.ts';
import { CallError, type Data } from '#web/lib/send.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { msg, t } from '#web/lib/t.ts';
import { bounded, isBlank, lengthOf } from '#web/lib/typed-text.ts';
import { invalidate, useCall, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import classes from './CommentPanel.module.css';
import { CommentText } from './CommentText.tsx';
import { Replies } from './Replies.tsx';

const LIST = 'GET /app/comment/list';
type Comment = Data<typeof LIST>['list'][number];

interface Props {
  packId: number;
  /** The lesson; left out: comments on all of them. */
  lessonId?: number | undefined;
  /** Leads through the pages. */
  pager: (bounds: { pageNum: number; pages: number; onPage: (page: number) => void }) => ReactNode;
}

/** Where one is in the list. */
interface Reading {
  page: number;
  /** From where they began. */
  beforeId?: number | undefined;
  /** Behind which comment this page begins; undefined: it is found by its number. */
  after?: string | undefined;
}

/** 评论 on a lesson, or of a whole pack: writing, liking, pages that stay as they are while others write (spec §2). */
export function CommentPanel({ packId, lessonId, pager }: Props) {
  const [writing, setWriting] = useState(false);
  const [{ page, beforeId, after }, setPlace] = useState<Reading>({ page: 1 });
  const list = useRef<HTMLDivElement>(null);
  // A comment may go after the dialog that asked has brought the keyboard back to it.
  useKeptFocus(list, 'li');
  const begin = useRef<HTMLButtonElement>(null);
  // The keyboard goes back to where it came from once the form is put away.
  const goesBack = useRef(false);
  useEffect(() => {
    if (!writing && goesBack.current) begin.current?.focus({ preventScroll: true });
    goesBack.current = false;
  }, [writing]);
  const call = useCall(
    LIST,
    {
      packId,
      page,
      pageSize: 10,
      ...(lessonId === undefined ? {} : { firstVideoId: lessonId }),
      ...(beforeId === undefined ? {} : { beforeId }),
      ...(after === undefined ? {} : { after }),
    },
    { staleTime: 0, keepPrevious: true },
  );
  // The last one of a page was deleted: what stands before it is not gone.
  const last = Math.max(1, call.data?.pages ?? 1);
  const behind = call.data !== undefined && call.data.pageNum > last;
  useEffect(() => {
    if (behind) setPlace((before) => (last === 1 ? { page: 1 } : { page: last, beforeId: before.beforeId }));
  }, [behind, last]);
  const toPage = (next: number) => {
    // The first page begins anew; the others go on from where its reader began, the next one behind the last that was read.
    setPlace(
      next === 1
        ? { page: 1 }
        : {
            page: next,
            beforeId: beforeId ?? call.data?.beforeId ?? undefined,
            // While another page is on its way, what is on the screen is not the one before.
            after: next === page + 1 && call.data?.pageNum === page ? (call.data.next ?? undefined) : undefined,
          },
    );
    list.current?.focus();
  };
  return (
    <div className={classes.panel}>
      {writing ? (
        <CommentForm
          packId={packId}
          lessonId={lessonId}
          onClose={() => {
            goesBack.current = true;
            setWriting(false);
          }}
          onSaved={() => {
            setWriting(false);
            toPage(1);
          }}
        />
      ) : (
        <Button ref={begin} variant="default" className={classes.begin} onClick={() => setWriting(true)}>
          {t('我要评论')}
        </Button>
      )}
      {/* The keyboard comes here with a new page. */}
      <div ref={list} tabIndex={-1}>
        <CallState
          call={call}
          skeleton={<RowBones count={3} height={76} />}
          empty={{
            when: ({ total }) => total === 0 && !behind,
            show: <p className={classes.none}>{t('快来发表评论吧~')}</p>,
          }}
        >
          {({ list: comments, pages, pageNum }) => (
            <>
              <ul className={classes.list}>
                {comments.map((comment) => (
                  <CommentRow key={comment.id} comment={comment} />
                ))}
              </ul>
              {pager({ pageNum, pages, onPage: toPage })}
            </>
          )}
        </CallState>
      </div>
    </div>
  );
}

interface FormProps extends Pick<Props, 'packId' | 'lessonId'> {
  onClose: () => void;
  onSaved: () => void;
}

function CommentForm({ packId, lessonId, onClose, onSaved }: FormProps) {
  const id = useId();
  const save = useSend('POST /app/comment/save', { renews: [LIST] });
  const owner = useMe().me?.studentId ?? 0;
  const place = `comment.${packId}.${lessonId ?? ''}`;
  const [begun] = useState(() => typedDraft(owner, place, COMMENT_LONGEST));
  const once = useSentOnce(owner, place);
  const form = useCallForm<{ comment: string }>({
    initialValues: { comment: begun },
    check: ({ comment }) => ({ comment: isBlank(comment) ? msg('请输入内容') : null }),
    fieldOf: ({ why }) => (why === 'commentEmpty' || why === 'textTooLong' ? 'comment' : undefined),
    send: async ({ comment }) => {
      const content = {
        ...{ packId, comment: comment.trim() },
        ...(lessonId === undefined ? {} : { firstVideoId: lessonId }),
      };
      const saved = await save.mutateAsync({ ...content, clientId: once.nameOf(content) });
      forget();
      once.arrived();
      form.setValues({ comment: '' });
      if (!saved.held) toast(t('评论已发表'), 'good');
      onSaved();
    },
  });
  const { comment } = form.values;
  const forget = useDraft(owner, place, comment === '' ? null : { text: comment });
  const missing: string | undefined = form.getInputProps('comment').error;
  const text = useRef<HTMLTextAreaElement>(null);
  // The button that was pressed for it is gone: whoever writes a comment writes at once.
  useEffect(() => text.current?.focus(), []);
  return (
    <form {...form.formProps} className={classes.form}>
      <div className={classes.formHead}>
        <label htmlFor={`${id}-text`}>{t('我要评论')}</label>
        <button type="button" className={icon.button} aria-label={t('关闭')} onClick={onClose}>
          <IconX size={18} stroke={1.7} aria-hidden />
        </button>
      </div>
      <textarea
        ref={text}
        id={`${id}-text`}
        rows={4}
        placeholder={t('说点什么…')}
        value={form.values.comment}
        readOnly={form.submitting}
        aria-invalid={missing !== undefined || undefined}
        aria-describedby={`${id}-error`}
        {...bounded(COMMENT_LONGEST, (text) => form.setFieldValue('comment', text))}
      />
      <div className={classes.formFoot}>
        <p id={`${id}-error`} className={classes.error} role="alert">
          {missing ?? form.refusal}
        </p>
        <small>
          {lengthOf(form.values.comment)} / {COMMENT_LONGEST}
        </small>
        <WaitButton type="submit" waiting={form.submitting}>
          {t('发表评论')}
        </WaitButton>
      </div>
    </form>
  );
}

/** What a list of comments is kept under. */
const isList = (key: QueryKey) => key[0] === LIST;

function CommentRow({ comment }: { comment: Comment }) {
  const client = useQueryClient();
  const praise = useSend('POST /app/comment/praise');
  const remove = useSend('POST /app/comment/delete', { renews: [LIST] });
  const liked = comment.praiseState === 1;
  const tell = (error: unknown) => {
    if (!(error instanceof CallError)) return;
    // It was deleted or hidden meanwhile: it leaves.
    const gone = error.why === 'notFound';
    toast(gone ? t('这条评论不在了') : t(error.msg), 'bad');
    if (gone) void invalidate(client, LIST);
  };
  const like = async () => {
    try {
      const now = await praise.mutateAsync({ id: comment.id, praiseState: liked ? 0 : 1 });
      // In place: a list that is asked for again would bring what others wrote meanwhile.
      client.setQueriesData<Data<typeof LIST>>({ predicate: ({ queryKey }) => isList(queryKey) }, (data) =>
        data === undefined
          ? data
          : { ...data, list: data.list.map((row) => (row.id === comment.id ? { ...row, ...now } : row)) },
      );
    } catch (error) {
      tell(error);
    }
  };
  const ask = async () => {
    if (!(await confirm({ title: t('删除这条评论？'), yes: t('删除'), danger: true }))) return;
    try {
      await remove.mutateAsync({ id: comment.id });
      toast(t('已删除'), 'good');
    } catch (error) {
      tell(error);
    }
  };
  const Heart = liked ? IconHeartFilled : IconHeart;
  return (
    <li tabIndex={-1} className={classes.comment}>
      <Face url={comment.avatarUrl} />
      <div className={classes.body}>
        <p className={classes.who}>
          <span>{comment.nickname}</span>
          {comment.pinned && (
            <span className={classes.pinned}>
              <IconPinnedFilled size={13} aria-hidden />
              {t('置顶')}
            </span>
          )}
          {comment.hidden && (
            <span className={classes.hidden}>
              {comment.held
                ? t('含有“{words}”，老师放行后其他人才能看到。', { words: comment.heldWords.join(t('、')) })
                : t('已被老师隐藏，只有您能看到')}
            </span>
          )}
        </p>
        <CommentText text={comment.comment} />
        <div className={classes.foot}>
          <time>{dayInChina(comment.createTime * 1000)}</time>
          <button
            type="button"
            className={classes.like}
            aria-pressed={liked}
            aria-label={t('赞（{n}）', { n: comment.praiseCount })}
            aria-disabled={praise.isPending || undefined}
            onClick={() => !praise.isPending && void like()}
          >
            <Heart size={17} stroke={1.6} aria-hidden />({comment.praiseCount})
          </button>
          {comment.mine && (
            <button type="button" className={icon.button} aria-label={t('删除我的评论')} onClick={() => void ask()}>
              <IconTrash size={17} stroke={1.6} aria-hidden />
            </button>
          )}
        </div>
        <Replies list={comment.childes} />
      </div>
    </li>
  );
}
