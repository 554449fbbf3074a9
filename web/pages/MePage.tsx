import { IconBriefcase, IconChevronRight, IconLogout, IconSchool } from '@tabler/icons-react';
import { Link } from 'react-router';
import rows from '#ui/rows.module.css';
import { UnreadCount } from '#web/feedback/UnreadCount.tsx';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { Avatar } from '#web/user/Avatar.tsx';
import { RoleMark } from '#web/user/RoleMark.tsx';
import { signOut } from '#web/user/sign-out.ts';
import classes from './MePage.module.css';
import page from './page.module.css';
import { personGroups } from './person-places.ts';

/** 我的: the way to one's own pages on phones. */
export default function MePage() {
  useTitle(t('我的'));
  const { me } = useMe();
  if (me === null) return null;
  const icon = { size: 22, stroke: 1.6, 'aria-hidden': true };
  const arrow = <IconChevronRight size={18} aria-hidden className={classes.arrow} />;
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <div className={classes.who}>
        <Avatar me={me} size={56} />
        <div>
          <h1 className={classes.name}>
            {me.nickname}
            <RoleMark of={me} />
          </h1>
          <p className={classes.phone}>{me.validPhoneExt}</p>
        </div>
      </div>
      <nav className={classes.groups} aria-label={t('我的')}>
        {me.role === 'teacher' && (
          <div className={`${rows.rows} ${classes.list}`}>
            <Link to={paths.teach()}>
              <IconBriefcase {...icon} />
              {t('教师工作台')}
              {arrow}
            </Link>
          </div>
        )}
        {personGroups.map(({ key, places }) => (
          <div key={key} className={`${rows.rows} ${classes.list}`}>
            {places.map(({ to, word, icon: Icon, counts }) => (
              <Link key={to} to={to}>
                <Icon {...icon} />
                {word()}
                {counts === 'feedback' && <UnreadCount />}
                {arrow}
              </Link>
            ))}
          </div>
        ))}
        <div className={`${rows.rows} ${classes.list}`}>
          <Link to={paths.universities()}>
            <IconSchool {...icon} />
            {t('院校库')}
            {arrow}
          </Link>
          <button type="button" onClick={() => void signOut()}>
            <IconLogout {...icon} />
            {t('退出')}
          </button>
        </div>
      </nav>
    </div>
  );
}
