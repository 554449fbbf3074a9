import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { GivenTimeList } from '#web/exam/invigilating/GivenTimeList.tsx';
import { GiveTimeForm } from '#web/exam/invigilating/GiveTimeForm.tsx';
import { OwnTimeForm } from '#web/exam/invigilating/OwnTimeForm.tsx';
import { OwnTimeList } from '#web/exam/invigilating/OwnTimeList.tsx';
import { SittingList } from '#web/exam/invigilating/SittingList.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom } from '#web/lib/paths.ts';
import { onPage, useQuery } from '#web/lib/query.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useLastPage } from '#web/lib/useLastPage.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import page from './page.module.css';
import classes from './TeachSittingPage.module.css';

const PAGE = 20;
/** Milliseconds between two looks at who sits: saves and hand-ins come all the time. */
const LOOK_EVERY = 10_000;

type Papers = Data<'GET /app/exam/sitting'>['papers'];

/** 监考与补时: who sits a paper now, and time that is given back to them; time of their own. The paper and the page are in the address. */
export default function TeachSittingPage() {
  useTitle(t('监考与补时'));
  const [search, setQuery] = useQuery();
  const asked = idFrom(search.get('examId'));
  const papers = useCall(
    'GET /app/exam/sitting',
    { pageNum: 1, pageSize: 1 },
    { staleTime: 0, refetchInterval: LOOK_EVERY },
  );
  const choose = (examId: number) => setQuery({ examId, page: null });
  return (
    <>
      <h1 className={page.title}>{t('监考与补时')}</h1>
      <p className={page.lead}>{t('停电、断网之后，可以把时间补给一名学员，或补给正在考一份试卷的全部学员。')}</p>
      <CallState call={papers} skeleton={<RowBones count={4} height={64} />}>
        {({ papers: sat }) => {
          const examId = asked ?? sat[0]?.examId;
          return examId === undefined ? (
            <div className={classes.nobody}>
              <EmptyState text={t('现在没有人在考限时的试卷。')} />
            </div>
          ) : (
            <>
              <PaperChoice papers={sat} examId={examId} onChoose={choose} />
              <OnePaper examId={examId} key={examId} />
            </>
          );
        }}
      </CallState>
      <Given />
      <OwnTime />
    </>
  );
}

function PaperChoice({
  papers,
  examId,
  onChoose,
}: {
  papers: Papers;
  examId: number;
  onChoose: (examId: number) => void;
}) {
  return (
    <NativeSelect
      label={t('试卷')}
      className={classes.paper}
      value={examId}
      onChange={(event) => onChoose(Number(event.currentTarget.value))}
    >
      {papers.map((paper) => (
        <option key={paper.examId} value={paper.examId}>
          {t('{name} · {count} 人 · {pack}', { name: paper.examName, pack: paper.packName, count: paper.count })}
        </option>
      ))}
      {papers.every((paper) => paper.examId !== examId) && <option value={examId}>{t('现在没有人在考的试卷')}</option>}
    </NativeSelect>
  );
}

function OnePaper({ examId }: { examId: number }) {
  const [search, setQuery] = useQuery();
  const pageNum = idFrom(search.get('page')) ?? 1;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const call = useCall(
    'GET /app/exam/sitting',
    { examId, pageNum, pageSize: PAGE },
    { staleTime: 0, refetchInterval: LOOK_EVERY, keepPrevious: true },
  );
  const leading = useLastPage(call.data);
  const choose = (recordId: number, on: boolean) =>
    setChosen((before) => {
      const next = new Set(before);
      if (on) next.add(recordId);
      else next.delete(recordId);
      return next;
    });
  const turn = (next: number) => setQuery({ examId, ...onPage(next) });
  return (
    <div className={classes.sides}>
      <section aria-label={t('正在考试的学员')}>
        <CallState
          call={call}
          skeleton={<RowBones count={4} height={64} />}
          empty={{
            when: ({ list }) => list.length === 0,
            show: leading ? <RowBones count={4} height={64} /> : <EmptyState text={t('现在没有人在考这份试卷。')} />,
          }}
        >
          {({ list, pages, pageNum: shown }) => (
            <>
              <SittingList list={list} chosen={chosen} onChoose={choose} />
              <Pager pageNum={shown} pages={pages} onPage={turn} />
            </>
          )}
        </CallState>
      </section>
      <section className={page.card} aria-label={t('补时')}>
        <GiveTimeForm
          examId={examId}
          total={call.data?.total ?? 0}
          chosen={chosen}
          onGiven={() => setChosen(new Set())}
        />
      </section>
    </div>
  );
}

function Given() {
  const [pageNum, setPageNum] = useState(1);
  const call = useCall('GET /app/exam/given_time', { pageNum, pageSize: 10 }, { staleTime: 0, keepPrevious: true });
  return (
    <section className={page.section} aria-labelledby="given-time">
      <div className={page.sectionHead}>
        <h2 id="given-time" className={page.sectionTitle}>
          {t('补时记录')}
        </h2>
      </div>
      <CallState
        call={call}
        skeleton={<RowBones count={2} height={72} />}
        empty={{ when: ({ list }) => list.length === 0, show: <EmptyState text={t('还没有补过时。')} /> }}
      >
        {({ list, pages, pageNum: shown }) => (
          <>
            <GivenTimeList list={list} />
            <Pager pageNum={shown} pages={pages} onPage={setPageNum} />
          </>
        )}
      </CallState>
    </section>
  );
}

function OwnTime() {
  const [pageNum, setPageNum] = useState(1);
  const call = useCall('GET /app/exam/accommodations', { pageNum, pageSize: 10 }, { staleTime: 0, keepPrevious: true });
  return (
    <section className={page.section} aria-labelledby="own-time">
      <div className={page.sectionHead}>
        <h2 id="own-time" className={page.sectionTitle}>
          {t('延长考试时间')}
        </h2>
      </div>
      <CallState call={call} skeleton={<RowBones count={3} height={72} />}>
        {({ list, packs, pages, pageNum: shown }) => (
          <div className={classes.sides}>
            <div>
              {list.length === 0 ? (
                <EmptyState text={t('还没有为学员延长过考试时间。')} />
              ) : (
                <>
                  <OwnTimeList list={list} />
                  <Pager pageNum={shown} pages={pages} onPage={setPageNum} />
                </>
              )}
            </div>
            <div className={page.card}>
              <OwnTimeForm packs={packs} />
            </div>
          </div>
        )}
      </CallState>
    </section>
  );
}
