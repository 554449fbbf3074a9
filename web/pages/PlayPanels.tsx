import { CommentPanel } from '#web/comment/CommentPanel.tsx';
import { CourseFiles } from '#web/file/CourseFiles.tsx';
import { SlidePanel } from '#web/file/SlidePanel.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import type { Data } from '#web/lib/send.ts';
import { Credits } from '#web/play/Credits.tsx';
import { Notes } from '#web/play/Notes.tsx';
import { Practice } from '#web/play/Practice.tsx';
import { type PlayTab, playTab } from '#web/play/tabs.ts';
import { Beyond } from './PlayBeyond.tsx';

// What stands beside and under a lesson but is not seen at first: one piece of code that comes after the film (`useLate`).

type Lesson = Data<'GET /app/course/lesson'>;

interface SideProps {
  tab: Exclude<PlayTab, typeof playTab.chapters>;
  packId: number;
  /** Null: not there yet. */
  lesson: Lesson | null;
  onClose: () => void;
}

/** What a tab of the side panel shows. */
export function SideContent({ tab, packId, lesson, onClose }: SideProps) {
  switch (tab) {
    case playTab.comments:
      return <CommentPanel packId={packId} pager={(bounds) => <Pager {...bounds} />} />;
    case playTab.slides:
      return (
        <SlidePanel
          key={lesson?.firstVideoId}
          lessonName={lesson?.firstVideoName ?? null}
          pptUrl={lesson?.pptUrl ?? ''}
          onClose={onClose}
        />
      );
    case playTab.practice:
      return <Practice list={lesson?.practiceArr ?? []} />;
    case playTab.credits:
      return <Credits packId={packId} />;
    case playTab.files:
      return <CourseFiles packId={packId} pager={(bounds) => <Pager {...bounds} />} />;
  }
}

/** What the tabs under the stage are called. */
export type BelowTab = 'profile' | 'comments' | 'notes';

interface BelowProps {
  tab: BelowTab;
  lesson: Lesson;
  bought: boolean;
  /** The second of the lesson at this moment. */
  second: () => number;
  onJump: (to: { firstVideoId: number; position: number }) => void;
}

/** What a tab under the stage shows; of the introduction what stands under its text. */
export function BelowContent({ tab, lesson, bought, second, onJump }: BelowProps) {
  const { packId, firstVideoId } = lesson;
  switch (tab) {
    case 'profile':
      return <Beyond packId={packId} lessonId={firstVideoId} bought={bought} />;
    case 'comments':
      return <CommentPanel packId={packId} lessonId={firstVideoId} pager={(bounds) => <Pager {...bounds} />} />;
    case 'notes':
      return (
        <Notes
          packId={packId}
          lessonId={firstVideoId}
          second={second}
          plays={lesson.videoResourceId !== null}
          onJump={onJump}
        />
      );
  }
}
