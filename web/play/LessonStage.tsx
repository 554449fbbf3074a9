import { Button } from '@mantine/core';
import { IconArrowRight, IconBook2, IconCircleCheck, IconHeadphones, IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Link } from 'react-router';
import { nodeState } from '#contract/values/play.ts';
import { RichText } from '#ui/RichText.tsx';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { CallError, type Data, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { Film, type FilmProps } from './Film.tsx';
import classes from './LessonStage.module.css';
import { track } from './tracker.ts';

type Lesson = Data<'GET /app/course/lesson'>;

interface Props extends Omit<FilmProps, 'lesson'> {
  lesson: Lesson;
  /** What was seen of the lesson has changed on the server. */
  onRead: () => void;
  /** The film stands in its small size (spec §9), with the rest of the page beside it. */
  small: boolean;
  onSize: (small: boolean) => void;
  /** Stands between stage and text: what comes next. */
  children?: ReactNode;
}

const kinds = { video: IconPlayerPlay, audio: IconHeadphones, text: IconBook2 } as const;

/**
 * The stage of the course play page: what is played or read. A lesson without media shows its text, which is finished by
 * saying so; one with media plays it, with the text under it.
 */
export function LessonStage({ lesson, onRead, small, onSize, children, ...film }: Props) {
  const { videoResourceId } = lesson;
  const { kept, onNext, autoPlay } = film;
  const stage = useRef<HTMLElement>(null);
  // The button that led here went with the lesson before.
  useEffect(() => {
    if (autoPlay && document.activeElement === document.body) stage.current?.focus({ preventScroll: true });
  }, [autoPlay]);
  return (
    <section ref={stage} tabIndex={-1} className={classes.stage} aria-label={lesson.firstVideoName}>
      {videoResourceId === null ? (
        <Screen lesson={lesson} onNext={onNext} />
      ) : (
        <>
          <Film key={videoResourceId} lesson={{ ...lesson, videoResourceId }} {...film} />
          <Head lesson={lesson} kept={kept} onNext={onNext} small={small} onSize={onSize} />
        </>
      )}
      {children}
      {lesson.text !== '' && <Sheet lesson={lesson} kept={kept} onRead={onRead} onNext={onNext} />}
    </section>
  );
}

/** Whether a lesson without media is to have some: its text is no more than what one reads until then. */
const lacksMedia = (lesson: Props['lesson']) => lesson.waitsForMedia || lesson.mediaFailed || lesson.kind !== 'text';

/** In the place of a film that is not there. */
function Screen({ lesson, onNext }: Pick<Props, 'lesson' | 'onNext'>) {
  const { me } = useMe();
  const Icon = kinds[lesson.kind];
  const waits = lacksMedia(lesson);
  const what = lesson.kind === 'audio' ? t('音频') : t('视频');
  const waiting = lesson.mediaFailed
    ? t('本节的{what}暂时不能播放，老师会重新上传', { what })
    : lesson.text === ''
      ? t('本节的{what}还在准备中，准备好后会自动出现在这里', { what })
      : t('本节的{what}还在准备中，可以先阅读图文', { what });
  return (
    <div className={classes.screen}>
      <Icon size={34} stroke={1.4} aria-hidden />
      <h1 className={classes.name}>{lesson.firstVideoName}</h1>
      <p className={classes.state}>{waits ? waiting : t('图文课时')}</p>
      {lesson.mediaFailed && me?.role === 'teacher' && (
        <Link className={classes.state} to={paths.teachMedia()}>
          {t('查看转换失败的原因')}
        </Link>
      )}
      {/* With a text, it stands under that. */}
      {lesson.text === '' && (
        <Button variant="default" onClick={onNext}>
          {t('下一节')}
        </Button>
      )}
    </div>
  );
}

/** The name of what plays, how much of it was seen, and the way on. */
function Head({ lesson, kept, onNext, small, onSize }: Pick<Props, 'lesson' | 'kept' | 'onNext' | 'small' | 'onSize'>) {
  const finished = lesson.nodeState === nodeState.finished;
  return (
    <div className={classes.head}>
      <h1 className={classes.title}>{lesson.firstVideoName}</h1>
      {kept && (
        <p className={finished ? classes.done : classes.seen}>
          {finished ? (
            <>
              <IconCircleCheck size={18} stroke={1.7} aria-hidden />
              {t('已学完')}
            </>
          ) : (
            lesson.share > 0 && t('已看 {percent}%', { percent: Math.min(99, Math.floor(lesson.share * 100)) })
          )}
        </p>
      )}
      {lesson.kind === 'video' && (
        <Button variant="subtle" className={classes.size} onClick={() => onSize(!small)}>
          {small ? t('宽屏播放') : t('小屏播放')}
        </Button>
      )}
      <WaitButton
        variant="default"
        waiting={false}
        onClick={onNext}
        rightSection={<IconArrowRight size={16} stroke={1.7} aria-hidden />}
      >
        {t('下一节')}
      </WaitButton>
    </div>
  );
}

/** The text of a lesson on paper. */
function Sheet({ lesson, kept, onRead, onNext }: Pick<Props, 'lesson' | 'kept' | 'onRead' | 'onNext'>) {
  const { packId, firstVideoId } = lesson;
  const studentId = useMe().me?.studentId;
  // Whose it is goes along: somebody else may have signed in in another window.
  const here = { packId, firstVideoId, position: 0, ...(studentId === undefined ? {} : { studentId }) };
  const save = useSend('POST /app/course/save_position');
  const isAlone = lesson.videoResourceId === null;
  const finished = lesson.nodeState === nodeState.finished;
  const begins = kept && isAlone && lesson.nodeState === nodeState.notStarted;
  const begin = useEffectEvent(() => send('POST /app/course/save_position', here).then(onRead, () => undefined));
  // Having it open is having begun it; whether that is kept is nothing to be told about.
  useEffect(() => {
    if (begins) void begin();
  }, [begins]);
  const end = useRef<HTMLDivElement>(null);
  // 学完了 goes once it is said: what comes next is 下一节.
  useSwapFocus(end, finished);
  const finish = async () => {
    try {
      await save.mutateAsync({ ...here, ended: 1 });
      track('play_lesson_finished', { packId, lessonId: firstVideoId });
      onRead();
    } catch (error) {
      if (error instanceof CallError) toast(t(error.msg), 'bad');
    }
  };
  return (
    <article className={classes.sheet}>
      <RichText html={lesson.text} className="reading" />
      {isAlone && (
        <div ref={end} tabIndex={-1} className={classes.end}>
          {finished && (
            <p className={classes.done} role="status">
              <IconCircleCheck size={20} stroke={1.7} aria-hidden />
              {t('已学完')}
            </p>
          )}
          {kept && !finished && !lacksMedia(lesson) && (
            <WaitButton size="md" waiting={save.isPending && !begins} onClick={() => void finish()}>
              {t('学完了')}
            </WaitButton>
          )}
          <WaitButton size="md" variant="default" waiting={false} onClick={onNext}>
            {t('下一节')}
          </WaitButton>
        </div>
      )}
    </article>
  );
}
