import { Button } from '@mantine/core';
import { usePagination } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { t } from '#web/lib/t.ts';
import classes from './Pager.module.css';

/**
 * Leads through the pages of a list: to the one before, to a page by its number, to the next (spec §2, comments); nothing where there is one.
 * Of more than five pages the first, the last and this one are there, at either end the two beside it too.
 */
export function Pager({ pageNum, pages, onPage }: { pageNum: number; pages: number; onPage: (page: number) => void }) {
  const { range } = usePagination({ total: pages, page: pageNum, siblings: 0 });
  if (pages <= 1) return null;
  return (
    <nav className={classes.pager} aria-label={t('分页')}>
      <Button variant="default" className={classes.move} disabled={pageNum <= 1} onClick={() => onPage(pageNum - 1)}>
        <IconChevronLeft size={18} stroke={1.7} aria-hidden />
        <span className={classes.word}>{t('上一页')}</span>
      </Button>
      <ol className={classes.numbers}>
        {range.map((page, at) =>
          page === 'dots' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: what is left out has no name but its place
            <li key={`dots ${at}`} aria-hidden>
              …
            </li>
          ) : (
            <li key={page}>
              <button
                type="button"
                aria-current={page === pageNum ? 'page' : undefined}
                aria-label={t('第 {page} 页', { page })}
                onClick={() => page !== pageNum && onPage(page)}
              >
                {page}
              </button>
            </li>
          ),
        )}
      </ol>
      <Button
        variant="default"
        className={classes.move}
        disabled={pageNum >= pages}
        onClick={() => onPage(pageNum + 1)}
      >
        <span className={classes.word}>{t('下一页')}</span>
        <IconChevronRight size={18} stroke={1.7} aria-hidden />
      </Button>
    </nav>
  );
}
