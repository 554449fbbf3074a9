import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import '#ui/form.css';
import { PHONE_LONGEST } from '#contract/values/user.ts';
import { readPhone } from '#rules/user/phone.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { type Me, useSetMe } from '#web/lib/me.ts';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './form.module.css';
import { phoneWrong } from './login-check.ts';
import { SmsCodeField } from './SmsCodeField.tsx';

/** Changes the phone: a code from the old number, then one from the new; every other session of the person ends. */
export function PhoneForm({ me }: { me: Me }) {
  const [open, setOpen] = useState(false);
  const setMe = useSetMe();
  const update = useSend('POST /api/user/update');
  const form = useCallForm({
    initialValues: { oldSmsCode: '', phone: '', newSmsCode: '' },
    check: ({ oldSmsCode, phone, newSmsCode }) => ({
      oldSmsCode: oldSmsCode.trim() === '' ? msg('请输入验证码') : null,
      phone: readPhone(phone).ok ? null : phoneWrong,
      newSmsCode: newSmsCode.trim() === '' ? msg('请输入验证码') : null,
    }),
    send: async ({ oldSmsCode, phone, newSmsCode }) => {
      const { user } = await update.mutateAsync({
        phone,
        oldSmsCode: oldSmsCode.trim(),
        newSmsCode: newSmsCode.trim(),
      });
      setMe(user);
      form.reset();
      setOpen(false);
      toast(t('手机号已更换，其他设备已退出登录'), 'good');
    },
  });
  if (!open) {
    return (
      <div className={classes.line}>
        <p className={classes.now}>{t('当前手机号 {phone}', { phone: me.validPhoneExt })}</p>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('更换')}
        </Button>
      </div>
    );
  }
  return (
    <form className={classes.form} {...form.formProps}>
      <SmsCodeField
        label={t('发送到 {phone} 的验证码', { phone: me.validPhoneExt })}
        purpose="phone_old"
        phone={me.validPhoneExt}
        phoneReady
        onPhoneNeeded={() => undefined}
        field={form.getInputProps('oldSmsCode')}
      />
      <TextInput
        size="md"
        label={t('新手机号')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={PHONE_LONGEST}
        {...form.getInputProps('phone')}
      />
      <SmsCodeField
        label={t('新手机号收到的验证码')}
        purpose="phone_new"
        phone={form.values.phone}
        phoneReady={readPhone(form.values.phone).ok}
        onPhoneNeeded={() => form.setFieldError('phone', phoneWrong)}
        field={form.getInputProps('newSmsCode')}
      />
      <FormRefusal text={form.refusal} />
      <div className={classes.actions}>
        <WaitButton type="submit" size="md" waiting={form.submitting}>
          {t('更换手机号')}
        </WaitButton>
        <Button variant="subtle" size="md" onClick={() => setOpen(false)}>
          {t('取消')}
        </Button>
      </div>
    </form>
  );
}
