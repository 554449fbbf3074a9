import { MarketFilters } from '#web/course/MarketFilters.tsx';
import { PackList } from '#web/course/PackList.tsx';
import { PackSearch } from '#web/course/PackSearch.tsx';
import { Ads } from '#web/course/Promotion.tsx';
import { useMarketView } from '#web/course/useMarketView.ts';
import { usePacks } from '#web/course/usePacks.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import classes from './CoursesPage.module.css';
import page from './page.module.css';

/** 课程: every pack of this school, searched, narrowed and sorted; all of it is in the address. */
export default function CoursesPage() {
  useTitle(t('课程'));
  const { view, show } = useMarketView();
  const packs = usePacks(view);
  // Without categories the courses are still there.
  const categories = useCall('GET /app/test/list_category', {});
  return (
    <div className={page.page}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h1 className={page.title}>{t('课程')}</h1>
          <p className={page.lead}>{t('每个课程包含章节练习、课后练习和成套试卷')}</p>
        </div>
        <div className={classes.search}>
          <PackSearch name={view.keyword} onName={(keyword, settled) => show({ keyword }, { replace: !settled })} />
        </div>
      </div>
      <Ads />
      <MarketFilters
        view={view}
        categories={categories.data?.list ?? []}
        total={packs.stale ? null : (packs.call.data?.total ?? null)}
        onChange={show}
      />
      <PackList
        view={view}
        packs={packs}
        onReset={() => show({ keyword: '', category: null, price: null, lessons: false, exams: false })}
      />
    </div>
  );
}
