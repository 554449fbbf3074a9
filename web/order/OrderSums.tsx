import { t } from '#web/lib/t.ts';
import classes from './OrderSums.module.css';
import { formatYuan } from './yuan.ts';

interface Props {
  price: number;
  discount: number;
  couponName?: string;
  total: number;
  /** It is paid: the total is what was. */
  paidAt?: number | null;
}

/** What an order costs: price, discount and what is to be paid, under each other. */
export function OrderSums({ price, discount, couponName = '', total, paidAt = null }: Props) {
  return (
    <dl className={classes.sums}>
      <div>
        <dt>{t('课程价格')}</dt>
        <dd>{formatYuan(price)}</dd>
      </div>
      {discount > 0 && (
        <div>
          <dt>
            {t('优惠券')}
            {couponName !== '' && <small>{couponName}</small>}
          </dt>
          <dd>−{formatYuan(discount)}</dd>
        </div>
      )}
      <div className={classes.total}>
        <dt>{paidAt === null ? t('应付') : t('实付')}</dt>
        <dd>{formatYuan(total)}</dd>
      </div>
    </dl>
  );
}
