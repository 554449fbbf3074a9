import { Button, TextInput } from '@mantine/core';
import '#ui/form.css';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router';
import { LONGEST_REASON } from '#contract/values/order.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { toast } from '#ui/toast.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './DeskOrderDetails.module.css';
import { eventWords } from './event-words.ts';
import { OrderSums } from './OrderSums.tsx';
import { askWords, channelWords, invoiceWords, refundWords, returnSentences } from './order-words.ts';
import { RefundForm } from './RefundForm.tsx';
import { StateChip } from './StateChip.tsx';
import { formatYuan } from './yuan.ts';

type Details = Data<'GET /api/order/desk_details'>;
type Invoice = Details['invoices'][number];
const RENEWS = ['GET /api/order/desk_details', 'GET /api/order/desk_list'] as const;

/** One order of the school with all that happened to it, and what may be done with it. */
export function DeskOrderDetails({ order }: { order: Details }) {
  const [refunding, setRefunding] = useState(false);
  const details = useRef<HTMLDivElement>(null);
  const refund = useRef<HTMLDivElement>(null);
  // A line that was answered goes away with its form.
  useKeptFocus(details, 'section');
  useSwapFocus(refund, refunding);
  const ask = order.refundAsks.find(({ state }) => state === 'waiting');
  const mayRefund = order.state === 'paid' && (order.left > 0 || order.total === 0);
  return (
    <div ref={details} tabIndex={-1} className={classes.details}>
      <p className={classes.back}>
        <Link to={paths.teachOrders()}>{t('返回订单列表')}</Link>
      </p>
      <div className={classes.head}>
        <h1>{order.packageName}</h1>
        <StateChip state={order.state} />
      </div>
      <Card>
        <dl className={classes.facts}>
          <Fact name={t('学员')} text={order.nickname === '' ? t('已注销用户') : `${order.nickname} ${order.phone}`} />
          <Fact name={t('订单号')} text={order.orderNo} />
          <Fact name={t('下单时间')} text={formatMoment(order.createdAt, serverNow())} />
          {order.paidAt !== null && <Fact name={t('支付时间')} text={formatMoment(order.paidAt, serverNow())} />}
        </dl>
        <OrderSums {...order} />
        {order.sandbox === 1 && <p className={classes.note}>{t('这是模拟支付，没有收取任何款项，不计入收入。')}</p>}
        {order.returned !== null && <p className={classes.note}>{t(returnSentences[order.returned])}</p>}
      </Card>
      {ask && (
        <Card title={t('学员申请退款')}>
          <p>{ask.reason}</p>
          <p className={classes.note}>{formatMoment(ask.createdAt, serverNow())}</p>
          <DeclineForm refundAskId={ask.refundAskId} />
        </Card>
      )}
      {mayRefund && (
        <Card title={order.total === 0 ? t('收回课程') : t('退款')}>
          <div ref={refund} tabIndex={-1}>
            {refunding ? (
              <RefundForm
                orderId={order.orderId}
                left={order.left}
                free={order.total === 0}
                reason={ask ? t('同意退款申请') : ''}
                onClose={() => setRefunding(false)}
              />
            ) : (
              <div className={classes.line}>
                <span>
                  {order.total === 0 ? t('这个订单没有收款') : t('还能退 {sum}', { sum: formatYuan(order.left) })}
                </span>
                <Button variant="default" onClick={() => setRefunding(true)}>
                  {order.total === 0 ? t('收回课程') : ask ? t('同意并退款') : t('退款')}
                </Button>
              </div>
            )}
          </div>
        </Card>
      )}
      {order.invoices.length > 0 && (
        <Card title={t('发票')}>
          {order.invoices.map((invoice) => (
            <InvoiceAnswer
              key={invoice.invoiceId}
              invoice={invoice}
              kept={order.left}
              reversal={order.needsReversal === 1}
            />
          ))}
        </Card>
      )}
      {order.refunds.length > 0 && (
        <Card title={t('退款记录')}>
          <ul className={classes.lines}>
            {order.refunds.map((refund) => (
              <li key={refund.outRefundNo}>
                <b>{formatYuan(refund.amount)}</b> {t(refundWords[refund.state])}
                <small>
                  {byText(refund.by)} · {reasonText(refund.reason)} ·{' '}
                  {formatMoment(refund.doneAt ?? refund.createdAt, serverNow())}
                  <br />
                  {refund.outRefundNo}
                  {refund.said !== '' && ` · ${refund.said}`}
                </small>
              </li>
            ))}
          </ul>
          {order.refundFailed === 1 && <AgainForm orderId={order.orderId} />}
        </Card>
      )}
      {order.payments.length > 0 && (
        <Card title={t('支付记录')}>
          <ul className={classes.lines}>
            {order.payments.map((payment) => (
              <li key={payment.outTradeNo}>
                <b>{formatYuan(payment.state === 'paid' ? payment.paid : payment.amount)}</b>{' '}
                {t(channelWords[payment.channel])} ·{' '}
                {payment.state === 'paid' ? t('已支付') : payment.state === 'open' ? t('等待支付') : t('已关闭')}
                <small>
                  {payment.outTradeNo}
                  {payment.providerNo !== '' && ` · ${payment.providerNo}`}
                </small>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {order.refundAsks.some(({ state }) => state !== 'waiting') && (
        <Card title={t('退款申请')}>
          <ul className={classes.lines}>
            {order.refundAsks
              .filter(({ state }) => state !== 'waiting')
              .map((one) => (
                <li key={one.refundAskId}>
                  <b>{t(askWords[one.state])}</b> {one.reason}
                  {one.answer !== '' && <small>{t('学校的答复：{answer}', { answer: one.answer })}</small>}
                </li>
              ))}
          </ul>
        </Card>
      )}
      <Card title={t('经过')}>
        <ol className={classes.lines}>
          {order.events.map((event) => (
            <li key={`${event.event}`}>
              {t(eventWords(event.event))}
              {event.amount !== null && ` ${formatYuan(event.amount)}`}
              <small>
                {formatMoment(event.at, serverNow())}
                {event.by !== '' && ` · ${byText(event.by)}`}
                {event.reason !== '' && ` · ${reasonText(event.reason)}`}
              </small>
            </li>
          ))}
        </ol>
      </Card>
    </div>
  );
}

const byText = (by: string) => (by === 'system' ? t('系统') : by === 'command' ? t('命令行') : by);
/** The reason of money that went back by itself is one of ours, any other is somebody's words. */
const reasonText = (reason: string) =>
  Object.hasOwn(returnSentences, reason) ? t(returnSentences[reason as keyof typeof returnSentences]) : reason;

function Card({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className={classes.card} aria-label={title ?? t('订单内容')} tabIndex={-1}>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </section>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}

/** One line to type in, and the button that sends it. */
function LineForm({
  label,
  button,
  fault,
  numeric = false,
  send,
}: {
  label: string;
  button: string;
  fault: string;
  numeric?: boolean;
  send: (text: string) => Promise<unknown>;
}) {
  const form = useCallForm<{ text: string }>({
    initialValues: { text: '' },
    check: ({ text }) => ({ text: text.trim() === '' ? fault : null }),
    fieldOf: ({ why }) => (why === 'reasonWrong' || why === 'invoiceNumberWrong' ? 'text' : undefined),
    send: async ({ text }) => {
      await send(text.trim());
      toast(t('已保存'), 'good');
    },
  });
  return (
    <form {...form.formProps} className={classes.form} aria-label={label}>
      <div className={classes.line}>
        <TextInput
          {...form.getInputProps('text')}
          aria-label={label}
          placeholder={label}
          maxLength={LONGEST_REASON}
          autoComplete="off"
          {...(numeric && { inputMode: 'numeric' as const })}
        />
        <WaitButton type="submit" variant="default" waiting={form.submitting}>
          {button}
        </WaitButton>
      </div>
      <FormRefusal text={form.refusal} />
    </form>
  );
}

function DeclineForm({ refundAskId }: { refundAskId: number }) {
  const decline = useSend('POST /api/order/desk_refund_decline', { renews: RENEWS });
  return (
    <LineForm
      label={t('不同意的原因，学员会看到')}
      button={t('不同意')}
      fault={msg('请写明原因，最多 80 个字')}
      send={(answer) => decline.mutateAsync({ refundAskId, answer })}
    />
  );
}

function AgainForm({ orderId }: { orderId: number }) {
  const again = useSend('POST /api/order/desk_refund_again', { renews: RENEWS });
  return (
    <LineForm
      label={t('重新申请失败的退款：原因')}
      button={t('重新退款')}
      fault={msg('请写明原因，最多 80 个字')}
      send={(reason) => again.mutateAsync({ orderId, reason })}
    />
  );
}

/** An invoice that is asked for: issued with its number, declined with a reason, or taken back by a red one. */
function InvoiceAnswer({ invoice, kept, reversal }: { invoice: Invoice; kept: number; reversal: boolean }) {
  const issue = useSend('POST /api/order/desk_invoice_issue', { renews: RENEWS });
  const decline = useSend('POST /api/order/desk_invoice_decline', { renews: RENEWS });
  const reverse = useSend('POST /api/order/desk_invoice_reverse', { renews: RENEWS });
  const { invoiceId, state } = invoice;
  return (
    <div className={classes.invoice}>
      <p>
        <b>{t(invoiceWords[state])}</b>
        {state === 'waiting' && <span> {t('开票金额 {sum}', { sum: formatYuan(kept) })}</span>}
        {state !== 'waiting' && invoice.amount > 0 && <span> {formatYuan(invoice.amount)}</span>}
      </p>
      <p>
        {invoice.kind === 'company' ? t('单位') : t('个人')} · {invoice.title}
        {invoice.taxNo !== '' && ` · ${invoice.taxNo}`} · {invoice.email}
      </p>
      {invoice.number !== '' && <p>{t('发票号码：{number}', { number: invoice.number })}</p>}
      {invoice.redNumber !== '' && <p>{t('红字发票号码：{number}', { number: invoice.redNumber })}</p>}
      {invoice.answer !== '' && <p>{t('学校的答复：{answer}', { answer: invoice.answer })}</p>}
      {state === 'waiting' && kept > 0 && (
        <LineForm
          label={t('发票号码')}
          button={t('已开具')}
          fault={msg('发票号码为 8 到 20 位数字')}
          numeric
          send={(number) => issue.mutateAsync({ invoiceId, number, title: invoice.title, taxNo: invoice.taxNo })}
        />
      )}
      {state === 'waiting' && (
        <LineForm
          label={t('不开具的原因，学员会看到')}
          button={t('不开具')}
          fault={msg('请写明原因，最多 80 个字')}
          send={(answer) => decline.mutateAsync({ invoiceId, answer })}
        />
      )}
      {state === 'issued' && reversal && (
        <>
          <p className={classes.warn}>{t('开票后有退款，发票金额多于学校实收，请开具红字发票冲回。')}</p>
          <LineForm
            label={t('红字发票号码')}
            button={t('已红冲')}
            fault={msg('发票号码为 8 到 20 位数字')}
            numeric
            send={(number) => reverse.mutateAsync({ invoiceId, number })}
          />
        </>
      )}
    </div>
  );
}
