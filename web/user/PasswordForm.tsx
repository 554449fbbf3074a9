import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import '#ui/form.css';
import { checkPassword } from '#rules/user/password.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { type Me, useSetMe } from '#web/lib/me.ts';
import { CallError } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './form.module.css';
import { SmsCodeField } from './SmsCodeField.tsx';

const nothing = { oldPassword: '', smsCode: '', newPassword: '' };

/** Sets or changes the password, against the old one or an SMS code; every other session of the person ends. */
export function PasswordForm({ me }: { me: Me }) {
  const [byCode, setByCode] = useState(me.hasPassword === 0);
  const [typed, setTyped] = useState(nothing);
  const [errors, setErrors] = useState<Partial<Record<keyof typeof nothing | 'form', string>>>({});
  const setMe = useSetMe();
  const change = useSend('POST /api/user/password');
  const type = (field: keyof typeof nothing, text: string) => {
    setErrors(({ [field]: _gone, form: _alsoGone, ...rest }) => rest);
    setTyped((last) => ({ ...last, [field]: text }));
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const proof = byCode ? ('smsCode' as const) : ('oldPassword' as const);
    const missing = {
      ...(typed[proof].trim() === '' ? { [proof]: byCode ? t('请输入验证码') : t('请输入原密码') } : {}),
      ...(checkPassword(typed.newPassword).ok ? {} : { newPassword: t('密码至少 8 位，且不能只有一种字符') }),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    try {
      // A password is sent as it was typed: its spaces belong to it.
      await change.mutateAsync(
        byCode
          ? { smsCode: typed.smsCode.trim(), newPassword: typed.newPassword }
          : { oldPassword: typed.oldPassword, newPassword: typed.newPassword },
      );
      setMe({ ...me, hasPassword: 1 });
      setTyped(nothing);
      setByCode(false);
      toast(t('密码已保存，其他设备已退出登录'), 'good');
    } catch (failure) {
      if (!(failure instanceof CallError)) return;
      const field = failure.field !== undefined && failure.field in nothing ? failure.field : 'form';
      setErrors({ [field]: t(failure.msg) });
    }
  };
  return (
    <form className={classes.form} onSubmit={(event) => void save(event)} noValidate>
      {/* Password managers need to know whose password this is. */}
      <input type="text" autoComplete="username" value={me.validPhoneExt} readOnly hidden />
      {byCode ? (
        <SmsCodeField
          label={t('发送到 {phone} 的验证码', { phone: me.validPhoneExt })}
          purpose="password"
          phone={me.validPhoneExt}
          phoneReady
          onPhoneNeeded={() => undefined}
          value={typed.smsCode}
          onChange={(text) => type('smsCode', text)}
          error={errors.smsCode}
        />
      ) : (
        <PasswordInput
          size="md"
          label={t('原密码')}
          autoComplete="current-password"
          maxLength={200}
          value={typed.oldPassword}
          onChange={(event) => type('oldPassword', event.currentTarget.value)}
          error={errors.oldPassword}
          errorProps={{ role: 'alert' }}
          visibilityToggleButtonProps={{ 'aria-label': t('显示或隐藏密码') }}
        />
      )}
      <PasswordInput
        size="md"
        label={t('新密码')}
        description={t('至少 8 位，包含字母、数字、符号中的两种')}
        autoComplete="new-password"
        maxLength={200}
        value={typed.newPassword}
        onChange={(event) => type('newPassword', event.currentTarget.value)}
        error={errors.newPassword}
        errorProps={{ role: 'alert' }}
        visibilityToggleButtonProps={{ 'aria-label': t('显示或隐藏密码') }}
      />
      {errors.form !== undefined && (
        <p className={classes.formError} role="alert">
          {errors.form}
        </p>
      )}
      <div className={classes.actions}>
        <WaitButton type="submit" size="md" waiting={change.isPending}>
          {t('保存密码')}
        </WaitButton>
        {me.hasPassword === 1 && (
          <Button
            variant="subtle"
            size="md"
            onClick={() => {
              setByCode(!byCode);
              setErrors({});
            }}
          >
            {byCode ? t('用原密码验证') : t('忘记原密码，用验证码')}
          </Button>
        )}
      </div>
    </form>
  );
}
