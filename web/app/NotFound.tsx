import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import classes from './Notice.module.css';

/** The page for an address that is none. */
export function NotFound() {
  useTitle(t('没有这个页面'), { instead: true });
  return (
    <div className={classes.notice}>
      <p className={classes.figure} aria-hidden>
        404
      </p>
      <h1>{t('没有这个页面')}</h1>
      <p>{t('地址可能写错了，或者页面已经移走。')}</p>
      <div className={classes.actions}>
        <Button component={Link} to={paths.home()}>
          {t('回到首页')}
        </Button>
        <Button component={Link} to={paths.courses()} variant="default">
          {t('看看课程')}
        </Button>
      </div>
    </div>
  );
}
