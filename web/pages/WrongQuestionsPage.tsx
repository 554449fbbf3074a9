import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { CardBones, RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { useKeptFocus } from '#ui/useKeptFocus.ts';
import { DailyCard } from '#web/exam/wrong/DailyCard.tsx';
import { LeaveRule } from '#web/exam/wrong/LeaveRule.tsx';
import { NarrowBar } from '#web/exam/wrong/NarrowBar.tsx';
import { fromCollected, fromWrong } from '#web/exam/wrong/shown-question.ts';
import { useRenewIfSittingChanged } from '#web/exam/wrong/useRenewIfGone.ts';
import { WrongQuestionList } from '#web/exam/wrong/WrongQuestionList.tsx';
import {
  askedFilter,
  filterChange,
  filterFrom,
  isNarrowed,
  WRONG_PAGE,
  type WrongFilter,
  type WrongTab,
} from '#web/exam/wrong/wrong-filter.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { idFrom, paths } from '#web/lib/paths.ts';
import { useQuery } from '#web/lib/query.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useLastPage } from '#web/lib/useLastPage.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { ExamCenterFrame } from './ExamCenterFrame.tsx';
import classes from './WrongQuestionsPage.module.css';

type Index = Data<'GET /app/exam/error_index'>;

/** 错题本: what went wrong, what left the list, what was removed, and the collection. Its filter is in the address. */
export default function WrongQuestionsPage() {
  useTitle(t('错题本'));
  return <ExamCenterFrame kind="wrong">{(packId) => <WrongList packId={packId} key={packId} />}</ExamCenterFrame>;
}

function WrongList({ packId }: { packId: number }) {
  const index = useCall('GET /app/exam/error_index', { packId }, { staleTime: 0 });
  return (
    <CallState call={index} skeleton={<RowBones count={5} height={120} />}>
      {(data) => <Lists packId={packId} index={data} />}
    </CallState>
  );
}

const named = (name: string, count: number) => `${name} ${count}`;

function Lists({ packId, index }: { packId: number; index: Index }) {
  const [search, setSearch] = useSearchParams();
  const [, setQuery] = useQuery();
  const filter = filterFrom(search);
  const { tab } = filter;
  const [narrowing, setNarrowing] = useState(false);
  const options = useCall(
    'GET /api/exam/error_opt',
    { packId, state: tab === 'collected' ? undefined : tab },
    { staleTime: 0, keepPrevious: true, enabled: tab !== 'collected' },
  );
  const narrow = (change: Parameters<typeof filterChange>[0]) => setQuery(filterChange(change));
  const daily = useCall('GET /app/exam/daily_review', { packId }, { staleTime: 0 });
  const list = useRef<HTMLDivElement>(null);
  useKeptFocus(list, 'article');
  return (
    <>
      {daily.data && <DailyCard daily={daily.data} />}
      <Pills<WrongTab>
        label={t('筛选')}
        value={tab}
        choices={[
          ['in', named(t('错题'), index.count)],
          ['left', named(t('已掌握'), index.leftCount)],
          ['removed', named(t('已移除'), index.removedCount)],
          ['collected', named(t('收藏夹'), index.collectedCount)],
        ]}
        onChoose={(next) =>
          setSearch(new URLSearchParams([...(next === 'in' ? [] : [['tab', next]]), ['packId', String(packId)]]))
        }
      />
      {index.withheld && (
        <p className={classes.withheld} role="status">
          {t('您有正在进行的考试，考试中的题目和它们的答案暂不显示，交卷后恢复。')}
        </p>
      )}
      <button
        type="button"
        className={classes.more}
        aria-expanded={narrowing}
        onClick={() => setNarrowing(!narrowing)}
        data-set={isNarrowed(filter) || undefined}
      >
        <IconFilter size={18} aria-hidden />
        {t('筛选与设置')}
      </button>
      <div className={classes.tools} data-open={narrowing || undefined}>
        <NarrowBar index={index} options={options.data} filter={filter} onChange={narrow} />
        {tab === 'in' && <LeaveRule packId={packId} leaveAfter={index.leaveAfter} />}
      </div>
      <div ref={list} tabIndex={-1} className={classes.list}>
        {tab === 'collected' ? (
          <Collected packId={packId} filter={filter} index={index} />
        ) : (
          // Anew for each tab: the last one's questions do not stand under this one's buttons.
          <Wrong key={tab} packId={packId} filter={filter} index={index} />
        )}
      </div>
    </>
  );
}

const emptyWords = {
  in: msg('这里还没有错题。做完一份练习或试卷，答错的题会自动进来。'),
  left: msg('还没有按条件移出的错题。'),
  removed: msg('没有手动移除的错题。'),
} as const;
const emptyButSat = msg('除了考试中的题目，这里没有错题。');

function Wrong({ packId, filter, index }: { packId: number; filter: WrongFilter; index: Index }) {
  const [search, setSearch] = useSearchParams();
  const pageNum = idFrom(search.get('page')) ?? 1;
  const now = serverNow();
  const list = useCall(
    'GET /api/exam/error',
    { ...askedFilter(packId, filter, now), order: filter.order, pageNum, pageSize: WRONG_PAGE },
    { staleTime: 0, keepPrevious: true },
  );
  const leading = useLastPage(list.data);
  useRenewIfSittingChanged(list.isPlaceholderData ? undefined : list.data?.withheld, index.withheld);
  const tab = filter.tab === 'collected' ? 'in' : filter.tab;
  const narrowed = isNarrowed(filter);
  return (
    <CallState
      call={list}
      skeleton={<CardBones count={3} height={220} />}
      empty={{
        when: ({ list: questions }) => questions.length === 0,
        show: leading ? (
          <CardBones count={3} height={220} />
        ) : (
          <EmptyState
            text={narrowed ? t('没有这样的题。') : t(index.withheld && tab === 'in' ? emptyButSat : emptyWords[tab])}
            action={
              narrowed ? (
                <Button
                  variant="default"
                  onClick={() => setSearch(new URLSearchParams({ packId: String(packId), tab }))}
                >
                  {t('查看全部题目')}
                </Button>
              ) : tab === 'in' && index.leftCount + index.removedCount === 0 ? (
                <Button component={Link} to={paths.chapterExam({ packId, type: 1 })}>
                  {t('去做章节练习')}
                </Button>
              ) : undefined
            }
          />
        ),
      }}
    >
      {(data) => (
        <WrongQuestionList
          packId={packId}
          filter={filter}
          shown={{ ...data, questions: data.list.map(fromWrong) }}
          stale={list.isPlaceholderData}
        />
      )}
    </CallState>
  );
}

function Collected({ packId, filter, index }: { packId: number; filter: WrongFilter; index: Index }) {
  const [search] = useSearchParams();
  const pageNum = idFrom(search.get('page')) ?? 1;
  const { chapterId, questionTypesId } = filter;
  const list = useCall(
    'GET /app/exam/collection',
    { packId, chapterId, questionTypesId, pageNum, pageSize: WRONG_PAGE },
    { staleTime: 0, keepPrevious: true },
  );
  const leading = useLastPage(list.data);
  useRenewIfSittingChanged(list.isPlaceholderData ? undefined : list.data?.withheld, index.withheld);
  return (
    <CallState
      call={list}
      skeleton={<CardBones count={3} height={220} />}
      empty={{
        when: ({ list: questions }) => questions.length === 0,
        show: leading ? (
          <CardBones count={3} height={220} />
        ) : (
          <EmptyState text={t('还没有收藏题目。在解析或错题本里点“收藏”，题目会留在这里，还可以写笔记。')} />
        ),
      }}
    >
      {(data) => (
        <WrongQuestionList
          packId={packId}
          filter={filter}
          shown={{ ...data, questions: data.list.map(fromCollected) }}
          stale={list.isPlaceholderData}
        />
      )}
    </CallState>
  );
}
