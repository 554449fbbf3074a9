import { Button, TextInput } from '@mantine/core';
import '#ui/form.css';
import { useId, useState } from 'react';
import type { CouponKind } from '#contract/values/order.ts';
import { MOST_CODES } from '#contract/values/order.ts';
import { fenFrom } from '#rules/order/money.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { dayInChina } from '#web/lib/format.ts';
import { randomName } from '#web/lib/random-name.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './DeskCoupons.module.css';

type Pack = Data<'GET /api/common/course_list'>['list'][number];
type Codes = 'one' | 'many';
const MONTH = 30 * 86_400_000;

interface Values extends Record<string, unknown> {
  name: string;
  kind: CouponKind;
  off: string;
  mostOff: string;
  threshold: string;
  until: string;
  most: string;
  codes: Codes;
  code: string;
  count: string;
}

const OF_FIELDS: Readonly<Record<string, keyof Values>> = {
  couponNameWrong: 'name',
  couponOffWrong: 'off',
  couponDaysWrong: 'until',
  couponCodeWrong: 'code',
  codeThere: 'code',
};
const whole = (text: string, most: number) =>
  /^[1-9]\d{0,6}$/.test(text) && Number(text) <= most ? Number(text) : null;
const sumFault = (text: string) => (text === '' || fenFrom(text) !== null ? null : msg('金额的写法如 19.90'));

/** Makes a kind of coupon; what a field means stands at it. */
export function CouponForm({ onClose }: { onClose: () => void }) {
  const name = useId();
  const [requestId, setRequestId] = useState(randomName);
  const packs = useCall('GET /api/common/course_list', {});
  const [packIds, setPackIds] = useState<readonly number[]>([]);
  const add = useSend('POST /api/order/desk_coupon_add', { renews: ['GET /api/order/desk_coupons'] });
  const form = useCallForm<Values>({
    initialValues: {
      name: '',
      kind: 'amount',
      off: '',
      mostOff: '',
      threshold: '',
      until: dayInChina(serverNow() + MONTH),
      most: '',
      codes: 'one',
      code: '',
      count: '100',
    },
    check: (values) => ({
      name: values.name.trim() === '' ? msg('请填写名称，最多 40 个字') : null,
      off: (values.kind === 'amount' ? fenFrom(values.off) : whole(values.off, 100))
        ? null
        : msg('优惠须大于 0，按比例时为 1 到 100'),
      mostOff: values.kind === 'percent' ? sumFault(values.mostOff) : null,
      threshold: sumFault(values.threshold),
      until: values.until === '' ? msg('日期不正确：最后一天不能早于第一天') : null,
      most: values.most === '' || whole(values.most, 1_000_000) ? null : msg('须为 1 到 1000000 的整数，不限时留空'),
      code: values.codes === 'one' && values.code.trim() === '' ? msg('兑换码为 4 到 40 个字母或数字') : null,
      count: values.codes === 'many' && !whole(values.count, MOST_CODES) ? msg('须为 1 到 10000 的整数') : null,
    }),
    fieldOf: ({ why }) => OF_FIELDS[why],
    send: async (values) => {
      const { kind } = values;
      const mostOff = kind === 'percent' ? fenFrom(values.mostOff) : null;
      const off = (kind === 'amount' ? fenFrom(values.off) : whole(values.off, 100)) ?? 0;
      await add
        .mutateAsync({
          requestId,
          name: values.name,
          kind,
          off,
          ...(mostOff && { mostOff }),
          threshold: fenFrom(values.threshold) ?? 0,
          ...(packIds.length > 0 && { packIds: [...packIds] }),
          until: values.until,
          ...(values.most !== '' && { most: whole(values.most, 1_000_000) }),
          ...(values.codes === 'one' ? { code: values.code } : { count: whole(values.count, MOST_CODES) ?? 1 }),
        })
        .catch((error: unknown) => {
          // What was refused has made nothing: the next press is another one.
          setRequestId(randomName());
          throw error;
        });
      toast(t('已建立'), 'good');
      onClose();
    },
  });
  const { kind, codes } = form.values;
  return (
    <form {...form.formProps} className={classes.form} aria-label={t('新建优惠券')}>
      <TextInput {...form.getInputProps('name')} label={t('名称')} maxLength={40} autoComplete="off" />
      <Choice<CouponKind>
        legend={t('怎样优惠')}
        name={`${name}-kind`}
        value={kind}
        choices={[
          ['amount', t('减固定金额')],
          ['percent', t('按比例减')],
        ]}
        onChoose={(value) => form.setFieldValue('kind', value)}
      />
      <div className={classes.pair}>
        <TextInput
          {...form.getInputProps('off')}
          label={kind === 'amount' ? t('减多少（元）') : t('减百分之几')}
          inputMode="decimal"
          maxLength={12}
        />
        {kind === 'percent' && (
          <TextInput
            {...form.getInputProps('mostOff')}
            label={t('最多减（元，可不填）')}
            inputMode="decimal"
            maxLength={12}
          />
        )}
        <TextInput
          {...form.getInputProps('threshold')}
          label={t('满多少可用（元，可不填）')}
          inputMode="decimal"
          maxLength={12}
        />
        <TextInput {...form.getInputProps('until')} label={t('最后一天')} type="date" min={dayInChina(serverNow())} />
        <TextInput
          {...form.getInputProps('most')}
          label={t('一共多少张（可不填）')}
          inputMode="numeric"
          maxLength={7}
        />
      </div>
      <Packs packs={packs.data?.list ?? []} chosen={packIds} onChoose={setPackIds} />
      <Choice<Codes>
        legend={t('兑换码')}
        name={`${name}-codes`}
        value={codes}
        choices={[
          ['one', t('人人可用的一个码')],
          ['many', t('每个只能用一次的码')],
        ]}
        onChoose={(value) => form.setFieldValue('codes', value)}
      />
      {codes === 'one' ? (
        <TextInput
          {...form.getInputProps('code')}
          label={t('兑换码（4 到 40 个字母或数字）')}
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
        />
      ) : (
        <TextInput {...form.getInputProps('count')} label={t('多少个码')} inputMode="numeric" maxLength={5} />
      )}
      <FormRefusal text={form.refusal} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('取消')}
        </Button>
        <WaitButton type="submit" waiting={form.submitting}>
          {t('建立')}
        </WaitButton>
      </div>
    </form>
  );
}

