import { IconPinnedFilled, IconX } from '@tabler/icons-react';
import icon from '#ui/icon-button.module.css';
import { toast } from '#ui/toast.ts';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './LiveTalk.module.css';
import type { RoomState, TalkEvent } from './talk-state.ts';

interface Props {
  liveId: number;
  pinned: TalkEvent;
  manages: boolean;
  onState: (state: RoomState) => void;
}

/** The message that a teacher pinned above the others. */
export function PinnedNotice({ liveId, pinned, manages, onState }: Props) {
  const pin = useSend('POST /app/live/talk_pin');
  const takeDown = () =>
    pin
      .mutateAsync({ liveId, seq: pinned.seq, pinned: 0 })
      .then(onState)
      .catch((error) => toast(failureText(error), 'bad'));
  return (
    <div className={classes.pinned}>
      <IconPinnedFilled size={15} aria-label={t('置顶')} role="img" />
      <p lang="zh-CN">
        <b>{pinned.nickname}</b>
        {pinned.text}
      </p>
      {manages && (
        <button type="button" className={icon.button} aria-label={t('取消置顶')} onClick={() => void takeDown()}>
          <IconX size={16} stroke={1.7} aria-hidden />
        </button>
      )}
    </div>
  );
}
