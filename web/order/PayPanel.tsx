import { Button } from '@mantine/core';
import { IconBrandAlipay, IconBrandWechat, IconFlask } from '@tabler/icons-react';
import { QRCodeSVG } from 'qrcode.react';
import { useId, useRef, useState } from 'react';
import type { PayChannel } from '#contract/values/order.ts';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallError, type Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { channelWords } from './order-words.ts';
import classes from './PayPanel.module.css';
import { formatYuan } from './yuan.ts';

type Order = Data<'GET /api/order/query_order'>;
type Paying = Data<'POST /api/order/pay'>;

const icons = { wechat: IconBrandWechat, alipay: IconBrandAlipay, sandbox: IconFlask } as const;

/** A phone or tablet: a code that it shows itself cannot be scanned with it. */
const onPhone = () => window.matchMedia('(pointer: coarse)').matches;
const insideWechat = () => /MicroMessenger/i.test(navigator.userAgent);

/**
 * Choosing a way to pay, and paying. Every press asks the server, which gives two windows the same attempt, so that nothing is
 * begun twice; whether it was paid the page around learns by asking.
 */
export function PayPanel({ order, onChange }: { order: Order; onChange: () => void }) {
  const name = useId();
  const [channel, setChannel] = useState<PayChannel | undefined>(order.channels[0]);
  const [paying, setPaying] = useState<Paying | null>(null);
  const pay = useSend('POST /api/order/pay');
  const sandbox = useSend('POST /api/order/sandbox_pay');
  const panel = useRef<HTMLDivElement>(null);
  useSwapFocus(panel, paying?.channel ?? null);
  const failed = (error: unknown) => {
    if (!(error instanceof CallError)) throw error;
    toast(t(error.msg), 'bad');
    // It may be paid or closed by another window.
    if (error.code === 409) onChange();
  };
  const begin = async (chosen: PayChannel) => {
    try {
      const begun = await pay.mutateAsync({ orderId: order.orderId, channel: chosen });
      if (chosen !== 'sandbox') return setPaying(begun);
      await sandbox.mutateAsync({ orderId: order.orderId });
      onChange();
    } catch (error) {
      failed(error);
    }
  };
  if (order.channels.length === 0 || channel === undefined)
    return <p className={classes.note}>{t('学校暂时没有开通支付方式，请联系学校。')}</p>;
  return (
    <div ref={panel} tabIndex={-1} className={classes.panel}>
      <fieldset className={fields.group}>
        <legend>{t('支付方式')}</legend>
        {order.channels.map((one) => {
          const Icon = icons[one];
          return (
            <label key={one} className={fields.choice}>
              <input
                type="radio"
                name={name}
                checked={channel === one}
                onChange={() => {
                  setChannel(one);
                  setPaying(null);
                }}
              />
              <Icon size={22} stroke={1.6} aria-hidden className={classes.icon} data-channel={one} />
              <span>
                {t(channelWords[one])}
                {one === 'sandbox' && <small>{t('演示用的收银台，不会真的收钱')}</small>}
              </span>
            </label>
          );
        })}
      </fieldset>
      {paying?.channel === channel && <Way paying={paying} others={order.channels.length > 1} />}
      {paying?.channel !== channel && (
        <WaitButton
          size="md"
          fullWidth
          waiting={pay.isPending || sandbox.isPending}
          onClick={() => void begin(channel)}
        >
          {channel === 'sandbox'
            ? t('模拟支付 {sum}', { sum: formatYuan(order.total) })
            : t('支付 {sum}', { sum: formatYuan(order.total) })}
        </WaitButton>
      )}
    </div>
  );
}

/** How a payment that has begun is made: a code to scan, or the provider's page. */
function Way({ paying, others }: { paying: Paying; others: boolean }) {
  if (paying.codeUrl !== null)
    return (
      <div className={classes.code} tabIndex={-1} data-takes-focus>
        <div className={classes.square}>
          <QRCodeSVG value={paying.codeUrl} size={200} level="M" title={t('微信支付二维码')} />
        </div>
        <p>{t('请用微信“扫一扫”支付 {sum}', { sum: formatYuan(paying.amount) })}</p>
        {(onPhone() || insideWechat()) && (
          <p className={classes.hint}>
            {t('这个二维码不能在本机长按识别或从相册选取，请用另一部手机扫码，或在电脑上打开本页面。')}
            {others && t('也可以改用上面的其他支付方式。')}
          </p>
        )}
        <p className={classes.note}>{t('支付后本页面会自动更新，请不要重复支付。')}</p>
      </div>
    );
  if (paying.payUrl === null) return null;
  return (
    <div className={classes.code}>
      <Button
        component="a"
        href={paying.payUrl}
        target={onPhone() ? undefined : '_blank'}
        rel="noopener"
        data-takes-focus
        size="md"
        fullWidth
      >
        {t('打开支付宝付款 {sum}', { sum: formatYuan(paying.amount) })}
      </Button>
      <p className={classes.note}>{t('支付后本页面会自动更新，请不要重复支付。')}</p>
    </div>
  );
}
