import { examToast, toast } from '#ui/toast.ts';
import { t } from '#web/lib/t.ts';
import type { Review } from '../paper.ts';
import type { ExamEvent, ExamRequest, ShownRecord } from '../session/exam-model.ts';
import { failureOf } from '../session/failure.ts';
import { keepMarks, keptMarks } from '../session/kept-marks.ts';
import { type MarkChange, unsentMarkCount } from '../session/marks-state.ts';
import { questionAddress } from '../session/question-address.ts';
import { sendMark } from '../session/send-mark.ts';
import { openReview, renewReview, type Shows, stepReview } from './review-state.ts';

/** A review on the question screen: its state, and what carries out what the state asks for. */
interface RunningReview extends ShownRecord {
  /** The review as the server says it now. */
  readonly renew: (review: Review) => void;
  /** Another filter: moves go on among the questions that it shows. */
  readonly narrow: (shows: Shows) => void;
  /** Sends what this browser kept of the marks that did not arrive. */
  readonly start: () => void;
  /** The screen is left: marks that did not arrive stay in this browser until the review is opened again. */
  readonly stop: () => void;
}

/**
 * Runs a review from the question at `index`.
 * @param onMarked told of each mark that the server has
 */
export function runReview(review: Review, index: number, onMarked: (mark: MarkChange) => void): RunningReview {
  const { recordId, examId } = review;
  let state = openReview(review, index, keptMarks(recordId));
  let shows: Shows = () => true;
  let running = false;
  const listeners = new Set<() => void>();
  // One for all marks: each failure puts it off.
  let retry: ReturnType<typeof setTimeout> | undefined;
  const address = questionAddress();

  const become = (next: typeof state) => {
    if (next === state) return;
    keepMarks(recordId, state.marksUnsent, next.marksUnsent);
    state = next;
    for (const listener of listeners) listener();
  };
  const dispatch = (event: ExamEvent) => {
    const step = stepReview(state, event, shows);
    become(step.state);
    for (const request of step.requests) carryOut(request);
  };
  const carryOut = (request: ExamRequest): void => {
    if (request.do === 'address') address.put(request.index);
    else if (request.do === 'toast') toast(t(request.text), 'plain', examToast);
    else if (request.do === 'mark') void mark(request);
    else if (request.do === 'wait' && running) {
      clearTimeout(retry);
      retry = setTimeout(() => dispatch(request.event), request.ms);
    }
  };
  const mark = async (change: MarkChange) => {
    try {
      const on = await sendMark({ recordId, examId }, change);
      dispatch({ type: 'markSaved', change });
      onMarked({ ...change, on });
    } catch (error) {
      dispatch({ type: 'markFailed', change, failure: failureOf(error) });
    }
  };
  const online = () => dispatch({ type: 'online' });

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch,
    renew: (latest) => become(renewReview(state, latest)),
    narrow(wanted) {
      shows = wanted;
    },
    start() {
      running = true;
      window.addEventListener('online', online);
      if (unsentMarkCount(state.marksUnsent) > 0) dispatch({ type: 'retryNow' });
    },
    stop() {
      running = false;
      window.removeEventListener('online', online);
      address.stop();
      clearTimeout(retry);
    },
  };
}
