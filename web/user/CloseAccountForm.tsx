import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { COOLING_OFF_DAYS } from '#contract/values/account.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { forgetDrafts } from '#web/lib/drafts.ts';
import type { Me } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './CloseAccountForm.module.css';
import formClasses from './form.module.css';
import { TickField } from './TickField.tsx';
import { noProof, useProof } from './useProof.tsx';

/** Asks for the closing of the own account: what it means, that it is understood, a proof (decisions §7). */
export function CloseAccountForm({ me }: { me: Me }) {
  const [open, setOpen] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  useSwapFocus(part, open);
  const proof = useProof(me);
  const close = useSend('POST /api/user/close');
  const form = useCallForm({
    initialValues: { ...noProof, understood: false },
    check: ({ understood, ...proven }) => ({
      understood: understood ? null : msg('请确认您了解注销的后果'),
      ...proof.check(proven),
    }),
    send: async ({ password, smsCode }) => {
      await close.mutateAsync(proof.sent({ password, smsCode }));
      await forgetDrafts();
      // Signed out everywhere, here too: nothing of the person stays in this page's memory.
      window.location.assign(paths.home());
    },
  });
  return (
    <div ref={part} tabIndex={-1} className={classes.part}>
      <ul className={classes.says}>
        <li>{t('申请后有 {days} 天冷静期，所有设备立即退出登录。期间登录即可撤回。', { days: COOLING_OFF_DAYS })}</li>
        <li>{t('到期后，手机号、姓名、身份证信息、头像、上传的图片、笔记和通知会被删除，不能恢复。')}</li>
        <li>{t('已发布的提问、回答和评论以“已注销用户”保留；订单按财务要求保留，但不再关联到您。')}</li>
        <li>{t('未支付的订单会立即关闭。已购课程不能再学习，也不能转到其他账号。')}</li>
      </ul>
      {open ? (
        <form className={formClasses.form} {...form.formProps}>
          {proof.fields(form)}
          <TickField
            label={t('我了解注销的后果，仍要注销')}
            field={form.getInputProps('understood', { type: 'checkbox' })}
          />
          <FormRefusal text={form.refusal} />
          <div className={formClasses.actions}>
            <WaitButton type="submit" size="md" color="cinnabar" waiting={form.submitting}>
              {t('申请注销')}
            </WaitButton>
            <Button variant="subtle" size="md" onClick={() => setOpen(false)}>
              {t('取消')}
            </Button>
          </div>
        </form>
      ) : (
        <Button variant="default" size="md" className={classes.begin} onClick={() => setOpen(true)}>
          {t('注销账号')}
        </Button>
      )}
    </div>
  );
}
