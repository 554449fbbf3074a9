import { useEffect } from 'react';
import { useOpenQuestion } from './confirm.ts';
import { useLate } from './useLate.ts';

const load = () => import('./ConfirmDialog.tsx');

/** Milliseconds after which the dialog's code is fetched: once the page stands, as a question must open without a network too. */
const FETCH_AFTER = 2000;
/** Milliseconds that a question waits for the dialog's code before the browser's own asks it. */
const PATIENCE = 1500;

/** Where `confirm` asks, once per page. */
export function ConfirmHost() {
  const question = useOpenQuestion();
  const found = useLate(load, question === null ? FETCH_AFTER : 0);
  useEffect(() => {
    if (question === null || found !== null) return;
    // The network went before the dialog's code came. The question must be asked all the same.
    const timer = setTimeout(() => {
      question.answer(window.confirm([question.title, question.text].filter(Boolean).join('\n\n')));
    }, PATIENCE);
    return () => clearTimeout(timer);
  }, [question, found]);
  return found && <found.default question={question} />;
}
