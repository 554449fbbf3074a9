import ExamDialogs, { type DialogProps } from '#web/exam/screen/ExamDialogs.tsx';
import { LateDisplaySettings } from './LateDisplaySettings.tsx';
import { QuestionFeedback } from './QuestionFeedback.tsx';

/** What opens over a question, together with what belongs to other features: display settings and feedback. */
export default function ExamOverlays(props: Omit<DialogProps, 'display' | 'feedback'>) {
  return <ExamDialogs {...props} display={<LateDisplaySettings />} feedback={<QuestionFeedback />} />;
}
