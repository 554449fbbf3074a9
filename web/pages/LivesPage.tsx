import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { useMe } from '#web/lib/me.ts';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { onPage, useQuery } from '#web/lib/query.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { LiveRows } from '#web/live/LiveRows.tsx';
import { SchoolLives } from '#web/live/SchoolLives.tsx';
import { useLives } from '#web/live/useLives.ts';
import page from './page.module.css';

const PAGE = 20;

/** 直播: the live lessons of one's packs, of one pack, or for visitors what the school holds next. */
export default function LivesPage() {
  useTitle(tIn('nav', '直播'));
  const { ready, me } = useMe();
  return (
    <div className={page.page}>
      <h1 className={page.title}>{tIn('nav', '直播')}</h1>
      <p className={page.lead}>{t('时间都是北京时间。预约后，直播开始时会在页面上提醒您。')}</p>
      <div className={page.section}>{ready && (me === null ? <ForVisitors /> : <Own />)}</div>
    </div>
  );
}

function Own() {
  const [search, setQuery] = useQuery();
  const packId = idFrom(search.get('packId')) ?? undefined;
  const call = useLives({ packId, pageNum: idFrom(search.get('page')) ?? 1, pageSize: PAGE });
  return (
    <CallState
      call={call}
      skeleton={<RowBones count={4} height={84} />}
      empty={{ when: ({ total }) => total === 0, show: <None text={t('您的课程还没有安排直播。')} /> }}
    >
      {({ list, pageNum, pages }) => (
        <>
          <LiveRows list={list} signedIn named={packId === undefined} />
          <Pager pageNum={pageNum} pages={pages} onPage={(next) => setQuery(onPage(next))} />
        </>
      )}
    </CallState>
  );
}

function ForVisitors() {
  const call = useCall('GET /api/common/live', {});
  return (
    <CallState
      call={call}
      skeleton={<RowBones count={4} height={84} />}
      empty={{ when: ({ list }) => list.length === 0, show: <None text={t('最近没有安排直播。')} /> }}
    >
      {({ list }) => <SchoolLives list={list} signedIn={false} heading="h2" />}
    </CallState>
  );
}

function None({ text }: { text: string }) {
  return (
    <EmptyState
      text={text}
      action={
        <Button component={Link} to={paths.courses()} variant="default">
          {t('看看课程')}
        </Button>
      }
    />
  );
}
