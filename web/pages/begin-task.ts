import { useState } from 'react';
import { useNavigate } from 'react-router';
import { toast } from '#ui/toast.ts';
import { confirmStart } from '#web/exam/center/confirm-start.ts';
import { useDailyStart } from '#web/exam/wrong/DailyCard.tsx';
import { paths } from '#web/lib/paths.ts';
import { failureText, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import type { Task } from '#web/plan/TaskList.tsx';

/** Opens a task of the plan where it is done; `opening` is the one that is on its way. */
export function useBeginTask(): { begin: (task: Task) => Promise<void>; opening: Task | null } {
  const navigate = useNavigate();
  const daily = useDailyStart();
  const [opening, setOpening] = useState<Task | null>(null);
  const open = async (task: Task): Promise<string | null> => {
    const { kind, packId, firstVideoId, chapterId, examId, recordId } = task;
    if (kind === 'lesson' && firstVideoId !== null) return paths.play(packId, { lesson: firstVideoId });
    if (kind === 'practice' && chapterId !== null) {
      const name = t('{chapter} · 练 {count} 题', { chapter: [...task.name].slice(0, 40).join(''), count: task.count });
      const made = await send('POST /app/plan/practice_start', { packId, chapterId, name });
      return paths.exam(made.examId);
    }
    if (kind === 'paper' && examId !== null) {
      if (recordId !== null) return paths.exam(examId, { record: recordId });
      const { list } = await send('GET /api/exam/exam_list', { packId });
      const paper = list.find((of) => of.examId === examId);
      return paper && (await confirmStart(paper)) ? paths.exam(examId) : null;
    }
    return null;
  };
  const begin = async (task: Task) => {
    setOpening(task);
    try {
      if (task.kind === 'review') await daily.start(task.packId);
      else {
        const to = await open(task);
        if (to !== null) void navigate(to);
      }
    } catch (error) {
      toast(failureText(error), 'bad');
    }
    setOpening(null);
  };
  return { begin, opening };
}
