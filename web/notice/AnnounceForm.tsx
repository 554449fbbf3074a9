import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import '#ui/form.css';
import { useState } from 'react';
import { ANNOUNCEMENT_LONGEST, ANNOUNCEMENT_MOST_DAYS, ANNOUNCEMENT_NAME_LONGEST } from '#contract/values/notice.ts';
import { chinaMoment, chinaTime, DAY } from '#rules/clock/china-day.ts';
import { checkAnnouncement } from '#rules/notice/announcement.ts';
import { confirm } from '#ui/confirm.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { keptDraft } from '#web/lib/drafts.ts';
import { useMe } from '#web/lib/me.ts';
import type { Input } from '#web/lib/send.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { msg, t } from '#web/lib/t.ts';
import { bounded, lengthOf } from '#web/lib/typed-text.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import { useDraft } from '#web/lib/useDraft.ts';
import classes from './AnnounceForm.module.css';

type Asked = Input<'POST /app/common/announce'>;

/** How long an announcement is shown unless its teacher says otherwise. */
const USUAL = 14 * DAY;
/** There is one draft of an announcement. */
const PLACE = 'announcement';
const fields = ['name', 'content', 'packId', 'fromAt', 'untilAt'] as const;

/** A moment as the browser's own field for date and time writes it, by China's clocks. */
const written = (at: number) => chinaTime(at).slice(0, 16).replace(' ', 'T');

/** Announces something to everybody or to the students of a pack. */
export function AnnounceForm({ packs }: { packs: readonly { packId: number; packName: string }[] }) {
  const send = useSend('POST /app/common/announce', { renews: ['GET /app/common/announcement_list'] });
  const owner = useMe().me?.studentId ?? 0;
  const once = useSentOnce(owner, PLACE);
  const [begun] = useState(() => keptDraft(owner, PLACE, readDraft));
  const form = useCallForm({
    initialValues: {
      ...(begun ?? { name: '', content: '', packId: '', fromAt: '' }),
      untilAt: begun?.untilAt || written(serverNow() + USUAL),
    },
    check: (values) => {
      const asked = askedOf(values);
      const now = serverNow();
      if (asked === null) return { untilAt: msg('请填写日期和时间') };
      const checked = checkAnnouncement(asked, now);
      if (checked.ok) return {};
      const sentences = {
        announceNoName: msg('请输入通知标题'),
        announceNoContent: msg('请输入通知内容'),
        announceTimes: msg('结束时间要晚于现在和开始时间，最长一年'),
      };
      return { [checked.field]: sentences[checked.why as keyof typeof sentences] ?? msg('内容太长，请缩短后再提交') };
    },
    send: async (values) => {
      const asked = askedOf(values);
      if (asked === null) return;
      const pack = packs.find(({ packId }) => packId === asked.packId);
      const sure = await confirm({
        title: t('发布这条通知？'),
        text:
          pack === undefined
            ? t('所有人打开页面时都会弹出这条通知。')
            : t('《{pack}》的学员打开页面时都会弹出这条通知。', { pack: pack.packName }),
        yes: t('发布'),
        careful: true,
      });
      if (!sure) return;
      await send.mutateAsync({ ...asked, clientId: once.nameOf(asked) });
      forget();
      once.arrived();
      form.setValues({ name: '', content: '', packId: values.packId, fromAt: '', untilAt: values.untilAt });
      toast(t('通知已发布'), 'good');
    },
    fieldOf: ({ field }) => fields.find((known) => known === field),
  });
  const { name, content } = form.values;
  const forget = useDraft(owner, PLACE, name === '' && content === '' ? null : form.values);
  return (
    <form {...form.formProps} className={classes.form}>
      <TextInput
        label={t('标题')}
        size="md"
        autoComplete="off"
        {...form.getInputProps('name')}
        {...bounded(ANNOUNCEMENT_NAME_LONGEST, (text) => form.setFieldValue('name', text))}
      />
      <Textarea
        label={t('内容')}
        description={t('纯文本，换行会保留')}
        size="md"
        rows={6}
        {...form.getInputProps('content')}
        {...bounded(ANNOUNCEMENT_LONGEST, (text) => form.setFieldValue('content', text))}
      />
      <p className={classes.count}>
        {lengthOf(content)}/{ANNOUNCEMENT_LONGEST}
      </p>
      <div className={classes.line}>
        <NativeSelect label={t('发给谁')} size="md" {...form.getInputProps('packId')}>
          <option value="">{t('所有人')}</option>
          {packs.map(({ packId, packName }) => (
            <option key={packId} value={packId}>
              {t('《{pack}》的学员', { pack: packName })}
            </option>
          ))}
        </NativeSelect>
        <TextInput
          type="datetime-local"
          label={t('开始（北京时间）')}
          description={t('留空：立即')}
          size="md"
          {...form.getInputProps('fromAt')}
        />
        <TextInput
          type="datetime-local"
          label={t('结束（北京时间）')}
          description={t('最长 {count} 天', { count: ANNOUNCEMENT_MOST_DAYS })}
          size="md"
          {...form.getInputProps('untilAt')}
        />
      </div>
      <FormRefusal text={form.refusal} />
      <div>
        <WaitButton type="submit" size="md" waiting={form.submitting}>
          {t('发布')}
        </WaitButton>
      </div>
    </form>
  );
}

/** The fields of a kept draft; null: it is none. */
function readDraft(kept: object): Record<(typeof fields)[number], string> | null {
  const said = kept as Record<string, unknown>;
  const texts = fields.map((field) => [field, said[field]] as const);
  if (texts.some(([, text]) => typeof text !== 'string')) return null;
  return Object.fromEntries(texts) as Record<(typeof fields)[number], string>;
}

/** What the fields say; null: a time is not whole. */
function askedOf(values: Record<(typeof fields)[number], string>): Asked | null {
  const untilAt = chinaMoment(values.untilAt);
  const fromAt = values.fromAt === '' ? undefined : chinaMoment(values.fromAt);
  if (untilAt === null || fromAt === null) return null;
  const packId = values.packId === '' ? {} : { packId: Number(values.packId) };
  return {
    name: values.name,
    content: values.content,
    untilAt,
    ...packId,
    ...(fromAt === undefined ? {} : { fromAt }),
  };
}
