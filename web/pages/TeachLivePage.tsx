import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom } from '#web/lib/paths.ts';
import { onPage, useQuery } from '#web/lib/query.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { LiveForm } from '#web/live/LiveForm.tsx';
import { TaughtLives } from '#web/live/TaughtLives.tsx';
import page from './page.module.css';
import classes from './TeachLivePage.module.css';

const PAGE = 20;

/** 直播 for teachers: plans live lessons, changes them, calls them off, sends their stream, adds their replay. */
export default function TeachLivePage() {
  useTitle(tIn('nav', '直播'));
  const [search, setQuery] = useQuery();
  const call = useCall(
    'GET /app/live/teach_list',
    { pageNum: idFrom(search.get('page')) ?? 1, pageSize: PAGE },
    { staleTime: 0, keepPrevious: true },
  );
  const changedId = idFrom(search.get('id'));
  const openedId = idFrom(search.get('stream'));
  const form = useRef<HTMLElement>(null);
  useEffect(() => {
    if (changedId === null) return;
    form.current?.scrollIntoView({ block: 'start' });
    // The keyboard comes along; its button stays far below.
    form.current?.querySelector('h2')?.focus({ preventScroll: true });
  }, [changedId]);
  useSwapFocus(form, changedId);
  const choose = (id: number | null) => setQuery({ id });
  return (
    <>
      <h1 className={page.title}>{tIn('nav', '直播')}</h1>
      <p className={page.lead}>{t('在本站直播间或其他平台上课：在这里安排时间，学员预约、进入、看回放。')}</p>
      <CallState call={call} skeleton={<RowBones count={4} height={110} />}>
        {({ list, packs, teachers, pageNum, pages }) => {
          const changed = list.find(({ id }) => id === changedId) ?? null;
          return (
            <>
              <section
                ref={form}
                tabIndex={-1}
                className={`${page.card} ${page.section} ${classes.form}`}
                aria-labelledby="plan-live"
              >
                <div className={page.sectionHead}>
                  <h2 id="plan-live" className={page.sectionTitle} tabIndex={-1} data-takes-focus>
                    {changed ? t('修改直播') : t('安排直播')}
                  </h2>
                  {changed && (
                    <Button variant="subtle" size="sm" onClick={() => choose(null)}>
                      {t('不改了')}
                    </Button>
                  )}
                </div>
                <LiveForm
                  key={changed?.id ?? 0}
                  packs={packs}
                  teachers={teachers}
                  changed={changed}
                  onSaved={() => choose(null)}
                />
              </section>
              <section className={page.section} aria-labelledby="lives">
                <div className={page.sectionHead}>
                  <h2 id="lives" className={page.sectionTitle}>
                    {t('安排过的直播')}
                  </h2>
                </div>
                {list.length === 0 ? (
                  <EmptyState text={t('还没有安排过直播。')} />
                ) : (
                  <TaughtLives
                    list={list}
                    opened={openedId}
                    onChange={choose}
                    onOpen={(stream) => setQuery({ stream })}
                  />
                )}
                <Pager pageNum={pageNum} pages={pages} onPage={(next) => setQuery(onPage(next))} />
              </section>
            </>
          );
        }}
      </CallState>
    </>
  );
}
