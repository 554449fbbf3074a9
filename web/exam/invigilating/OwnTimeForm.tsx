import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import '#ui/form.css';
import { ACCOMMODATION_MOST, accommodationPercents, GIVE_REASON_LONGEST } from '#contract/values/exam.ts';
import { readPhone } from '#rules/user/phone.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import type { Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { bounded } from '#web/lib/typed-text.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './GiveTimeForm.module.css';

/** `packId` empty: every pack. `more`: percent of the usual time, or `minutes`. */
type Grant = { phone: string; packId: string; more: string; minutes: string; reason: string };

const minutesOf = (typed: string) => (/^\d{1,4}$/.test(typed.trim()) ? Number(typed) : 0);

/** Grants a student time of their own, which papers begin with from then on. */
export function OwnTimeForm({ packs }: { packs: Data<'GET /app/exam/accommodations'>['packs'] }) {
  const send = useSend('POST /app/exam/set_accommodation', { renews: ['GET /app/exam/accommodations'] });
  const form = useCallForm<Grant>({
    initialValues: { phone: '', packId: '', more: '125', minutes: '', reason: '' },
    check: ({ phone, more, minutes, reason }) => ({
      phone: readPhone(phone).ok ? null : msg('请输入正确的手机号'),
      minutes:
        more !== 'minutes' || (minutesOf(minutes) >= 1 && minutesOf(minutes) <= ACCOMMODATION_MOST)
          ? null
          : msg('请填写 1 到 300 的整数分钟'),
      reason: reason.trim() === '' ? msg('请写明依据') : null,
    }),
    send: async ({ phone, packId, more, minutes, reason }) => {
      const percent = accommodationPercents.find((of) => String(of) === more);
      const { nickname } = await send.mutateAsync({
        phone: phone.trim(),
        reason: reason.trim(),
        ...(packId === '' ? {} : { packId: Number(packId) }),
        ...(percent === undefined ? { minutes: minutesOf(minutes) } : { percent }),
      });
      form.reset();
      toast(t('已为 {nickname} 延长，之后开始的试卷生效。', { nickname }), 'good');
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <TextInput
        label={t('学员手机号')}
        type="tel"
        inputMode="numeric"
        size="md"
        autoComplete="off"
        {...form.getInputProps('phone')}
      />
      <NativeSelect label={t('适用范围')} size="md" {...form.getInputProps('packId')}>
        <option value="">{t('全部课程')}</option>
        {packs.map(({ packId, packName }) => (
          <option key={packId} value={packId}>
            {packName}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect label={t('延长到')} size="md" {...form.getInputProps('more')}>
        {accommodationPercents.map((percent) => (
          <option key={percent} value={percent}>
            {t('通常时间的 {times} 倍', { times: percent / 100 })}
          </option>
        ))}
        <option value="minutes">{t('另加固定的分钟数')}</option>
      </NativeSelect>
      {form.values.more === 'minutes' && (
        <TextInput
          label={t('加时（分钟）')}
          inputMode="numeric"
          size="md"
          autoComplete="off"
          {...form.getInputProps('minutes')}
        />
      )}
      <Textarea
        label={t('依据')}
        description={t('只有教师看得到；学员导出个人数据时也能看到')}
        size="md"
        rows={3}
        {...form.getInputProps('reason')}
        {...bounded(GIVE_REASON_LONGEST, (text) => form.setFieldValue('reason', text))}
      />
      <FormRefusal text={form.refusal} />
      <WaitButton type="submit" waiting={form.submitting} fullWidth>
        {t('延长')}
      </WaitButton>
      <p className={fields.hint}>
        {t('之后开始的限时试卷都按延长后的时间计时，正在考的不变。同一学员、同一范围只有最近一次有效。')}
      </p>
    </form>
  );
}
