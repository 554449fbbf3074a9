import { Button } from '@mantine/core';
import { createPath, Link, NavLink, useLocation } from 'react-router';
import { Mark } from '#web/lib/Mark.tsx';
import { useMe } from '#web/lib/me.ts';
import { paths, patterns } from '#web/lib/paths.ts';
import { t, tIn } from '#web/lib/t.ts';
import { NoticeBell } from '#web/notice/NoticeBell.tsx';
import classes from './Header.module.css';
import { LanguageSwitch } from './LanguageSwitch.tsx';
import { ThemeMenu } from './ThemeMenu.tsx';
import { UserMenu } from './UserMenu.tsx';

/** The site's header: where one can go, how it looks, who one is. The navigation names only what works. */
export function Header() {
  const { ready, me } = useMe();
  const location = useLocation();
  const { pathname } = location;
  const onLogin = pathname === patterns.login;
  return (
    <header className={classes.header}>
      <div className={classes.inner}>
        <Link to={paths.home()} className={classes.brand}>
          <Mark size={30} />
          <span className={classes.name}>{t('砺学')}</span>
        </Link>
        <nav className={classes.nav} aria-label={t('主导航')}>
          <NavLink to={paths.home()} end>
            {t('首页')}
          </NavLink>
          <NavLink to={paths.courses()} data-active={pathname.startsWith('/course/') || undefined}>
            {t('课程')}
          </NavLink>
          <NavLink to={paths.examCenter()} data-active={pathname.startsWith('/startExam/') || undefined}>
            {t('考题中心')}
          </NavLink>
          <NavLink
            to={paths.lives()}
            data-active={pathname === patterns.livePage || pathname === patterns.playBack || undefined}
          >
            {tIn('nav', '直播')}
          </NavLink>
          <NavLink to={paths.qa()}>{t('答疑')}</NavLink>
          <NavLink to={paths.universities()}>{t('院校库')}</NavLink>
          {me?.role === 'teacher' && <NavLink to={paths.teach()}>{t('教师工作台')}</NavLink>}
        </nav>
        <div className={classes.tools}>
          <LanguageSwitch />
          <ThemeMenu />
          {ready && me !== null && <NoticeBell userId={me.studentId} />}
          {ready && me !== null && <UserMenu me={me} />}
          {ready && me === null && !onLogin && (
            <Button component={Link} to={paths.login(createPath(location))} className={classes.login}>
              {t('登录')}
            </Button>
          )}
          {!ready && <span className={classes.nobodyYet} aria-hidden />}
        </div>
      </div>
    </header>
  );
}
