import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useMe } from '#web/lib/me.ts';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { NoticeChoices } from '#web/notice/NoticeChoices.tsx';
import { AvatarForm } from '#web/user/AvatarForm.tsx';
import { DisplaySettings } from '#web/user/DisplaySettings.tsx';
import { NicknameForm } from '#web/user/NicknameForm.tsx';
import { PasswordForm } from '#web/user/PasswordForm.tsx';
import { PhoneForm } from '#web/user/PhoneForm.tsx';
import page from './page.module.css';
import classes from './SettingsPage.module.css';

/** 设置: how this browser shows the site, and the own account. */
export default function SettingsPage() {
  useTitle(t('设置'));
  const { me } = useMe();
  const { hash } = useLocation();
  const whole = useRef<HTMLDivElement>(null);
  // A link may lead to one part. Once it is drawn: a new page begins at its top.
  useEffect(() => {
    const frame = requestAnimationFrame(() =>
      [...(whole.current?.querySelectorAll('h2') ?? [])].find(({ id }) => `#${id}` === hash)?.scrollIntoView(),
    );
    return () => cancelAnimationFrame(frame);
  }, [hash]);
  if (me === null) return null;
  const parts = [
    { id: 'display', title: t('显示'), body: <DisplaySettings /> },
    { id: 'notices', title: t('接收哪些通知'), body: <NoticeChoices /> },
    { id: 'avatar', title: t('头像'), body: <AvatarForm me={me} /> },
    { id: 'nickname', title: t('昵称'), body: <NicknameForm me={me} /> },
    { id: 'password', title: me.hasPassword === 1 ? t('修改密码') : t('设置密码'), body: <PasswordForm me={me} /> },
    { id: 'phone', title: t('更换手机号'), body: <PhoneForm me={me} /> },
  ];
  return (
    <div ref={whole} className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t('设置')}</h1>
      <div className={classes.parts}>
        {parts.map((part) => (
          <section key={part.id} className={page.card} aria-labelledby={part.id}>
            <h2 id={part.id} className={classes.title}>
              {part.title}
            </h2>
            {part.body}
          </section>
        ))}
      </div>
    </div>
  );
}
