import { Button } from '@mantine/core';
import { t } from '#web/lib/t.ts';
import classes from './Pager.module.css';

/** Leads through the pages of a list; nothing where there is one. */
export function Pager({ pageNum, pages, onPage }: { pageNum: number; pages: number; onPage: (page: number) => void }) {
  if (pages <= 1) return null;
  return (
    <nav className={classes.pager} aria-label={t('分页')}>
      <Button variant="default" disabled={pageNum <= 1} onClick={() => onPage(pageNum - 1)}>
        {t('上一页')}
      </Button>
      <span>
        {pageNum} / {pages}
      </span>
      <Button variant="default" disabled={pageNum >= pages} onClick={() => onPage(pageNum + 1)}>
        {t('下一页')}
      </Button>
    </nav>
  );
}
