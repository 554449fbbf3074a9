import { Button, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { TYPED_ID_LONGEST } from '#contract/values/account.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { msg, t } from '#web/lib/t.ts';
import classes from './form.module.css';
import type { SecondWay } from './login-check.ts';
import { PasswordField } from './PasswordField.tsx';

/** What can be asked, in the order in which it is offered. */
const ways: readonly [SecondWay, string][] = [
  ['secondPassword', msg('用密码验证')],
  ['idNumber', msg('用身份证号验证')],
  ['deviceCode', msg('用已登录的设备验证')],
  ['orderNo', msg('用订单号验证')],
];

/** A field of text of a way, and where what it asks for is found. */
const texts: Readonly<Record<Exclude<SecondWay, 'secondPassword'>, { label: string; longest: number; hint?: string }>> =
  {
    idNumber: { label: msg('身份证号'), longest: TYPED_ID_LONGEST },
    deviceCode: {
      label: msg('登录确认码'),
      longest: 20,
      hint: msg('在已登录的设备上打开“个人中心 → 登录设备”，可看到 8 位确认码。'),
    },
    orderNo: {
      label: msg('已支付订单的订单号'),
      longest: 80,
      hint: msg('也可以填微信或支付宝账单里的商户单号、交易单号。'),
    },
  };

interface Props {
  way: SecondWay;
  field: object;
  onWay: (way: SecondWay) => void;
  onAnew: () => Promise<void>;
}

/** What only the person of an account knows whose number was not proven for long, or the way to an account of one's own (decisions §7). */
export function SecondFact({ way, field, onWay, onAnew }: Props) {
  const text = way === 'secondPassword' ? null : texts[way];
  const whole = useRef<HTMLDivElement>(null);
  useSwapFocus(whole, way);
  return (
    <div ref={whole} tabIndex={-1} className={classes.second}>
      <p role="status">{t('这个手机号很久没有用验证码验证过，可能已换了主人。请再验证一项本人信息')}</p>
      {text === null ? (
        <PasswordField label={t('登录密码')} field={field} />
      ) : (
        <TextInput
          size="md"
          label={t(text.label)}
          description={text.hint === undefined ? undefined : t(text.hint)}
          autoComplete="off"
          spellCheck={false}
          maxLength={text.longest}
          {...field}
        />
      )}
      <div className={classes.actions}>
        {ways
          .filter(([other]) => other !== way)
          .map(([other, label]) => (
            <Button key={other} variant="subtle" size="compact-md" onClick={() => onWay(other)}>
              {t(label)}
            </Button>
          ))}
        <Button variant="subtle" size="compact-md" onClick={() => void onAnew()}>
          {t('这不是我的账号')}
        </Button>
      </div>
      <p className={classes.lead}>{t('都没有？请联系学校，核对后可以找回账号。')}</p>
    </div>
  );
}
