import { Button } from '@mantine/core';
import { IconHeart, IconPinnedFilled } from '@tabler/icons-react';
import { RowBones } from '#ui/Bones.tsx';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { Face } from '#web/lib/Face.tsx';
import { dayInChina } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useMore } from '#web/lib/useMore.ts';
import classes from './CommentPanel.module.css';
import { CommentText } from './CommentText.tsx';
import { Replies } from './Replies.tsx';

const LIST = 'GET /api/common/pack_comment';

/** What students say of a pack and its lessons, for who considers it: read, not answered here. */
export function PackComments({ packId }: { packId: number }) {
  const { call, hasMore, loadingMore, moreError, readMore } = useMore(LIST, { packId, pageSize: 10 });
  return (
    <CallState
      call={call}
      skeleton={<RowBones count={2} height={76} />}
      empty={{
        when: ([first]) => first?.total === 0,
        show: <p className={classes.unsaid}>{t('还没有评论，学过的同学可以在课程学习页评论')}</p>,
      }}
    >
      {(pages) => (
        <>
          <ul className={classes.list}>
            {pages
              .flatMap(({ list }) => list)
              .map((comment) => (
                <Said key={comment.id} comment={comment} />
              ))}
          </ul>
          {moreError !== null && <p role="alert">{t(moreError.msg)}</p>}
          {hasMore &&
            (moreError === null ? (
              <WaitButton variant="default" waiting={loadingMore} onClick={readMore}>
                {t('更多评论')}
              </WaitButton>
            ) : (
              <Button variant="default" onClick={readMore}>
                {t('重试')}
              </Button>
            ))}
        </>
      )}
    </CallState>
  );
}

function Said({ comment }: { comment: Data<typeof LIST>['list'][number] }) {
  return (
    <li className={classes.comment}>
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
        </p>
        <CommentText text={comment.comment} />
        <div className={classes.foot}>
          <time>{dayInChina(comment.createTime * 1000)}</time>
          {comment.praiseCount > 0 && (
            <span className={classes.praised}>
              <IconHeart size={15} stroke={1.6} aria-hidden />
              <span className="unseen">{t('赞')}</span>({comment.praiseCount})
            </span>
          )}
        </div>
        <Replies list={comment.childes} />
      </div>
    </li>
  );
}
