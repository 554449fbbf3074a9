import { useMemo } from 'react';
import { Link } from 'react-router';
import { noticeTexts } from '#contract/values/notice.ts';
import { Clamped } from '#ui/Clamped.tsx';
import rows from '#ui/rows.module.css';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { type Data, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { callKey } from '#web/lib/useCall.ts';
import { useSeen } from '#web/lib/useSeen.ts';
import classes from './NoticeList.module.css';

/** The tab of the course play page with the comments on the course (web/play/tabs.ts). */
const COMMENTS = 2;

type Notice = Data<'GET /app/common/notice'>['list'][number];
/** What an order has become, which stands on its page. */
const OF_ORDERS: ReadonlySet<Notice['kind']> = new Set([
  'orderReturned',
  'orderRefunded',
  'orderEnded',
  'refundDeclined',
  'invoiceIssued',
  'invoiceDeclined',
]);

/** What its author is told of their own words that nobody else sees now. */
const OUT_OF_SIGHT: ReadonlySet<Notice['kind']> = new Set(['qaHidden', 'qaHiddenUnsaid']);
/** What teachers are told of questions, which they look at in their queue. */
const FOR_TEACHERS: ReadonlySet<Notice['kind']> = new Set(['qaFollowedUp', 'qaAssigned']);

/**
 * Notices under each other. To be shown is to be looked at; the marks of what is new stay until one comes again. What the school
 * announces is read in its dialog alone.
 */
export function NoticeList({ list }: { list: readonly Notice[] }) {
  const seenHere = useMemo(() => list.filter(({ kind }) => kind !== 'announcement'), [list]);
  useSeen(
    seenHere,
    (fresh) => send('POST /app/common/notice_seen', { noticeIds: fresh.map(({ id }) => id) }),
    callKey('GET /app/common/notice_unread', {}),
  );
  const now = serverNow();
  return (
    <ul className={rows.rows}>
      {list.map(({ id, kind, words, recordId, qaId, createdAt, unread }) => (
        <li key={id} className={classes.notice}>
          <h2 className={classes.name}>
            {kind === 'announcement' ? words.name : t(noticeTexts[kind].name, words)}
            {unread && <span className={classes.fresh}>{t('新')}</span>}
          </h2>
          <div className={classes.content}>
            {kind === 'announcement' ? (
              <Clamped text={String(words.content)} lines={6} />
            ) : (
              <p>{t(noticeTexts[kind].content, words)}</p>
            )}
          </div>
          <p className={`${rows.facts} ${classes.facts}`}>
            <span>{formatMoment(createdAt, now)}</span>
            {kind === 'announcement' && <span>{t('学校通知')}</span>}
            {kind === 'reportAnswered' && <Link to={paths.myFeedback()}>{t('查看')}</Link>}
            {(kind === 'timeGiven' || kind === 'recordReopened') && (
              <Link to={paths.myExams({ state: 'open' })}>{t('回到考试')}</Link>
            )}
            {OF_ORDERS.has(kind) && <Link to={paths.myOrders()}>{t('我的订单')}</Link>}
            {kind === 'orderPaid' && <Link to={paths.myCourses()}>{t('我的课程')}</Link>}
            {(kind === 'liveStarts' || kind === 'liveMoved') && (
              <Link to={paths.livePage({ liveId: Number(words.liveId) })}>
                {kind === 'liveStarts' ? t('进入直播') : t('查看')}
              </Link>
            )}
            {kind === 'commentReplied' && (
              <Link
                to={paths.play(Number(words.packId), {
                  ...(Number(words.lessonId) > 0 ? { lesson: Number(words.lessonId) } : {}),
                  tab: COMMENTS,
                })}
              >
                {t('查看')}
              </Link>
            )}
            {qaId !== null && !OUT_OF_SIGHT.has(kind) && (
              <Link to={FOR_TEACHERS.has(kind) ? paths.teachQa({ id: qaId }) : paths.qa({ id: qaId })}>
                {t('查看')}
              </Link>
            )}
            {(kind === 'rescored' || kind === 'ruleCorrected') && recordId !== null && (
              <Link to={paths.examResult(recordId)}>{t('查看成绩')}</Link>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
