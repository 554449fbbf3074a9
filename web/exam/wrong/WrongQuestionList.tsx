import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Pager } from '#web/lib/Pager.tsx';
import { onPage, useQuery } from '#web/lib/query.ts';
import type { Data } from '#web/lib/send.ts';
import type { ShownQuestion } from './shown-question.ts';
import { useMoving } from './useMoving.ts';
import { WrongCard } from './WrongCard.tsx';
import classes from './WrongQuestionList.module.css';
import { WrongToolbar } from './WrongToolbar.tsx';
import { WRONG_PAGE, type WrongFilter } from './wrong-filter.ts';

interface WrongQuestionListProps {
  packId: number;
  filter: WrongFilter;
  /** A page of questions with all that the screen shows of it. */
  shown: {
    questions: readonly ShownQuestion[];
    cases: Data<'GET /api/exam/error'>['cases'];
    total: number;
    pages: number;
    pageNum: number;
  };
  /** It is the page before, while the next one comes. */
  stale: boolean;
}

/** A page of the wrong-question list or of the collection, with what can be done to its questions. */
export function WrongQuestionList({ packId, filter, shown, stale }: WrongQuestionListProps) {
  const [, setQuery] = useQuery();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const top = useRef<HTMLDivElement>(null);
  const { moved, remove, restore } = useMoving();
  const cases = useMemo(() => new Map(shown.cases.map((material) => [material.id, material])), [shown.cases]);
  const choose = useCallback(
    (questionId: number, on: boolean) =>
      setChosen((was) => {
        const next = new Set(was);
        if (on) next.add(questionId);
        else next.delete(questionId);
        return next;
      }),
    [],
  );
  useEffect(() => {
    if (moved === null) return;
    setChosen((was) => new Set([...was].filter((id) => !moved.includes(id))));
  }, [moved]);
  const { tab } = filter;
  const first = (shown.pageNum - 1) * WRONG_PAGE;
  return (
    <div ref={top} className={classes.list} aria-busy={stale || undefined}>
      <WrongToolbar
        packId={packId}
        filter={filter}
        questions={shown.questions}
        total={shown.total}
        chosen={chosen}
        setChosen={setChosen}
        remove={remove}
      />
      {shown.questions.map((line, at) => {
        const { questionId, parentCaseStudyId: caseId } = line.question;
        return (
          <WrongCard
            key={questionId}
            shown={line}
            number={first + at + 1}
            material={caseId === null ? undefined : (cases.get(caseId) ?? null)}
            chosen={chosen.has(questionId)}
            onChoose={choose}
            onRemove={tab === 'in' ? remove : undefined}
            onRestore={tab === 'left' || tab === 'removed' ? restore : undefined}
          />
        );
      })}
      <Pager
        pageNum={shown.pageNum}
        pages={shown.pages}
        onPage={(page) => {
          setQuery(onPage(page));
          top.current?.scrollIntoView({ block: 'start' });
        }}
      />
    </div>
  );
}
