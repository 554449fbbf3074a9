import { useState } from 'react';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { onPage, useQuery } from '#web/lib/query.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useLastPage } from '#web/lib/useLastPage.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { NoticeList } from '#web/notice/NoticeList.tsx';
import classes from './NoticesPage.module.css';
import page from './page.module.css';

const PAGE = 20;

/** 通知: what the school has told this person, newest first. */
export default function NoticesPage() {
  useTitle(t('通知'));
  const [search, setQuery] = useQuery();
  const pageNum = idFrom(search.get('page')) ?? 1;
  // Later pages go on from where their reader began: what is pushed meanwhile moves nothing on them.
  const [begun, setBegun] = useState<number | undefined>(undefined);
  const beforeAt = pageNum === 1 ? undefined : begun;
  const call = useCall('GET /app/common/notice', { pageNum, pageSize: PAGE, beforeAt }, { staleTime: 0 });
  const leading = useLastPage(call.data);
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t('通知')}</h1>
      <p className={`${page.lead} ${classes.lead}`}>
        {t('老师和学校发给您的消息。')} <Link to={`${paths.settings()}#notices`}>{t('选择接收哪些通知')}</Link>
      </p>
      <div className={page.section}>
        <CallState
          call={call}
          skeleton={<RowBones count={4} height={112} />}
          empty={{
            when: ({ list }) => list.length === 0,
            show: leading ? (
              <RowBones count={4} height={112} />
            ) : (
              <EmptyState text={t('还没有通知。成绩更正、考试延时等消息会出现在这里。')} />
            ),
          }}
        >
          {(shown) => (
            <>
              <NoticeList list={shown.list} />
              <Pager
                pageNum={shown.pageNum}
                pages={shown.pages}
                onPage={(next) => {
                  setBegun(next === 1 ? undefined : shown.beforeAt);
                  setQuery(onPage(next));
                }}
              />
            </>
          )}
        </CallState>
      </div>
    </div>
  );
}
