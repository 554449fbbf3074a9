import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '#web/lib/t.ts';
import classes from './BankTree.module.css';
import { type BankChapter, type BlueprintStep, countOf } from './blueprint.ts';

interface Props {
  bank: readonly BankChapter[];
  chosen: ReadonlySet<number>;
  onStep: (step: BlueprintStep) => void;
}

/** The chapters that a random paper is drawn from: a box for each, with all below it. */
export function BankTree({ bank, chosen, onStep }: Props) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const courses = [...Map.groupBy(bank, ({ courseId }) => courseId).values()];
  const toggle = (chapterId: number) =>
    setOpen((was) => {
      const next = new Set(was);
      if (!next.delete(chapterId)) next.add(chapterId);
      return next;
    });
  const lines = (parentId: number | null, chapters: readonly BankChapter[], depth: number): React.ReactNode =>
    chapters
      .filter((chapter) => chapter.parentId === parentId)
      .map((chapter) => {
        const { chapterId, name } = chapter;
        const parts = chapters.filter((other) => other.parentId === chapterId);
        const count = countOf(chapters, chapterId);
        if (count === 0) return null;
        return [
          <div
            key={chapterId}
            className={classes.line}
            data-depth={depth}
            style={{ '--depth': depth } as React.CSSProperties}
          >
            <label className={classes.name}>
              <input
                type="checkbox"
                checked={chosen.has(chapterId)}
                ref={(box) => {
                  if (box) box.indeterminate = !chosen.has(chapterId) && anyChosen(chapters, chosen, chapterId);
                }}
                onChange={(event) => onStep({ type: 'chapter', chapterId, on: event.currentTarget.checked })}
              />
              <span>{name}</span>
            </label>
            <span className={classes.count}>{t('{count} 题', { count })}</span>
            {parts.length > 0 ? (
              <button
                type="button"
                className={classes.open}
                aria-expanded={open.has(chapterId)}
                aria-label={t('展开“{name}”', { name })}
                onClick={() => toggle(chapterId)}
              >
                <IconChevronRight size={18} aria-hidden />
              </button>
            ) : (
              <span className={classes.none} />
            )}
          </div>,
          open.has(chapterId) && lines(chapterId, chapters, depth + 1),
        ];
      });
  return (
    <div className={classes.tree}>
      {courses.map((chapters) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be read as part of the form
        <div key={chapters[0]?.courseId} role="group" aria-label={chapters[0]?.courseName}>
          {courses.length > 1 && <p className={classes.course}>{chapters[0]?.courseName}</p>}
          {lines(null, chapters, 0)}
        </div>
      ))}
    </div>
  );
}

/** Whether anything below a chapter is chosen. */
function anyChosen(chapters: readonly BankChapter[], chosen: ReadonlySet<number>, chapterId: number): boolean {
  return chapters.some(
    (other) =>
      other.parentId === chapterId && (chosen.has(other.chapterId) || anyChosen(chapters, chosen, other.chapterId)),
  );
}
