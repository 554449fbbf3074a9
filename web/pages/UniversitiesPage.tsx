import { Button, Drawer } from '@mantine/core';
import '#ui/dialog.css';
import '@mantine/core/styles/Drawer.layer.css';
import { useState } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { retryHelps } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { AddressTicker } from '#web/university/AddressTicker.tsx';
import { CompareBar } from '#web/university/CompareBar.tsx';
import { CompareDialog } from '#web/university/CompareDialog.tsx';
import { DetailDialog } from '#web/university/DetailDialog.tsx';
import { Filters } from '#web/university/Filters.tsx';
import { ListBar } from '#web/university/ListBar.tsx';
import { SearchBox } from '#web/university/SearchBox.tsx';
import { UniversityList } from '#web/university/UniversityList.tsx';
import { useGoal } from '#web/university/useGoal.ts';
import { universitiesStay, useUniversities } from '#web/university/useUniversities.ts';
import { useView } from '#web/university/useView.ts';
import { narrowed, type View } from '#web/university/view.ts';
import page from './page.module.css';
import classes from './UniversitiesPage.module.css';

/** 院校库: find a university, look at it, compare, set it as the target (spec §2). Open to visitors. */
export default function UniversitiesPage() {
  useTitle(t('院校库'));
  const { view, show, open, close, openAddress, openState } = useView();
  const universities = useUniversities(view);
  const provinces = useCall('GET /app/university/province_list', {}, { staleTime: universitiesStay });
  const goal = useGoal();
  const [filtering, setFiltering] = useState(false);
  const { list, total, loading, stale } = universities;
  const filters = (
    <Filters
      view={view}
      provinces={provinces.data}
      failed={provinces.error === null ? null : t(provinces.error.msg)}
      onRetry={provinces.error !== null && retryHelps(provinces.error) ? () => void provinces.refetch() : undefined}
      onChange={(next: View) => show(next)}
    />
  );
  return (
    <div className={page.page}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h1 className={page.title}>{t('院校库')}</h1>
          <p className={page.lead}>{t('按名称、地区和层次找到它，定为目标')}</p>
        </div>
        <div className={classes.search}>
          <SearchBox
            name={view.name}
            onName={(name, settled) => show(narrowed(view, { name }), { replace: !settled })}
          />
        </div>
      </div>
      <AddressTicker universities={list} />
      <div className={classes.columns}>
        <aside className={classes.aside} aria-label={t('筛选')}>
          {filters}
        </aside>
        <div className={classes.list}>
          <ListBar
            view={view}
            provinces={provinces.data}
            total={loading || universities.error !== null || stale ? null : total}
            onChange={(next) => show(next)}
            onFilters={() => setFiltering(true)}
          />
          <UniversityList
            view={view}
            universities={universities}
            goal={goal}
            addressOf={openAddress}
            openState={openState}
            onMore={() => show({ ...view, page: view.page + 1 }, { replace: true })}
            onReset={() => show(narrowed(view, { name: '', prov: '', city: '', level: 'all' }))}
          />
          <CompareBar goal={goal} onCompare={() => open({ comparing: true })} />
        </div>
      </div>
      <Drawer
        opened={filtering}
        onClose={() => setFiltering(false)}
        position="bottom"
        size="auto"
        radius="lg"
        title={t('筛选')}
        closeButtonProps={{ 'aria-label': t('关闭') }}
        classNames={{ content: classes.sheet, title: classes.sheetTitle }}
      >
        {filters}
        <Button fullWidth size="md" className={classes.done} onClick={() => setFiltering(false)}>
          {loading || stale ? t('查看结果') : t('查看 {n} 所院校', { n: formatCount(total) })}
        </Button>
      </Drawer>
      <DetailDialog id={view.id} goal={goal} onClose={close} />
      <CompareDialog opened={view.comparing && view.id === null} goal={goal} onClose={close} />
    </div>
  );
}