function Choice<V extends string>({
  legend,
  name,
  value,
  choices,
  onChoose,
}: {
  legend: string;
  name: string;
  value: V;
  choices: readonly (readonly [V, string])[];
  onChoose: (value: V) => void;
}) {
  return (
    <fieldset className={fields.group}>
      <legend>{legend}</legend>
      <div className={classes.pair}>
        {choices.map(([of, word]) => (
          <label key={of} className={fields.choice}>
            <input type="radio" name={name} checked={value === of} onChange={() => onChoose(of)} />
            <span>{word}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The packs that it is for: those that are sold; none chosen means all. */
function Packs({
  packs,
  chosen,
  onChoose,
}: {
  packs: readonly Pack[];
  chosen: readonly number[];
  onChoose: (packIds: readonly number[]) => void;
}) {
  const sold = packs.filter(({ price }) => price !== null);
  if (sold.length === 0) return null;
  return (
    <fieldset className={fields.group}>
      <legend>{t('只用于这些课程包（都不选就是全部）')}</legend>
      {sold.map(({ packId, packageName }) => (
        <label key={packId} className={fields.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(packId)}
            onChange={(event) =>
              onChoose(event.currentTarget.checked ? [...chosen, packId] : chosen.filter((id) => id !== packId))
            }
          />
          <span>{packageName}</span>
        </label>
      ))}
    </fieldset>
  );
}
