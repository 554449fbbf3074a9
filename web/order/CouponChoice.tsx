import { useId } from 'react';
import fields from '#ui/fields.module.css';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './CouponChoice.module.css';
import { offText, termsText } from './coupon-words.ts';
import { formatYuan } from './yuan.ts';

type Coupon = Data<'GET /api/coupon/list'>['list'][number];

interface Props {
  coupons: readonly Coupon[];
  chosen: number | null;
  onChoose: (userCouponId: number | null) => void;
}

/** The coupons that can be used for a pack now, and none; those that cannot are counted. */
export function CouponChoice({ coupons, chosen, onChoose }: Props) {
  const name = useId();
  const usable = coupons.filter(({ discount }) => discount !== null);
  const others = coupons.filter(({ discount, state, over }) => discount === null && state === 'free' && over === 0);
  return (
    <fieldset className={fields.group}>
      <legend>{t('优惠券')}</legend>
      {usable.map((coupon) => (
        <label key={coupon.userCouponId} className={fields.choice}>
          <input
            type="radio"
            name={name}
            checked={chosen === coupon.userCouponId}
            onChange={() => onChoose(coupon.userCouponId)}
          />
          <span className={classes.words}>
            {coupon.name}
            <small>{termsText(coupon)}</small>
          </span>
          <b className={classes.off}>
            {offText(coupon)}
            {coupon.kind === 'percent' && <small>{t('减 {sum}', { sum: formatYuan(coupon.discount ?? 0) })}</small>}
          </b>
        </label>
      ))}
      {usable.length > 0 && (
        <label className={fields.choice}>
          <input type="radio" name={name} checked={chosen === null} onChange={() => onChoose(null)} />
          <span className={classes.words}>{t('不使用优惠券')}</span>
        </label>
      )}
      {usable.length === 0 && <p className={classes.none}>{t('没有可用的优惠券')}</p>}
      {others.length > 0 && (
        <p className={classes.none}>{t('另有 {n} 张优惠券不能用于这个课程包', { n: others.length })}</p>
      )}
    </fieldset>
  );
}
