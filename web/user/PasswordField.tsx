import { PasswordInput } from '@mantine/core';
import '#ui/form.css';
import { PASSWORD_LONGEST } from '#contract/values/user.ts';
import { t } from '#web/lib/t.ts';

interface Props {
  label: string;
  placeholder?: string;
  description?: string;
  /** It is to become the password: a browser offers one instead of filling in what it knows. */
  isNew?: boolean;
  /** Of the form: `form.getInputProps(…)`. */
  field: object;
}

/** A field for a password of this site, which can be shown as it is typed. */
export function PasswordField({ isNew = false, field, ...words }: Props) {
  return (
    <PasswordInput
      size="md"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      maxLength={PASSWORD_LONGEST}
      visibilityToggleButtonProps={{ 'aria-label': t('显示或隐藏密码') }}
      {...words}
      {...field}
    />
  );
}
