import { Button } from '@mantine/core';
import { useRef } from 'react';
import { confirm } from '#ui/confirm.ts';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { saveSheet } from '#web/lib/save-sheet.ts';
import { CallError, type Data, failureText, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { offText, termsText } from './coupon-words.ts';
import classes from './DeskCoupons.module.css';

type Coupon = Data<'GET /api/order/desk_coupons'>['list'][number];

/** The kinds of coupons of the school: how many went out, their codes, and ending one. */
export function DeskCoupons({ list }: { list: readonly Coupon[] }) {
  const whole = useRef<HTMLUListElement>(null);
  useKeptFocus(whole, 'li');
  return (
    <ul ref={whole} tabIndex={-1} className={`${rows.rows} ${classes.list}`}>
      {list.map((coupon) => (
        <li key={coupon.slug} tabIndex={-1}>
          <CouponRow coupon={coupon} />
        </li>
      ))}
    </ul>
  );
}

function CouponRow({ coupon }: { coupon: Coupon }) {
  const end = useSend('POST /api/order/desk_coupon_end', { renews: ['GET /api/order/desk_coupons'] });
  const now = serverNow();
  const over = coupon.endedAt !== null || coupon.validUntil <= now;
  const stop = async () => {
    const sure = await confirm({
      title: t('停用“{name}”？', { name: coupon.name }),
      text: t('不再发放，已领的也不能再用；已经下的订单不变。停用后不能恢复。'),
      yes: t('停用'),
      danger: true,
    });
    if (!sure) return;
    try {
      await end.mutateAsync({ slug: coupon.slug });
    } catch (error) {
      if (error instanceof CallError) toast(t(error.msg), 'bad');
    }
  };
  const codes = async () => {
    try {
      const { list } = await send('GET /api/order/desk_codes', { slug: coupon.slug });
      const head = [t('兑换码'), t('可用次数'), t('已用次数')];
      await saveSheet(t('兑换码'), [head, ...list.map(({ code, most, used }) => [code, most ?? t('不限'), used])]);
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  return (
    <div className={classes.row} data-over={over || undefined}>
      <div className={classes.words}>
        <p className={classes.name}>
          <b>{offText(coupon)}</b> {coupon.name}
        </p>
        <p className={rows.facts}>
          <span>{termsText(coupon)}</span>
          <span>{coupon.packNames === null ? t('所有课程包可用') : coupon.packNames.join(' · ')}</span>
          <span>
            {formatDay(coupon.validFrom, now)} – {formatDay(coupon.validUntil - 1, now)}
          </span>
          <span>{t('每人 {n} 张', { n: coupon.perPerson })}</span>
        </p>
        <p className={rows.facts}>
          <span>
            {coupon.most === null
              ? t('已领 {n}', { n: coupon.given })
              : t('已领 {n} / {most}', { n: coupon.given, most: coupon.most })}
          </span>
          <span>{t('已用 {n}', { n: coupon.used })}</span>
          <span>{t('{n} 个兑换码', { n: coupon.codes })}</span>
          {coupon.endedAt !== null ? <span>{t('已停用')}</span> : over && <span>{t('已过期')}</span>}
        </p>
      </div>
      <div className={classes.buttons}>
        <Button variant="default" size="sm" onClick={() => void codes()}>
          {t('导出兑换码')}
        </Button>
        {!over && (
          <WaitButton variant="default" size="sm" waiting={end.isPending} onClick={() => void stop()}>
            {t('停用')}
          </WaitButton>
        )}
      </div>
    </div>
  );
}
