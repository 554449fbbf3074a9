import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import '#ui/form.css';
import { readPhone } from '#rules/user/phone.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { type Me, useSetMe } from '#web/lib/me.ts';
import { CallError } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './form.module.css';
import { SmsCodeField } from './SmsCodeField.tsx';

const nothing = { oldSmsCode: '', phone: '', newSmsCode: '' };

/** Changes the phone: a code from the old number, then one from the new; every other session of the person ends. */
export function PhoneForm({ me }: { me: Me }) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState(nothing);
  const [errors, setErrors] = useState<Partial<Record<keyof typeof nothing | 'form', string>>>({});
  const setMe = useSetMe();
  const update = useSend('POST /api/user/update');
  const type = (field: keyof typeof nothing, text: string) => {
    setErrors(({ [field]: _gone, form: _alsoGone, ...rest }) => rest);
    setTyped((last) => ({ ...last, [field]: text }));
  };
  const phoneWrong = () => ({ phone: t('请输入正确的手机号') });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const missing = {
      ...(typed.oldSmsCode.trim() === '' ? { oldSmsCode: t('请输入验证码') } : {}),
      ...(readPhone(typed.phone).ok ? {} : phoneWrong()),
      ...(typed.newSmsCode.trim() === '' ? { newSmsCode: t('请输入验证码') } : {}),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    try {
      const { user } = await update.mutateAsync({
        phone: typed.phone,
        oldSmsCode: typed.oldSmsCode.trim(),
        newSmsCode: typed.newSmsCode.trim(),
      });
      setMe(user);
      setTyped(nothing);
      setOpen(false);
      toast(t('手机号已更换，其他设备已退出登录'), 'good');
    } catch (failure) {
      if (!(failure instanceof CallError)) return;
      const field = failure.field !== undefined && failure.field in nothing ? failure.field : 'form';
      setErrors({ [field]: t(failure.msg) });
    }
  };
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
    <form className={classes.form} onSubmit={(event) => void save(event)} noValidate>
      <SmsCodeField
        label={t('发送到 {phone} 的验证码', { phone: me.validPhoneExt })}
        purpose="phone_old"
        phone={me.validPhoneExt}
        phoneReady
        onPhoneNeeded={() => undefined}
        value={typed.oldSmsCode}
        onChange={(text) => type('oldSmsCode', text)}
        error={errors.oldSmsCode}
      />
      <TextInput
        size="md"
        label={t('新手机号')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={20}
        value={typed.phone}
        onChange={(event) => type('phone', event.currentTarget.value)}
        error={errors.phone}
        errorProps={{ role: 'alert' }}
      />
      <SmsCodeField
        label={t('新手机号收到的验证码')}
        purpose="phone_new"
        phone={typed.phone}
        phoneReady={readPhone(typed.phone).ok}
        onPhoneNeeded={() => setErrors((last) => ({ ...last, ...phoneWrong() }))}
        value={typed.newSmsCode}
        onChange={(text) => type('newSmsCode', text)}
        error={errors.newSmsCode}
      />
      {errors.form !== undefined && (
        <p className={classes.formError} role="alert">
          {errors.form}
        </p>
      )}
      <div className={classes.actions}>
        <WaitButton type="submit" size="md" waiting={update.isPending}>
          {t('更换手机号')}
        </WaitButton>
        <Button variant="subtle" size="md" onClick={() => setOpen(false)}>
          {t('取消')}
        </Button>
      </div>
    </form>
  );
}
