import { Button, Modal, TextInput } from '@mantine/core';
import '#ui/dialog.css';
import { forGuardians } from '#contract/values/agreement.ts';
import { TYPED_NAME_LONGEST } from '#contract/values/user.ts';
import { readPhone } from '#rules/user/phone.ts';
import dialog from '#ui/dialog-actions.module.css';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { useRefocus } from '#ui/focus.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallError } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { AgreementCheck, AgreementLinks } from './AgreementCheck.tsx';
import { type Agreement, type AskedDocument, agreeTo } from './agreement.ts';
import classes from './form.module.css';
import { phoneWrong } from './login-check.ts';
import { PhoneWithCode } from './PhoneWithCode.tsx';
import { signOut } from './sign-out.ts';

interface Props {
  documents: readonly AskedDocument[];
  /** Reads anew what is in force. */
  renew: () => Promise<unknown>;
  /** Puts it off until the next visit; left out for who never agreed to anything. */
  onLater: (() => void) | null;
}

/** The agreement dialog (spec §4): unchecked it says 请勾选同意协议, checked it records and closes. */
export function AgreementDialog({ documents, renew, onLater }: Props) {
  useRefocus();
  const form = useCallForm({
    initialValues: { agreed: false, minor: false },
    check: ({ agreed }) => ({ agreed: agreed ? null : msg('请勾选同意协议') }),
    send: async ({ minor }) => {
      try {
        await agreeTo(documents, minor);
      } catch (failure) {
        // Another text is in force: it is shown before anything is agreed to.
        if (failure instanceof CallError && failure.why === 'agreementChanged') {
          await renew();
          form.setFieldValue('agreed', false);
        }
        throw failure;
      }
      toast(t('您已同意协议内容'), 'good');
      await renew();
    },
  });
  return (
    <Modal
      opened
      onClose={onLater ?? (() => undefined)}
      title={onLater === null ? t('请先阅读协议') : t('协议已更新')}
      size={480}
      closeOnClickOutside={false}
      closeOnEscape={onLater !== null}
      withCloseButton={onLater !== null}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      <form className={classes.form} {...form.formProps}>
        <p>
          {onLater === null
            ? t('使用本站前，请阅读并同意学校的协议。')
            : t('学校更新了协议。同意之前，已有的课程和考试不受影响，但不能报名或购买新的课程。')}
        </p>
        <AgreementCheck
          documents={documents.map(({ id }) => id)}
          agree={{ ...form.getInputProps('agreed', { type: 'checkbox' }), 'data-autofocus': true }}
          minor={form.getInputProps('minor', { type: 'checkbox' })}
        />
        <FormRefusal text={form.refusal} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={() => (onLater === null ? void signOut() : onLater())}>
            {onLater === null ? t('不同意并退出') : t('以后再说')}
          </Button>
          <WaitButton type="submit" waiting={form.submitting}>
            {t('同意并继续')}
          </WaitButton>
        </div>
      </form>
    </Modal>
  );
}

/** The consent of a guardian: name, own number, and the code that comes there. */
export function GuardianDialog({ agreement, renew }: { agreement: Agreement } & Pick<Props, 'renew'>) {
  useRefocus();
  const consent = useSend('POST /app/user/guardian_consent');
  const text = agreement.list.find(({ id }) => id === forGuardians) ?? agreement.list.find(({ id }) => id === 1);
  const form = useCallForm({
    initialValues: { name: '', phone: '', smsCode: '' },
    check: ({ name, phone, smsCode }) => ({
      name: name.trim() === '' ? msg('请输入监护人的姓名') : null,
      phone: readPhone(phone).ok ? null : phoneWrong,
      smsCode: smsCode.trim() === '' ? msg('请输入验证码') : null,
    }),
    send: async ({ name, phone, smsCode }) => {
      try {
        await consent.mutateAsync({ name, phone, smsCode: smsCode.trim(), ...(text && { hash: text.hash }) });
      } catch (failure) {
        // Another text is in force, or no guardian is asked any more.
        if (failure instanceof CallError && ['agreementChanged', 'guardianNotNeeded'].includes(failure.why))
          await renew();
        throw failure;
      }
      toast(t('监护人已同意'), 'good');
      await renew();
    },
  });
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={t('需要监护人同意')}
      size={480}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <form className={classes.form} {...form.formProps}>
        <p>
          {t('您未满 14 周岁。请让监护人阅读')}
          {text && <AgreementLinks documents={[text.id]} />}
          {t('，并用自己的手机号确认同意。')}
        </p>
        <TextInput
          size="md"
          label={t('监护人姓名')}
          autoComplete="off"
          maxLength={TYPED_NAME_LONGEST}
          {...form.getInputProps('name')}
        />
        <PhoneWithCode
          label={t('监护人手机号')}
          codeLabel={t('监护人收到的验证码')}
          code="smsCode"
          purpose="guardian"
          isOwn={false}
          form={form}
        />
        <FormRefusal text={form.refusal} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={() => void signOut()}>
            {t('暂不使用，退出')}
          </Button>
          <WaitButton type="submit" waiting={form.submitting}>
            {t('我是监护人，我同意')}
          </WaitButton>
        </div>
      </form>
    </Modal>
  );
}
