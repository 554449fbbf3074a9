import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { demoStudent } from '#rules/user/demo.ts';
import { returnPath } from '#rules/user/return-path.ts';
import { Mark } from '#web/lib/Mark.tsx';
import { useMe, useSetMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { LoginForm } from '#web/user/LoginForm.tsx';
import classes from './LoginPage.module.css';

/** Signing in, and back to the page that `ref` names if it is one of this site (spec §2). */
export default function LoginPage() {
  useTitle(t('登录'));
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { me, demo } = useMe();
  const setMe = useSetMe();
  const ref = search.get('ref');
  // A teacher who was on the way to no page in particular comes to work.
  const goal = ref === null && me?.role === 'teacher' ? paths.teach() : returnPath(ref);
  // Also for whoever is signed in already and opens an old link to this page.
  useEffect(() => {
    if (me !== null) void navigate(goal, { replace: true });
  }, [me, goal, navigate]);
  return (
    <div className={classes.page}>
      <div className={classes.card}>
        <div className={classes.head}>
          <Mark size={40} />
          <h1 className={classes.title}>{t('登录砺学')}</h1>
        </div>
        <LoginForm onSignedIn={setMe} />
        <p className={classes.note}>{t('未注册的手机号通过验证码登录后，会自动创建账号。')}</p>
        {demo && <p className={classes.note}>{t('演示站点：可用 {phone} 和密码 {password} 登录。', demoStudent)}</p>}
      </div>
    </div>
  );
}
