import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './SideLists.module.css';

/** 练一练: the practices of a lesson, each opened in the exam screen. */
export function Practice({ list }: { list: Data<'GET /app/course/lesson'>['practiceArr'] }) {
  return (
    <ul className={classes.list}>
      {list.map(({ examId, name, total, done, credits }) => (
        <li key={examId} className={classes.row}>
          <span className={classes.what}>
            <span>{name}</span>
            <small>
              {t('已做 {done} / {total} 题', { done, total })}
              {credits > 0 && <> · {t('{n} 学分', { n: credits })}</>}
            </small>
          </span>
          <Button component={Link} to={paths.exam(examId)} variant={done >= total ? 'default' : 'filled'}>
            {done === 0 ? t('开始') : done >= total ? t('再看看') : t('继续')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
