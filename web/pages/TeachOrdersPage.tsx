import { Button, Tabs, TextInput } from '@mantine/core';
import '#ui/form.css';
import '#ui/tabs.css';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { MOST_LISTED_ORDERS, orderStates, orderWaits } from '#contract/values/order.ts';
import { RowBones, TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pills } from '#ui/Pills.tsx';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { formatCount } from '#web/lib/format.ts';
import { Pager } from '#web/lib/Pager.tsx';
import { idFrom } from '#web/lib/paths.ts';
import { onPage, useQuery } from '#web/lib/query.ts';
import { type Data, failureText } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { CouponForm } from '#web/order/CouponForm.tsx';
import { CheckForm, CheckList } from '#web/order/DeskChecks.tsx';
import { DeskCoupons } from '#web/order/DeskCoupons.tsx';
import { DeskOrderDetails } from '#web/order/DeskOrderDetails.tsx';
import { DeskOrderList } from '#web/order/DeskOrderList.tsx';
import { type DeskView, exportOrders } from '#web/order/export-orders.ts';
import { channelWords, stateWords } from '#web/order/order-words.ts';
import page from './page.module.css';
import classes from './TeachOrdersPage.module.css';

const PAGE = 20;
const TABS = ['orders', 'coupons', 'checks'] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** 订单 of the school, for those who keep them: the list, one order, coupons, comparisons. All of what is chosen is in the address. */
export default function TeachOrdersPage() {
  useTitle(t('订单'));
  const [search, setQuery] = useQuery();
  const orderId = idFrom(search.get('id'));
  const tab = TABS.find((known) => known === search.get('tab')) ?? 'orders';
  if (orderId !== null) return <OneOrder orderId={orderId} />;
  return (
    <>
      <h1 className={page.title}>{t('订单')}</h1>
      <Tabs
        className={classes.tabs}
        value={tab}
        keepMounted={false}
        onChange={(next) =>
          setQuery({ tab: next === 'orders' ? null : next, page: null, state: null, waits: null, text: null })
        }
      >
        <Tabs.List aria-label={t('订单管理')}>
          <Tabs.Tab value="orders">{t('订单')}</Tabs.Tab>
          <Tabs.Tab value="coupons">{tIn('tab', '优惠券')}</Tabs.Tab>
          <Tabs.Tab value="checks">{t('对账')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="orders">
          <Orders />
        </Tabs.Panel>
        <Tabs.Panel value="coupons">
          <Coupons />
        </Tabs.Panel>
        <Tabs.Panel value="checks">
          <Checks />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** What a teacher sees to whom the orders were not given. */
const refusals = (): { noOrderRight: ReactNode } => ({
  noOrderRight: (
    <EmptyState
      text={t('管理订单、退款和发票需要单独开通。请学校的系统管理员运行命令 order keeper 加上您的手机号。')}
    />
  ),
});

function OneOrder({ orderId }: { orderId: number }) {
  const call = useCall('GET /api/order/desk_details', { orderId }, { staleTime: 0 });
  return (
    <CallState
      call={call}
      skeleton={<TextBones lines={10} />}
      refusals={{ ...refusals(), notFound: <EmptyState text={t('没有这个订单')} /> }}
    >
      {(order) => <DeskOrderDetails order={order} />}
    </CallState>
  );
}

function viewIn(search: URLSearchParams): DeskView {
  const state = orderStates.find((known) => known === search.get('state'));
  const waits = orderWaits.find((known) => known === search.get('waits'));
  const day = (name: string) => (DAY.test(search.get(name) ?? '') ? (search.get(name) ?? '') : '');
  const keyword = search.get('text')?.slice(0, 64) ?? '';
  return {
    ...(state && { state }),
    ...(waits && { waits }),
    ...(day('from') && { from: day('from') }),
    ...(day('until') && { until: day('until') }),
    ...(keyword && { keyword }),
  };
}

function Orders() {
  const [search, setQuery] = useQuery();
  const view = viewIn(search);
  const pageNum = idFrom(search.get('page')) ?? 1;
  const call = useCall(
    'GET /api/order/desk_list',
    { ...view, pageNum, pageSize: PAGE },
    { staleTime: 0, keepPrevious: true },
  );
  const { waiting, unknown } = call.data ?? {};
  const change = (parts: Readonly<Record<string, string | null>>) => setQuery({ page: null, ...parts });
  // Nothing to choose from what one may not see.
  if (call.data === undefined && call.error?.why === 'noOrderRight') return refusals().noOrderRight;
  return (
    <>
      <div className={classes.filters}>
        <Pills
          label={t('哪些订单')}
          value={view.waits ?? view.state}
          choices={[
            [undefined, t('全部')],
            ...orderStates.map((state) => [state, t(stateWords[state])] as const),
            ['refund', counted(tIn('mark', '申请退款'), waiting?.refund)],
            ['invoice', counted(tIn('mark', '申请发票'), waiting?.invoice)],
            ['failed', counted(t('退款失败'), waiting?.failed)],
            ['slow', counted(t('退款超过一天未完成'), waiting?.slow)],
          ]}
          onChoose={(value) =>
            change({
              state: orderStates.find((known) => known === value) ?? null,
              waits: orderWaits.find((known) => known === value) ?? null,
            })
          }
        />
        <Search key={search.toString()} view={view} onSearch={change} />
      </div>
      {unknown && unknown.length > 0 && <Unknown list={unknown} />}
      <CallState
        call={call}
        skeleton={<RowBones count={5} height={88} />}
        refusals={refusals()}
        empty={{
          when: ({ list }) => list.length === 0,
          show: (
            <EmptyState
              text={
                Object.keys(view).length > 0
                  ? t('没有符合条件的订单')
                  : t('还没有订单。课程包写上价格后，学员就可以购买。')
              }
            />
          ),
        }}
      >
        {({ list, total, pages }) => (
          <>
            <p className={classes.total}>
              {total >= MOST_LISTED_ORDERS
                ? t('{n} 个以上，请用日期或查找缩小范围', { n: formatCount(MOST_LISTED_ORDERS) })
                : t('共 {n} 个订单', { n: formatCount(total) })}
            </p>
            <DeskOrderList list={list} />
            <Pager pageNum={pageNum} pages={pages} onPage={(next) => setQuery(onPage(next))} />
          </>
        )}
      </CallState>
    </>
  );
}

const counted = (word: string, count: number | undefined) => (count ? `${word} ${count}` : word);

function Search({
  view,
  onSearch,
}: {
  view: DeskView;
  onSearch: (parts: Readonly<Record<string, string | null>>) => void;
}) {
  const [text, setText] = useState(view.keyword ?? '');
  const [from, setFrom] = useState(view.from ?? '');
  const [until, setUntil] = useState(view.until ?? '');
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      if (!(await exportOrders(view))) toast(t('只导出了最新的 50000 行，请选择日期分几次导出'));
    } catch (error) {
      toast(failureText(error), 'bad');
    } finally {
      setSaving(false);
    }
  };
  return (
    <form
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch({ text: text.trim() || null, from: from || null, until: until || null });
      }}
    >
      <TextInput
        className={classes.text}
        label={t('查找')}
        placeholder={t('订单号、手机号或支付单号')}
        value={text}
        maxLength={64}
        leftSection={<IconSearch size={18} aria-hidden />}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextInput label={t('从')} type="date" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
      <TextInput label={t('到')} type="date" value={until} onChange={(event) => setUntil(event.currentTarget.value)} />
      <Button type="submit" variant="default">
        {t('查找')}
      </Button>
      <WaitButton
        variant="default"
        waiting={saving}
        leftSection={<IconDownload size={18} aria-hidden />}
        onClick={() => void save()}
      >
        {t('导出表格')}
      </WaitButton>
    </form>
  );
}

