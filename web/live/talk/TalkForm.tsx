import { IconHandStop, IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { TALK_LONGEST } from '#contract/values/live-talk.ts';
import { toast } from '#ui/toast.ts';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { bounded, lengthOf } from '#web/lib/typed-text.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './LiveTalk.module.css';
import type { Own, RoomState } from './talk-state.ts';
import type { Room } from './useTalk.ts';

interface Props {
  liveId: number;
  state: RoomState;
  own: Own;
  room: Room;
}

/** Code points left from which on it is said how many there are. */
const FEW = 40;

/** Where one writes, and raises one's hand. Who is muted reads so, and may still raise it. */
export function TalkForm({ liveId, state, own, room }: Props) {
  const id = useId();
  const [text, setText] = useState('');
  const muted = !own.manages && (own.muted || state.mutedAll);
  const say = () => {
    const written = text.trim();
    if (written === '' || muted) return;
    room.say(written);
    setText('');
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter that chooses a word of an input method is none of ours (229: Safari says so after the word has ended).
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== 'Enter' || event.shiftKey || composing) return;
    event.preventDefault();
    say();
  };
  const left = TALK_LONGEST - lengthOf(text);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
    >
      {muted && (
        <p className={classes.muted} role="status" id={`${id}-muted`}>
          {own.muted ? t('老师已将您禁言，暂时不能发言。') : t('老师开启了全员禁言，暂时不能发言。')}
        </p>
      )}
      <div className={classes.write}>
        {!own.manages && <Hand liveId={liveId} own={own} room={room} />}
        <label className="unseen" htmlFor={`${id}-text`}>
          {t('发言')}
        </label>
        <textarea
          id={`${id}-text`}
          rows={1}
          value={text}
          placeholder={muted ? t('禁言中') : t('说点什么…')}
          disabled={muted}
          enterKeyHint="send"
          autoComplete="off"
          aria-describedby={muted ? `${id}-muted` : undefined}
          onKeyDown={press}
          {...bounded(TALK_LONGEST, setText)}
        />
        <button type="submit" className={classes.send} disabled={muted || text.trim() === ''} aria-label={t('发送')}>
          <IconSend2 size={20} stroke={1.7} aria-hidden />
        </button>
      </div>
      {left <= FEW && (
        <small className={classes.left} aria-live="polite">
          {t('还可以输入 {n} 个字', { n: left })}
        </small>
      )}
    </form>
  );
}

function Hand({ liveId, own, room }: Pick<Props, 'liveId' | 'own' | 'room'>) {
  const move = useSend('POST /app/live/hand');
  const up = !own.handUp;
  const press = async () => {
    try {
      const state = await move.mutateAsync({ liveId, up: up ? 1 : 0 });
      room.stands(state, { handUp: up });
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  return (
    <button
      type="button"
      className={classes.hand}
      aria-pressed={own.handUp}
      aria-disabled={move.isPending || undefined}
      aria-label={own.handUp ? t('放下手') : t('举手')}
      title={own.handUp ? t('放下手') : t('举手')}
      onClick={() => !move.isPending && void press()}
    >
      <IconHandStop size={20} stroke={1.7} aria-hidden />
    </button>
  );
}
