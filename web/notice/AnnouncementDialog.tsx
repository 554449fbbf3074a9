import { Button, Modal } from '@mantine/core';
import '#ui/dialog.css';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { secondsToClose } from '#rules/notice/announcement.ts';
import actions from '#ui/dialog-actions.module.css';
import { useRefocus } from '#ui/focus.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { type Data, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { callKey, useCall } from '#web/lib/useCall.ts';
import classes from './AnnouncementDialog.module.css';

const UNSEEN = 'GET /app/common/announcement';
type Unseen = Data<typeof UNSEEN>;

/** Shows what the school announces, one after the other, the oldest first; each is read once its dialog was closed (spec §4). */
export default function AnnouncementDialog() {
  const client = useQueryClient();
  const call = useCall(UNSEEN, {}, { staleTime: 60_000 });
  const { list = [] } = call.data ?? {};
  return list.length > 0 && <Announcements list={list} client={client} />;
}

/** All of them together, so that the keyboard comes back to where it was before the first. */
function Announcements({ list, client }: { list: Unseen['list']; client: QueryClient }) {
  useRefocus();
  const [first, ...later] = list;
  if (first === undefined) return null;
  const close = () => {
    // An answer that is on its way is older than this, and would show it again.
    void client.cancelQueries({ queryKey: callKey(UNSEEN, {}) });
    client.setQueryData<Unseen>(callKey(UNSEEN, {}), { list: later });
    // Failed: it is shown again when the page is opened again.
    send('POST /app/common/notice_seen', { noticeIds: [first.id] }).then(
      (left) => client.setQueryData(callKey('GET /app/common/notice_unread', {}), left),
      () => undefined,
    );
  };
  return <Announcement key={first.id} announcement={first} onClose={close} />;
}

function Announcement({ announcement, onClose }: { announcement: Unseen['list'][number]; onClose: () => void }) {
  const seconds = useSecondsToClose();
  const closable = seconds === 0;
  const { name, content, fromAt } = announcement;
  return (
    <Modal
      opened
      onClose={onClose}
      title={name}
      size={520}
      centered
      withCloseButton={false}
      closeOnEscape={closable}
      closeOnClickOutside={false}
    >
      {/* Read first: the button cannot be pressed yet. */}
      <div className={classes.text} tabIndex={-1} data-autofocus>
        <p className={classes.when}>{t('学校通知 · {time}', { time: formatMoment(fromAt, serverNow()) })}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard */}
        <div className={classes.content} tabIndex={0}>
          {content}
        </div>
      </div>
      <p className="unseen" role="status">
        {closable ? t('现在可以关闭通知了') : ''}
      </p>
      <div className={actions.actions}>
        <Button disabled={!closable} onClick={onClose}>
          {closable ? t('关闭') : t('关闭（{seconds} 秒）', { seconds })}
        </Button>
      </div>
    </Modal>
  );
}

/** Whole seconds until the dialog may be closed. Only time in which it could be seen counts. */
function useSecondsToClose(): number {
  const [seen, setSeen] = useState(0);
  const seconds = secondsToClose(seen);
  useEffect(() => {
    if (seconds === 0) return;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const passed = now - last;
      last = now;
      if (document.visibilityState === 'visible') setSeen((before) => before + passed);
    }, 100);
    return () => clearInterval(timer);
  }, [seconds]);
  return seconds;
}
