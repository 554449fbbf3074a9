import type { ComponentProps } from 'react';
import { ReviewDialogs } from '#web/exam/results/ReviewDialogs.tsx';
import { LateDisplaySettings } from './LateDisplaySettings.tsx';
import { QuestionFeedback } from './QuestionFeedback.tsx';

/** What opens over a question of a review, together with what belongs to other features: display settings and feedback. */
export default function ReviewOverlays(props: Omit<ComponentProps<typeof ReviewDialogs>, 'display'>) {
  return (
    <>
      <ReviewDialogs {...props} display={<LateDisplaySettings />} />
      <QuestionFeedback />
    </>
  );
}
