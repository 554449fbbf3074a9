import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './CouponCards.module.css';
import { offText, termsText } from './coupon-words.ts';

type Coupon = Data<'GET /api/coupon/list'>['list'][number];

/** Own coupons, those that can be used first. */
export function CouponCards({ list }: { list: readonly Coupon[] }) {
  return (
    <ul className={classes.cards}>
      {list.map((coupon) => (
        <li key={coupon.userCouponId} className={classes.card} data-gone={isGone(coupon) || undefined}>
          <b className={classes.off}>{offText(coupon)}</b>
          <span className={classes.words}>
            <span className={classes.name}>{coupon.name}</span>
            <span>{termsText(coupon)}</span>
            <span>
              {coupon.packIds === null
                ? t('所有课程包可用')
                : t('指定的 {n} 个课程包可用', { n: coupon.packIds.length })}
            </span>
            <span>{standing(coupon)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

const isGone = ({ state, over }: Coupon) => state === 'used' || over === 1;

function standing({ state, over, validFrom, validUntil }: Coupon): string {
  if (state === 'used') return t('已使用');
  if (state === 'held') return t('正用于一个待支付的订单');
  if (over === 1) return t('已失效');
  const now = serverNow();
  if (validFrom > now) return t('{day} 起可用', { day: formatDay(validFrom, now) });
  // The end is the first moment in which it cannot be used any more.
  return t('{day} 前有效（含当天）', { day: formatDay(validUntil - 1, now) });
}
