import { Button, Modal } from '@mantine/core';
import { Link } from 'react-router';
import '#ui/dialog.css';
import dialog from '#ui/dialog-actions.module.css';
import { useRefocus } from '#ui/focus.ts';
import type { Me } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import classes from './form.module.css';

/** Whether the number of the account went to somebody else, who proved it by a code: nothing of it is shown then. */
export const isReleased = ({ validPhoneExt }: Pick<Me, 'validPhoneExt'>): boolean => !/\d/.test(validPhoneExt);

/** Says that the account has lost its number, while its person is still signed in: without another one they could not sign in again. */
export function NumberGoneDialog({ onClose }: { onClose: () => void }) {
  useRefocus();
  return (
    <Modal opened onClose={onClose} title={t('手机号已不属于这个账号')} size={440} withCloseButton={false}>
      <div className={classes.form}>
        <p>{t('您的手机号已由别人用验证码验证，不再属于这个账号。请绑定您现在的手机号，否则退出后无法登录。')}</p>
        <div className={dialog.actions}>
          <Button variant="default" onClick={onClose}>
            {t('以后再说')}
          </Button>
          <Button component={Link} to={`${paths.settings()}#phone`} onClick={onClose} data-autofocus>
            {t('绑定手机号')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
