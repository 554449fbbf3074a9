import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { toast } from '#ui/toast.ts';
import { paths } from '#web/lib/paths.ts';
import { randomName } from '#web/lib/random-name.ts';
import { CallError, failureText, type Input } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import { useRenewIfGone } from './useRenewIfGone.ts';

/** Puts a practice together and opens it in the exam screen; `waiting` while it is made. */
export function usePractise() {
  const navigate = useNavigate();
  const renewIfGone = useRenewIfGone();
  const make = useSend('POST /app/exam/own_paper');
  // One name until something else is wanted: what is pressed twice, or again after a lost answer, makes one practice.
  const press = useRef({ of: '', name: '' });
  const practise = async (wanted: Omit<Input<'POST /app/exam/own_paper'>, 'requestId'>) => {
    const of = JSON.stringify(wanted);
    if (press.current.of !== of) press.current = { of, name: randomName() };
    try {
      const { examId, leftOut } = await make
        .mutateAsync({ ...wanted, requestId: press.current.name })
        .catch((error) => {
          // What an earlier press made, whose answer was lost, waits for the end of an exam that began since: this one makes another.
          if (!(error instanceof CallError) || error.why !== 'madeBeforeExam') throw error;
          press.current = { of, name: randomName() };
          return make.mutateAsync({ ...wanted, requestId: press.current.name });
        });
      press.current = { of: '', name: '' };
      if (leftOut > 0) toast(t('有 {count} 题现在不能练习，已略过', { count: leftOut }));
      void navigate(paths.exam(examId));
    } catch (error) {
      toast(failureText(error), 'bad');
      await renewIfGone(error);
    }
  };
  return { practise, waiting: make.isPending };
}
