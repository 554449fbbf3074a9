import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Mark } from '#web/lib/Mark.tsx';
import { paths } from '#web/lib/paths.ts';
import { readSite } from '#web/lib/site.ts';
import { t } from '#web/lib/t.ts';
import classes from './Footer.module.css';

/** The end of every page: who runs this site, as the school has set it (SITE_… in the environment). */
export function Footer() {
  const site = readSite();
  const police = /\d{6,}/.exec(site.police ?? '')?.[0] ?? '';
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <span className={classes.brand}>
          <Mark size={18} />
          {t('砺学')}
        </span>
        <span>{t('磨砺以须，学以致用')}</span>
        <nav className={classes.links} aria-label={t('关于本站')}>
          <Outside to={site.about}>{t('关于我们')}</Outside>
          <Outside to={site.agreement ?? paths.agreement(1)}>{t('用户协议')}</Outside>
          <Outside to={site.privacy ?? paths.agreement(2)}>{t('隐私政策')}</Outside>
          <Link to={paths.universities()} className={classes.link}>
            {t('院校库')}
          </Link>
        </nav>
        {(site.contact ?? site.icp ?? site.police) && (
          <p className={classes.records}>
            {site.contact && <span>{t('联系我们：{contact}', { contact: site.contact })}</span>}
            <Outside to={site.icp && 'https://beian.miit.gov.cn/'} lang="zh-CN">
              {site.icp}
            </Outside>
            <Outside to={site.police && `https://beian.mps.gov.cn/#/query/webSearch?code=${police}`} lang="zh-CN">
              {site.police}
            </Outside>
          </p>
        )}
      </div>
    </footer>
  );
}

/** A link that leaves the site; nothing without an address. */
function Outside({ to, lang, children }: { to: string | null | undefined; lang?: string; children: ReactNode }) {
  if (!to) return null;
  return (
    <a href={to} target="_blank" lang={lang} rel="noopener noreferrer" className={classes.link}>
      {children}
    </a>
  );
}
