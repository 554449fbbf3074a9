import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { TextBones } from '#ui/Bones.tsx';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './DeviceCode.module.css';

/** 登录确认码: what this device tells, so that its person can sign in on another one whose code by SMS is too little (decision 048). */
export function DeviceCode() {
  const [shown, setShown] = useState(false);
  const box = useRef<HTMLElement>(null);
  useSwapFocus(box, shown);
  return (
    <section ref={box} tabIndex={-1} className={classes.box} aria-label={t('登录确认码')}>
      <h2>{t('登录确认码')}</h2>
      <p>{t('在新设备上登录时，如果要求再验证一项本人信息，可以填这里的确认码。不要告诉任何人。')}</p>
      {shown ? (
        <Code />
      ) : (
        <Button variant="default" onClick={() => setShown(true)}>
          {t('显示确认码')}
        </Button>
      )}
    </section>
  );
}

function Code() {
  const call = useCall('GET /api/user/device_code', {}, { staleTime: 0, gcTime: 0, refetchInterval: 60_000 });
  return (
    <CallState call={call} skeleton={<TextBones lines={1} />}>
      {({ code, until }) => (
        <p className={classes.code}>
          <output>{`${code.slice(0, 4)} ${code.slice(4)}`}</output>
          <small>{t('{time} 前有效', { time: formatMoment(until, serverNow()) })}</small>
        </p>
      )}
    </CallState>
  );
}
