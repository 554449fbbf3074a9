import { useNavigate } from 'react-router';
import { toast } from '#ui/toast.ts';
import { paths } from '#web/lib/paths.ts';
import { failureText, type Input } from '#web/lib/send.ts';
import { useSend } from '#web/lib/useCall.ts';

/** Puts a practice together and opens it in the exam screen; `waiting` while it is made. */
export function usePractise() {
  const navigate = useNavigate();
  const make = useSend('POST /app/exam/own_paper');
  const practise = async (wanted: Input<'POST /app/exam/own_paper'>) => {
    try {
      const { examId } = await make.mutateAsync(wanted);
      navigate(paths.exam(examId));
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  return { practise, waiting: make.isPending };
}
