import { PasswordInput, Tabs, TextInput } from '@mantine/core';
import { type FormEvent, useReducer } from 'react';
import '#ui/form.css';
import '#ui/tabs.css';
import { readPhone } from '#rules/user/phone.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import type { Me } from '#web/lib/me.ts';
import { CallError, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './form.module.css';
import { type LoginState, loginNext, loginStart } from './login-state.ts';
import { SliderDialog } from './SliderDialog.tsx';
import { SmsCodeField } from './SmsCodeField.tsx';

interface Props {
  /** Called with the person once the server has opened the session. */
  onSignedIn: (user: Me) => void;
  /** Which way stands open first; whoever has a password probably wants to use it. */
  way?: LoginState['way'];
}

/** Signing in by 验证码登录 or 密码登录: the form of the sign-in page and of the dialog after a lost session. */
export function LoginForm({ onSignedIn, way = 'code' }: Props) {
  const [state, dispatch] = useReducer(loginNext, { ...loginStart, way });
  const { phone, smsCode, password, errors } = state;

  const signIn = async (ticket?: string) => {
    try {
      const proof = state.way === 'code' ? { smsCode: smsCode.trim() } : { password };
      const input = { phone, ...proof, ...(ticket === undefined ? {} : { ticket }) };
      const data = await send('POST /api/user/login', input, { signInAgain: false });
      onSignedIn(data.user);
    } catch (error) {
      if (error instanceof CallError) dispatch({ type: 'failed', why: error.why, msg: error.msg });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    dispatch({ type: 'submit' });
    if (loginNext(state, { type: 'submit' }).signingIn && !state.signingIn) void signIn();
  };
  const say = (text: string | undefined) => (text === undefined ? undefined : t(text));

  const phoneField = (
    <TextInput
      data-autofocus
      size="md"
      label={t('手机号')}
      placeholder={t('请输入手机号')}
      type="tel"
      inputMode="tel"
      autoComplete={state.way === 'password' ? 'username' : 'tel'}
      maxLength={20}
      value={phone}
      onChange={(event) => dispatch({ type: 'type', field: 'phone', text: event.currentTarget.value })}
      error={say(errors.phone)}
      errorProps={{ role: 'alert' }}
    />
  );

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Tabs
        value={state.way}
        onChange={(next) => dispatch({ type: 'way', way: next === 'password' ? 'password' : 'code' })}
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
            phone={phone}
            phoneReady={readPhone(phone).ok}
            onPhoneNeeded={() => dispatch({ type: 'phoneNeeded' })}
            value={smsCode}
            onChange={(text) => dispatch({ type: 'type', field: 'smsCode', text })}
            error={errors.smsCode}
          />
        </Tabs.Panel>
        <Tabs.Panel value="password" className={classes.fields}>
          {phoneField}
          <PasswordInput
            size="md"
            label={t('密码')}
            placeholder={t('请输入密码')}
            autoComplete="current-password"
            maxLength={200}
            value={password}
            onChange={(event) => dispatch({ type: 'type', field: 'password', text: event.currentTarget.value })}
            error={say(errors.password)}
            errorProps={{ role: 'alert' }}
            visibilityToggleButtonProps={{ 'aria-label': t('显示或隐藏密码') }}
          />
        </Tabs.Panel>
      </Tabs>
      {errors.form !== undefined && (
        <p className={classes.formError} role="alert">
          {t(errors.form)}
        </p>
      )}
      <WaitButton type="submit" size="md" fullWidth waiting={state.signingIn}>
        {t('登录')}
      </WaitButton>
      <SliderDialog
        opened={state.slider}
        action="login"
        onClose={() => dispatch({ type: 'sliderClosed' })}
        onTicket={(ticket) => {
          dispatch({ type: 'ticket' });
          void signIn(ticket);
        }}
      />
    </form>
  );
}
