import { Textarea, TextInput } from '@mantine/core';
import '#ui/form.css';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { GIVE_MOST, GIVE_REASON_LONGEST, GIVE_TO_MOST } from '#contract/values/exam.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import fields from '#ui/fields.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { msg, sentences, t } from '#web/lib/t.ts';
import { bounded } from '#web/lib/typed-text.ts';
import { invalidate, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './GiveTimeForm.module.css';

interface Props {
  examId: number;
  /** How many sit the paper now. */
  total: number;
  chosen: ReadonlySet<number>;
  onGiven: () => void;
}

/** `to` null: nothing was said, which means those who are ticked once somebody is. */
type Gift = { to: 'chosen' | 'all' | null; minutes: string; reason: string };

/** Names one gift, so that pressed twice, or sent again after a lost answer, it is given once. */
const newKey = () =>
  crypto.getRandomValues(new Uint32Array(3)).reduce((key, part) => `${key}-${part.toString(36)}`, 'give');

const minutesOf = (typed: string) => (/^\d{1,4}$/.test(typed.trim()) ? Number(typed) : 0);

/** Gives time back to those chosen, or to all who sit the paper, with a reason that they read. */
export function GiveTimeForm({ examId, total, chosen, onGiven }: Props) {
  const id = useId();
  const client = useQueryClient();
  const [giveKey, setGiveKey] = useState(newKey);
  const send = useSend('POST /app/exam/give_time', { renews: ['GET /app/exam/sitting', 'GET /app/exam/given_time'] });
  const form = useCallForm<Gift>({
    initialValues: { to: null, minutes: '', reason: '' },
    check: ({ to, minutes, reason }) => ({
      to:
        to === 'all'
          ? null
          : chosen.size === 0
            ? msg('请先勾选学员，或选择全部')
            : chosen.size > GIVE_TO_MOST
              ? msg('一次最多勾选 200 人，更多请选择全部')
              : null,
      minutes: minutesOf(minutes) >= 1 && minutesOf(minutes) <= GIVE_MOST ? null : msg('请填写 1 到 1440 的整数分钟'),
      reason: reason.trim() === '' ? msg('请写明原因，学员会看到') : null,
    }),
    send: async ({ to, minutes, reason }) => {
      const given = await send.mutateAsync({
        giveKey,
        examId,
        minutes: minutesOf(minutes),
        reason: reason.trim(),
        ...(to === 'all' ? {} : { recordIds: [...chosen] }),
      });
      setGiveKey(newKey());
      form.reset();
      toast(
        sentences(
          t('已为 {count} 人补时 {minutes} 分钟。', { count: given.count, minutes: minutesOf(minutes) }),
          given.closed > 0 && t('另有 {count} 人已交卷，没有补时。', { count: given.closed }),
          given.tooMuch > 0 && t('另有 {count} 人累计已满两天，没有补时。', { count: given.tooMuch }),
        ),
        'good',
      );
      onGiven();
    },
    onRefused: ({ why }) => {
      if (why === 'givenOtherwise') {
        // What was sent before was given, only its answer did not come: pressing again must not give it a second time.
        setGiveKey(newKey());
        form.reset();
        onGiven();
        void invalidate(client, 'GET /app/exam/given_time');
      }
      void invalidate(client, 'GET /app/exam/sitting');
      return false;
    },
  });
  const nobody: string | undefined = form.getInputProps('to').error;
  const to = form.values.to ?? (chosen.size > 0 ? 'chosen' : null);
  const choice = (of: 'chosen' | 'all', word: string) => (
    <label className={fields.choice}>
      <input
        type="radio"
        name={id}
        checked={to === of}
        aria-invalid={nobody !== undefined || undefined}
        aria-describedby={nobody === undefined ? undefined : `${id}-to`}
        onChange={() => form.setFieldValue('to', of)}
      />
      {word}
    </label>
  );
  return (
    <form {...form.formProps} className={classes.form}>
      <fieldset className={fields.group}>
        <legend>{t('补给谁')}</legend>
        {choice('chosen', chosen.size === 0 ? t('勾选的学员') : t('勾选的 {count} 人', { count: chosen.size }))}
        {choice('all', t('这份试卷的全部 {count} 人', { count: total }))}
        <p id={`${id}-to`} className={`${fields.error} ${classes.error}`} role="alert">
          {nobody}
        </p>
      </fieldset>
      <TextInput
        label={t('补时（分钟）')}
        inputMode="numeric"
        size="md"
        autoComplete="off"
        {...form.getInputProps('minutes')}
      />
      <Textarea
        label={t('原因')}
        description={t('学员会看到，并留在补时记录里')}
        size="md"
        rows={3}
        {...form.getInputProps('reason')}
        {...bounded(GIVE_REASON_LONGEST, (text) => form.setFieldValue('reason', text))}
      />
      <FormRefusal text={form.refusal} />
      <WaitButton type="submit" waiting={form.submitting} fullWidth>
        {t('补时')}
      </WaitButton>
      <p className={fields.hint}>
        {t('正在考试的学员立刻看到新的结束时间。已经交卷的不会重新打开；误收的试卷请管理员用 exam reopen 命令打开。')}
      </p>
    </form>
  );
}
