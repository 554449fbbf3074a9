import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import '#ui/form.css';
import { PHONE_LONGEST, type SmsPurpose } from '#contract/values/user.ts';
import { readPhone } from '#rules/user/phone.ts';
import { phoneWrong } from './login-check.ts';
import { SmsCodeField } from './SmsCodeField.tsx';

interface Props {
  label: string;
  codeLabel: string;
  /** The form's field of the code. */
  code: string;
  purpose: SmsPurpose;
  /** Whether the browser may fill in the number: it is its person's. */
  isOwn: boolean;
  form: Pick<UseFormReturnType<Record<string, unknown>>, 'getInputProps' | 'setFieldError'> & {
    values: { phone: string };
  };
}

/** A number, the form's `phone`, with the code that is sent there. */
export function PhoneWithCode({ label, codeLabel, code, purpose, isOwn, form }: Props) {
  const { phone } = form.values;
  return (
    <>
      <TextInput
        size="md"
        label={label}
        type="tel"
        inputMode="tel"
        autoComplete={isOwn ? 'tel' : 'off'}
        maxLength={PHONE_LONGEST}
        {...form.getInputProps('phone')}
      />
      <SmsCodeField
        label={codeLabel}
        purpose={purpose}
        phone={phone}
        phoneReady={readPhone(phone).ok}
        onPhoneNeeded={() => form.setFieldError('phone', phoneWrong)}
        field={form.getInputProps(code)}
      />
    </>
  );
}
