import { Button, TextInput } from '@mantine/core';
import '#ui/form.css';
import { useId, useRef, useState } from 'react';
import { type InvoiceKind, invoiceKinds, LONGEST_EMAIL, LONGEST_TITLE } from '#contract/values/order.ts';
import { faultsOfInvoice } from '#rules/order/invoice.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallError, type Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { invoiceWords } from './order-words.ts';
import classes from './requests.module.css';
import { formatYuan } from './yuan.ts';

type Order = Data<'GET /api/order/query_order'>;
type Invoice = NonNullable<Order['invoice']>;
const RENEWS = ['GET /api/order/query_order'] as const;
const KINDS: Readonly<Record<InvoiceKind, string>> = { personal: msg('个人'), company: msg('单位') };

/** 发票: what was asked for and what became of it, and asking. */
export function InvoiceRequest({ order }: { order: Order }) {
  const [open, setOpen] = useState(false);
  const withdraw = useSend('POST /api/order/invoice_withdraw', { renews: RENEWS });
  const { invoice } = order;
  const giveUp = async () => {
    try {
      await withdraw.mutateAsync({ orderId: order.orderId });
    } catch (error) {
      if (error instanceof CallError) toast(t(error.msg), 'bad');
    }
  };
  const waits = invoice?.state === 'waiting';
  const form = open && (waits || order.mayAskInvoice === 1);
  const whole = useRef<HTMLDivElement>(null);
  useSwapFocus(whole, form ? 'form' : (invoice?.state ?? null));
  return (
    <div ref={whole} tabIndex={-1} className={classes.request}>
      {invoice && !form && <Said invoice={invoice} />}
      {form && <AskForm order={order} onClose={() => setOpen(false)} />}
      {waits && !form && (
        <div className={classes.buttons}>
          <WaitButton variant="default" waiting={withdraw.isPending} onClick={() => void giveUp()}>
            {t('撤回发票申请')}
          </WaitButton>
          <Button variant="default" onClick={() => setOpen(true)} data-takes-focus>
            {t('修改')}
          </Button>
        </div>
      )}
      {order.mayAskInvoice === 1 && !form && (
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('申请发票')}
        </Button>
      )}
    </div>
  );
}

function Said({ invoice }: { invoice: Invoice }) {
  return (
    <div className={classes.said}>
      <p>
        <b>{t(invoiceWords[invoice.state])}</b>
        {invoice.state === 'issued' && <small>{formatYuan(invoice.amount)}</small>}
      </p>
      <p>
        {t(KINDS[invoice.kind])} · {invoice.title}
        {invoice.taxNo !== '' && ` · ${invoice.taxNo}`}
      </p>
      <p>{invoice.email}</p>
      {invoice.number !== '' && <p>{t('发票号码：{number}', { number: invoice.number })}</p>}
      {invoice.redNumber !== '' && <p>{t('红字发票号码：{number}', { number: invoice.redNumber })}</p>}
      {invoice.answer !== '' && <p>{t('学校的答复：{answer}', { answer: invoice.answer })}</p>}
    </div>
  );
}

const FAULTS = {
  title: msg('请填写抬头，最多 100 个字'),
  taxNo: msg('税号不正确，请核对 18 位统一社会信用代码'),
  email: msg('请输入正确的邮箱'),
} as const;
const OF_FIELDS = { titleWrong: 'title', taxNoWrong: 'taxNo', emailWrong: 'email' } as const;

function AskForm({ order, onClose }: { order: Order; onClose: () => void }) {
  const name = useId();
  const ask = useSend('POST /api/order/invoice_ask', { renews: RENEWS });
  const before = order.invoice;
  const form = useCallForm<{ kind: InvoiceKind; title: string; taxNo: string; email: string }>({
    initialValues: {
      kind: before?.kind ?? 'personal',
      title: before?.title ?? '',
      taxNo: before?.taxNo ?? '',
      email: before?.email ?? '',
    },
    check: (values) => Object.fromEntries(faultsOfInvoice(values).map((field) => [field, FAULTS[field]])),
    fieldOf: ({ why }) => OF_FIELDS[why as keyof typeof OF_FIELDS],
    send: async ({ kind, title, taxNo, email }) => {
      await ask.mutateAsync({ orderId: order.orderId, kind, title, email, ...(kind === 'company' && { taxNo }) });
      toast(t('已提交，开具后会通知您'), 'good');
      onClose();
    },
  });
  const company = form.values.kind === 'company';
  return (
    <form {...form.formProps} className={classes.form} aria-label={t('申请发票')}>
      <fieldset className={`${fields.group} ${classes.kinds}`}>
        <legend>{t('抬头类型')}</legend>
        {invoiceKinds.map((kind) => (
          <label key={kind} className={fields.choice}>
            <input
              type="radio"
              name={name}
              checked={form.values.kind === kind}
              onChange={() => form.setFieldValue('kind', kind)}
            />
            <span>{t(KINDS[kind])}</span>
          </label>
        ))}
      </fieldset>
      <TextInput
        {...form.getInputProps('title')}
        label={company ? t('单位名称') : t('姓名')}
        maxLength={LONGEST_TITLE * 2}
        autoComplete={company ? 'organization' : 'name'}
      />
      {company && (
        <TextInput
          {...form.getInputProps('taxNo')}
          label={t('税号（统一社会信用代码）')}
          maxLength={40}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <TextInput
        {...form.getInputProps('email')}
        label={t('接收发票的邮箱')}
        type="email"
        maxLength={LONGEST_EMAIL}
        autoComplete="email"
      />
      <FormRefusal text={form.refusal} />
      <p className={classes.note}>{t('开票金额为实际支付减去已退的金额。')}</p>
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
