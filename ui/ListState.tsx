import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './ListState.module.css';
import { t } from './words.ts';

interface Props {
  /** Nothing has arrived yet. */
  loading: boolean;
  /** The sentence to show when it could not be loaded, already in the person's language; null: nothing failed. */
  error: string | null;
  onRetry: () => void;
  /** It arrived and there is nothing in it. */
  empty?: boolean;
  /** One sentence, and what to do next. */
  emptyText?: string;
  emptyAction?: ReactNode;
  /** Stands in the place and size of what is coming. */
  skeleton: ReactNode;
  children: ReactNode;
}

/**
 * The states that every list has: coming (skeleton), failed (what happened, 重试), empty (what to do next), there.
 * What is already there stays when a later refresh fails.
 */
export function ListState({ loading, error, onRetry, empty, emptyText, emptyAction, skeleton, children }: Props) {
  if (error !== null) {
    return (
      <div className={classes.state} role="alert">
        <IconCloudOff size={32} stroke={1.5} aria-hidden />
        <p>{error}</p>
        <Button variant="default" onClick={onRetry}>
          {t('重试')}
        </Button>
      </div>
    );
  }
  if (loading) {
    return (
      <div aria-busy="true">
        <span className="unseen" role="status">
          {t('正在加载')}
        </span>
        <div aria-hidden>{skeleton}</div>
      </div>
    );
  }
  if (empty) {
    return (
      <div className={classes.state}>
        <EmptyDrawing />
        <p>{emptyText ?? t('这里还没有内容')}</p>
        {emptyAction}
      </div>
    );
  }
  return children;
}

/** An empty sheet on a stone. */
function EmptyDrawing() {
  return (
    <svg width="72" height="56" viewBox="0 0 72 56" fill="none" aria-hidden className={classes.drawing}>
      <path d="M20 8h26l8 8v28H20z" fill="var(--card)" />
      <path d="M46 8v8h8" />
      <path d="M28 22h12M28 29h18M28 36h9" strokeDasharray="3 4" />
      <path d="M8 50c0-3 3-6 7-6h42c4 0 7 3 7 6z" fill="var(--sunken)" />
    </svg>
  );
}
