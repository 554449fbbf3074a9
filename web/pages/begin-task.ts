import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { toast } from '#ui/toast.ts';
import { confirmStart } from '#web/exam/center/confirm-start.ts';
import { useDailyStart } from '#web/exam/wrong/DailyCard.tsx';
import { paths } from '#web/lib/paths.ts';
import { CallError, type Data, failureText, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { callKey } from '#web/lib/useCall.ts';
import type { Task } from '#web/plan/TaskList.tsx';
import { sayTask } from '#web/plan/words.ts';

const PLAN = 'GET /app/plan/today';
/** A plan that was read less than so many milliseconds ago is believed. */
const FRESH = 30_000;
/** Nobody waits longer for a look whether a lesson is still there (milliseconds). */
const LOOK = 3000;

/** Refusals that say that what a task is about is not there any more. */
const goneWhys: readonly string[] = ['notFound', 'noQuestions', 'notEnrolled'];

type Opened = { to: string } | 'gone' | 'no';

/**
 * Opens a task of the plan where it is done; `opening` is the one that is on its way. One that is gone is said to be, and the plan is read anew:
 * `lost` counts them, so that the list offers its next one.
 */
export function useBeginTask(): { begin: (task: Task) => Promise<void>; opening: Task | null; lost: number } {
  const navigate = useNavigate();
  const client = useQueryClient();
  const daily = useDailyStart();
  const [opening, setOpening] = useState<Task | null>(null);
  const [lost, setLost] = useState(0);
  const read = async (timeout?: number): Promise<Data<typeof PLAN>> => {
    const today = await send(PLAN, {}, timeout === undefined ? {} : { timeout });
    client.setQueryData(callKey(PLAN, {}), today);
    return today;
  };
  const isGone = async ({ firstVideoId }: Task): Promise<boolean> => {
    const { dataUpdatedAt = 0 } = client.getQueryState(callKey(PLAN, {})) ?? {};
    if (Date.now() - dataUpdatedAt < FRESH) return false;
    // Without an answer the lesson's own page says what is wrong.
    const today = await read(LOOK).catch(() => null);
    return today !== null && !today.tasks.some((task) => task.firstVideoId === firstVideoId);
  };
  const open = async (task: Task): Promise<Opened> => {
    const { kind, packId, firstVideoId, chapterId, examId, recordId } = task;
    if (kind === 'review') return { to: await daily.make(packId) };
    if (kind === 'lesson' && firstVideoId !== null)
      return (await isGone(task)) ? 'gone' : { to: paths.play(packId, { lesson: firstVideoId }) };
    if (kind === 'practice' && chapterId !== null) {
      const name = t('{chapter} · 练 {count} 题', { chapter: [...task.name].slice(0, 40).join(''), count: task.count });
      const made = await send('POST /app/plan/practice_start', { packId, chapterId, name });
      return { to: paths.exam(made.examId) };
    }
    if (kind === 'paper' && examId !== null) {
      if (recordId !== null) return { to: paths.exam(examId, { record: recordId }) };
      const { list } = await send('GET /api/exam/exam_list', { packId });
      const paper = list.find((of) => of.examId === examId);
      if (paper === undefined) return 'gone';
      return (await confirmStart(paper)) ? { to: paths.exam(examId) } : 'no';
    }
    return 'gone';
  };
  /** Says that a task is gone, with what comes next. */
  const leave = async (task: Task) => {
    const { tasks } = await read();
    const next = tasks.some(({ done }) => done === 0);
    const said = { task: sayTask(task) };
    toast(next ? t('“{task}”已经没有了，请做下一项', said) : t('“{task}”已经没有了，今天没有别的安排', said), 'bad');
    setLost((times) => times + 1);
  };
  const begin = async (task: Task) => {
    setOpening(task);
    try {
      const opened = await open(task).catch((error: unknown): Opened => {
        if (error instanceof CallError && goneWhys.includes(error.why)) return 'gone';
        throw error;
      });
      if (opened === 'gone') await leave(task);
      else if (opened !== 'no') void navigate(opened.to);
    } catch (error) {
      toast(failureText(error), 'bad');
    }
    setOpening(null);
  };
  return { begin, opening, lost };
}