/** Payments that a provider has told of and nobody knows here: somebody has to look. */
function Unknown({ list }: { list: Data<'GET /api/order/desk_list'>['unknown'] }) {
  return (
    <div className={classes.unknown} role="status">
      {t('支付机构通知过本站没有的支付单，请核对：')}
      <ul>
        {list.map(({ channel, outTradeNo, times }) => (
          <li key={outTradeNo}>
            {t(channelWords[channel])} {outTradeNo} · {t('{n} 次', { n: times })}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Coupons() {
  const [search, setQuery] = useQuery();
  const pageNum = idFrom(search.get('page')) ?? 1;
  const [making, setMaking] = useState(false);
  const maker = useRef<HTMLDivElement>(null);
  useSwapFocus(maker, making);
  const call = useCall(
    'GET /api/order/desk_coupons',
    { pageNum, pageSize: PAGE },
    { staleTime: 0, keepPrevious: true },
  );
  return (
    <>
      {call.data && (
        <div ref={maker} tabIndex={-1}>
          {making ? (
            <CouponForm onClose={() => setMaking(false)} />
          ) : (
            <div className={classes.filters}>
              <Button className={classes.make} onClick={() => setMaking(true)}>
                {t('新建优惠券')}
              </Button>
            </div>
          )}
        </div>
      )}
      <CallState
        call={call}
        skeleton={<RowBones count={3} height={96} />}
        refusals={refusals()}
        empty={{ when: ({ total }) => total === 0, show: <EmptyState text={t('还没有优惠券')} /> }}
      >
        {({ list, pages }) => (
          <>
            <DeskCoupons list={list} />
            <Pager pageNum={pageNum} pages={pages} onPage={(next) => setQuery(onPage(next))} />
          </>
        )}
      </CallState>
    </>
  );
}

function Checks() {
  const call = useCall('GET /api/order/desk_checks', {}, { staleTime: 0 });
  return (
    <>
      <p className={page.lead}>{t('每天上午与支付机构的账单核对前一天的收款和退款。')}</p>
      {call.data && <CheckForm />}
      <CallState
        call={call}
        skeleton={<RowBones count={3} height={72} />}
        refusals={refusals()}
        empty={{ when: ({ list }) => list.length === 0, show: <EmptyState text={t('还没有核对过')} /> }}
      >
        {({ list }) => <CheckList list={list} />}
      </CallState>
    </>
  );
}
