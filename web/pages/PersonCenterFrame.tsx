import { IconChevronLeft } from '@tabler/icons-react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { UnreadCount } from '#web/feedback/UnreadCount.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import classes from './PersonCenterFrame.module.css';
import { personGroups } from './person-places.ts';

/** What stands around a person's own pages: their navigation beside them, on the phone the way back to the list of them (我的). */
export default function PersonCenterFrame() {
  const { pathname } = useLocation();
  return (
    <div className={classes.frame} data-list={pathname === paths.me() || undefined}>
      <nav className={classes.nav} aria-label={t('个人中心')}>
        {personGroups.map(({ key, word, places }) => (
          <div key={key} className={classes.group}>
            <span className={classes.groupWord}>{word()}</span>
            {places.map(({ to, word: name, icon: Icon, counts }) => (
              <NavLink key={to} to={to}>
                <Icon size={20} stroke={1.6} aria-hidden />
                {name()}
                {counts === 'feedback' && <UnreadCount />}
              </NavLink>
            ))}
          </div>
        ))}
      </nav>
      <div className={classes.page}>
        <Link to={paths.me()} className={classes.back}>
          <IconChevronLeft size={20} aria-hidden />
          {t('我的')}
        </Link>
        <div className={classes.content}>
          <Outlet />
        </div>
      </div>
    </div>
  );
}
