import { IconBook2, IconBriefcase, IconHome, IconMessageQuestion, IconPencil, IconUser } from '@tabler/icons-react';
import { NavLink, useLocation } from 'react-router';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import classes from './BottomBar.module.css';

/** The way around on phones, in reach of the thumb. */
export function BottomBar() {
  const { pathname } = useLocation();
  const { me } = useMe();
  const icon = { size: 22, stroke: 1.6, 'aria-hidden': true };
  const within = (...parts: string[]) => parts.some((part) => pathname.startsWith(part)) || undefined;
  return (
    <nav className={classes.bar} aria-label={t('底部导航')}>
      <NavLink to={paths.home()} end>
        <IconHome {...icon} />
        {t('首页')}
      </NavLink>
      <NavLink to={paths.courses()} data-active={within('/course/')}>
        <IconBook2 {...icon} />
        {t('课程')}
      </NavLink>
      <NavLink to={paths.examCenter()} data-active={within('/startExam/')}>
        <IconPencil {...icon} />
        {t('考题中心')}
      </NavLink>
      {/* Five, as many as a thumb tells apart: who teaches comes to 答疑 by the workspace. */}
      {me?.role === 'teacher' ? (
        <NavLink to={paths.teach()}>
          <IconBriefcase {...icon} />
          {t('工作台')}
        </NavLink>
      ) : (
        <NavLink to={paths.qa()}>
          <IconMessageQuestion {...icon} />
          {t('答疑')}
        </NavLink>
      )}
      <NavLink to={paths.me()} data-active={within('/settings', '/myExams', '/myFeedback', '/exam/')}>
        <IconUser {...icon} />
        {t('我的')}
      </NavLink>
    </nav>
  );
}
