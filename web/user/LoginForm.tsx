import { Tabs, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import '#ui/form.css';
import '#ui/tabs.css';
import { PHONE_LONGEST } from '#contract/values/user.ts';
import { readPhone } from '#rules/user/phone.ts';
import { confirm } from '#ui/confirm.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { WaitButton } from '#ui/WaitButton.tsx';
import type { Me } from '#web/lib/me.ts';
import { send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { AgreementCheck } from './AgreementCheck.tsx';
import { agreedHere, agreeTo, askedOf } from './agreement.ts';
import classes from './form.module.css';
import {
  checkLogin,
  type LoginValues,
  type LoginWay,
  loginFieldOf,
  phoneWrong,
  type SecondWay,
} from './login-check.ts';
import { PasswordField } from './PasswordField.tsx';
import { SecondFact } from './SecondFact.tsx';
import { SliderDialog } from './SliderDialog.tsx';
import { SmsCodeField } from './SmsCodeField.tsx';

interface Props {
  /** Called with the person once the server has opened the session. */
  onSignedIn: (user: Me) => void;
  /** Which way stands open first; whoever has a password probably wants to use it. */
  way?: LoginWay;
  /** The same person signs in once more: nothing is agreed to. */
  again?: boolean;
}

/**
 * Signing in by 验证码登录 or 密码登录 (decisions §7): the form of the sign-in page and of the dialog after a lost
 * session. It needs a slider ticket only after the server asked for one, which it does after repeated failures.
 */
export function LoginForm({ onSignedIn, way: firstWay = 'code', again = false }: Props) {
  const [way, setWay] = useState(firstWay);
  /** The slider that the server asked for, and whether it was for an account of one's own (`anew`). */
  const [slider, setSlider] = useState<{ anew: boolean } | null>(null);
  const [signedIn, setSignedIn] = useState(false);
  /** The number may have changed hands: what is asked beside the code. */
  const [second, setSecond] = useState<SecondWay | null>(null);
  const anew = useRef(false);
  // A code may make an account, which needs consent; who has a password has one, and is asked after signing in if at all.
  const agreement = useCall('GET /app/user/agreement', {}, { enabled: way === 'code' && !again, staleTime: 60_000 });
  const documents = way === 'code' ? askedOf(agreement.data) : [];
  const asksAgreement = !again && documents.length > 0 && !agreedHere(documents);

  const signIn = async ({ phone, smsCode, password, fact, agreed, minor }: LoginValues, ticket?: string) => {
    const proof = way === 'code' ? { smsCode: smsCode.trim() } : { password };
    const more = anew.current ? { startAnew: 1 } : second === null ? {} : { [second]: fact };
    const input = { phone, ...proof, ...(way === 'code' ? more : {}), ...(ticket === undefined ? {} : { ticket }) };
    const { user } = await send('POST /api/user/login', input, { signInAgain: false });
    // What could not be recorded is asked for again on the next page.
    if (asksAgreement && agreed) await agreeTo(documents, minor).catch(() => undefined);
    // The button waits on until the page that comes next is there.
    setSignedIn(true);
    onSignedIn(user);
  };
  const form = useCallForm<LoginValues>({
    initialValues: { phone: '', smsCode: '', password: '', fact: '', agreed: false, minor: false },
    check: (values) => checkLogin(values, way, { agreement: asksAgreement, second: anew.current ? null : second }),
    send: (values) => signIn(values),
    fieldOf: (refusal) => loginFieldOf(refusal, way),
    onRefused: ({ why }) => {
      if (why === 'secondFactNeeded') {
        setSecond('secondPassword');
        return true;
      }
      if (why !== 'ticketNeeded') return false;
      setSlider({ anew: anew.current });
      return true;
    },
  });

  const signInAnew = async (ticket?: string) => {
    anew.current = true;
    await form.run((values) => signIn(values, ticket));
    anew.current = false;
  };

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
          setSecond(null);
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
          {second !== null && (
            <SecondFact
              way={second}
              field={form.getInputProps('fact')}
              onWay={(next) => {
                setSecond(next);
                form.setFieldValue('fact', '');
              }}
              onAnew={async () => {
                const yes = await confirm({
                  title: t('注册新账号？'),
                  text: t('这个手机号将用于您的新账号。原账号及其课程、订单不会显示给您；原主人可以联系学校找回。'),
                  yes: t('注册新账号'),
                  careful: true,
                });
                if (yes) await signInAnew();
              }}
            />
          )}
          {asksAgreement && (
            <AgreementCheck
              documents={documents.map(({ id }) => id)}
              agree={form.getInputProps('agreed', { type: 'checkbox' })}
              minor={form.getInputProps('minor', { type: 'checkbox' })}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="password" className={classes.fields}>
          {phoneField}
          <PasswordField label={t('密码')} placeholder={t('请输入密码')} field={form.getInputProps('password')} />
        </Tabs.Panel>
      </Tabs>
      <FormRefusal text={form.refusal} />
      <WaitButton type="submit" size="md" fullWidth waiting={form.submitting || signedIn}>
        {t('登录')}
      </WaitButton>
      <SliderDialog
        opened={slider !== null}
        action="login"
        phone={form.values.phone}
        onClose={() => setSlider(null)}
        onTicket={(ticket) => {
          setSlider(null);
          void (slider?.anew ? signInAnew(ticket) : form.run((values) => signIn(values, ticket)));
        }}
      />
    </form>
  );
}
