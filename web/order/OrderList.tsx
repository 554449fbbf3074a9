import { Link } from 'react-router';
import rows from '#ui/rows.module.css';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './OrderList.module.css';
import { StateChip } from './StateChip.tsx';
import { formatYuan } from './yuan.ts';

type Order = Data<'GET /api/order/list'>['list'][number];

/** Own orders: each leads to its page, where it is paid, cancelled and asked about. */
export function OrderList({ list }: { list: readonly Order[] }) {
  return (
    <ul className={`${rows.rows} ${classes.list}`}>
      {list.map((order) => (
        <li key={order.orderId}>
          <Link to={paths.order(order.orderId)} className={classes.row}>
            <span className={classes.what}>
              <span className={classes.name}>{order.packageName}</span>
              <span className={rows.facts}>
                <span>{formatMoment(order.createdAt, serverNow())}</span>
                {order.refunding > 0 && <span>{t('退款处理中 {sum}', { sum: formatYuan(order.refunding) })}</span>}
                {order.refunded > 0 && <span>{t('已退 {sum}', { sum: formatYuan(order.refunded) })}</span>}
                {order.returned !== null && <span>{t('款项已退回')}</span>}
                {order.sandbox === 1 && <span>{t('模拟支付')}</span>}
              </span>
            </span>
            <span className={classes.end}>
              <b>{formatYuan(order.total)}</b>
              <StateChip state={order.state} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
