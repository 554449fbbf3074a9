import { Button } from '@mantine/core';
import { useState } from 'react';
import { checkPassword } from '#rules/user/password.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { type Me, useSetMe } from '#web/lib/me.ts';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './form.module.css';
import { OwnCodeField } from './OwnCodeField.tsx';
import { PasswordField } from './PasswordField.tsx';

/** Sets or changes the password, against the old one or an SMS code; every other session of the person ends. */
export function PasswordForm({ me }: { me: Me }) {
  const [byCode, setByCode] = useState(me.hasPassword === 0);
  const setMe = useSetMe();
  const change = useSend('POST /api/user/password');
  const form = useCallForm({
    initialValues: { oldPassword: '', smsCode: '', newPassword: '' },
    check: ({ oldPassword, smsCode, newPassword }) => ({
      smsCode: byCode && smsCode.trim() === '' ? msg('请输入验证码') : null,
      oldPassword: !byCode && oldPassword.trim() === '' ? msg('请输入原密码') : null,
      newPassword: checkPassword(newPassword).ok ? null : msg('密码至少 8 位，且不能只有一种字符'),
    }),
    send: async ({ oldPassword, smsCode, newPassword }) => {
      // A password is sent as it was typed: its spaces belong to it.
      await change.mutateAsync({ ...(byCode ? { smsCode: smsCode.trim() } : { oldPassword }), newPassword });
      setMe({ ...me, hasPassword: 1 });
      form.reset();
      setByCode(false);
      toast(t('密码已保存，其他设备已退出登录'), 'good');
    },
  });
  return (
    <form className={classes.form} {...form.formProps}>
      {/* Password managers need to know whose password this is. */}
      <input type="text" autoComplete="username" value={me.validPhoneExt} readOnly hidden />
      {byCode ? (
        <OwnCodeField me={me} purpose="password" field={form.getInputProps('smsCode')} />
      ) : (
        <PasswordField label={t('原密码')} field={form.getInputProps('oldPassword')} />
      )}
      <PasswordField
        label={t('新密码')}
        description={t('至少 8 位，包含字母、数字、符号中的两种')}
        isNew
        field={form.getInputProps('newPassword')}
      />
      <FormRefusal text={form.refusal} />
      <div className={classes.actions}>
        <WaitButton type="submit" size="md" waiting={form.submitting}>
          {t('保存密码')}
        </WaitButton>
        {me.hasPassword === 1 && (
          <Button
            variant="subtle"
            size="md"
            onClick={() => {
              setByCode(!byCode);
              form.forget();
            }}
          >
            {byCode ? t('用原密码验证') : t('忘记原密码，用验证码')}
          </Button>
        )}
      </div>
    </form>
  );
}
