import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import page from './page.module.css';

/** The section of home in which live lessons stand. */
export function aroundLives(rows: ReactNode): ReactNode {
  return (
    <section className={page.section} aria-labelledby="next-lives">
      <div className={page.sectionHead}>
        <h2 id="next-lives" className={page.sectionTitle}>
          {t('近期直播')}
        </h2>
        <Link to={paths.lives()}>{t('全部直播')}</Link>
      </div>
      {rows}
    </section>
  );
}
