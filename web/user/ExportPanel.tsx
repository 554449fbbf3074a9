import { Button } from '@mantine/core';
import { IconDownload, IconFileZip } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { FormRefusal } from '#ui/FormRefusal.tsx';
import rows from '#ui/rows.module.css';
import { toast } from '#ui/toast.ts';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatBytes, formatMoment } from '#web/lib/format.ts';
import type { Me } from '#web/lib/me.ts';
import { type Data, failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import { useCallForm } from '#web/lib/useCallForm.ts';
import classes from './ExportPanel.module.css';
import form from './form.module.css';
import { noProof, useProof } from './useProof.tsx';

const LIST = 'GET /api/user/export_list';
type Export = Data<typeof LIST>['list'][number];
const LOOK_AGAIN = 2000;

/** A copy of all that one has here: asked for with a proof, then fetched for a week. */
export function ExportPanel({ me }: { me: Me }) {
  const [open, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  // The button of a copy goes when an exam begins that it would tell of.
  useKeptFocus(panel, 'li');
  useSwapFocus(panel, open);
  const list = useCall(
    LIST,
    {},
    {
      staleTime: 0,
      refetchInterval: (last) => (last?.list.some(({ state }) => state === 'waiting') ? LOOK_AGAIN : false),
    },
  );
  const made = list.data?.list ?? [];
  const waiting = made.some(({ state }) => state === 'waiting');
  /** Looks first: since the list was asked for, an exam may have begun in another window. */
  const fetchNow = async (id: number) => {
    const { data, error } = await list.refetch();
    if (error) return toast(failureText(error), 'bad');
    const url = data?.list.find((one) => one.id === id)?.url ?? '';
    if (url !== '') window.location.assign(url);
  };
  return (
    <div ref={panel} tabIndex={-1} className={classes.panel}>
      <p className={classes.says}>
        {t('包括资料、课程、答题与考试、笔记、提问、评论、反馈、订单、通知和您同意过的协议，打包成一个 zip 文件。')}
      </p>
      {made.length > 0 && (
        <ul className={`${rows.rows} ${classes.list}`} aria-live="polite">
          {made.map((one) => (
            <Copy key={one.id} one={one} onFetch={() => void fetchNow(one.id)} />
          ))}
        </ul>
      )}
      {open ? (
        <AskForm me={me} onDone={() => setOpen(false)} />
      ) : (
        <Button
          variant="default"
          size="md"
          disabled={waiting}
          onClick={() => setOpen(true)}
          className={classes.ask}
          data-takes-focus
        >
          {made.length === 0 ? t('下载我的数据') : t('重新生成一份')}
        </Button>
      )}
    </div>
  );
}

function Copy({ one, onFetch }: { one: Export; onFetch: () => void }) {
  const now = serverNow();
  return (
    <li className={classes.copy} tabIndex={-1}>
      <IconFileZip size={24} stroke={1.5} aria-hidden />
      <div className={classes.what}>
        <span>{t('我的数据 {time}', { time: formatMoment(one.createdAt, now) })}</span>
        <span className={rows.facts}>
          {one.state === 'waiting' && <span>{t('正在生成，请稍候')}</span>}
          {one.state === 'failed' && <span>{t('没有生成：{reason}', { reason: t(one.reason) })}</span>}
          {one.state === 'ready' && (
            <>
              {!one.withheld && <span>{formatBytes(one.bytes)}</span>}
              <span>{t('{time} 前可下载', { time: formatMoment(one.expiresAt, now) })}</span>
              {one.withheld && <span>{t('您正在考试，这一份交卷后可以下载')}</span>}
            </>
          )}
        </span>
      </div>
      {one.state === 'ready' && !one.withheld && (
        <Button
          component="a"
          href={one.url}
          download
          onClick={(event) => {
            event.preventDefault();
            onFetch();
          }}
          leftSection={<IconDownload size={18} aria-hidden />}
        >
          {t('下载')}
        </Button>
      )}
    </li>
  );
}

function AskForm({ me, onDone }: { me: Me; onDone: () => void }) {
  const proof = useProof(me);
  const make = useSend('POST /api/user/export', { renews: [LIST] });
  const asked = useCallForm({
    initialValues: noProof,
    check: proof.check,
    send: async (values) => {
      await make.mutateAsync(proof.sent(values));
      toast(t('已开始生成，完成后可在这里下载'), 'good');
      onDone();
    },
  });
  return (
    <form className={form.form} {...asked.formProps}>
      {proof.fields(asked)}
      <FormRefusal text={asked.refusal} />
      <div className={form.actions}>
        <WaitButton type="submit" size="md" waiting={asked.submitting}>
          {t('开始生成')}
        </WaitButton>
        <Button variant="subtle" size="md" onClick={onDone}>
          {t('取消')}
        </Button>
      </div>
    </form>
  );
}
