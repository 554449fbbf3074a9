import '#ui/menu.css';
import { Menu } from '@mantine/core';
import { IconAlertCircle, IconClock, IconDots, IconMicrophoneOff, IconPinned, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import icon from '#ui/icon-button.module.css';
import { toast } from '#ui/toast.ts';
import { Face } from '#web/lib/Face.tsx';
import { clockTime } from '#web/lib/format.ts';
import { failureText } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './LiveTalk.module.css';
import type { Own, RoomState, TalkEvent, Unsent } from './talk-state.ts';

/** Whether an event is a line of the list: what was said, and what concerns its reader. */
export function isShown({ kind, gone, toUserId }: TalkEvent, own: Own | null): boolean {
  if (kind === 'said') return !gone;
  if (kind === 'mutedAll' || kind === 'unmutedAll' || kind === 'pollOpened' || kind === 'pollClosed') return true;
  if (kind === 'muted' || kind === 'unmuted') return own?.manages === true || toUserId === own?.userId;
  return kind === 'handRaised' && own?.manages === true;
}

function happened({ kind, toUserId, toNickname: name }: TalkEvent, own: Own | null): string {
  const mine = toUserId === own?.userId;
  if (kind === 'mutedAll') return t('老师开启了全员禁言');
  if (kind === 'unmutedAll') return t('老师解除了全员禁言');
  if (kind === 'pollOpened') return t('老师发起了投票');
  if (kind === 'pollClosed') return t('投票结束了');
  if (kind === 'muted') return mine ? t('老师已将您禁言') : t('{name} 被禁言', { name });
  if (kind === 'unmuted') return mine ? t('您可以发言了') : t('{name} 可以发言了', { name });
  return t('{name} 举手了', { name });
}

interface Props {
  liveId: number;
  event: TalkEvent;
  own: Own | null;
  onState: (state: RoomState) => void;
}

/** One line of what happens in a room. */
export const TalkLine = memo(function TalkLine({ liveId, event, own, onState }: Props) {
  if (event.kind !== 'said') return <li className={classes.happened}>{happened(event, own)}</li>;
  const mine = event.userId === own?.userId;
  return (
    <li className={classes.line} data-mine={mine || undefined}>
      <Face url={event.avatarUrl} />
      <div className={classes.said}>
        <p className={classes.who}>
          <span className={classes.name} lang="zh-CN">
            {event.nickname}
          </span>
          {event.teacher && <span className={classes.badge}>{t('老师')}</span>}
          <time>{clockTime(event.saidAt).slice(0, 5)}</time>
        </p>
        <p className={classes.text}>{event.text}</p>
      </div>
      {own !== null && (own.manages || mine) && <LineMenu liveId={liveId} event={event} own={own} onState={onState} />}
    </li>
  );
});

/** What may be done with a message: by its author, and more by teachers. */
function LineMenu({ liveId, event, own, onState }: Props & { own: Own }) {
  const remove = useSend('POST /app/live/talk_delete');
  const pin = useSend('POST /app/live/talk_pin');
  const mute = useSend('POST /app/live/talk_mute', { renews: ['GET /app/live/hands'] });
  const then = (done: Promise<RoomState>) => done.then(onState).catch((error) => toast(failureText(error), 'bad'));
  const { seq, userId } = event;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button
          type="button"
          className={`${icon.button} ${classes.more}`}
          aria-label={t('对 {name} 这条消息的操作', { name: event.nickname })}
        >
          <IconDots size={16} stroke={1.7} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {own.manages && (
          <Menu.Item
            leftSection={<IconPinned size={16} stroke={1.6} aria-hidden />}
            onClick={() => void then(pin.mutateAsync({ liveId, seq, pinned: 1 }))}
          >
            {tIn('do', '置顶')}
          </Menu.Item>
        )}
        {own.manages && !event.teacher && (
          <Menu.Item
            leftSection={<IconMicrophoneOff size={16} stroke={1.6} aria-hidden />}
            onClick={() => void then(mute.mutateAsync({ liveId, userId, muted: 1 }))}
          >
            {t('禁言')}
          </Menu.Item>
        )}
        <Menu.Item
          color="cinnabar"
          leftSection={<IconTrash size={16} stroke={1.6} aria-hidden />}
          onClick={() => void then(remove.mutateAsync({ liveId, seq }))}
        >
          {t('删除')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** What one wrote and what has not come back yet, with what became of it. */
export function UnsentLine({ unsent, onAgain, onDrop }: { unsent: Unsent; onAgain: () => void; onDrop: () => void }) {
  const { text, state, why } = unsent;
  return (
    <li className={classes.line} data-mine data-unsent={state}>
      <div className={classes.said}>
        <p className={classes.text}>{text}</p>
        {state === 'failed' ? (
          <p className={classes.failed} role="alert">
            <IconAlertCircle size={14} aria-hidden />
            <span>{why}</span>
            <button type="button" onClick={onAgain}>
              {t('重发')}
            </button>
            <button type="button" onClick={onDrop}>
              {t('放弃')}
            </button>
          </p>
        ) : (
          <p className={classes.sending}>
            <IconClock size={13} aria-hidden />
            {state === 'waiting' ? t('暂时发不出去，稍后自动重发') : t('发送中…')}
          </p>
        )}
      </div>
    </li>
  );
}
