import { Button, Modal } from '@mantine/core';
import '#ui/dialog.css';
import { useState } from 'react';
import dialog from '#ui/dialog-actions.module.css';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { useRefocus } from '#ui/focus.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { type Me, useSetMe } from '#web/lib/me.ts';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './form.module.css';
import { signOut } from './sign-out.ts';

/** Who signs in while their account is being closed may take that back; otherwise there is nothing to do here. */
export function ClosingDialog({ me, closesAt }: { me: Me; closesAt: number }) {
  useRefocus();
  const setMe = useSetMe();
  const [refusal, setRefusal] = useState<string | null>(null);
  const withdraw = useSend('POST /api/user/close_withdraw');
  const stay = async () => {
    setRefusal(null);
    try {
      await withdraw.mutateAsync({});
      setMe({ ...me, closesAt: null });
      toast(t('已撤回注销，账号保持不变'), 'good');
    } catch (failure) {
      setRefusal(failureText(failure));
    }
  };
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={t('账号正在注销')}
      size={440}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={classes.form}>
        <p>
          {t('您申请了注销账号，{time} 后将删除您的个人信息，不能恢复。现在可以撤回。', {
            time: formatMoment(closesAt, serverNow()),
          })}
        </p>
        <FormRefusal text={refusal} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={() => void signOut()}>
            {t('继续注销，退出')}
          </Button>
          <WaitButton waiting={withdraw.isPending} onClick={() => void stay()} data-autofocus>
            {t('撤回注销')}
          </WaitButton>
        </div>
      </div>
    </Modal>
  );
}
