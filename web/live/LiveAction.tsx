import { Button } from '@mantine/core';
import { Link, useLocation, useNavigate } from 'react-router';
import { LIVE, OTHER_PLATFORM, REPLAY, UPCOMING } from '#contract/values/live.ts';
import { liveEntry } from '#rules/live/lesson.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { paths } from '#web/lib/paths.ts';
import { failureText } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './LiveAction.module.css';
import type { LiveLesson } from './LiveFacts.tsx';

const renews = ['GET /app/live/list', 'GET /app/live/room'] as const;

/** The address on another platform that fits this device: spec §6, its H5 page on phones. */
const addressHere = ({ liveUrlPc, liveUrlH5 }: LiveLesson) =>
  window.matchMedia('(pointer: coarse)').matches ? liveUrlH5 : liveUrlPc;

interface Props {
  lesson: LiveLesson;
  signedIn: boolean;
  size?: 'sm' | 'md';
  /** The words of entering a lesson that is live: on its own page another than in a list. */
  enter?: string;
}

/** The one thing to do with a live lesson now: book it or not, enter, see its replay; what is over has none (spec §4). */
export function LiveAction({ lesson, signedIn, size = 'sm', enter = t('直播中') }: Props) {
  const navigate = useNavigate();
  const here = useLocation();
  const book = useSend('POST /app/live/appointment', { renews });
  const unbook = useSend('POST /app/live/appointment_cancel', { renews });
  const entry = liveEntry(lesson.state, { signedIn, buyState: lesson.buyState });
  /** Who may not enter is told why; the rest of the press is for who may. */
  const allowed = (): boolean => {
    if (entry === 'login') void navigate(paths.login(here.pathname + here.search));
    else if (entry === 'join') toast(t('请先报名该课程'), 'bad');
    else return true;
    return false;
  };
  const change = async (call: typeof book | typeof unbook, done: string) => {
    if (!allowed()) return;
    try {
      await call.mutateAsync({ liveId: lesson.id });
      toast(done, 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  if (lesson.state === UPCOMING) {
    const booked = lesson.appointmentState === 1;
    return (
      <WaitButton
        size={size}
        variant={booked ? 'default' : 'light'}
        className={classes.action}
        waiting={book.isPending || unbook.isPending}
        onClick={() => void (booked ? change(unbook, tIn('done', '取消预约')) : change(book, t('预约成功')))}
      >
        {booked ? t('取消预约') : t('预约')}
      </WaitButton>
    );
  }
  if (lesson.state !== LIVE && lesson.state !== REPLAY)
    return <span className={classes.over}>{tIn('live', '已结束')}</span>;
  const words = lesson.state === LIVE ? enter : t('看回放');
  const look = lesson.state === LIVE ? ({ color: 'cinnabar', variant: 'filled' } as const) : { variant: 'default' };
  if (entry !== 'open')
    return (
      <Button size={size} className={classes.action} {...look} onClick={() => void allowed()}>
        {words}
      </Button>
    );
  if (lesson.livePlatform !== OTHER_PLATFORM)
    return (
      <Button
        component={Link}
        to={
          lesson.state === LIVE
            ? paths.livePage({ liveId: lesson.id, state: LIVE })
            : paths.playBack({ liveId: lesson.id })
        }
        size={size}
        className={classes.action}
        {...look}
      >
        {words}
      </Button>
    );
  return (
    <Button
      component="a"
      href={addressHere(lesson)}
      target="_blank"
      rel="noopener noreferrer"
      size={size}
      className={classes.action}
      {...look}
    >
      {words}
    </Button>
  );
}
