import { Button } from '@mantine/core';
import { useRef } from 'react';
import type { AnnouncementState } from '#contract/values/notice.ts';
import { Clamped } from '#ui/Clamped.tsx';
import chip from '#ui/chip.module.css';
import { confirm } from '#ui/confirm.ts';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { type Data, failureText } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './AnnouncementList.module.css';

type Announced = Data<'GET /app/common/announcement_list'>['list'][number];

const stateWords: Readonly<Record<AnnouncementState, string>> = {
  planned: msg('未开始'),
  shown: msg('显示中'),
  over: msg('已结束'),
  withdrawn: msg('已撤回'),
};

/** What was announced: to whom, from when to when, by whom, how many have read it; a teacher takes it back here. */
export function AnnouncementList({ list }: { list: readonly Announced[] }) {
  const withdraw = useSend('POST /app/common/announce_withdraw', { renews: ['GET /app/common/announcement_list'] });
  const takeBack = async ({ id, name }: Announced) => {
    const sure = await confirm({
      title: t('撤回这条通知？'),
      text: t('撤回后没有人再看到“{name}”，已经看过的人也不再看到。', { name }),
      yes: t('撤回'),
      danger: true,
    });
    if (!sure) return;
    try {
      await withdraw.mutateAsync({ id });
      toast(t('已撤回'), 'good');
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
            <h3 className={classes.name}>{row.name}</h3>
            <span className={chip.chip} data-tone={row.state === 'shown' ? 'jade' : undefined}>
              {t(stateWords[row.state])}
            </span>
          </div>
          <div className={classes.content}>
            <Clamped text={row.content} />
          </div>
          <p className={rows.facts}>
            <span>{row.packId === null ? t('所有人') : t('《{pack}》的学员', { pack: row.packName })}</span>
            <span>
              {t('{from} 至 {until}', { from: formatMoment(row.fromAt, now), until: formatMoment(row.untilAt, now) })}
            </span>
            <span>{row.userName === '' ? t('由管理命令发布') : t('{name} 发布', { name: row.userName })}</span>
            <span>{t('已读 {count} 人', { count: row.readers })}</span>
            {row.withdrawnAt !== null && (
              <span>
                {row.withdrawnBy === ''
                  ? t('{time} 撤回', { time: formatMoment(row.withdrawnAt, now) })
                  : t('{name} 于 {time} 撤回', { name: row.withdrawnBy, time: formatMoment(row.withdrawnAt, now) })}
              </span>
            )}
          </p>
          {(row.state === 'shown' || row.state === 'planned') && (
            <Button
              variant="default"
              size="sm"
              className={classes.withdraw}
              disabled={withdraw.isPending}
              onClick={() => void takeBack(row)}
            >
              {t('撤回')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
