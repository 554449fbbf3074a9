import { useLate } from '#ui/useLate.ts';
import ExamDialogs, { type DialogProps } from '#web/exam/ExamDialogs.tsx';

const load = () => import('#web/user/DisplaySettings.tsx');

/** What opens over a question, together with the display settings of the person. */
export default function ExamOverlays(props: Omit<DialogProps, 'display'>) {
  return <ExamDialogs {...props} display={<Display />} />;
}

/** The display settings, fetched when they are opened: few open them, and without a network the rest still works. */
function Display() {
  const found = useLate(load);
  return found && <found.DisplaySettings />;
}
