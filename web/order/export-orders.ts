import { type OrderState, type OrderWait, orderStates } from '#contract/values/order.ts';
import { yuanOf } from '#rules/order/money.ts';
import { clockTime, dayInChina } from '#web/lib/format.ts';
import { saveSheet } from '#web/lib/save-sheet.ts';
import { type Data, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { channelWords, stateWords } from './order-words.ts';

type Row = Data<'GET /api/order/desk_export'>['list'][number];

/** What the list and its export are narrowed to. */
export interface DeskView {
  state?: OrderState;
  waits?: OrderWait;
  from?: string;
  until?: string;
  keyword?: string;
}

/** Rows that a spreadsheet takes at once; whoever has more chooses days. */
const MOST_ROWS = 50_000;

const moment = (at: number | null) => (at === null ? '' : `${dayInChina(at)} ${clockTime(at)}`);
/** A cell that can be added up; the sum itself is the text of yuan, exactly. */
const cell = (fen: number) => Number(yuanOf(fen));

/** Saves the orders of some days as a spreadsheet. @returns whether all of them are in it */
export async function exportOrders({ state, from, until }: DeskView): Promise<boolean> {
  const rows: Row[] = [];
  let next: string | null = null;
  do {
    const part: Data<'GET /api/order/desk_export'> = await send('GET /api/order/desk_export', {
      ...(state && { state }),
      ...(from && { from }),
      ...(until && { until }),
      ...(next && { next }),
    });
    rows.push(...part.list);
    next = part.next;
  } while (next !== null && rows.length < MOST_ROWS);
  const head = [
    t('订单号'),
    t('下单时间'),
    t('支付时间'),
    t('状态'),
    t('学员'),
    t('手机号'),
    t('课程包'),
    t('课程价格'),
    t('优惠'),
    t('优惠券'),
    t('应付'),
    t('已退'),
    t('支付方式'),
    t('支付单号'),
    t('支付机构单号'),
    t('发票号码'),
  ];
  await saveSheet(t('订单'), [
    head,
    ...rows.map((row) => [
      row.orderNo,
      moment(row.createdAt),
      moment(row.paidAt),
      t(stateWords[orderStates.find((known) => known === row.state) ?? 'open']),
      row.nickname,
      row.phone,
      row.packageName,
      cell(row.price),
      cell(row.discount),
      row.couponName,
      cell(row.total),
      cell(row.refunded),
      row.channel === null ? '' : t(channelWords[row.channel]),
      row.outTradeNo,
      row.providerNo,
      row.invoiceNumber,
    ]),
  ]);
  return next === null;
}
