import { Button } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import type { Me } from '#web/lib/me.ts';
import { msg, t } from '#web/lib/t.ts';
import { OwnCodeField } from './OwnCodeField.tsx';
import { PasswordField } from './PasswordField.tsx';

/** What somebody proves that they are themselves by, as it was typed; a form has it among its values. */
type ProofValues = { password: string; smsCode: string };
export const noProof: ProofValues = { password: '', smsCode: '' };

/** A proof by password or by a code to the own number, for what cannot be undone: what a form checks, sends and shows of it. */
export function useProof(me: Me) {
  const [byCode, setByCode] = useState(me.hasPassword === 0);
  return {
    check: ({ password, smsCode }: ProofValues) => ({
      smsCode: byCode && smsCode.trim() === '' ? msg('请输入验证码') : null,
      password: !byCode && password === '' ? msg('请输入密码') : null,
    }),
    sent: ({ password, smsCode }: ProofValues) => (byCode ? { smsCode: smsCode.trim() } : { password }),
    fields: (
      form: Pick<UseFormReturnType<Record<string, unknown>>, 'getInputProps'> & { forget: () => void },
    ): ReactNode => (
      <>
        {byCode ? (
          <OwnCodeField me={me} purpose="account" field={form.getInputProps('smsCode')} />
        ) : (
          <PasswordField label={t('登录密码')} field={form.getInputProps('password')} />
        )}
        {me.hasPassword === 1 && (
          <Button
            variant="subtle"
            size="compact-md"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => {
              setByCode(!byCode);
              form.forget();
            }}
          >
            {byCode ? t('用密码验证') : t('用验证码验证')}
          </Button>
        )}
      </>
    ),
  };
}
