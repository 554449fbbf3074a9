import { TextInput } from '@mantine/core';
import '#ui/form.css';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './ExchangeForm.module.css';

const OF_THE_CODE: readonly string[] = ['noSuchCode', 'couponTaken', 'couponOver', 'couponsOut', 'badInput'];

/** 兑换: gives the coupon of a code. @param onGot is told which it was */
export function ExchangeForm({ onGot }: { onGot?: (userCouponId: number) => void }) {
  const exchange = useSend('GET /api/coupon/exchange', { renews: ['GET /api/coupon/list'] });
  const form = useCallForm<{ code: string }>({
    initialValues: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' ? msg('请输入兑换码') : null }),
    fieldOf: ({ why }) => (OF_THE_CODE.includes(why) ? 'code' : undefined),
    send: async ({ code }) => {
      const coupon = await exchange.mutateAsync({ code: code.trim() });
      toast(t('已领取“{name}”', { name: coupon.name }), 'good');
      form.setFieldValue('code', '');
      onGot?.(coupon.userCouponId);
    },
  });
  return (
    <form {...form.formProps} className={classes.form} aria-label={t('兑换优惠券')}>
      <div className={classes.line}>
        <TextInput
          {...form.getInputProps('code')}
          aria-label={t('兑换码')}
          placeholder={t('输入兑换码')}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <WaitButton type="submit" variant="default" waiting={form.submitting}>
          {t('兑换')}
        </WaitButton>
      </div>
      <FormRefusal text={form.refusal} />
    </form>
  );
}
