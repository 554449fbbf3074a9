import { Link } from 'react-router';
import chip from '#ui/chip.module.css';
import rows from '#ui/rows.module.css';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import marks from './DeskOrderList.module.css';
import classes from './OrderList.module.css';
import { channelWords } from './order-words.ts';
import { StateChip } from './StateChip.tsx';
import { formatYuan } from './yuan.ts';

type Listed = Data<'GET /api/order/desk_list'>['list'][number];

/** The orders of the school, each leading to its details. */
export function DeskOrderList({ list }: { list: readonly Listed[] }) {
  return (
    <ul className={`${rows.rows} ${classes.list}`}>
      {list.map((order) => (
        <li key={order.orderId}>
          <Link to={paths.teachOrders({ id: order.orderId })} className={classes.row}>
            <span className={classes.what}>
              <span className={classes.name}>{order.packageName}</span>
              <span className={rows.facts}>
                <span>{order.nickname === '' ? t('已注销用户') : `${order.nickname} ${order.phone}`}</span>
                <span>{formatMoment(order.createdAt, serverNow())}</span>
                <span>{order.orderNo}</span>
                {order.channel !== null && <span>{t(channelWords[order.channel])}</span>}
              </span>
              <Marks order={order} />
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

/** What waits for the school, and what is unusual. */
function Marks({ order }: { order: Listed }) {
  const said = [
    order.refundWaits === 1 && tIn('mark', '申请退款'),
    order.invoiceWaits === 1 && tIn('mark', '申请发票'),
    order.refundFailed === 1 && t('退款失败'),
    order.refundSlow === 1 && t('退款超过一天未完成'),
    order.refunding > 0 && t('退款处理中 {sum}', { sum: formatYuan(order.refunding) }),
    order.refunded > 0 && order.state === 'paid' && t('已退 {sum}', { sum: formatYuan(order.refunded) }),
    order.returned !== null && t('款项自动退回'),
  ].filter((text) => text !== false);
  if (said.length === 0) return null;
  return (
    <span className={marks.marks}>
      {said.map((text) => (
        <span key={text} className={chip.chip} data-tone="amber">
          {text}
        </span>
      ))}
    </span>
  );
}
