import { IconBook2, IconCircleCheck, IconHeadphones, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { nodeState } from '#contract/values/play.ts';
import { RichText } from '#ui/RichText.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallError, type Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './LessonStage.module.css';
import { track } from './tracker.ts';

type Lesson = Data<'GET /app/course/lesson'>;

interface Props {
  lesson: Lesson;
  /** The caller is enrolled: what they do here is kept. */
  kept: boolean;
  /** What was seen of the lesson has changed on the server. */
  onProgress: () => void;
  onNext: () => void;
}

const kinds = { video: IconPlayerPlay, audio: IconHeadphones, text: IconBook2 } as const;

/**
 * The stage of the course play page: what is played or read. A lesson without media shows its text, which is finished by
 * saying so; the player takes the place of the head where there is something to play.
 */
export function LessonStage({ lesson, kept, onProgress, onNext }: Props) {
  const Icon = kinds[lesson.kind];
  return (
    <section className={classes.stage} aria-label={lesson.firstVideoName}>
      <div className={classes.screen}>
        <Icon size={34} stroke={1.4} aria-hidden />
        <h1 className={classes.name}>{lesson.firstVideoName}</h1>
        <p className={classes.state}>
          {lesson.mediaFailed
            ? t('本节的视频暂时不能播放，老师会重新上传')
            : lesson.waitsForMedia || (lesson.kind !== 'text' && lesson.videoResourceId === null)
              ? t('本节的视频还在准备中，可以先阅读图文')
              : lesson.kind === 'text'
                ? t('图文课时')
                : t('本节可以播放')}
        </p>
      </div>
      {lesson.text !== '' && <Sheet lesson={lesson} kept={kept} onProgress={onProgress} onNext={onNext} />}
    </section>
  );
}

/** The text of a lesson on paper. */
function Sheet({ lesson, kept, onProgress, onNext }: Props) {
  const { packId, firstVideoId } = lesson;
  const save = useSend('POST /app/course/save_position');
  const isRead = lesson.videoResourceId === null;
  const finished = lesson.nodeState === nodeState.finished;
  const progressed = useRef(onProgress);
  useEffect(() => {
    progressed.current = onProgress;
  });
  const begin = useRef(save.mutateAsync);
  const begins = kept && isRead && lesson.nodeState === nodeState.notStarted;
  // Having it open is having begun it; whether that is kept is nothing to be told about.
  useEffect(() => {
    if (!begins) return;
    begin.current({ packId, firstVideoId, position: 0 }).then(
      () => progressed.current(),
      () => undefined,
    );
  }, [begins, packId, firstVideoId]);
  const finish = async () => {
    try {
      await save.mutateAsync({ packId, firstVideoId, position: 0, ended: 1 });
      track('play_lesson_finished', { packId, lessonId: firstVideoId });
      onProgress();
    } catch (error) {
      if (error instanceof CallError) toast(t(error.msg), 'bad');
    }
  };
  return (
    <article className={classes.sheet}>
      <RichText html={lesson.text} className="reading" />
      <div className={classes.end}>
        {finished && (
          <p className={classes.done} role="status">
            <IconCircleCheck size={20} stroke={1.7} aria-hidden />
            {t('已学完')}
          </p>
        )}
        {kept && isRead && !finished && (
          <WaitButton size="md" waiting={save.isPending && !begins} onClick={() => void finish()}>
            {t('学完了')}
          </WaitButton>
        )}
        <WaitButton size="md" variant="default" waiting={false} onClick={onNext}>
          {t('下一节')}
        </WaitButton>
      </div>
    </article>
  );
}
