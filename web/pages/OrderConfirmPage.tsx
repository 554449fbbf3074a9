import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { NotFound } from '#web/app/NotFound.tsx';
import { PackCover } from '#web/course/PackCover.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { idFrom, paths } from '#web/lib/paths.ts';
import { randomName } from '#web/lib/random-name.ts';
import { CallError, type Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall, useSend } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { CouponChoice } from '#web/order/CouponChoice.tsx';
import { ExchangeForm } from '#web/order/ExchangeForm.tsx';
import { OrderSums } from '#web/order/OrderSums.tsx';
import classes from './OrderConfirmPage.module.css';
import page from './page.module.css';

type Details = Data<'GET /api/common/course_details'>;
type Coupons = Data<'GET /api/coupon/list'>['list'];

/** 确认订单: what is bought, with which coupon, for how much. An order of the pack that waits is gone on with instead. */
export default function OrderConfirmPage() {
  useTitle(t('确认订单'));
  const packId = idFrom(useSearchParams()[0].get('packId'));
  const known = packId !== null;
  const details = useCall('GET /api/common/course_details', { packId: packId ?? 0 }, { enabled: known, staleTime: 0 });
  const open = useCall(
    'GET /api/order/list',
    { packId: packId ?? 0, state: 'open', pageNum: 1, pageSize: 1 },
    { enabled: known, staleTime: 0, gcTime: 0 },
  );
  const coupons = useCall('GET /api/coupon/list', { packId: packId ?? 0 }, { enabled: known, staleTime: 0 });
  if (packId === null) return <NotFound />;
  const waiting = open.data?.list[0];
  if (waiting) return <Navigate to={paths.order(waiting.orderId)} replace />;
  const both = {
    data: details.data && open.data && coupons.data ? { pack: details.data, list: coupons.data.list } : undefined,
    error: details.error ?? open.error ?? coupons.error,
    refetch: () => Promise.all([details.refetch(), open.refetch(), coupons.refetch()]),
  };
  // A page of its own, with its own heading.
  if (both.error?.why === 'notFound' || both.error?.why === 'badInput') return <NotFound />;
  return (
    <div className={`${page.page} ${page.narrow}`}>
      <h1 className={page.title}>{t('确认订单')}</h1>
      <CallState call={both} skeleton={<TextBones lines={8} />}>
        {({ pack, list }) => <Confirm pack={pack} coupons={list} />}
      </CallState>
    </div>
  );
}

function Confirm({ pack, coupons }: { pack: Details; coupons: Coupons }) {
  const navigate = useNavigate();
  // The name of this press: sent again after a lost answer, it makes no second order.
  const [requestId, setRequestId] = useState(randomName);
  const best = [...coupons].sort((one, other) => (other.discount ?? 0) - (one.discount ?? 0))[0];
  const [chosen, choose] = useState<number | null>(best?.discount ? best.userCouponId : null);
  // One that went another way meanwhile, or whose news is not here yet, is not promised.
  const coupon = coupons.find(({ userCouponId, discount }) => userCouponId === chosen && discount !== null);
  const userCouponId = coupon?.userCouponId ?? null;
  const create = useSend('POST /api/order/create_order', {
    renews: ['GET /api/order/list', 'GET /api/coupon/list', 'GET /api/common/course_details'],
  });
  if (pack.buyState === 1)
    return (
      <div className={page.section}>
        <EmptyState
          text={t('您已经有这个课程包了，不需要再购买。')}
          action={
            <Button component={Link} to={paths.course(pack.packId)}>
              {t('进入课程')}
            </Button>
          }
        />
      </div>
    );
  if (pack.price === null || pack.saleState !== 'onSale')
    return (
      <div className={page.section}>
        <EmptyState
          text={pack.saleState === 'soldOut' ? t('名额已满，暂时不能购买。') : t('这个课程包现在不能购买。')}
          action={
            <Button component={Link} to={paths.course(pack.packId)} variant="default">
              {t('回到课程')}
            </Button>
          }
        />
      </div>
    );
  const discount = coupon?.discount ?? 0;
  const submit = async () => {
    try {
      const order = await create.mutateAsync({ packId: pack.packId, requestId, userCouponId });
      // Back from the order leads to the course, and not to this page, which would only send here again.
      void navigate(paths.order(order.orderId), { replace: true });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // Only a refusal ends this press; without an answer the order may be there.
      if (error.code > 0 && error.code < 500) setRequestId(randomName());
      toast(t(error.msg), 'bad');
    }
  };
  return (
    <div className={`${page.section} ${classes.confirm}`}>
      <section className={`${page.card} ${classes.what}`} aria-label={t('课程包')}>
        <PackCover packId={pack.packId} name={pack.packageName} />
        <div>
          <p className={classes.name}>{pack.packageName}</p>
          <p className={classes.summary}>{pack.summary}</p>
        </div>
      </section>
      <section className={`${page.card} ${classes.coupons}`} aria-label={t('优惠券')}>
        <CouponChoice coupons={coupons} chosen={userCouponId} onChoose={choose} />
        <ExchangeForm onGot={choose} />
      </section>
      <section className={`${page.card} ${classes.pay}`} aria-label={t('应付')}>
        <OrderSums
          price={pack.price}
          discount={discount}
          couponName={coupon?.name ?? ''}
          total={pack.price - discount}
        />
        <WaitButton size="md" fullWidth waiting={create.isPending} onClick={() => void submit()}>
          {t('提交订单')}
        </WaitButton>
        <p className={classes.note}>{t('提交后为您保留 30 分钟，未支付会自动取消，优惠券退回。')}</p>
      </section>
    </div>
  );
}
