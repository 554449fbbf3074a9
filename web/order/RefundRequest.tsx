import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { LONGEST_REASON } from '#contract/values/order.ts';
import { confirm } from '#ui/confirm.ts';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CountedArea } from '#web/lib/CountedArea.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { CallError, type Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { askWords } from './order-words.ts';
import classes from './requests.module.css';

type Order = Data<'GET /api/order/query_order'>;
const RENEWS = ['GET /api/order/query_order', 'GET /api/order/list'] as const;

/** 申请退款: what was asked, what the school said, and asking (again). */
export function RefundRequest({ order }: { order: Order }) {
  const [open, setOpen] = useState(false);
  const withdraw = useSend('POST /api/order/refund_withdraw', { renews: RENEWS });
  const ask = order.refundAsk;
  const whole = useRef<HTMLDivElement>(null);
  useSwapFocus(whole, order.mayAskRefund === 1 && open ? 'form' : (ask?.state ?? null));
  const giveUp = async () => {
    if (!(await confirm({ title: t('撤回退款申请？'), yes: t('撤回') }))) return;
    try {
      await withdraw.mutateAsync({ orderId: order.orderId });
    } catch (error) {
      if (error instanceof CallError) toast(t(error.msg), 'bad');
    }
  };
  return (
    <div ref={whole} tabIndex={-1} className={classes.request}>
      {ask && (
        <div className={classes.said}>
          <p>
            <b>{t(askWords[ask.state])}</b>
            <small>{formatMoment(ask.answeredAt ?? ask.createdAt, serverNow())}</small>
          </p>
          <p>{t('退款原因：{reason}', { reason: ask.reason })}</p>
          {ask.answer !== '' && <p>{t('学校的答复：{answer}', { answer: ask.answer })}</p>}
        </div>
      )}
      {ask?.state === 'waiting' && (
        <WaitButton variant="default" waiting={withdraw.isPending} onClick={() => void giveUp()}>
          {t('撤回退款申请')}
        </WaitButton>
      )}
      {order.mayAskRefund === 1 && !open && (
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('申请退款')}
        </Button>
      )}
      {order.mayAskRefund === 1 && open && <AskForm orderId={order.orderId} onClose={() => setOpen(false)} />}
    </div>
  );
}

function AskForm({ orderId, onClose }: { orderId: number; onClose: () => void }) {
  const ask = useSend('POST /api/order/refund_ask', { renews: RENEWS });
  const form = useCallForm<{ reason: string }>({
    initialValues: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? msg('请写明退款原因') : null }),
    fieldOf: ({ why }) => (why === 'reasonWrong' ? 'reason' : undefined),
    send: async ({ reason }) => {
      await ask.mutateAsync({ orderId, reason });
      toast(t('已提交，学校处理后会通知您'), 'good');
      onClose();
    },
  });
  const { reason } = form.values;
  const fault: string | undefined = form.getInputProps('reason').error;
  return (
    <form {...form.formProps} className={classes.form} aria-label={t('申请退款')}>
      <CountedArea
        label={t('退款原因')}
        text={reason}
        longest={LONGEST_REASON}
        onText={(now) => form.setFieldValue('reason', now)}
        fault={fault ?? form.refusal}
        wrong={fault !== undefined}
        readOnly={form.submitting}
      />
      <p className={classes.note}>{t('学校同意后款项原路退回，全部退款后课程随之收回。')}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('取消')}
        </Button>
        <WaitButton type="submit" waiting={form.submitting}>
          {t('提交申请')}
        </WaitButton>
      </div>
    </form>
  );
}
