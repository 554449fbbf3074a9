import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { TextBones } from '#ui/Bones.tsx';
import { Countdown } from '#ui/Countdown.tsx';
import { confirm } from '#ui/confirm.ts';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { NotFound } from '#web/app/NotFound.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { idFrom, paths } from '#web/lib/paths.ts';
import { CallError, type CallKey, type Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { invalidate, useCall, useSend } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { InvoiceRequest } from '#web/order/InvoiceRequest.tsx';
import { OrderSums } from '#web/order/OrderSums.tsx';
import { refundWords, returnSentences } from '#web/order/order-words.ts';
import { PayPanel } from '#web/order/PayPanel.tsx';
import { RefundRequest } from '#web/order/RefundRequest.tsx';
import { StateChip } from '#web/order/StateChip.tsx';
import { usePaying } from '#web/order/usePaying.ts';
import { formatYuan } from '#web/order/yuan.ts';
import classes from './OrderPage.module.css';
import page from './page.module.css';

type Order = Data<'GET /api/order/query_order'>;

/** What an order that was paid, closed or refunded changes elsewhere. */
const CHANGED: readonly CallKey[] = [
  'GET /api/order/list',
  'GET /api/coupon/list',
  'GET /api/common/course_details',
  'GET /api/common/course_list',
  'GET /api/user/course_list',
  'GET /app/course/chapters',
];

/** One order: paying it while it waits, what became of it, and what may be asked of the school. */
export default function OrderPage() {
  useTitle(t('订单'));
  const orderId = idFrom(useParams().orderId);
  const call = useCall(
    'GET /api/order/query_order',
    { orderId: orderId ?? 0 },
    { enabled: orderId !== null, staleTime: 0 },
  );
  if (orderId === null) return <NotFound />;
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <CallState
        call={call}
        skeleton={<TextBones lines={9} />}
        refusals={{ notFound: <NotFound />, badInput: <NotFound /> }}
      >
        {(order) => <Shown order={order} onChange={() => void call.refetch()} />}
      </CallState>
    </div>
  );
}

function Shown({ order, onChange }: { order: Order; onChange: () => void }) {
  const client = useQueryClient();
  const { lost } = usePaying(order.orderId, order.state, onChange);
  const { state } = order;
  const parts = useRef<HTMLDivElement>(null);
  useSwapFocus(parts, state);
  // A window that finds the order otherwise has old pages of the course in memory.
  useEffect(() => {
    if (state !== 'open') for (const name of CHANGED) void invalidate(client, name);
  }, [client, state]);
  return (
    <>
      <div className={classes.head}>
        <h1 className={page.title}>{state === 'open' ? t('支付订单') : t('订单详情')}</h1>
        <StateChip state={state} />
      </div>
      <div ref={parts} tabIndex={-1} className={`${page.section} ${classes.parts}`}>
        {state === 'open' && <Waiting order={order} lost={lost} onChange={onChange} />}
        {state === 'paid' && <Paid order={order} />}
        {state === 'closed' && <Closed order={order} />}
        {state === 'refunded' && (
          <Result kind="plain" title={t('已全部退款')} text={t('课程已随退款收回，用过的优惠券已退回。')}>
            <Button component={Link} to={paths.course(order.packId)} variant="default">
              {t('查看课程')}
            </Button>
          </Result>
        )}
        <section className={page.card} aria-label={t('订单内容')}>
          <p className={classes.name}>
            <Link to={paths.course(order.packId)}>{order.packageName}</Link>
          </p>
          <OrderSums {...order} />
          <dl className={classes.facts}>
            <div>
              <dt>{t('订单号')}</dt>
              <dd>{order.orderNo}</dd>
            </div>
            <div>
              <dt>{t('下单时间')}</dt>
              <dd>{formatMoment(order.createdAt, serverNow())}</dd>
            </div>
            {order.paidAt !== null && (
              <div>
                <dt>{t('支付时间')}</dt>
                <dd>{formatMoment(order.paidAt, serverNow())}</dd>
              </div>
            )}
          </dl>
          {order.sandbox === 1 && <p className={classes.note}>{t('这是模拟支付，没有收取任何款项。')}</p>}
        </section>
        {order.refunds.length > 0 && <Refunds order={order} />}
        {(order.mayAskRefund === 1 || order.refundAsk) && (
          <section className={page.card} aria-labelledby="order-refund">
            <h2 id="order-refund" className={classes.title}>
              {t('退款')}
            </h2>
            <RefundRequest order={order} />
          </section>
        )}
        {(order.mayAskInvoice === 1 || order.invoice) && (
          <section className={page.card} aria-labelledby="order-invoice">
            <h2 id="order-invoice" className={classes.title}>
              {t('发票')}
            </h2>
            <InvoiceRequest order={order} />
          </section>
        )}
      </div>
    </>
  );
}

function Result({
  kind,
  title,
  text,
  children,
}: {
  kind: 'good' | 'plain';
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <section className={`${page.card} ${classes.result}`} data-kind={kind} role="status">
      <h2 tabIndex={-1} data-takes-focus>
        {title}
      </h2>
      <p>{text}</p>
      {children}
    </section>
  );
}

