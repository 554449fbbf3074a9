import { IconCheck, IconHourglass, IconMail, IconX } from '@tabler/icons-react';
import type { FeedbackState } from '#contract/values/feedback.ts';
import chip from '#ui/chip.module.css';
import { t } from '#web/lib/t.ts';
import { stateWords } from './report-words.ts';

const icons = { 0: IconHourglass, 1: IconMail, 2: IconCheck, 3: IconX } as const;
const tones = { 0: 'amber', 1: 'indigo', 2: 'jade', 3: undefined } as const;

/** What became of a report: a shape with its word. */
export function StateChip({ state }: { state: FeedbackState }) {
  const Icon = icons[state];
  return (
    <span className={chip.chip} data-tone={tones[state]}>
      <Icon size={14} stroke={2.2} aria-hidden />
      {t(stateWords[state])}
    </span>
  );
}
