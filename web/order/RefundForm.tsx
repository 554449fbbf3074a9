import { Button, TextInput } from '@mantine/core';
import '#ui/form.css';
import { useState } from 'react';
import { LONGEST_REASON } from '#contract/values/order.ts';
import { fenFrom, yuanOf } from '#rules/order/money.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { randomName } from '#web/lib/random-name.ts';
import type { CallError, Data } from '#web/lib/send.ts';
import { msg, sentences, t } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './DeskOrderDetails.module.css';
import { formatYuan } from './yuan.ts';

interface Props {
  orderId: number;
  left: number;
  /** The order cost nothing: it only ends. */
  free: boolean;
  reason: string;
  onClose: () => void;
}

/** A refund, whole or in part: its preview says what it does before it is asked for, and one press is one refund. */
export function RefundForm({ orderId, left, free, reason, onClose }: Props) {
  const [requestId] = useState(randomName);
  const refund = useSend('POST /api/order/desk_refund', {
    renews: ['GET /api/order/desk_details', 'GET /api/order/desk_list'],
    // Two answers of a provider, one after the other.
    timeout: 30_000,
  });
  const form = useCallForm<{ amount: string; reason: string }>({
    initialValues: { amount: yuanOf(left), reason },
    check: (values) => ({
      amount: free || amountIn(values.amount) !== null ? null : msg('金额的写法如 19.90'),
      reason: values.reason.trim() === '' ? msg('请写明原因，最多 80 个字') : null,
    }),
    fieldOf: ({ why }) => (why === 'tooMuchBack' ? 'amount' : why === 'reasonWrong' ? 'reason' : undefined),
    send: async (values) => {
      const asked = amountIn(values.amount);
      const amount = free || asked === left ? null : asked;
      const said = await refund.mutateAsync({ orderId, amount, reason: values.reason, requestId });
      if (said.state === 'failed') toast(t('支付机构没有退款，请查看退款记录'), 'bad');
      else if (said.state === 'waiting') toast(t('已申请退款，支付机构处理中'), 'good');
      else toast(free ? t('已收回课程') : t('已退款 {sum}', { sum: formatYuan(said.amount) }), 'good');
      onClose();
    },
  });
  const amount = free ? undefined : (amountIn(form.values.amount) ?? undefined);
  const preview = useCall(
    'GET /api/order/desk_refund_preview',
    { orderId, ...(amount !== undefined && { amount }) },
    { enabled: free || amount !== undefined, staleTime: 0, keepPrevious: true },
  );
  return (
    <form {...form.formProps} className={classes.form} aria-label={t('退款')}>
      {!free && (
        <TextInput
          {...form.getInputProps('amount')}
          label={t('退款金额（元）')}
          inputMode="decimal"
          maxLength={12}
          autoComplete="off"
        />
      )}
      <TextInput {...form.getInputProps('reason')} label={t('原因')} maxLength={LONGEST_REASON} autoComplete="off" />
      <Preview said={preview.data} fault={preview.error} />
      <FormRefusal text={form.refusal} />
      <div className={classes.line}>
        <Button variant="default" onClick={onClose}>
          {t('取消')}
        </Button>
        <WaitButton type="submit" color="cinnabar" waiting={form.submitting} blocked={!free && amount === undefined}>
          {free ? t('收回课程') : t('确认退款')}
        </WaitButton>
      </div>
    </form>
  );
}

/** A sum that can go back; null: it is none. */
function amountIn(text: string): number | null {
  const fen = fenFrom(text.trim());
  return fen === null || fen === 0 ? null : fen;
}

function Preview({
  said,
  fault,
}: {
  said: Data<'GET /api/order/desk_refund_preview'> | undefined;
  fault: CallError | null;
}) {
  if (fault) return <p className={classes.warn}>{t(fault.msg)}</p>;
  if (!said) return null;
  return (
    <p className={classes.preview} role="status">
      {sentences(
        said.amount > 0 &&
          t('退回 {sum}，还能再退 {left}。', { sum: formatYuan(said.amount), left: formatYuan(said.left) }),
        said.endsAccess === 1
          ? t('学员会失去这个课程包，学习记录保留。')
          : said.whole === 1
            ? t('学员另有一个已支付的订单，课程保留。')
            : t('课程保留。'),
        said.couponBack === 1 && t('优惠券退回给学员。'),
        said.invoiceIssued === 1 && t('已开具发票，需要红冲。'),
        said.sandbox === 1 && t('模拟支付，没有真实款项。'),
      )}
    </p>
  );
}
