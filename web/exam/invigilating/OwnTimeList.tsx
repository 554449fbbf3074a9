import { Button } from '@mantine/core';
import { confirm } from '#ui/confirm.ts';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { type Data, failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './OwnTimeList.module.css';

type Grant = Data<'GET /app/exam/accommodations'>['list'][number];

/** Students with time of their own: how much, where, why and who set it; what has ended stays. */
export function OwnTimeList({ list }: { list: readonly Grant[] }) {
  return (
    <ul className={rows.rows}>
      {list.map((grant) => (
        <Row key={grant.id} grant={grant} />
      ))}
    </ul>
  );
}

function Row({ grant }: { grant: Grant }) {
  const { id, nickname, validPhoneExt, packName, reason, setBy, setAt, endedBy, endedAt } = grant;
  const now = serverNow();
  const send = useSend('POST /app/exam/end_accommodation', { renews: ['GET /app/exam/accommodations'] });
  const end = async () => {
    const yes = await confirm({
      title: t('不再为 {nickname} 延长考试时间？', { nickname }),
      text: t('之后开始的试卷恢复通常的时间，正在考的不变。'),
      yes: t('停止延长'),
      careful: true,
    });
    if (!yes) return;
    await send.mutateAsync({ id }).catch((error: unknown) => toast(failureText(error), 'bad'));
  };
  return (
    <li className={classes.row} data-ended={endedAt !== null || undefined}>
      <div className={classes.words}>
        <p className={classes.name}>
          {nickname} <small>{validPhoneExt}</small> <span className={classes.more}>{sayMore(grant)}</span>
        </p>
        <p className={classes.why}>{reason}</p>
        <p className={rows.facts}>
          <span>{packName ?? t('全部课程')}</span>
          <span>{t('{who} 设置于 {moment}', { who: setBy, moment: formatMoment(setAt, now) })}</span>
          {endedAt !== null && (
            <span>{t('{who} 停止于 {moment}', { who: endedBy ?? '', moment: formatMoment(endedAt, now) })}</span>
          )}
        </p>
      </div>
      {endedAt === null && (
        <Button
          variant="default"
          disabled={send.isPending}
          onClick={() => void end()}
          aria-label={t('停止为 {nickname} 延长', { nickname })}
        >
          {t('停止')}
        </Button>
      )}
    </li>
  );
}

function sayMore({ percent, minutes }: Grant): string {
  return percent === null
    ? t('加时 {minutes} 分钟', { minutes: minutes ?? 0 })
    : t('{times} 倍', { times: percent / 100 });
}
