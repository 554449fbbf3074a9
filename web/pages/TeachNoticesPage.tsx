import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom } from '#web/lib/paths.ts';
import { onPage, useQuery } from '#web/lib/query.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { AnnounceForm } from '#web/notice/AnnounceForm.tsx';
import { AnnouncementList } from '#web/notice/AnnouncementList.tsx';
import page from './page.module.css';

const PAGE = 20;

/** 学校通知 for teachers: what is announced to everybody or to a pack, and what was. */
export default function TeachNoticesPage() {
  useTitle(tIn('teach', '学校通知'));
  const [search, setQuery] = useQuery();
  const pageNum = idFrom(search.get('page')) ?? 1;
  const call = useCall(
    'GET /app/common/announcement_list',
    { pageNum, pageSize: PAGE },
    { staleTime: 0, keepPrevious: true },
  );
  return (
    <>
      <h1 className={page.title}>{tIn('teach', '学校通知')}</h1>
      <p className={page.lead}>{t('每个人打开页面时弹出一次，之后在“通知”里；看过的人数在下面。')}</p>
      <CallState call={call} skeleton={<RowBones count={4} height={120} />}>
        {({ list, packs, pages }) => (
          <>
            <section className={`${page.card} ${page.section}`} aria-labelledby="announce">
              <h2 id="announce" className={page.sectionTitle} style={{ marginBottom: 14 }}>
                {t('发布通知')}
              </h2>
              <AnnounceForm packs={packs} />
            </section>
            <section className={page.section} aria-labelledby="announced">
              <div className={page.sectionHead}>
                <h2 id="announced" className={page.sectionTitle}>
                  {t('发布过的通知')}
                </h2>
              </div>
              {list.length === 0 ? <EmptyState text={t('还没有发布过通知。')} /> : <AnnouncementList list={list} />}
              <Pager pageNum={pageNum} pages={pages} onPage={(next) => setQuery(onPage(next))} />
            </section>
          </>
        )}
      </CallState>
    </>
  );
}