function Waiting({ order, lost, onChange }: { order: Order; lost: boolean; onChange: () => void }) {
  const cancel = useSend('POST /api/order/cancel', { renews: CHANGED });
  const free = useSend('POST /api/order/zero_pay', { renews: CHANGED });
  const navigate = useNavigate();
  const left = () => Math.max(0, order.expiresAt - serverNow());
  const tried = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      toast(t(error.msg), 'bad');
    }
    onChange();
  };
  const giveUp = async () => {
    const sure = await confirm({
      title: t('取消这个订单？'),
      text: t('取消后名额和优惠券会退回。'),
      yes: t('取消订单'),
      no: t('再想想'),
      danger: true,
    });
    if (sure) await tried(() => cancel.mutateAsync({ orderId: order.orderId }));
  };
  /** A payment that was begun holds the coupon: another one needs another order. */
  const anew = async () => {
    await tried(async () => {
      await cancel.mutateAsync({ orderId: order.orderId });
      void navigate(paths.orderConfirm({ packId: order.packId }), { replace: true });
    });
  };
  return (
    <section className={`${page.card} ${classes.pay}`} aria-label={t('支付')}>
      <p className={classes.left}>
        {t('剩余支付时间')}
        <Countdown
          left={left}
          format={minutesText}
          level={(rest) => (rest < 5 * 60_000 ? 'soon' : 'calm')}
          announce={(before, rest) => (before > 60_000 && rest <= 60_000 ? t('支付时间还剩 1 分钟') : null)}
          onTick={(rest) => {
            if (rest === 0 && order.expiresAt !== 0) onOver(order.orderId, onChange);
          }}
          label={t('剩余支付时间')}
          className={classes.clock}
        />
      </p>
      {order.total === 0 ? (
        <WaitButton
          size="md"
          fullWidth
          waiting={free.isPending}
          onClick={() => void tried(() => free.mutateAsync({ orderId: order.orderId }))}
        >
          {t('免费开通')}
        </WaitButton>
      ) : (
        <PayPanel order={order} onChange={onChange} />
      )}
      {lost && (
        <p className={classes.lost} role="status">
          {t('网络断开了。恢复后会自动查询支付结果，不会重复扣款。')}
        </p>
      )}
      <div className={classes.more}>
        <WaitButton variant="subtle" waiting={cancel.isPending} onClick={() => void giveUp()}>
          {t('取消订单')}
        </WaitButton>
        {order.begun === 0 && (
          <Button variant="subtle" onClick={() => void anew()}>
            {t('换一张优惠券')}
          </Button>
        )}
      </div>
    </section>
  );
}

/** The server closes what has run out within some seconds: the page asks when it should be so, and not at every tick. */
const asked = new Map<number, number>();
function onOver(orderId: number, ask: () => void): void {
  const last = asked.get(orderId) ?? 0;
  if (serverNow() - last < 3000) return;
  asked.set(orderId, serverNow());
  ask();
}

function minutesText(left: number): string {
  const seconds = Math.ceil(left / 1000);
  const part = (value: number) => String(value).padStart(2, '0');
  return `${part(Math.floor(seconds / 60))}:${part(seconds % 60)}`;
}

function Paid({ order }: { order: Order }) {
  const course = useCall('GET /api/common/course_details', { packId: order.packId }, { staleTime: 0 });
  // A pack without lessons begins on its own page.
  const to = course.data?.lessonCount ? paths.play(order.packId) : paths.course(order.packId);
  return (
    <Result kind="good" title={t('支付成功')} text={t('课程已开通，现在就可以学习。')}>
      <Button component={Link} to={to} size="md">
        {t('开始学习')}
      </Button>
    </Result>
  );
}

function Closed({ order }: { order: Order }) {
  const text = order.returned === null ? t('没有扣款，用过的优惠券已退回。') : t(returnSentences[order.returned]);
  return (
    <Result kind="plain" title={order.returned === null ? t('订单已关闭') : t('款项退回')} text={text}>
      <Button component={Link} to={paths.course(order.packId)} variant="default">
        {t('回到课程')}
      </Button>
    </Result>
  );
}

/** Money that has gone back or is on its way, of double payments too. */
function Refunds({ order }: { order: Order }) {
  return (
    <section className={page.card} aria-labelledby="order-refunds">
      <h2 id="order-refunds" className={classes.title}>
        {t('退款记录')}
      </h2>
      {order.state === 'paid' && order.returned === null && order.refunded + order.refunding > order.total && (
        <p className={classes.note}>{t(returnSentences.paidTwice)}</p>
      )}
      <ul className={classes.refunds}>
        {order.refunds.map((refund) => (
          <li key={`${refund.createdAt}-${refund.amount}`}>
            <b>{formatYuan(refund.amount)}</b>
            <span>{t(refundWords[refund.state])}</span>
            <time>{formatMoment(refund.doneAt ?? refund.createdAt, serverNow())}</time>
          </li>
        ))}
      </ul>
      {order.refunds.some(({ state }) => state === 'failed') && (
        <p className={classes.note}>{t('退款没有成功时学校会重新处理，您也可以直接联系学校。')}</p>
      )}
    </section>
  );
}
