import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { orderStates } from '#contract/values/order.ts';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { onPage, useQuery } from '#web/lib/query.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { OrderList } from '#web/order/OrderList.tsx';
import { stateWords } from '#web/order/order-words.ts';
import classes from './MyOrdersPage.module.css';
import page from './page.module.css';

const PAGE = 20;

/** 我的订单, newest first; filter and page are in the address. */
export default function MyOrdersPage() {
  useTitle(t('我的订单'));
  const [search, setQuery] = useQuery();
  const state = orderStates.find((known) => known === search.get('state'));
  const pageNum = idFrom(search.get('page')) ?? 1;
  const call = useCall(
    'GET /api/order/list',
    { pageNum, pageSize: PAGE, ...(state && { state }) },
    { staleTime: 0, keepPrevious: true },
  );
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <div className={page.sectionHead}>
        <h1 className={page.title}>{t('我的订单')}</h1>
        <Link to={paths.myCoupons()}>{t('我的优惠券')}</Link>
      </div>
      <div className={classes.filters}>
        <Pills
          label={t('哪些订单')}
          value={state}
          choices={[[undefined, t('全部')], ...orderStates.map((one) => [one, t(stateWords[one])] as const)]}
          onChoose={(value) => setQuery({ page: null, state: value ?? null })}
        />
      </div>
      <CallState
        call={call}
        skeleton={<RowBones count={4} height={76} />}
        empty={{
          when: ({ list }) => list.length === 0,
          show: (
            <EmptyState
              text={state === undefined ? t('还没有订单') : t('没有这样的订单')}
              action={
                <Button component={Link} to={paths.courses()} variant="default">
                  {t('去看课程')}
                </Button>
              }
            />
          ),
        }}
      >
        {({ list, pages }) => (
          <>
            <OrderList list={list} />
            <Pager pageNum={pageNum} pages={pages} onPage={(next) => setQuery(onPage(next))} />
          </>
        )}
      </CallState>
    </div>
  );
}
