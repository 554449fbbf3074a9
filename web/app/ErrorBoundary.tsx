import { Button } from '@mantine/core';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { t } from '#web/lib/t.ts';
import { retryPages } from './late-pages.ts';
import classes from './Notice.module.css';

/** Whether it says that code of a page did not come. */
const isMissing = (error: Error) => /dynamically imported module|module script|preload CSS/i.test(error.message);

/** Milliseconds after which code that did not come is asked for again. */
const AGAIN = 8000;

interface State {
  error: Error | null;
}

/**
 * Shows a page where a page broke. The usual causes are harmless: the network went before the code of the page came,
 * which is asked for again once it is back, or a new version was installed and the old page asks for code that is gone;
 * loading again repairs that.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  #timer: ReturnType<typeof setInterval> | undefined;

  override componentDidMount(): void {
    window.addEventListener('online', this.#again);
    // A server that is back is announced by nobody.
    this.#timer = setInterval(this.#again, AGAIN);
  }

  override componentWillUnmount(): void {
    clearInterval(this.#timer);
    window.removeEventListener('online', this.#again);
  }

  /** Where only code did not come, drawing again asks for it again; what else the page holds stays. */
  readonly #again = (): void => {
    if (this.state.error === null || !isMissing(this.state.error)) return;
    retryPages();
    this.setState({ error: null });
  };

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const missing = isMissing(error);
    return (
      <main className={classes.notice} role="alert">
        <h1>{missing ? t('页面没有载入完整') : t('页面出错了')}</h1>
        <p>
          {missing
            ? t('可能是网络中断，恢复后会自动重试；也可能是网站刚刚更新，请重新载入。已保存的内容不受影响。')
            : t('已保存的内容不受影响。重新载入后再试一次。')}
        </p>
        <div className={classes.actions}>
          {missing && <Button onClick={this.#again}>{t('重试')}</Button>}
          <Button variant={missing ? 'default' : 'filled'} onClick={() => window.location.reload()}>
            {t('重新载入')}
          </Button>
          <Button component="a" href="/" variant="default">
            {t('回到首页')}
          </Button>
        </div>
        {!missing && <p className={classes.detail}>{error.message}</p>}
      </main>
    );
  }
}
