import { Button, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import '#ui/form.css';
import { TYPED_ID_LONGEST } from '#contract/values/account.ts';
import { readPhone } from '#rules/user/phone.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { type Me, useSetMe } from '#web/lib/me.ts';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './form.module.css';
import { phoneWrong } from './login-check.ts';
import { isReleased } from './NumberGoneDialog.tsx';
import { OwnCodeField } from './OwnCodeField.tsx';
import { PasswordField } from './PasswordField.tsx';
import { PhoneWithCode } from './PhoneWithCode.tsx';

/**
 * Changes the phone: a code from the old number, then one from the new; every other session of the person ends. Where the old number went to
 * somebody else, password or identity number stand in for its code.
 */
export function PhoneForm({ me }: { me: Me }) {
  const [open, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  useSwapFocus(whole, open);
  // What stands for a number that went to somebody else; a password is the fact of who has one.
  const released = isReleased(me);
  const byPassword = me.hasPassword === 1;
  const setMe = useSetMe();
  const update = useSend('POST /api/user/update');
  const form = useCallForm({
    initialValues: { oldSmsCode: '', fact: '', phone: '', newSmsCode: '' },
    check: ({ oldSmsCode, fact, phone, newSmsCode }) => ({
      oldSmsCode: !released && oldSmsCode.trim() === '' ? msg('请输入验证码') : null,
      fact: released && fact.trim() === '' ? (byPassword ? msg('请输入密码') : msg('请输入身份证号')) : null,
      phone: readPhone(phone).ok ? null : phoneWrong,
      newSmsCode: newSmsCode.trim() === '' ? msg('请输入验证码') : null,
    }),
    fieldOf: ({ why }) => (why === 'secondFactWrong' ? 'fact' : undefined),
    send: async ({ oldSmsCode, fact, phone, newSmsCode }) => {
      const { user } = await update.mutateAsync({
        phone,
        ...(!released ? { oldSmsCode: oldSmsCode.trim() } : byPassword ? { password: fact } : { idNumber: fact }),
        newSmsCode: newSmsCode.trim(),
      });
      setMe(user);
      form.reset();
      setOpen(false);
      toast(t('手机号已更换，其他设备已退出登录'), 'good');
    },
  });
  const closed = (
    <div className={classes.line}>
      <p className={classes.now}>
        {released
          ? t('您的手机号已由别人用验证码验证，不再属于这个账号。请绑定您现在的手机号，否则退出后无法登录。')
          : t('当前手机号 {phone}', { phone: me.validPhoneExt })}
      </p>
      <Button variant="default" onClick={() => setOpen(true)}>
        {released ? t('绑定手机号') : t('更换')}
      </Button>
    </div>
  );
  return (
    <div ref={whole} tabIndex={-1}>
      {open ? (
        <form className={classes.form} {...form.formProps}>
          {!released && <OwnCodeField me={me} purpose="phone_old" field={form.getInputProps('oldSmsCode')} />}
          {released && byPassword && <PasswordField label={t('登录密码')} field={form.getInputProps('fact')} />}
          {released && !byPassword && (
            <TextInput
              size="md"
              label={t('身份证号')}
              description={t('没有填过实名信息？请联系学校，核对后可以找回账号。')}
              autoComplete="off"
              spellCheck={false}
              maxLength={TYPED_ID_LONGEST}
              {...form.getInputProps('fact')}
            />
          )}
          <PhoneWithCode
            label={t('新手机号')}
            codeLabel={t('新手机号收到的验证码')}
            code="newSmsCode"
            purpose="phone_new"
            isOwn
            form={form}
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
      ) : (
        closed
      )}
    </div>
  );
}
