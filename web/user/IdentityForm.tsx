import { TextInput } from '@mantine/core';
import '#ui/form.css';
import { TYPED_ID_LONGEST } from '#contract/values/account.ts';
import { TYPED_NAME_LONGEST } from '#contract/values/user.ts';
import { checkIdCard, type IdCardFault } from '#rules/user/id-card.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import type { Me } from '#web/lib/me.ts';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './form.module.css';
import { noProof, useProof } from './useProof.tsx';

const faults: Record<IdCardFault, string> = {
  required: msg('请输入身份证号'),
  length: msg('身份证号应为 18 位'),
  digits: msg('身份证号只能是数字，最后一位可以是 X'),
  region: msg('身份证号的地区不正确'),
  birth: msg('身份证号的出生日期不正确'),
  checksum: msg('身份证号不正确，请核对每一位'),
};

/** Gives the real name and the identity number, once (spec §5). */
export function IdentityForm({ me }: { me: Me }) {
  const proof = useProof(me);
  const save = useSend('POST /api/user/identity', {
    renews: ['GET /api/user/identity', 'GET /api/user/info', 'GET /app/user/agreement'],
  });
  const form = useCallForm({
    initialValues: { userName: me.userName, idNumber: '', ...noProof },
    check: ({ userName, idNumber, ...proven }) => {
      const checked = checkIdCard(idNumber, serverNow());
      return {
        userName: userName.trim() === '' ? msg('请输入真实姓名，不超过 20 个字') : null,
        idNumber: checked.ok ? null : faults[checked.why],
        ...proof.check(proven),
      };
    },
    send: async ({ userName, idNumber, ...proven }) => {
      await save.mutateAsync({ userName, idNumber, ...proof.sent(proven) });
      toast(t('实名信息已保存'), 'good');
    },
  });
  return (
    <form className={classes.form} {...form.formProps}>
      <TextInput
        size="md"
        label={t('真实姓名')}
        autoComplete="name"
        maxLength={TYPED_NAME_LONGEST}
        {...form.getInputProps('userName')}
      />
      <TextInput
        size="md"
        label={t('身份证号')}
        description={t('18 位。只核对格式，不联网查询；保存后只显示首尾几位。')}
        autoComplete="off"
        spellCheck={false}
        maxLength={TYPED_ID_LONGEST}
        {...form.getInputProps('idNumber')}
      />
      {proof.fields(form)}
      <FormRefusal text={form.refusal} />
      <div className={classes.actions}>
        <WaitButton type="submit" size="md" waiting={form.submitting}>
          {t('保存实名信息')}
        </WaitButton>
      </div>
    </form>
  );
}
