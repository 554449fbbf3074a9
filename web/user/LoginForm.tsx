import { PasswordInput, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import '#ui/form.css';
import '#ui/tabs.css';
import { PASSWORD_LONGEST, PHONE_LONGEST } from '#contract/values/user.ts';
import { readPhone } from '#rules/user/phone.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { WaitButton } from '#ui/WaitButton.tsx';
import type { Me } from '#web/lib/me.ts';
import { send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './form.module.css';
import { checkLogin, type LoginValues, type LoginWay, loginFieldOf, phoneWrong } from './login-check.ts';
import { SliderDialog } from './SliderDialog.tsx';
import { SmsCodeField } from './SmsCodeField.tsx';

interface Props {
  /** Called with the person once the server has opened the session. */
  onSignedIn: (user: Me) => void;
  /** Which way stands open first; whoever has a password probably wants to use it. */
  way?: LoginWay;
}

/**
 * Signing in by 验证码登录 or 密码登录 (decisions §7): the form of the sign-in page and of the dialog after a lost
 * session. It needs a slider ticket only after the server asked for one, which it does after repeated failures.
 */
export function LoginForm({ onSignedIn, way: firstWay = 'code' }: Props) {
  const [way, setWay] = useState(firstWay);
  const [slider, setSlider] = useState(false);
  const [signedIn, setSignedIn] = useState(false);

  const signIn = async ({ phone, smsCode, password }: LoginValues, ticket?: string) => {
    const proof = way === 'code' ? { smsCode: smsCode.trim() } : { password };
    const input = { phone, ...proof, ...(ticket === undefined ? {} : { ticket }) };
    const { user } = await send('POST /api/user/login', input, { signInAgain: false });
    // The button waits on until the page that comes next is there.
    setSignedIn(true);
    onSignedIn(user);
  };
  const form = useCallForm<LoginValues>({
    initialValues: { phone: '', smsCode: '', password: '' },
    check: (values) => checkLogin(values, way),
    send: (values) => signIn(values),
    fieldOf: (refusal) => loginFieldOf(refusal, way),
    onRefused: ({ why }) => {
      if (why !== 'ticketNeeded') return false;
      setSlider(true);
      return true;
    },
  });

  const phoneField = (
    <TextInput
      data-autofocus
      size="md"
      label={t('手机号')}
      placeholder={t('请输入手机号')}
      type="tel"
      inputMode="tel"
      autoComplete={way === 'password' ? 'username' : 'tel'}
      maxLength={PHONE_LONGEST}
      {...form.getInputProps('phone')}
    />
  );

  return (
    <form className={classes.form} {...form.formProps}>
      <Tabs
        value={way}
        onChange={(next) => {
          setWay(next === 'password' ? 'password' : 'code');
          form.forget();
        }}
        keepMounted={false}
      >
        <Tabs.List grow className={classes.ways}>
          <Tabs.Tab value="code">{t('验证码登录')}</Tabs.Tab>
          <Tabs.Tab value="password">{t('密码登录')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="code" className={classes.fields}>
          {phoneField}
          <SmsCodeField
            label={t('验证码')}
            purpose="login"
            phone={form.values.phone}
            phoneReady={readPhone(form.values.phone).ok}
            onPhoneNeeded={() => form.setFieldError('phone', phoneWrong)}
            field={form.getInputProps('smsCode')}
          />
        </Tabs.Panel>
        <Tabs.Panel value="password" className={classes.fields}>
          {phoneField}
          <PasswordInput
            size="md"
            label={t('密码')}
            placeholder={t('请输入密码')}
            autoComplete="current-password"
            maxLength={PASSWORD_LONGEST}
            visibilityToggleButtonProps={{ 'aria-label': t('显示或隐藏密码') }}
            {...form.getInputProps('password')}
          />
        </Tabs.Panel>
      </Tabs>
      <FormRefusal text={form.refusal} />
      <WaitButton type="submit" size="md" fullWidth waiting={form.submitting || signedIn}>
        {t('登录')}
      </WaitButton>
      <SliderDialog
        opened={slider}
        action="login"
        phone={form.values.phone}
        onClose={() => setSlider(false)}
        onTicket={(ticket) => {
          setSlider(false);
          void form.run((values) => signIn(values, ticket));
        }}
      />
    </form>
  );
}
