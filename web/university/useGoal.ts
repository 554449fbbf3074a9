import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createPath, useLocation, useNavigate } from 'react-router';
import { chooseCompared } from '#rules/university/goal.ts';
import { toast } from '#ui/toast.ts';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { CallError, type Data, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { callKey, useCall, useSend } from '#web/lib/useCall.ts';
import { universitiesStay } from './useUniversities.ts';

type Goal = Data<'GET /app/university/goal'>;
const none: Goal = { target: null, compare: [] };
const stored = 'GET /app/university/goal';
const key = callKey(stored, {});

/** Which button was pressed: of the target or of the comparison, and of which university; null for all of them. */
interface Pressed {
  of: 'target' | 'compare';
  id: number | null;
}

/**
 * The student's target and comparison, and what changes them. A visitor who presses is led to sign in and comes back to
 * this very view. One change at a time: each answer is the whole goal, and an older one must not replace a newer.
 */
export function useGoal() {
  const { me, ready, failed } = useMe();
  const client = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const { data } = useCall(stored, {}, { enabled: me !== null, staleTime: universitiesStay });
  const target = useSend('POST /app/university/goal');
  const compare = useSend('POST /app/university/compare');
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const goal = me === null ? none : (data ?? none);
  const isTarget = (id: number) => goal.target?.id === id;
  const isCompared = (id: number) => goal.compare.some((university) => university.id === id);
  /** Nobody can be sent to sign in before it is known whether somebody is. */
  const asking = !ready && failed === null;

  /** @param work gives the new goal, or null when the sentence why not has been said */
  async function change(button: Pressed, work: () => Promise<Goal | null>, done: string): Promise<void> {
    if (asking || pressed !== null) return;
    if (me === null) {
      void navigate(paths.login(createPath(location)));
      return;
    }
    setPressed(button);
    try {
      const next = await work();
      if (next === null) return;
      client.setQueryData<Goal>(key, next);
      toast(done, 'good');
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      toast(t(error.msg), 'bad');
    } finally {
      setPressed(null);
    }
  }

  /**
   * The call replaces the stored list, so the list is asked for first: what is shown may not have arrived, may have
   * failed, or may be older than what another window chose.
   */
  async function compareOther(id: number, add: boolean): Promise<Goal | null> {
    const now = await client.fetchQuery({ queryKey: key, queryFn: () => send(stored, {}), staleTime: 0, retry: false });
    const others = now.compare.map((university) => university.id).filter((compared) => compared !== id);
    const chosen = chooseCompared(add ? [...others, id] : others);
    if (chosen.ok) return compare.mutateAsync({ universityIds: chosen.ids });
    toast(t('最多同时对比三所院校'), 'bad');
    return null;
  }

  return {
    goal,
    isTarget,
    isCompared,
    /** Whether this button's change is on its way. */
    isWaiting: (of: Pressed['of'], id: number | null) => pressed?.of === of && pressed.id === id,
    /** Whether nothing can be pressed now. */
    busy: asking || pressed !== null,
    /** Makes it the target, or takes it away if it is. */
    toggleTarget: (id: number) => {
      const next = isTarget(id) ? null : id;
      return change(
        { of: 'target', id },
        () => target.mutateAsync({ universityId: next }),
        next === null ? t('已取消目标院校') : t('已设为目标院校'),
      );
    },
    /** Adds or takes away one university; a fourth is refused here as the server would. */
    toggleCompared: (id: number) => {
      const add = !isCompared(id);
      return change({ of: 'compare', id }, () => compareOther(id, add), add ? t('已加入对比') : t('已移出对比'));
    },
    clearCompared: () =>
      change({ of: 'compare', id: null }, () => compare.mutateAsync({ universityIds: [] }), t('已清空对比')),
  };
}
export type UseGoal = ReturnType<typeof useGoal>;
