import { TextInput } from '@mantine/core';
import { useEffect, useReducer, useRef, useState } from 'react';
import '#ui/form.css';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallError, type Input } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './form.module.css';
import { SliderDialog } from './SliderDialog.tsx';
import { smsNext, smsStart, waitSeconds } from './sms-state.ts';

interface Props {
  label: string;
  purpose: Input<'POST /api/user/sms_code'>['purpose'];
  /** The number the code goes to; the own number may be given as it is shown, masked. */
  phone: string;
  /** Whether `phone` may be sent to; false: `onPhoneNeeded` says at its field what is missing. */
  phoneReady: boolean;
  onPhoneNeeded: () => void;
  value: string;
  onChange: (text: string) => void;
  error?: string | undefined;
}

/** A field for an SMS code with its 获取验证码 button: slider, sending, and the wait before another one. */
export function SmsCodeField(props: Props) {
  const { purpose, phone, phoneReady, onPhoneNeeded, value, onChange } = props;
  const [state, dispatch] = useReducer(smsNext, smsStart);
  const { mutateAsync } = useSend('POST /api/user/sms_code');
  const field = useRef<HTMLInputElement>(null);
  const wait = useWait((now) => waitSeconds(state, now), state.resendAt);

  const sendWith = async (ticket: string) => {
    dispatch({ type: 'ticket' });
    try {
      const sent = await mutateAsync({ phone, purpose, ticket });
      dispatch({ type: 'sent', to: phone, ...sent, now: performance.now() });
      field.current?.focus();
    } catch (error) {
      if (error instanceof CallError) dispatch({ type: 'failed', why: error.why, msg: error.msg });
    }
  };
  const error = props.error ?? state.error;

  return (
    <div>
      <div className={classes.codeRow}>
        <TextInput
          ref={field}
          className={classes.grow}
          size="md"
          label={props.label}
          placeholder={t('6 位验证码')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          value={value}
          onChange={(event) => {
            dispatch({ type: 'typed' });
            onChange(event.currentTarget.value);
          }}
          error={error === null ? undefined : t(error)}
          errorProps={{ role: 'alert' }}
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
                onChange(state.demoCode ?? '');
                field.current?.focus();
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
