import { Button } from '@mantine/core';
import { CardBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { ListEnd } from '#web/lib/ListEnd.tsx';
import { t } from '#web/lib/t.ts';
import { UniversityCard } from './UniversityCard.tsx';
import classes from './UniversityList.module.css';
import type { UseGoal } from './useGoal.ts';
import type { UniversityList as Universities } from './useUniversities.ts';
import { isNarrowed, type View } from './view.ts';

interface Props {
  view: View;
  universities: Universities;
  goal: UseGoal;
  addressOf: (id: number) => string;
  openState: object;
  onMore: () => void;
  onReset: () => void;
}

/** The cards, and at their end the way to more of them (spec §2: total, loading, hasMore). */
export function UniversityList({ view, universities, goal, addressOf, openState, onMore, onReset }: Props) {
  const { list, loading, stale, loadingMore, hasMore, error, moreError, retry } = universities;
  return (
    <CallState
      call={{ data: loading || error !== null ? undefined : list, error, refetch: retry }}
      skeleton={<CardBones count={9} height={120} />}
      empty={{
        when: (found) => found.length === 0,
        show: (
          <EmptyState
            text={isNarrowed(view) ? t('没有符合条件的院校，换个名称或放宽筛选试试') : t('还没有院校资料')}
            action={
              isNarrowed(view) && (
                <Button variant="default" onClick={onReset}>
                  {t('清除全部条件')}
                </Button>
              )
            }
          />
        ),
      }}
    >
      {(found) => (
        <>
          <ul className={classes.grid} data-stale={stale || undefined} aria-busy={stale || loadingMore}>
            {found.map((university) => (
              <li key={university.id}>
                <UniversityCard university={university} goal={goal} to={addressOf(university.id)} state={openState} />
              </li>
            ))}
          </ul>
          <ListEnd
            hasMore={hasMore}
            loadingMore={loadingMore}
            moreError={moreError}
            onMore={onMore}
            onRetry={retry}
            all={found.length > 12 ? t('已显示全部院校') : null}
          />
        </>
      )}
    </CallState>
  );
}
