import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './LiveTalk.module.css';
import { isShown, TalkLine, UnsentLine } from './TalkLine.tsx';
import type { TalkEvent } from './talk-state.ts';
import { useSpoken } from './useSpoken.ts';
import type { Room } from './useTalk.ts';

/** Pixels from the end within which its reader counts as being there. */
const NEAR = 48;

/**
 * What was said. It stays at its end only while its reader is there: who reads back is not moved, and told how many messages have come
 * meanwhile.
 */
export function TalkList({ liveId, room }: { liveId: number; room: Room }) {
  const { talk } = room;
  const middle = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  /** Where the list stood at its last scroll event. */
  const lastTop = useRef(0);
  /** The last number that the reader has seen; null: they are at the end. */
  const [seen, setSeen] = useState<number | null>(null);
  const own = talk.own;
  const shown = talk.events.filter((event) => isShown(event, own));
  const wrote = talk.unsent.length;

  const lastShown = shown.at(-1)?.seq;
  useLayoutEffect(() => {
    void lastShown;
    if (atEnd.current) toEnd(box.current);
  }, [lastShown]);
  // What one wrote oneself is seen.
  useLayoutEffect(() => {
    if (wrote === 0) return;
    atEnd.current = true;
    setSeen(null);
    toEnd(box.current);
  }, [wrote]);
  // A keyboard that opens, or a notice above, makes it lower.
  useEffect(() => {
    const list = box.current;
    if (!list || typeof ResizeObserver === 'undefined') return;
    const watching = new ResizeObserver(() => {
      if (atEnd.current) toEnd(box.current);
    });
    watching.observe(list);
    return () => watching.disconnect();
  }, []);

  const look = () => {
    const list = box.current;
    if (!list) return;
    const near = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
    const readsBack = list.scrollTop < lastTop.current;
    lastTop.current = list.scrollTop;
    // The event of our own move to the end may come when more messages stand below it: only a reader moves it upwards.
    if (near === atEnd.current || (!near && !readsBack)) return;
    atEnd.current = near;
    setSeen(near ? null : (talk.last ?? 0));
  };
  const older = async () => {
    const list = box.current;
    const before = list ? list.scrollHeight - list.scrollTop : 0;
    try {
      await room.readOlder();
      // The place where one was stays where it is.
      requestAnimationFrame(() => {
        if (list) list.scrollTop = list.scrollHeight - before;
      });
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  const fresh = seen === null ? 0 : shown.filter((event) => isNews(event, seen, own?.userId ?? 0)).length;
  const spoken = useSpoken(talk.events, own?.userId ?? 0);
  // The button that leads to the end goes with the news.
  useSwapFocus(middle, fresh > 0);
  return (
    <div ref={middle} className={classes.middle}>
      <div
        ref={box}
        className={classes.list}
        role="log"
        aria-live="off"
        aria-label={t('消息')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard.
        tabIndex={0}
        data-takes-focus
        onScroll={look}
      >
        {talk.older && (
          <Button variant="subtle" size="compact-sm" className={classes.older} onClick={() => void older()}>
            {t('更早的消息')}
          </Button>
        )}
        {shown.length === 0 && wrote === 0 && <p className={classes.none}>{t('还没有人发言。')}</p>}
        <ol>
          {shown.map((event) => (
            <TalkLine key={event.seq} liveId={liveId} event={event} own={own} onState={room.stands} />
          ))}
          {talk.unsent.map((one) => (
            <UnsentLine
              key={one.clientId}
              unsent={one}
              onAgain={() => room.sayAgain(one.clientId)}
              onDrop={() => room.drop(one.clientId)}
            />
          ))}
        </ol>
      </div>
      {fresh > 0 && (
        <Button
          size="compact-sm"
          className={classes.fresh}
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={() => {
            atEnd.current = true;
            setSeen(null);
            toEnd(box.current);
          }}
        >
          {t('{count} 条新消息', { count: fresh })}
        </Button>
      )}
      <p className="unseen" aria-live="polite">
        {spoken}
      </p>
    </div>
  );
}

function toEnd(list: HTMLElement | null): void {
  if (list) list.scrollTop = list.scrollHeight;
}

const isNews = ({ kind, seq, userId, gone }: TalkEvent, seen: number, ownId: number) =>
  kind === 'said' && !gone && seq > seen && userId !== ownId;
