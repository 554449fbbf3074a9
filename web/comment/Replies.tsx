import { dayInChina } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './CommentPanel.module.css';

type Reply = Data<'GET /app/comment/list'>['list'][number]['childes'][number];

/** What teachers answered to a comment, below it. */
export function Replies({ list }: { list: readonly Reply[] }) {
  if (list.length === 0) return null;
  return (
    <ul className={classes.replies}>
      {list.map((reply) => (
        <li key={reply.id}>
          <p>
            <b>{reply.nickname}</b> {t('回复：')}
            <span className={classes.replyText}>{reply.comment}</span>
          </p>
          <time>{dayInChina(reply.createTime * 1000)}</time>
        </li>
      ))}
    </ul>
  );
}
