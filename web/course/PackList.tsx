import { Button } from '@mantine/core';
import { useRef } from 'react';
import { CardBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { ListEnd } from '#web/lib/ListEnd.tsx';
import { t } from '#web/lib/t.ts';
import { isMarketNarrowed, type MarketView } from './market-view.ts';
import { PackCard } from './PackCard.tsx';
import classes from './PackList.module.css';
import shelf from './PackShelf.module.css';
import type { usePacks } from './usePacks.ts';

interface Props {
  view: MarketView;
  packs: ReturnType<typeof usePacks>;
  onReset: () => void;
}

/** The courses of the market as cards, and at their end the way to more of them. */
export function PackList({ view, packs: { call, stale, hasMore, loadingMore, moreError, readMore }, onReset }: Props) {
  const whole = useRef<HTMLDivElement>(null);
  // 清除全部条件 goes with what it says, 加载更多 with the last courses.
  useKeptFocus(whole, 'li');
  return (
    <div ref={whole} tabIndex={-1}>
      <CallState
        call={call}
        skeleton={<CardBones />}
        empty={{ when: ({ packs }) => packs.length === 0, show: <Nothing view={view} onReset={onReset} /> }}
      >
        {({ packs }) => (
          <>
            <ul
              className={`${shelf.shelf} ${classes.list}`}
              data-stale={stale || undefined}
              aria-busy={stale || loadingMore}
            >
              {packs.map((pack) => (
                <li key={pack.packId} tabIndex={-1}>
                  <PackCard pack={pack} mine={false} heading="h2" />
                </li>
              ))}
            </ul>
            <ListEnd
              hasMore={hasMore}
              loadingMore={loadingMore}
              moreError={moreError}
              onMore={readMore}
              onRetry={readMore}
              all={packs.length > 12 ? t('已显示全部课程') : null}
            />
          </>
        )}
      </CallState>
    </div>
  );
}

function Nothing({ view, onReset }: Pick<Props, 'view' | 'onReset'>) {
  if (!isMarketNarrowed(view)) return <EmptyState text={t('学校还没有发布课程，请稍后再来。')} />;
  return (
    <EmptyState
      text={t('没有符合条件的课程，换个词或放宽筛选试试')}
      action={
        <Button variant="default" onClick={onReset}>
          {t('清除全部条件')}
        </Button>
      }
    />
  );
}
