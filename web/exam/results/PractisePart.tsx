import { OWN_PAPER_MOST } from '#contract/values/exam.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { msg, t } from '#web/lib/t.ts';
import type { Review } from '../paper.ts';
import { usePractise } from '../wrong/usePractise.ts';
import classes from './PractisePart.module.css';
import { passes, type ReviewLine, reviewLines } from './review-order.ts';

/** Parts of a record that are practised by themselves. */
const parts = ['wrong', 'unanswered', 'flagged', 'guessed'] as const;
type Part = (typeof parts)[number];

const partNames: Readonly<Record<Part, string>> = {
  wrong: msg('错题'),
  unanswered: msg('未作答的题'),
  flagged: msg('标记题'),
  guessed: msg('蒙的题'),
};
const pressed: Readonly<Record<Part, string>> = {
  wrong: msg('练没全对的 {count} 题'),
  unanswered: msg('练未作答的 {count} 题'),
  flagged: msg('练标记的 {count} 题'),
  guessed: msg('练蒙的 {count} 题'),
};

/** Whether a filter of a review is a part to practise. */
export function isPart(filter: string): filter is Part {
  return parts.some((part) => part === filter);
}

interface Props {
  record: { packId: number; examName: string };
  part: Part;
  lines: readonly ReviewLine[];
}

/** Puts one part of a record together as an own practice, in the order of the record. */
export function PractisePart({ record: { packId, examName }, part, lines }: Props) {
  const { practise, waiting } = usePractise();
  const ids = lines.filter((line) => passes(part, line)).map(({ question }) => question.questionId);
  if (ids.length === 0) return null;
  const questionIds = ids.slice(0, OWN_PAPER_MOST);
  const name = t('{name} · {part}', { name: [...examName].slice(0, 40).join(''), part: t(partNames[part]) });
  return (
    <WaitButton variant="default" waiting={waiting} onClick={() => void practise({ packId, name, questionIds })}>
      {t(pressed[part], { count: questionIds.length })}
    </WaitButton>
  );
}

/** All parts of a record that has any: what went wrong, was left open or marked. */
export function PractiseParts({ review }: { review: Review }) {
  const lines = reviewLines(review);
  const some = parts.filter((part) => lines.some((line) => passes(part, line)));
  if (some.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form stands here
    <div className={classes.parts} role="group" aria-label={t('只练其中的')}>
      <span className={classes.words}>{t('只练其中的')}</span>
      {some.map((part) => (
        <PractisePart key={part} record={review} part={part} lines={lines} />
      ))}
    </div>
  );
}
