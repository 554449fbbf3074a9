import { Button } from '@mantine/core';
import { useRef } from 'react';
import { RowBones } from '#ui/Bones.tsx';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import type { useMore } from '#web/lib/useMore.ts';
import { type Question, QuestionItem } from './QuestionItem.tsx';
import classes from './QuestionList.module.css';

/** A list of questions as `useMore` reads one. */
type List = Omit<ReturnType<typeof useMore<'GET /app/feedback/list'>>, 'call'> & {
  call: {
    data: { list: Question[] }[] | undefined;
    error: ReturnType<typeof useMore>['call']['error'];
    refetch: () => unknown;
  };
};

interface Props {
  questions: List;
  /** What is said where there is none; else the spec's 暂无答疑数据. */
  none?: string | undefined;
}

/** Questions under each other with 加载更多答疑 while there are more (spec §2 Question list). */
export function QuestionList({ questions, none }: Props) {
  const { call, hasMore, loadingMore, moreError, readMore } = questions;
  const whole = useRef<HTMLDivElement>(null);
  // A question that is deleted takes the keyboard along to the next one.
  useKeptFocus(whole, 'article');
  return (
    <div ref={whole} tabIndex={-1}>
      <CallState
        call={call}
        skeleton={<RowBones count={3} height={150} />}
        empty={{
          when: (pages) => pages.every(({ list }) => list.length === 0),
          show: <p className={classes.none}>{none ?? t('暂无答疑数据')}</p>,
        }}
      >
        {(pages) => (
          <>
            <ul className={classes.list}>
              {pages.flatMap(({ list }) =>
                list.map((question) => (
                  <li key={question.id}>
                    <QuestionItem question={question} />
                  </li>
                )),
              )}
            </ul>
            {moreError !== null && (
              <p className={classes.failed} role="alert">
                {failureText(moreError)}
              </p>
            )}
            {hasMore &&
              (moreError === null ? (
                <WaitButton variant="default" fullWidth waiting={loadingMore} onClick={readMore}>
                  {t('加载更多答疑')}
                </WaitButton>
              ) : (
                <Button variant="default" fullWidth onClick={readMore}>
                  {t('重试')}
                </Button>
              ))}
          </>
        )}
      </CallState>
    </div>
  );
}
