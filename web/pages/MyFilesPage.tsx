import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DownloadedFiles } from '#web/file/DownloadedFiles.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { onPage, useQuery } from '#web/lib/query.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import page from './page.module.css';

const PAGE = 20;

/** 我的资料: the course files that one has downloaded, to be fetched again. */
export default function MyFilesPage() {
  useTitle(t('我的资料'));
  const [search, setQuery] = useQuery();
  const pageNum = idFrom(search.get('page')) ?? 1;
  const call = useCall(
    'GET /app/course_file/downloaded',
    { pageNum, pageSize: PAGE },
    { staleTime: 0, keepPrevious: true },
  );
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t('我的资料')}</h1>
      <p className={page.lead}>{t('您下载过的课程资料，最近下载的排在前面。')}</p>
      <div className={page.section}>
        <CallState
          call={call}
          skeleton={<RowBones count={4} height={72} />}
          empty={{
            when: ({ list }) => list.length === 0,
            show: (
              <EmptyState
                text={t('还没有下载过资料。在课程学习页的“资料”里可以下载。')}
                action={
                  <Button component={Link} to={paths.myCourses()} variant="default">
                    {t('我的课程')}
                  </Button>
                }
              />
            ),
          }}
        >
          {(shown) => (
            <>
              <DownloadedFiles list={shown.list} />
              <Pager pageNum={shown.pageNum} pages={shown.pages} onPage={(next) => setQuery(onPage(next))} />
            </>
          )}
        </CallState>
      </div>
    </div>
  );
}
