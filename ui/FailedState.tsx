import { Button } from '@mantine/core';
import { IconAlertCircle, IconCloudOff } from '@tabler/icons-react';
import type { Ref } from 'react';
import classes from './state.module.css';
import { t } from './words.ts';

/**
 * Content could not be loaded: the sentence that says why, already in the person's language, and 重试, where that can help. The sign of a lost
 * network stands there alone: elsewhere (not enrolled, gone) the network is not to blame.
 */
export function FailedState({
  text,
  onRetry,
  ref,
}: {
  text: string;
  onRetry?: (() => void) | undefined;
  ref?: Ref<HTMLDivElement>;
}) {
  const Sign = onRetry ? IconCloudOff : IconAlertCircle;
  return (
    <div ref={ref} className={classes.state} role="alert">
      <Sign size={32} stroke={1.5} aria-hidden />
      <p>{text}</p>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          {t('重试')}
        </Button>
      )}
    </div>
  );
}
