import type { UseFormReturnType } from '@mantine/form';
import { Link } from 'react-router';
import type { SmsPurpose } from '#contract/values/user.ts';
import type { Me } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import classes from './form.module.css';
import { isReleased } from './NumberGoneDialog.tsx';
import { SmsCodeField } from './SmsCodeField.tsx';

interface Props {
  me: Me;
  purpose: SmsPurpose;
  /** The code in the form: `form.getInputProps(…)`. */
  field: ReturnType<UseFormReturnType<Record<string, string>>['getInputProps']>;
}

/** A field for a code to the own number; whose number went to somebody else is told that none would reach them. */
export function OwnCodeField({ me, purpose, field }: Props) {
  if (isReleased(me))
    return (
      <p className={classes.second} role={field.error ? 'alert' : undefined}>
        <span>{t('您的手机号已不属于这个账号，收不到验证码。')}</span>
        <Link to={`${paths.settings()}#phone`}>{t('先绑定手机号')}</Link>
      </p>
    );
  return (
    <SmsCodeField
      label={t('发送到 {phone} 的验证码', { phone: me.validPhoneExt })}
      purpose={purpose}
      phone={me.validPhoneExt}
      phoneReady
      onPhoneNeeded={() => undefined}
      field={field}
    />
  );
}
