import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import classes from './state.module.css';
import { t } from './words.ts';

/** Content could not be loaded: the sentence that says why, already in the person's language, and 重试, where that can help. */
export function FailedState({ text, onRetry }: { text: string; onRetry?: (() => void) | undefined }) {
  return (
    <div className={classes.state} role="alert">
      <IconCloudOff size={32} stroke={1.5} aria-hidden />
      <p>{text}</p>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          {t('重试')}
        </Button>
      )}
    </div>
  );
}
