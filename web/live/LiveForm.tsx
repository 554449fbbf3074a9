import { NativeSelect, TextInput } from '@mantine/core';
import '#ui/form.css';
import { LIVE_TITLE_LONGEST, type LivePlatform, OTHER_PLATFORM, THIS_SITE } from '#contract/values/live.ts';
import { chinaMoment, chinaTime } from '#rules/clock/china-day.ts';
import { checkLive } from '#rules/live/lesson.ts';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { useMe } from '#web/lib/me.ts';
import type { Data, Input } from '#web/lib/send.ts';
import { useSentOnce } from '#web/lib/sent-once.ts';
import { msg, t, tIn } from '#web/lib/t.ts';
import { bounded } from '#web/lib/typed-text.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './LiveForm.module.css';

type Listed = Data<'GET /app/live/teach_list'>;
type Asked = Input<'POST /app/live/save'>;

interface Props extends Pick<Listed, 'packs' | 'teachers'> {
  /** The lesson that is changed; null: a new one is planned. */
  changed: Listed['list'][number] | null;
  onSaved: () => void;
}

const fields = [
  ...(['title', 'packId', 'teacherId', 'startTime', 'endTime'] as const),
  ...(['livePlatform', 'liveUrlPc', 'liveUrlH5', 'replayUrl'] as const),
];
type Values = Record<(typeof fields)[number], string>;

/** A moment as the browser's own field for date and time writes it, by China's clocks. */
const written = (at: number) => chinaTime(at).slice(0, 16).replace(' ', 'T');

const sentences = {
  liveNoTitle: msg('请输入直播标题'),
  textTooLong: msg('内容太长，请缩短后再提交'),
  liveTimes: msg('结束时间要晚于开始时间，一次直播最长 12 小时，最多提前一年安排'),
  liveStarted: msg('直播已经开始，开始时间不能再改；结束时间可以改'),
  liveEnded: msg('直播已经结束，时间不能再改'),
  liveOver: msg('这个时间已经过去了，请选择之后的时间'),
  liveAddress: msg('请输入以 https:// 开头的完整地址'),
} as const;

