import { Button } from '@mantine/core';
import { IconFileSpreadsheet, IconFilter, IconPrinter } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { OWN_PAPER_MOST } from '#contract/values/exam.ts';
import { CardBones, RowBones } from '#ui/Bones.tsx';
import { confirm } from '#ui/confirm.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { DailyCard } from '#web/exam/wrong/DailyCard.tsx';
import { LeaveRule } from '#web/exam/wrong/LeaveRule.tsx';
import { NarrowBar } from '#web/exam/wrong/NarrowBar.tsx';
import { readAll } from '#web/exam/wrong/read-all.ts';
import { usePractise } from '#web/exam/wrong/usePractise.ts';
import { fromCollected, fromWrong, type ShownQuestion, WrongCard } from '#web/exam/wrong/WrongCard.tsx';
import {
  askedFilter,
  filterFrom,
  isNarrowed,
  type WrongFilter,
  type WrongTab,
  withFilter,
} from '#web/exam/wrong/wrong-filter.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { idFrom, paths, patterns } from '#web/lib/paths.ts';
import { CallError, type Data, failureText } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { invalidate, useCall, useSend } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { ExamCenterFrame } from './ExamCenterFrame.tsx';
import { Pager } from './Pager.tsx';
import classes from './WrongQuestionsPage.module.css';

type Index = Data<'GET /app/exam/error_index'>;
type Cases = Data<'GET /api/exam/error'>['cases'];
/** A page of questions with all that the screen shows of it. */
interface Shown {
  questions: ShownQuestion[];
  cases: Cases;
  total: number;
  pages: number;
  pageNum: number;
}
const PAGE = 10;

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
  const filter = filterFrom(search);
  const { tab } = filter;
  const [narrowing, setNarrowing] = useState(false);
  const options = useCall(
    'GET /api/exam/error_opt',
    { packId, state: tab === 'collected' ? undefined : tab },
    { staleTime: 0, keepPrevious: true, enabled: tab !== 'collected' },
  );
  const narrow = (change: Parameters<typeof withFilter>[1]) => setSearch((was) => withFilter(was, change));
  const daily = useCall('GET /app/exam/daily_review', { packId }, { staleTime: 0 });
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
      {tab === 'collected' ? (
        <Collected packId={packId} filter={filter} />
      ) : (
        // Anew for each tab: the last one's questions do not stand under this one's buttons.
        <Wrong key={tab} packId={packId} filter={filter} index={index} />
      )}
    </>
  );
}

const emptyWords = {
  in: msg('这里还没有错题。做完一份练习或试卷，答错的题会自动进来。'),
  left: msg('还没有按条件移出的错题。'),
  removed: msg('没有手动移除的错题。'),
} as const;

function Wrong({ packId, filter, index }: { packId: number; filter: WrongFilter; index: Index }) {
  const [search, setSearch] = useSearchParams();
  const pageNum = idFrom(search.get('page')) ?? 1;
  const now = serverNow();
  const list = useCall(
    'GET /api/exam/error',
    { ...askedFilter(packId, filter, now), order: filter.order, pageNum, pageSize: PAGE },
    { staleTime: 0, keepPrevious: true },
  );
  const tab = filter.tab === 'collected' ? 'in' : filter.tab;
  const narrowed = isNarrowed(filter);
  return (
    <CallState
      call={list}
      skeleton={<CardBones count={3} height={220} />}
      empty={{
        when: ({ list: questions }) => questions.length === 0,
        show: (
          <EmptyState
            text={narrowed ? t('没有这样的题。') : t(emptyWords[tab])}
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
        <Questions
          packId={packId}
          filter={filter}
          shown={{ ...data, questions: data.list.map(fromWrong) }}
          stale={list.isPlaceholderData}
        />
      )}
    </CallState>
  );
}

function Collected({ packId, filter }: { packId: number; filter: WrongFilter }) {
  const [search] = useSearchParams();
  const pageNum = idFrom(search.get('page')) ?? 1;
  const { chapterId, questionTypesId } = filter;
  const list = useCall(
    'GET /app/exam/collection',
    { packId, chapterId, questionTypesId, pageNum, pageSize: PAGE },
    { staleTime: 0, keepPrevious: true },
  );
  return (
    <CallState
      call={list}
      skeleton={<CardBones count={3} height={220} />}
      empty={{
        when: ({ list: questions }) => questions.length === 0,
        show: <EmptyState text={t('还没有收藏题目。在解析或错题本里点“收藏”，题目会留在这里，还可以写笔记。')} />,
      }}
    >
      {(data) => (
        <Questions
          packId={packId}
          filter={filter}
          shown={{ ...data, questions: data.list.map(fromCollected) }}
          stale={list.isPlaceholderData}
        />
      )}
    </CallState>
  );
}

interface QuestionsProps {
  packId: number;
  filter: WrongFilter;
  shown: Shown;
  stale: boolean;
}

function Questions({ packId, filter, shown, stale }: QuestionsProps) {
  const [, setSearch] = useSearchParams();
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
  const first = (shown.pageNum - 1) * PAGE;
  return (
    <div ref={top} className={classes.list} aria-busy={stale || undefined}>
      <Toolbar packId={packId} filter={filter} shown={shown} chosen={chosen} setChosen={setChosen} remove={remove} />
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
          setSearch((was) => {
            const query = new URLSearchParams(was);
            if (page === 1) query.delete('page');
            else query.set('page', String(page));
            return query;
          });
          top.current?.scrollIntoView({ block: 'start' });
        }}
      />
    </div>
  );
}

