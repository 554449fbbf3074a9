import { TextInput } from '@mantine/core';
import '#ui/form.css';
import { IconAlertTriangle, IconCheck, IconCloudOff } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { dayInChina, formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { CallError, type Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './DeskChecks.module.css';
import { channelWords } from './order-words.ts';
import { formatYuan } from './yuan.ts';

type Check = Data<'GET /api/order/desk_checks'>['list'][number];
const DAY = 86_400_000;

/** Compares a day with the bills now. */
export function CheckForm() {
  const [day, setDay] = useState(() => dayInChina(serverNow() - DAY));
  const check = useSend('POST /api/order/desk_check', { renews: ['GET /api/order/desk_checks'], timeout: 120_000 });
  const begin = async () => {
    try {
      await check.mutateAsync({ day });
      toast(t('已核对 {day}', { day }), 'good');
    } catch (error) {
      if (error instanceof CallError) toast(t(error.msg), 'bad');
    }
  };
  return (
    <form
      className={classes.form}
      aria-label={t('核对一天')}
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      <TextInput
        label={t('日期')}
        type="date"
        size="md"
        value={day}
        max={dayInChina(serverNow())}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <WaitButton type="submit" size="md" variant="default" waiting={check.isPending} disabled={day === ''}>
        {t('现在核对')}
      </WaitButton>
    </form>
  );
}

/** What the comparisons of the last days found: that there is no difference is said too. */
export function CheckList({ list }: { list: readonly Check[] }) {
  return (
    <ul className={`${rows.rows} ${classes.list}`}>
      {list.map((check) => (
        <li key={`${check.day} ${check.channel}`}>
          <div className={classes.head}>
            <b>{check.day}</b>
            <span>{t(channelWords[check.channel])}</span>
            <Outcome outcome={check.outcome} count={check.differences.length} />
          </div>
          <p className={rows.facts}>
            {check.outcome !== 'away' && (
              <>
                <span>{t('收款 {n} 笔 {sum}', { n: check.payments.count, sum: formatYuan(check.payments.sum) })}</span>
                <span>{t('退款 {n} 笔 {sum}', { n: check.refunds.count, sum: formatYuan(check.refunds.sum) })}</span>
              </>
            )}
            <span>{t('{time} 核对', { time: formatMoment(check.at, serverNow()) })}</span>
          </p>
          {check.differences.length > 0 && (
            <ul className={classes.differences}>
              {check.differences.map((one) => (
                <li key={`${one.what} ${one.no}`}>
                  <span>{sentenceOf(one)}</span>
                  {one.orderId === null ? (
                    <code>{one.no}</code>
                  ) : (
                    <Link to={paths.teachOrders({ id: one.orderId })}>{one.no}</Link>
                  )}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

function Outcome({ outcome, count }: { outcome: Check['outcome']; count: number }) {
  const Icon = { same: IconCheck, differs: IconAlertTriangle, away: IconCloudOff }[outcome];
  const word = {
    same: t('没有出入'),
    differs: t('{n} 处出入', { n: count }),
    away: t('还没有取到账单'),
  }[outcome];
  return (
    <span className={classes.outcome} data-outcome={outcome}>
      <Icon size={16} stroke={2} aria-hidden />
      {word}
    </span>
  );
}

function sentenceOf({ what, kind, amount, ourAmount }: Check['differences'][number]): string {
  const sum = formatYuan(amount);
  const of = kind === 'refund' ? t('退款') : t('收款');
  if (what === 'theirs') return t('只有账单里有的{of} {sum}', { of, sum });
  if (what === 'ours') return t('只有本站有的{of} {sum}', { of, sum });
  return t('{of}金额不同：账单 {sum}，本站 {ours}', { of, sum, ours: formatYuan(ourAmount ?? 0) });
}
