import { Button } from '@mantine/core';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { t } from '#web/lib/t.ts';
import classes from './Notice.module.css';

interface State {
  error: Error | null;
}

/**
 * Shows a page where a page broke. The usual cause is harmless: a new version was installed, and the old page asks for
 * code that is gone; loading again repairs it.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const missing = /dynamically imported module|module script|preload CSS/i.test(error.message);
    return (
      <main className={classes.notice} role="alert">
        <h1>{missing ? t('页面没有载入完整') : t('页面出错了')}</h1>
        <p>
          {missing
            ? t('可能是网络中断，或网站刚刚更新。重新载入即可，已保存的内容不受影响。')
            : t('已保存的内容不受影响。重新载入后再试一次。')}
        </p>
        <div className={classes.actions}>
          <Button onClick={() => window.location.reload()}>{t('重新载入')}</Button>
          <Button component="a" href="/" variant="default">
            {t('回到首页')}
          </Button>
        </div>
        {!missing && <p className={classes.detail}>{error.message}</p>}
      </main>
    );
  }
}
