import { TextInput } from '@mantine/core';
import '#ui/form.css';
import { TYPED_NAME_LONGEST } from '#contract/values/user.ts';
import { checkNickname } from '#rules/user/nickname.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { type Me, useSetMe } from '#web/lib/me.ts';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './form.module.css';

/** Changes the nickname. */
export function NicknameForm({ me }: { me: Me }) {
  const setMe = useSetMe();
  const update = useSend('POST /api/user/update');
  const form = useCallForm({
    initialValues: { nickname: me.nickname },
    check: ({ nickname }) => {
      const checked = checkNickname(nickname, me.role);
      if (checked.ok) return {};
      return {
        nickname:
          checked.why === 'nicknameStaff' ? msg('昵称不能让人误认为是老师或工作人员') : msg('昵称为 1 到 20 个字'),
      };
    },
    send: async ({ nickname }) => {
      const { user } = await update.mutateAsync({ nickname });
      setMe(user);
      form.setValues({ nickname: user.nickname });
      toast(t('昵称已保存'), 'good');
    },
  });
  return (
    <form className={classes.form} {...form.formProps}>
      <div className={classes.line}>
        <TextInput
          size="md"
          className={classes.grow}
          aria-label={t('昵称')}
          autoComplete="nickname"
          maxLength={TYPED_NAME_LONGEST}
          {...form.getInputProps('nickname')}
        />
        <WaitButton type="submit" size="md" waiting={form.submitting}>
          {t('保存')}
        </WaitButton>
      </div>
      <FormRefusal text={form.refusal} />
    </form>
  );
}
