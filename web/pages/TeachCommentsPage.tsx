import { useRef, useState } from 'react';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { TaughtComments } from '#web/comment/TaughtComments.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom } from '#web/lib/paths.ts';
import { onPlace, placeIn, useQuery } from '#web/lib/query.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useLastPage } from '#web/lib/useLastPage.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import page from './page.module.css';
import classes from './TeachCommentsPage.module.css';

const PAGE = 20;

/** 课程评论 for teachers: the comments of all packs, the newest first; filter and page are in the address. */
export default function TeachCommentsPage() {
  useTitle(t('课程评论'));
  const [search, setQuery] = useQuery();
  const unanswered = search.get('all') === null ? 1 : 0;
  const pageNum = idFrom(search.get('page')) ?? 1;
  // Pages go on from where their reader began.
  const [beforeId, setBeforeId] = useState<number | undefined>(undefined);
  const call = useCall(
    'GET /app/comment/manage',
    {
      ...{ unanswered, pageNum, pageSize: PAGE, after: placeIn(search) },
      ...(beforeId === undefined ? {} : { beforeId }),
    },
    { staleTime: 0, keepPrevious: true },
  );
  const leading = useLastPage(call.data, (last) => onPlace(search, last, null));
  // What was answered leaves the list of what waits.
  const whole = useRef<HTMLDivElement>(null);
  useKeptFocus(whole, 'li');
  return (
    <>
      <h1 className={page.title}>{t('课程评论')}</h1>
      <div className={classes.filters}>
        <Pills
          label={t('哪些评论')}
          value={unanswered}
          choices={[
            [1, t('还没有回复')],
            [0, t('全部')],
          ]}
          onChoose={(value) => {
            setBeforeId(undefined);
            setQuery({ page: null, after: null, all: value === 1 ? null : 1 });
          }}
        />
      </div>
      <div ref={whole} tabIndex={-1}>
        <CallState
          call={call}
          skeleton={<RowBones count={4} height={120} />}
          empty={{
            when: ({ total }) => total === 0 && !leading,
            show: <EmptyState text={unanswered === 1 ? t('没有等待回复的评论') : t('还没有人评论')} />,
          }}
        >
          {({ list, pages, beforeId: begun, pageNum: shown, next: behind }) => (
            <>
              <TaughtComments list={list} />
              <Pager
                pageNum={shown}
                pages={pages}
                onPage={(next) => {
                  setBeforeId(next === 1 ? undefined : (begun ?? undefined));
                  setQuery(onPlace(search, next, { pageNum: shown, next: behind }));
                }}
              />
            </>
          )}
        </CallState>
      </div>
    </>
  );
}