/** Plans a live lesson in the room of this site or on another platform, or changes one. */
export function LiveForm({ packs, teachers, changed, onSaved }: Props) {
  const { me } = useMe();
  const send = useSend('POST /app/live/save', { renews: ['GET /app/live/teach_list', 'GET /app/live/list'] });
  // The same words sent again after a lost answer are the same lesson.
  const once = useSentOnce(me?.studentId ?? 0, 'live');
  const self = teachers.find(({ id }) => id === me?.studentId) ?? teachers[0];
  const blank: Values = {
    ...{ title: '', packId: String(packs[0]?.packId ?? ''), teacherId: String(self?.id ?? '') },
    ...{ startTime: '', endTime: '', livePlatform: '0', liveUrlPc: '', liveUrlH5: '', replayUrl: '' },
  };
  const form = useCallForm<Values>({
    initialValues: changed
      ? {
          ...{ title: changed.title, packId: String(changed.packId), teacherId: String(changed.teacherId) },
          ...{ startTime: written(changed.startTime), endTime: written(changed.endTime) },
          livePlatform: String(changed.livePlatform),
          ...{ liveUrlPc: changed.liveUrlPc, liveUrlH5: changed.liveUrlH5, replayUrl: changed.replayUrl },
        }
      : blank,
    check: (values) => {
      const asked = askedOf(values, changed);
      if (asked === null)
        return { [chinaMoment(values.startTime) === null ? 'startTime' : 'endTime']: msg('请填写日期和时间') };
      const checked = checkLive(asked, changed, serverNow());
      return checked.ok ? {} : { [checked.field]: sentences[checked.why as keyof typeof sentences] };
    },
    send: async (values) => {
      const asked = askedOf(values, changed);
      if (asked === null) return;
      await send.mutateAsync(changed ? { ...asked, id: changed.id } : { ...asked, clientId: once.nameOf(asked) });
      once.arrived();
      const { packId, teacherId, livePlatform } = values;
      if (!changed) form.setValues({ ...blank, packId, teacherId, livePlatform });
      toast(changed ? t('已保存') : t('直播已安排'), 'good');
      onSaved();
    },
    fieldOf: ({ field }) => fields.find((known) => known === field),
  });
  const elsewhere = form.values.livePlatform === '1';
  const [start, end] = [form.getInputProps('startTime'), form.getInputProps('endTime')];
  return (
    <form {...form.formProps} className={classes.form}>
      <TextInput
        label={t('标题')}
        size="md"
        autoComplete="off"
        {...form.getInputProps('title')}
        {...bounded(LIVE_TITLE_LONGEST, (text) => form.setFieldValue('title', text))}
      />
      <div className={classes.line}>
        <NativeSelect
          label={tIn('one', '课程')}
          size="md"
          disabled={changed !== null}
          {...form.getInputProps('packId')}
        >
          {changed && <option value={changed.packId}>{changed.packName}</option>}
          {!changed &&
            packs.map(({ packId, packName }) => (
              <option key={packId} value={packId}>
                {packName}
              </option>
            ))}
        </NativeSelect>
        <NativeSelect label={t('主讲老师')} size="md" {...form.getInputProps('teacherId')}>
          {changed && !teachers.some(({ id }) => id === changed.teacherId) && (
            <option value={changed.teacherId}>{changed.teacherName}</option>
          )}
          {teachers.map(({ id, nickname }) => (
            <option key={id} value={id}>
              {nickname}
            </option>
          ))}
        </NativeSelect>
      </div>
      <div className={classes.line}>
        <TextInput type="datetime-local" label={t('开始（北京时间）')} size="md" {...start} />
        <TextInput type="datetime-local" label={t('结束（北京时间）')} size="md" {...end} />
      </div>
      <NativeSelect
        label={t('上课方式')}
        size="md"
        disabled={changed !== null}
        description={
          elsewhere
            ? t('在腾讯会议、钉钉等平台上课，学员从这里打开它的地址')
            : t('用 OBS 等软件推流到本站，学员在本站观看，结束后自动生成回放')
        }
        {...form.getInputProps('livePlatform')}
      >
        <option value="0">{t('本站直播间')}</option>
        <option value="1">{t('其他平台')}</option>
      </NativeSelect>
      {elsewhere && (
        <>
          <TextInput
            label={t('直播地址')}
            description={t('以 https:// 开头，开始后学员才能看到')}
            size="md"
            inputMode="url"
            autoComplete="off"
            {...form.getInputProps('liveUrlPc')}
          />
          <div className={classes.line}>
            <TextInput
              label={t('手机直播地址')}
              description={t('留空：和上面相同')}
              size="md"
              inputMode="url"
              autoComplete="off"
              {...form.getInputProps('liveUrlH5')}
            />
            <TextInput
              label={t('回放地址')}
              description={t('直播结束后填写，学员就能看回放')}
              size="md"
              inputMode="url"
              autoComplete="off"
              {...form.getInputProps('replayUrl')}
            />
          </div>
        </>
      )}
      <FormRefusal text={form.refusal} />
      <div>
        <WaitButton type="submit" size="md" waiting={form.submitting}>
          {changed ? t('保存') : t('安排直播')}
        </WaitButton>
      </div>
    </form>
  );
}

/** What the fields say; null: a time is not whole. A time that was not touched stays what it was to the millisecond. */
function askedOf(values: Values, changed: Props['changed']): (Asked & { livePlatform: LivePlatform }) | null {
  const moment = (field: 'startTime' | 'endTime') =>
    changed && values[field] === written(changed[field]) ? changed[field] : chinaMoment(values[field]);
  const [startTime, endTime] = [moment('startTime'), moment('endTime')];
  if (startTime === null || endTime === null) return null;
  const { title, liveUrlPc, liveUrlH5, replayUrl } = values;
  const livePlatform = changed?.livePlatform ?? (values.livePlatform === '1' ? OTHER_PLATFORM : THIS_SITE);
  return {
    ...{ title, startTime, endTime, livePlatform, liveUrlPc, liveUrlH5, replayUrl },
    ...{ packId: Number(values.packId), teacherId: Number(values.teacherId) },
  };
}
