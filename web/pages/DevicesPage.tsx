import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { DeviceCode } from '#web/user/DeviceCode.tsx';
import { DeviceList } from '#web/user/DeviceList.tsx';
import page from './page.module.css';

/** 登录设备: where this account is signed in. */
export default function DevicesPage() {
  useTitle(t('登录设备'));
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t('登录设备')}</h1>
      <p className={page.lead}>{t('您的账号正在这些设备上登录。退出后立即生效。')}</p>
      <div className={page.section}>
        <DeviceList />
        <DeviceCode />
      </div>
    </div>
  );
}
