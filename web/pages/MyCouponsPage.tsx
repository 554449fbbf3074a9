import { Link } from 'react-router';
import { CardBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { CouponCards } from '#web/order/CouponCards.tsx';
import { ExchangeForm } from '#web/order/ExchangeForm.tsx';
import classes from './MyOrdersPage.module.css';
import page from './page.module.css';

/** 我的优惠券, and exchanging a code for one. */
export default function MyCouponsPage() {
  useTitle(t('我的优惠券'));
  const call = useCall('GET /api/coupon/list', {}, { staleTime: 0 });
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <div className={page.sectionHead}>
        <h1 className={page.title}>{t('我的优惠券')}</h1>
        <Link to={paths.myOrders()}>{t('我的订单')}</Link>
      </div>
      <div className={classes.filters}>
        <ExchangeForm />
      </div>
      <CallState
        call={call}
        skeleton={<CardBones count={2} height={112} />}
        empty={{
          when: ({ list }) => list.length === 0,
          show: <EmptyState text={t('还没有优惠券。有兑换码时在上面输入即可领取。')} />,
        }}
      >
        {({ list }) => <CouponCards list={list} />}
      </CallState>
    </div>
  );
}
