import { lazy, Suspense, useEffect, useState } from 'react';
import { useOpenQuestion } from './confirm.ts';

const load = () => import('./ConfirmDialog.tsx');
const ConfirmDialog = lazy(load);

/**
 * Where `confirm` asks, once per page. The dialog's code comes after the page, as soon as the browser is idle: a
 * question must still open when the network has gone.
 */
export function ConfirmHost() {
  const question = useOpenQuestion();
  const [used, setUsed] = useState(false);
  if (question !== null && !used) setUsed(true);
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), 1500);
    return () => clearTimeout(timer);
  }, []);
  if (!used) return null;
  return (
    <Suspense>
      <ConfirmDialog question={question} />
    </Suspense>
  );
}
