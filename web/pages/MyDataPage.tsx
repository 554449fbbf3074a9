import { useMe } from '#web/lib/me.ts';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { CloseAccountForm } from '#web/user/CloseAccountForm.tsx';
import { ExportPanel } from '#web/user/ExportPanel.tsx';
import page from './page.module.css';
import classes from './SettingsPage.module.css';

/** 数据与注销: a copy of all that one has here, and leaving. */
export default function MyDataPage() {
  useTitle(t('数据与注销'));
  const { me } = useMe();
  if (me === null) return null;
  const parts = [
    { id: 'export', title: t('我的数据'), body: <ExportPanel me={me} /> },
    { id: 'close', title: t('注销账号'), body: <CloseAccountForm me={me} /> },
  ];
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t('数据与注销')}</h1>
      <div className={classes.parts}>
        {parts.map(({ id, title, body }) => (
          <section key={id} className={page.card} aria-labelledby={id}>
            <h2 id={id} className={classes.title}>
              {title}
            </h2>
            {body}
          </section>
        ))}
      </div>
    </div>
  );
}
