import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { bindAliyunCaptcha } from './aliyun-captcha.ts';
import classes from './form.module.css';

interface Props {
  shown: NonNullable<Data<'GET /api/captcha/slider'>['provider']>;
  /** Said instead of the prompt when a proof was refused; already in the person's language. */
  refusedText: string | undefined;
  onProof: (proof: string) => void;
  onBroken: () => void;
}

/** A button that opens the captcha of the school's provider. Its script is loaded here and nowhere else. */
export function ProviderCaptcha({ shown, refusedText, onProof, onBroken }: Props) {
  // A selector takes no colon.
  const buttonId = `verify-${useId().replace(/\W/g, '')}`;
  const [ready, setReady] = useState(false);
  const proven = useEffectEvent(onProof);
  const broken = useEffectEvent(onBroken);
  useEffect(
    () =>
      bindAliyunCaptcha(shown, buttonId, {
        onReady: () => setReady(true),
        onProof: (proof) => proven(proof),
        onBroken: () => broken(),
      }),
    [shown, buttonId],
  );
  return (
    <div className={classes.failed}>
      <p role={refusedText && 'alert'}>{refusedText ?? t('请完成安全验证后继续')}</p>
      <Button id={buttonId} size="md" fullWidth loading={!ready}>
        {t('开始验证')}
      </Button>
    </div>
  );
}
