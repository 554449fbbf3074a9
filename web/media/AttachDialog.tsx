import { Button, Modal, NativeSelect } from '@mantine/core';
import '#ui/dialog.css';
import '#ui/form.css';
import { useState } from 'react';
import { clockText } from '#rules/play/clock-text.ts';
import { RowBones } from '#ui/Bones.tsx';
import { confirm } from '#ui/confirm.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { useRefocus } from '#ui/focus.ts';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { CallError, type Data } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import classes from './AttachDialog.module.css';
import type { TaughtMedia } from './MediaList.tsx';

const LESSONS = 'GET /app/course/lesson_manage';
type Lesson = Data<typeof LESSONS>['courses'][number]['lessons'][number];

/** Gives a media to lessons, or takes it from them: pack, then course, then lesson. */
export function AttachDialog({ media, onClose }: { media: TaughtMedia; onClose: () => void }) {
  useRefocus();
  const [packId, setPackId] = useState(media.lessons[0]?.packId);
  const [courseId, setCourseId] = useState<number | undefined>(undefined);
  const call = useCall(LESSONS, { packId }, { staleTime: 0, keepPrevious: true });
  return (
    <Modal
      opened
      onClose={onClose}
      size={640}
      title={t('用于课时：{name}', { name: media.title })}
      closeButtonProps={{ 'aria-label': t('关闭') }}
    >
      <CallState
        call={call}
        skeleton={<RowBones count={5} height={56} />}
        empty={{
          when: (known) => known.packId === null,
          show: <EmptyState text={t('还没有课时。课时写在课程包的 lessons 文件夹里，导入后就会出现在这里。')} />,
        }}
      >
        {(known) => {
          const course = known.courses.find((one) => one.courseId === courseId) ?? known.courses[0];
          return (
            <>
              <div className={classes.selects}>
                <NativeSelect
                  label={t('课程包')}
                  value={known.packId ?? ''}
                  onChange={(event) => {
                    setPackId(Number(event.currentTarget.value));
                    setCourseId(undefined);
                  }}
                  data={known.packs.map((pack) => ({ value: String(pack.packId), label: pack.packName }))}
                />
                <NativeSelect
                  label={tIn('one', '课程')}
                  value={course?.courseId ?? ''}
                  onChange={(event) => setCourseId(Number(event.currentTarget.value))}
                  data={known.courses.map((one) => ({ value: String(one.courseId), label: one.courseName }))}
                />
              </div>
              <ul className={classes.lessons}>
                {course?.lessons.map((lesson) => (
                  <LessonRow key={lesson.firstVideoId} lesson={lesson} media={media} />
                ))}
              </ul>
            </>
          );
        }}
      </CallState>
      <div className={classes.foot}>
        <Button variant="default" onClick={onClose}>
          {t('完成')}
        </Button>
      </div>
    </Modal>
  );
}

/** What a lesson shows now, and will. */
function shownBy(lesson: Lesson): string {
  const now =
    lesson.videoResourceId === null
      ? lesson.kind === 'text'
        ? t('图文课时')
        : t('还没有视频或音频')
      : `${lesson.videoTitle} ${clockText(lesson.duration)}`;
  return lesson.nextResourceId === null ? now : t('{now}；转换好后换成 {next}', { now, next: lesson.nextTitle });
}

function LessonRow({ lesson, media }: { lesson: Lesson; media: TaughtMedia }) {
  const give = useSend('POST /app/course/lesson_media', { renews: [LESSONS, 'GET /app/media/list'] });
  const { firstVideoId, firstVideoName, chapterName, videoResourceId, nextResourceId, given, packResourceId } = lesson;
  const has = videoResourceId === media.mediaId || nextResourceId === media.mediaId;
  const set = async (mediaId: number | null) => {
    try {
      const { waits } = await give.mutateAsync({ firstVideoId, mediaId });
      if (mediaId === null)
        toast(packResourceId === null ? t('已从课时中移除') : t('已改回课程包自带的视频或音频'), 'good');
      else toast(waits ? t('转换好后，课时会自动换上它') : t('课时已换上它'), 'good');
    } catch (error) {
      if (error instanceof CallError) toast(t(error.msg), 'bad');
      else throw error;
    }
  };
  const press = async () => {
    if (has) {
      const sure = await confirm({
        title: t('从课时中移除？'),
        text:
          packResourceId === null
            ? t('“{name}”将没有视频或音频可看，学员的学习记录保留。', { name: firstVideoName })
            : t('“{name}”将改回课程包自带的视频或音频，学员的学习记录保留。', { name: firstVideoName }),
        yes: t('移除'),
        danger: true,
      });
      if (sure) await set(null);
      return;
    }
    const replaces = videoResourceId ?? nextResourceId;
    const sure =
      replaces === null ||
      (await confirm({
        title: t('替换课时的视频？'),
        text: t('“{name}”现在是：{now}。换上“{title}”后，学员看到的就是新的。', {
          name: firstVideoName,
          now: shownBy(lesson),
          title: media.title,
        }),
        yes: t('替换'),
      }));
    if (sure) await set(media.mediaId);
  };
  return (
    <li className={classes.lesson}>
      <div>
        <p className={classes.name}>{firstVideoName}</p>
        <p className={classes.now}>
          {chapterName !== '' && <span>{chapterName} · </span>}
          {shownBy(lesson)}
        </p>
      </div>
      {has && !given ? (
        <p className={classes.now}>{t('课程包自带')}</p>
      ) : (
        <WaitButton
          variant={has ? 'light' : 'default'}
          waiting={give.isPending}
          aria-pressed={has}
          onClick={() => void press()}
        >
          {has ? t('移除') : videoResourceId === null && nextResourceId === null ? t('使用') : t('替换')}
        </WaitButton>
      )}
    </li>
  );
}