/** Removing and restoring, with the sentences of the spec. `moved`: the questions of the last one. */
function useMoving() {
  const renews = ['GET /api/exam/error', 'GET /app/exam/error_index', 'GET /api/exam/error_opt'] as const;
  const removing = useSend('POST /api/exam/error_rm', { renews });
  const restoring = useSend('POST /app/exam/error_restore', { renews });
  const [moved, setMoved] = useState<readonly number[] | null>(null);
  const run = useRef({ removing: removing.mutateAsync, restoring: restoring.mutateAsync });
  const remove = useCallback(async (which: number | readonly number[]) => {
    const ids = typeof which === 'number' ? [which] : [...which];
    try {
      await run.current.removing({ ids });
      setMoved(ids);
      toast(t('删除成功'), 'good');
    } catch {
      toast(t('删除失败请稍后重试'), 'bad');
    }
  }, []);
  const restore = useCallback(async (questionId: number) => {
    try {
      await run.current.restoring({ ids: [questionId] });
      setMoved([questionId]);
      toast(t('已放回错题本'), 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  }, []);
  return { moved, remove, restore };
}

interface ToolbarProps {
  packId: number;
  filter: WrongFilter;
  shown: Shown;
  chosen: ReadonlySet<number>;
  setChosen: (chosen: ReadonlySet<number>) => void;
  remove: (questionIds: readonly number[]) => Promise<void>;
}

/** What to do with all of them, or with those that are chosen. */
function Toolbar({ packId, filter, shown, chosen, setChosen, remove }: ToolbarProps) {
  const { practise, waiting } = usePractise();
  const client = useQueryClient();
  const now = serverNow();
  const { tab } = filter;
  const offered = shown.questions.filter(({ onOffer }) => onOffer === 1).map(({ question }) => question.questionId);
  const allChosen = offered.length > 0 && offered.every((id) => chosen.has(id));
  const name = t('{list} {day}', {
    list: tab === 'collected' ? t('收藏练习') : t('错题练习'),
    day: formatDay(now, now),
  });
  const start = () =>
    practise(
      chosen.size > 0
        ? { packId, name, questionIds: [...chosen].slice(0, OWN_PAPER_MOST) }
        : { ...askedFilter(packId, filter, now), name, from: tab === 'collected' ? 'collected' : 'wrong' },
    );
  const removeChosen = async () => {
    const sure = await confirm({
      title: t('移除 {count} 题？', { count: chosen.size }),
      text: t('移除的题可以在“已移除”里找回；再次答错会自动回来。'),
      yes: t('移除'),
    });
    if (sure) await remove([...chosen]);
  };
  const most = Math.min(shown.total, OWN_PAPER_MOST);
  return (
    <div className={classes.toolbar}>
      <label className={classes.all}>
        <input
          type="checkbox"
          checked={allChosen}
          onChange={() =>
            setChosen(new Set(allChosen ? [...chosen].filter((id) => !offered.includes(id)) : [...chosen, ...offered]))
          }
        />
        {t('选本页')}
      </label>
      <WaitButton waiting={waiting} onClick={() => void start()}>
        {chosen.size > 0 ? t('练习所选 {count} 题', { count: chosen.size }) : t('练习全部 {count} 题', { count: most })}
      </WaitButton>
      {tab === 'in' && chosen.size > 0 && (
        <Button variant="default" onClick={() => void removeChosen()}>
          {t('移除所选')}
        </Button>
      )}
      <span className={classes.apart} />
      <Button
        component={Link}
        to={{ pathname: patterns.wrongPrint, search: window.location.search }}
        variant="default"
        leftSection={<IconPrinter size={18} aria-hidden />}
      >
        {t('打印')}
      </Button>
      <ExportButton
        onExport={async (withAnswers) => {
          const { exportSheet } = await import('#web/exam/wrong/export-sheet.ts');
          const { questions } = await readAll(packId, filter, now);
          await exportSheet(questions, withAnswers, now);
          void invalidate(client, 'GET /app/exam/error_index');
        }}
      />
    </div>
  );
}

/** Saves all that is shown as a spreadsheet, with answers or without. */
function ExportButton({ onExport }: { onExport: (withAnswers: boolean) => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const run = async (withAnswers: boolean) => {
    setWaiting(true);
    try {
      await onExport(withAnswers);
      setAsking(false);
    } catch (error) {
      toast(t(error instanceof CallError ? error.msg : '导出失败，请检查网络后重试'), 'bad');
    } finally {
      setWaiting(false);
    }
  };
  if (!asking)
    return (
      <Button
        variant="default"
        onClick={() => setAsking(true)}
        leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
      >
        {t('导出 Excel')}
      </Button>
    );
  return (
    <>
      <WaitButton variant="default" waiting={waiting} onClick={() => void run(true)}>
        {t('含答案')}
      </WaitButton>
      <WaitButton variant="default" waiting={waiting} onClick={() => void run(false)}>
        {t('不含答案')}
      </WaitButton>
    </>
  );
}
