import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { nextLesson, type PlayNode } from '#rules/play/directory.ts';
import { toast } from '#ui/toast.ts';
import { t } from '#web/lib/t.ts';
import { callKey, invalidate } from '#web/lib/useCall.ts';
import { isBusy } from './busy.ts';
import { CHAPTERS, type Chapters, lessonsOf, tellLocked } from './pack-lessons.ts';
import { track } from './tracker.ts';

/** A server that is silent for longer at the end of a lesson leads nobody to the next one by itself (milliseconds). */
const ANSWERS_WITHIN = 3000;

/** Where a lesson leads: at once when somebody asks for it, announced for a moment at its end. */
export function useNextLesson(pack: Chapters, lessonId: number | null, open: (lesson: PlayNode) => void) {
  const client = useQueryClient();
  const [upNext, setUpNext] = useState<{ after: number; lesson: PlayNode } | null>(null);
  /** The lesson was played to its end, and what follows it is locked: by what is not seen yet, or for who has not joined. */
  const [stops, setStops] = useState<{ after: number; lesson: PlayNode } | null>(null);
  /** Told apart: what is asked at an end is over once it plays again, or another lesson is there. */
  const endings = useRef(0);
  // What is announced ends with its lesson, also where the way back of the browser or a link leads out of it.
  useEffect(
    () => () => {
      endings.current += 1;
      setUpNext((was) => (was?.after === lessonId ? null : was));
      setStops((was) => (was?.after === lessonId ? null : was));
    },
    [lessonId],
  );
  /** The lesson after this one, or null, having said why there is none. */
  const following = (of: Chapters): PlayNode | null => {
    const found = nextLesson(lessonsOf(of), lessonId ?? 0);
    if (found.ok) return found.lesson;
    if (found.why === 'last') {
      track('last video', { packId: of.packId, lessonId: lessonId ?? 0 });
      toast(t('已是最后一节'));
    } else tellLocked(of, found.lesson.id);
    return null;
  };
  /** The lessons as they are now; null: the server is away, so that no other lesson would open either. */
  const renewed = async (): Promise<Chapters | null> => {
    await invalidate(client, CHAPTERS);
    const asked = client.getQueryState<Chapters>(callKey(CHAPTERS, { packId: pack.packId }));
    return asked?.status === 'error' || asked?.fetchStatus === 'paused' ? null : (asked?.data ?? pack);
  };
  const stay = () => {
    endings.current += 1;
    setUpNext(null);
    setStops(null);
  };
  return {
    /** The lesson that opens in a moment, or null. */
    announced: upNext !== null && upNext.after === lessonId ? upNext.lesson : null,
    /** The lesson that does not open though this one was played to its end, or null: a report that came late may open it after all. */
    locked:
      stops?.after === lessonId
        ? (lessonsOf(pack).find(({ id, lockStatus }) => id === stops?.lesson.id && lockStatus === 0) ?? null)
        : null,
    /** Somebody asks for the next lesson. */
    goOn: () => {
      const lesson = following(pack);
      if (lesson !== null) open(lesson);
    },
    /** Somebody goes to the announced one before it opens by itself. */
    goThere: () => {
      if (upNext !== null) open(upNext.lesson);
    },
    /** The lesson was played to its end. */
    ended: async () => {
      const ending = ++endings.current;
      // What was just finished may have unlocked it.
      const now = await renewed();
      if (ending !== endings.current || lessonId === null) return;
      const found = now && nextLesson(lessonsOf(now), lessonId);
      // Nobody asked for it: what is missing is said in the place of what would come.
      setStops(found?.ok === false && found.why === 'locked' ? { after: lessonId, lesson: found.lesson } : null);
      const lesson = found?.ok === false && found.why === 'locked' ? null : now && following(now);
      setUpNext(lesson ? { after: lessonId, lesson } : null);
    },
    /** Nobody pressed for it: where the server is away or silent, or somebody has begun something meanwhile, it stays with the lesson that is there. */
    goByItself: async () => {
      const ending = endings.current;
      const silent = new Promise<null>((late) => setTimeout(late, ANSWERS_WITHIN, null));
      const now = await Promise.race([renewed(), silent]);
      if (ending !== endings.current) return;
      const lesson = now && following(now);
      if (lesson && !isBusy()) open(lesson);
      else setUpNext(null);
    },
    /** It stays with the lesson that is there, or plays it again. */
    stay,
  };
}
