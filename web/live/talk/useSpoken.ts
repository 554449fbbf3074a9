import { useEffect, useRef, useState } from 'react';
import { t } from '#web/lib/t.ts';
import type { TalkEvent } from './talk-state.ts';

/** Milliseconds between two sentences to who hears the page: a lively class would talk over the teacher. */
const EVERY = 6000;

/** What is told of new messages to who hears the page: one as it is, of several how many, and not more often than every few seconds. */
export function useSpoken(events: readonly TalkEvent[], ownId: number): string {
  const [spoken, setSpoken] = useState('');
  const told = useRef<number | null>(null);
  const latest = useRef(events);
  latest.current = events;
  useEffect(() => {
    const speaking = setInterval(() => {
      const last = latest.current.at(-1)?.seq ?? 0;
      const since = told.current;
      told.current = last;
      // What was there when one came is read by who wants to.
      if (since === null) return;
      const news = latest.current.filter(
        ({ seq, kind, gone, userId }) => seq > since && kind === 'said' && !gone && userId !== ownId,
      );
      const [one] = news;
      if (one === undefined) return;
      setSpoken(
        news.length === 1
          ? t('{name}：{text}', { name: one.nickname, text: one.text })
          : t('{count} 条新消息', { count: news.length }),
      );
    }, EVERY);
    return () => clearInterval(speaking);
  }, [ownId]);
  return spoken;
}
