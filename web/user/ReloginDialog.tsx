import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import '#ui/dialog.css';
import { type Me, useSetMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import classes from './form.module.css';
import { LoginForm } from './LoginForm.tsx';

interface Props {
  /** Who was signed in. */
  me: Me;
  /** True: the same person is signed in again. */
  onDone: (signedIn: boolean) => void;
}

/** Signing in again over the open page, which stays as it is. */
export default function ReloginDialog({ me, onDone }: Props) {
  const setMe = useSetMe();
  const client = useQueryClient();
  const signedIn = (user: Me) => {
    if (user.studentId !== me.studentId) {
      // The page holds the work of somebody else: what is unsent stays in this browser under their own account.
      window.location.assign(paths.home());
      return;
    }
    setMe(user);
    onDone(true);
    void client.refetchQueries({ type: 'active', predicate: (query) => query.state.status === 'error' });
  };
  return (
    <Modal
      opened
      onClose={() => onDone(false)}
      title={t('登录已过期')}
      size={420}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      <p className={classes.lead}>
        {t('请用 {phone} 重新登录。当前页面会保持原样，登录后接着进行。', { phone: me.validPhoneExt })}
      </p>
      <LoginForm onSignedIn={signedIn} way={me.hasPassword === 1 ? 'password' : 'code'} again />
    </Modal>
  );
}
