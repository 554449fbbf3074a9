import { useCall } from '#web/lib/useCall.ts';
import { useExamState } from './ExamContext.ts';
import { nextChapter } from './next-chapter.ts';

/** The chapter after the one on the screen: null where there is none, or (`looking`) it is not known yet. */
export function useNextChapter() {
  const { packId, examId, kind, chapterId } = useExamState((state) => state.record);
  const tree = useCall(
    'GET /app/question/index',
    { packId, type: kind === 'afterclass' ? 2 : 1 },
    { enabled: chapterId !== null },
  );
  return { looking: tree.isPending, next: tree.data ? nextChapter(tree.data, examId) : null };
}
