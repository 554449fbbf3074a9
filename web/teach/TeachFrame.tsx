import { Button } from '@mantine/core';
import { useRef } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { useCurrentInView } from '#ui/useCurrentInView.ts';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { currentLanguage, t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import classes from './TeachFrame.module.css';
import { teachPlaces } from './teach-places.ts';

/** 教师工作台: what stands around every page of a teacher. Who is none sees whose place it is, and the way back. */
export default function TeachFrame() {
  const { me } = useMe();
  const bar = useRef<HTMLElement>(null);
  useCurrentInView(bar, `${useLocation().pathname} ${currentLanguage()}`);
  if (me?.role !== 'teacher') return <NoTeacher />;
  return (
    <div className={classes.frame}>
      <nav ref={bar} className={classes.nav} aria-label={t('教师工作台')}>
        {teachPlaces.map(({ to, word, icon: Icon }) => (
          <NavLink key={to} to={to} end={to === paths.teach()}>
            <Icon size={20} stroke={1.6} aria-hidden />
            {word()}
          </NavLink>
        ))}
      </nav>
      <div className={classes.page}>
        <Outlet />
      </div>
    </div>
  );
}

function NoTeacher() {
  useTitle(t('教师工作台'));
  return (
    <div className={classes.closed}>
      <h1>{t('这里是教师工作台')}</h1>
      <p>{t('您现在登录的是学员账号。老师的账号由学校开通，开通后重新登录即可进入。')}</p>
      <Button component={Link} to={paths.home()}>
        {t('回到首页')}
      </Button>
    </div>
  );
}
