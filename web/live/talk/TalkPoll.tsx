import { Button } from '@mantine/core';
import { IconChartBar, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import icon from '#ui/icon-button.module.css';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { CallError, failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './LiveTalk.module.css';
import type { Own, RoomState } from './talk-state.ts';

interface Props {
  liveId: number;
  poll: NonNullable<RoomState['poll']>;
  own: Own;
  onState: (state: RoomState, own?: Partial<Own>) => void;
  /** Its result was put away. */
  onAway: () => void;
  /** How the room and its reader stand is not what this window shows. */
  onStale: () => void;
}

/** The poll of a room: choosing once, then how many chose what, as it changes. Teachers see that at once and end it. */
export function TalkPoll({ liveId, poll, own, onState, onAway, onStale }: Props) {
  const vote = useSend('POST /app/live/poll_vote');
  const end = useSend('POST /app/live/poll_close');
  const { pollId } = poll;
  /** Its reader has put the result away; one that was over when they came is not shown to them. */
  const [away, setAway] = useState(!poll.open);
  const counted = own.manages || own.vote !== null || !poll.open;
  const whole = useRef<HTMLElement>(null);
  useSwapFocus(whole, counted && poll.open);
  if (away) return null;
  const tell = (error: unknown) => {
    toast(failureText(error), 'bad');
    // They voted in another window, or the poll ended: what became of it is shown in place of the choice.
    if (error instanceof CallError && (error.why === 'pollVoted' || error.why === 'pollOver')) onStale();
  };
  return (
    <section ref={whole} tabIndex={-1} className={classes.poll} aria-label={t('投票')}>
      <div className={classes.pollHead}>
        <IconChartBar size={17} stroke={1.6} aria-hidden />
        <h3 lang="zh-CN">{poll.question}</h3>
        {own.manages && poll.open && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => void end.mutateAsync({ liveId, pollId }).then(onState).catch(tell)}
          >
            {t('结束投票')}
          </Button>
        )}
        {!poll.open && (
          <button
            type="button"
            className={icon.button}
            aria-label={t('收起投票')}
            onClick={() => {
              setAway(true);
              onAway();
            }}
          >
            <IconX size={16} stroke={1.7} aria-hidden />
          </button>
        )}
      </div>
      <ul>
        {poll.options.map(({ text, votes }, choice) => {
          const share = poll.votes === 0 ? 0 : Math.round((100 * votes) / poll.votes);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the options of a poll never change.
            <li key={choice}>
              {counted ? (
                <p className={classes.result} data-own={own.vote === choice || undefined}>
                  <span className={classes.bar} style={{ inlineSize: `${share}%` }} aria-hidden />
                  <span lang="zh-CN">{text}</span>
                  {own.vote === choice && <small>{t('您的选择')}</small>}
                  <b>{t('{count} 票', { count: votes })}</b>
                </p>
              ) : (
                <Button
                  fullWidth
                  variant="default"
                  lang="zh-CN"
                  onClick={() =>
                    void vote
                      .mutateAsync({ liveId, pollId, choice })
                      .then((state) => onState(state, { vote: choice }))
                      .catch(tell)
                  }
                >
                  {text}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {counted && (
        <small>
          {poll.open
            ? t('{count} 人已投票', { count: poll.votes })
            : t('投票结束，共 {count} 人投票', { count: poll.votes })}
        </small>
      )}
    </section>
  );
}
