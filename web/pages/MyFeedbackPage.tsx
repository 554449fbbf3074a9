import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { OwnReportList } from '#web/feedback/OwnReportList.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { onPage, useQuery } from '#web/lib/query.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import page from './page.module.css';

const PAGE = 20;

/** 我的反馈: own reports with what the school answered, newest first. */
export default function MyFeedbackPage() {
  useTitle(t('我的反馈'));
  const [search, setQuery] = useQuery();
  const pageNum = idFrom(search.get('page')) ?? 1;
  const call = useCall('GET /app/feedback/history', { pageNum, pageSize: PAGE }, { staleTime: 0 });
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t('我的反馈')}</h1>
      <p className={page.lead}>{t('您反馈过的试题和播放问题，以及老师的处理结果。')}</p>
      <div className={page.section}>
        <CallState
          call={call}
          skeleton={<RowBones count={4} height={132} />}
          empty={{
            when: ({ list }) => list.length === 0,
            show: (
              <EmptyState
                text={t('还没有反馈过试题。做题或看解析时发现问题，点题目下方的“反馈”即可。')}
                action={
                  <Button component={Link} to={paths.examCenter()} variant="default">
                    {t('去考题中心')}
                  </Button>
                }
              />
            ),
          }}
        >
          {(shown) => (
            <>
              <OwnReportList list={shown.list} />
              <Pager pageNum={shown.pageNum} pages={shown.pages} onPage={(next) => setQuery(onPage(next))} />
            </>
          )}
        </CallState>
      </div>
    </div>
  );
}
