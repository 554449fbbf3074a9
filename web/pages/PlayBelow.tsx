import { Tabs } from '@mantine/core';
import '#ui/tabs.css';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { RichText } from '#ui/RichText.tsx';
import type { Data } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { Coming, type LateProps } from './late-panels.tsx';
import classes from './PlayBelow.module.css';
import type { BelowTab } from './PlayPanels.tsx';

/** Its own code: most who come here ask nothing. */
const CourseQuestions = lazy(() => import('#web/qa/CourseQuestions.tsx'));

/** The parameter of the address that names the tab under the stage. */
export const BELOW = 'below';

/** 简介, 评论, 答疑 and 笔记 under the stage; under the introduction what else there is to do. */
export function PlayBelow({
  lesson,
  bought,
  second,
  onJump,
  panels,
  onWanted,
}: LateProps & {
  lesson: Data<'GET /app/course/lesson'>;
  bought: boolean;
  second: () => number;
  onJump: (to: { firstVideoId: number; position: number }) => void;
}) {
  const { packId, firstVideoId } = lesson;
  const answers = lesson.isAnswer === 1;
  const [search, setSearch] = useSearchParams();
  const tabs = ['profile', 'comments', ...(answers ? ['questions'] : []), ...(bought ? ['notes'] : [])];
  // In the address: it stays from lesson to lesson, and over a reload.
  const tab = tabs.find((known) => known === search.get(BELOW)) ?? 'profile';
  const open = (now: string | null) => {
    onWanted();
    setSearch(
      (was) => {
        const query = new URLSearchParams(was);
        if (now === null || now === 'profile') query.delete(BELOW);
        else query.set(BELOW, now);
        return query;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  const show = (tab: BelowTab) =>
    panels ? <panels.BelowContent {...{ tab, lesson, bought, second, onJump }} /> : tab !== 'profile' && <Coming />;
  return (
    <Tabs value={tab} keepMounted={false} className={classes.below} onChange={open}>
      <Tabs.List>
        <Tabs.Tab value="profile">{t('简介')}</Tabs.Tab>
        <Tabs.Tab value="comments">{t('评论')}</Tabs.Tab>
        {answers && <Tabs.Tab value="questions">{t('答疑')}</Tabs.Tab>}
        {bought && <Tabs.Tab value="notes">{tIn('tab', '笔记')}</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="profile" className={classes.profile}>
        {lesson.profile === '' ? (
          <p className={classes.none}>{t('本节课程暂无简介')}</p>
        ) : (
          <RichText html={lesson.profile} className="reading" />
        )}
        {show('profile')}
      </Tabs.Panel>
      <Tabs.Panel value="comments" className={classes.panel}>
        {bought ? show('comments') : <p className={classes.none}>{t('报名后可以看到评论，也可以发表评论')}</p>}
      </Tabs.Panel>
      {answers && (
        <Tabs.Panel value="questions" className={classes.panel}>
          <Suspense>
            <CourseQuestions
              packId={packId}
              lessonId={firstVideoId}
              courseId={lesson.firstCourseId}
              position={lesson.videoResourceId === null ? undefined : second}
            />
          </Suspense>
        </Tabs.Panel>
      )}
      {bought && (
        <Tabs.Panel value="notes" className={classes.panel}>
          {show('notes')}
        </Tabs.Panel>
      )}
    </Tabs>
  );
}
