import { useCallback, useState } from 'react';
import { MOVE_MOST } from '#contract/values/exam.ts';
import { toast } from '#ui/toast.ts';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useRenewIfGone } from './useRenewIfGone.ts';

/** Removing and restoring, with the sentences of the spec. `moved`: the questions of the last one. */
export function useMoving() {
  const renews = [
    'GET /api/exam/error',
    'GET /app/exam/error_index',
    'GET /api/exam/error_opt',
    // What is removed is reviewed no more, what is restored again.
    'GET /app/exam/daily_review',
    'GET /app/exam/daily_reviews',
  ] as const;
  const { mutateAsync: sendRemoval } = useSend('POST /api/exam/error_rm', { renews });
  const { mutateAsync: sendRestoring } = useSend('POST /app/exam/error_restore', { renews });
  const renewIfGone = useRenewIfGone();
  const [moved, setMoved] = useState<readonly number[] | null>(null);
  const remove = useCallback(
    async (which: number | readonly number[]) => {
      const ids = typeof which === 'number' ? [which] : [...which];
      let [done, removed] = [0, 0];
      try {
        for (; done < ids.length; done += MOVE_MOST)
          removed += (await sendRemoval({ ids: ids.slice(done, done + MOVE_MOST) })).count;
        // Of what is sat since in another window nothing can be removed now, and it is back on the list after the exam.
        if (removed < ids.length)
          toast(t('移除了 {removed} 题，有 {kept} 题现在不能移除', { removed, kept: ids.length - removed }));
        else toast(t('删除成功'), 'good');
      } catch (error) {
        toast(t('删除失败请稍后重试'), 'bad');
        await renewIfGone(error);
      }
      if (done > 0) setMoved(ids.slice(0, done));
    },
    [sendRemoval, renewIfGone],
  );
  const restore = useCallback(
    async (questionId: number) => {
      try {
        await sendRestoring({ ids: [questionId] });
        setMoved([questionId]);
        toast(t('已放回错题本'), 'good');
      } catch (error) {
        toast(failureText(error), 'bad');
        await renewIfGone(error);
      }
    },
    [sendRestoring, renewIfGone],
  );
  return { moved, remove, restore };
}
