import { Button } from '@mantine/core';
import { useRef } from 'react';
import { Link } from 'react-router';
import { LIVE, OTHER_PLATFORM, UPCOMING } from '#contract/values/live.ts';
import { confirm } from '#ui/confirm.ts';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay, formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { type Data, failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { LiveState, liveTimes } from './LiveFacts.tsx';
import { StreamPanel } from './StreamPanel.tsx';
import classes from './TaughtLives.module.css';

type Taught = Data<'GET /app/live/teach_list'>['list'][number];

/** The live lessons of the school as teachers see them: who booked how many, changing one, calling it off. */
export function TaughtLives({
  list,
  opened,
  onChange,
  onOpen,
}: {
  list: readonly Taught[];
  /** The lesson whose stream is shown; null: of none. */
  opened: number | null;
  onChange: (id: number) => void;
  onOpen: (id: number | null) => void;
}) {
  const cancel = useSend('POST /app/live/cancel', { renews: ['GET /app/live/teach_list', 'GET /app/live/list'] });
  const callOff = async ({ id, title, bookings, state, livePlatform }: Taught) => {
    const sure = await confirm({
      title: t('取消这场直播？'),
      text:
        state === LIVE && livePlatform !== OTHER_PLATFORM
          ? t(
              '“{title}”正在进行：取消后里面的人马上离开，已录的内容会删除，没有回放。要下课，请用“推流和开课”里的“结束直播”。',
              {
                title,
              },
            )
          : bookings === 0
            ? t('取消后学员不再看到“{title}”，不能恢复。', { title })
            : t('取消后学员不再看到“{title}”，预约的 {count} 人会收到通知，不能恢复。', { title, count: bookings }),
      yes: t('取消直播'),
      no: t('再想想'),
      danger: true,
    });
    if (!sure) return;
    try {
      await cancel.mutateAsync({ id });
      toast(t('直播已取消'), 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  const now = serverNow();
  const whole = useRef<HTMLUListElement>(null);
  useKeptFocus(whole, 'li');
  return (
    <ul ref={whole} tabIndex={-1} className={rows.rows}>
      {list.map((row) => (
        <li key={row.id} className={classes.row} tabIndex={-1}>
          <div className={classes.head}>
            <h3 className={classes.name}>{row.title}</h3>
            {row.cancelledAt === null ? (
              <LiveState state={row.state} />
            ) : (
              <span className={classes.off}>{t('{time} 取消', { time: formatMoment(row.cancelledAt, now) })}</span>
            )}
          </div>
          <p className={rows.facts}>
            <span>
              {formatDay(row.startTime, now)} {liveTimes(row)}
            </span>
            <span>{row.packName}</span>
            <span>{row.teacherName}</span>
            <span>{t('{count} 人预约', { count: row.bookings })}</span>
            {row.replayUrl !== '' && <span>{t('有回放')}</span>}
            {row.livePlatform === OTHER_PLATFORM && <span>{t('其他平台')}</span>}
          </p>
          {row.cancelledAt === null && (
            <div className={classes.actions}>
              {row.livePlatform !== OTHER_PLATFORM && (
                <Button
                  variant={row.state === LIVE ? 'filled' : 'default'}
                  size="sm"
                  aria-expanded={opened === row.id}
                  onClick={() => onOpen(opened === row.id ? null : row.id)}
                >
                  {row.state === UPCOMING || row.state === LIVE ? t('推流和开课') : t('回放')}
                </Button>
              )}
              {row.livePlatform !== OTHER_PLATFORM && row.state === LIVE && (
                <Button variant="default" size="sm" component={Link} to={paths.livePage({ liveId: row.id })}>
                  {t('进入直播间')}
                </Button>
              )}
              <Button variant="default" size="sm" onClick={() => onChange(row.id)}>
                {row.livePlatform !== OTHER_PLATFORM ||
                row.state === UPCOMING ||
                row.state === LIVE ||
                row.replayUrl !== ''
                  ? t('修改')
                  : t('添加回放')}
              </Button>
              {(row.state === UPCOMING || row.state === LIVE) && (
                <Button
                  variant="subtle"
                  color="cinnabar"
                  size="sm"
                  disabled={cancel.isPending}
                  onClick={() => void callOff(row)}
                >
                  {t('取消直播')}
                </Button>
              )}
            </div>
          )}
          {opened === row.id && row.cancelledAt === null && row.livePlatform !== OTHER_PLATFORM && (
            <StreamPanel liveId={row.id} />
          )}
        </li>
      ))}
    </ul>
  );
}
