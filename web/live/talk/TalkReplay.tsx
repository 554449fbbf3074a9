import { useEffect, useRef, useState } from 'react';
import { timeText } from '#ui/player/time-text.ts';
import { Face } from '#web/lib/Face.tsx';
import { type Data, failureText, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './LiveTalk.module.css';
import { linesAt, NOTHING_READ, type ReadReplay, readsNext } from './replay-lines.ts';

const REPLAY = 'GET /app/live/talk_replay';
/** Milliseconds after which what could not be read is asked for again. */
const TRY_AGAIN = 5000;

/** What was said in a lesson, as far as its replay has come: goes along with it, also where it is moved. */
export function TalkReplay({ livelessonId, positionSeconds }: { livelessonId: number; positionSeconds: number }) {
  const [read, setRead] = useState<ReadReplay>(NOTHING_READ);
  const [fault, setFault] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const ask = readsNext(read, positionSeconds);
  const asked = ask === null ? null : JSON.stringify(ask);
  useEffect(() => {
    void turn;
    if (asked === null) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { from, after } = JSON.parse(asked) as { from: number; after: number | null };
    const input = after === null ? { liveId: livelessonId, second: from } : { liveId: livelessonId, after };
    send(REPLAY, input, { signal: stop.signal })
      .then(({ list, next, more }: Data<typeof REPLAY>) => {
        setFault(null);
        setRead((before) => ({ from, next, more, list: after === null ? list : [...before.list, ...list] }));
      })
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        setFault(failureText(error));
        timer = setTimeout(() => setTurn((before) => before + 1), TRY_AGAIN);
      });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [asked, livelessonId, turn]);

  const lines = linesAt(read, positionSeconds);
  const box = useRef<HTMLDivElement>(null);
  const last = lines.at(-1)?.seq;
  useEffect(() => {
    void last;
    const list = box.current;
    if (list) list.scrollTop = list.scrollHeight;
  }, [last]);
  return (
    <section className={classes.talk} aria-label={t('讨论')}>
      <header className={classes.head}>
        <h2>{t('讨论')}</h2>
        <span className={classes.online}>{t('当时的发言，随回放显示')}</span>
      </header>
      {fault !== null && (
        <p className={classes.away} role="status">
          {fault}
        </p>
      )}
      <div
        ref={box}
        className={classes.list}
        role="log"
        aria-live="off"
        aria-label={t('消息')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard.
        tabIndex={0}
      >
        {lines.length === 0 && fault === null && <p className={classes.none}>{t('到这里还没有人发言。')}</p>}
        <ol>
          {lines.map(({ seq, second, nickname, avatarUrl, teacher, text }) => (
            <li key={seq} className={classes.line}>
              <Face url={avatarUrl} />
              <div className={classes.said}>
                <p className={classes.who}>
                  <span className={classes.name} lang="zh-CN">
                    {nickname}
                  </span>
                  {teacher && <span className={classes.badge}>{t('老师')}</span>}
                  <time>{timeText(second)}</time>
                </p>
                <p className={classes.text}>{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
