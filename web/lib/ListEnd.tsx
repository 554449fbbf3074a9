import { Button } from '@mantine/core';
import { WaitButton } from '#ui/WaitButton.tsx';
import classes from './ListEnd.module.css';
import type { CallError } from './send.ts';
import { t } from './t.ts';

interface Props {
  hasMore: boolean;
  loadingMore: boolean;
  /** Why the next part did not come; null: nothing is wrong. */
  moreError: CallError | null;
  onMore: () => void;
  onRetry: () => void;
  /** What stands there once all is shown; null: nothing, a short list needs no word. */
  all: string | null;
}

/** What stands under a list of cards that grows while one reads: the way to more of them, why they did not come, or that these are all. */
export function ListEnd({ hasMore, loadingMore, moreError, onMore, onRetry, all }: Props) {
  return (
    <div className={classes.end}>
      {moreError !== null ? (
        <div className={classes.failed} role="alert">
          <p>{t(moreError.msg)}</p>
          <Button variant="default" onClick={onRetry}>
            {t('重试')}
          </Button>
        </div>
      ) : hasMore || loadingMore ? (
        <WaitButton variant="default" size="md" className={classes.more} waiting={loadingMore} onClick={onMore}>
          {t('加载更多')}
        </WaitButton>
      ) : (
        all !== null && <p className={classes.all}>{all}</p>
      )}
    </div>
  );
}
