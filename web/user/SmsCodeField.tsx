import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useReducer, useRef, useState } from 'react';
import '#ui/form.css';
import { SMS_CODE_LONGEST, type SmsPurpose } from '#contract/values/user.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallError } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './form.module.css';
import { SliderDialog } from './SliderDialog.tsx';
import { smsNext, smsStart, waitSeconds } from './sms-state.ts';

interface Props {
  label: string;
  purpose: SmsPurpose;
  /** The number the code goes to; the own number may be given as it is shown, masked. */
  phone: string;
  /** Whether `phone` may be sent to; false: `onPhoneNeeded` says at its field what is missing. */
  phoneReady: boolean;
  onPhoneNeeded: () => void;
  /** The code in the form: `form.getInputProps(…)`. */
  field: ReturnType<UseFormReturnType<Record<string, string>>['getInputProps']>;
}

/** A field for an SMS code with its 获取验证码 button: slider, sending, and the wait before another one. */
export function SmsCodeField({ label, purpose, phone, phoneReady, onPhoneNeeded, field }: Props) {
  const [state, dispatch] = useReducer(smsNext, smsStart);
  const { mutateAsync } = useSend('POST /api/user/sms_code');
  const input = useRef<HTMLInputElement>(null);
  const wait = useWait((now) => waitSeconds(state, now), state.resendAt);

  const sendWith = async (ticket: string) => {
    dispatch({ type: 'ticket' });
    try {
      const sent = await mutateAsync({ phone, purpose, ticket });
      dispatch({ type: 'sent', to: phone, ...sent, now: performance.now() });
      input.current?.focus();
    } catch (error) {
      if (error instanceof CallError) dispatch({ type: 'failed', why: error.why, msg: error.msg });
    }
  };

  return (
    <div>
      <div className={classes.codeRow}>
        <TextInput
          ref={input}
          className={classes.grow}
          size="md"
          label={label}
          placeholder={t('6 位验证码')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={SMS_CODE_LONGEST}
          {...field}
          onChange={(event) => {
            dispatch({ type: 'typed' });
            field.onChange(event);
          }}
          error={field.error ?? (state.error === null ? undefined : t(state.error))}
        />
        <WaitButton
          className={classes.codeButton}
          size="md"
          variant="default"
          waiting={state.phase === 'sending'}
          disabled={wait > 0}
          onClick={() => (phoneReady ? dispatch({ type: 'ask' }) : onPhoneNeeded())}
        >
          {wait > 0 ? t('{n} 秒后可重发', { n: wait }) : state.sentTo === null ? t('获取验证码') : t('重新获取')}
        </WaitButton>
      </div>
      <div role="status">
        {state.demoCode !== null && (
          <p className={classes.demo}>
            <span>{t('演示站点不发送短信，验证码是 {code}', { code: state.demoCode })}</span>
            <button
              type="button"
              className={classes.fill}
              onClick={() => {
                field.onChange(state.demoCode ?? '');
                input.current?.focus();
              }}
            >
              {t('填入')}
            </button>
          </p>
        )}
        {state.demoCode === null && state.sentTo !== null && (
          <p className={classes.hint}>{t('验证码已发送，5 分钟内有效')}</p>
        )}
      </div>
      <SliderDialog
        opened={state.phase === 'slider'}
        action="sms_code"
        phone={phone}
        onClose={() => dispatch({ type: 'sliderClosed' })}
        onTicket={(ticket) => void sendWith(ticket)}
      />
    </div>
  );
}

/** A number of seconds that counts down while it is above zero. */
function useWait(read: (now: number) => number, until: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    setNow(performance.now());
    const timer = setInterval(() => {
      setNow(performance.now());
      if (performance.now() >= until) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [until]);
  return read(now);
}
