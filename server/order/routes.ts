import type { Why } from '#contract/envelope.ts';
import {
  AlipayNotice,
  AskInvoice,
  AskRefund,
  CancelOrder,
  CreateOrder,
  ExchangeCoupon,
  ListCoupons,
  ListOrders,
  PayOrder,
  QueryOrder,
  QueryOrderState,
  SandboxPay,
  UseCoupon,
  WechatNotice,
  WithdrawInvoice,
  WithdrawRefund,
  ZeroPay,
} from '#contract/order.ts';
import { refuse } from '#server/http/answer.ts';
import type { ServeCallback } from '#server/http/callback.ts';
import type { Serve } from '#server/http/serve.ts';
import {
  cancelOrder,
  changeCoupon,
  channelsFor,
  createOrder,
  findOwnOrder,
  ownOrders,
  payOrder,
  paySandbox,
  queryState,
  shown,
  takeFree,
} from './buy.ts';
import { exchangeCoupon, listOwnCoupons } from './coupon.ts';
import { deskRoutes } from './desk-routes.ts';
import { takeNotice } from './notify.ts';
import { readPayments, type StoredOrder } from './order-store.ts';
import type { OrderParts } from './parts.ts';
import {
  askInvoice,
  askRefundBack,
  requestsOf,
  shownAsk,
  shownInvoice,
  withdrawInvoice,
  withdrawRefund,
} from './requests.ts';

/** Binds the calls and callbacks of contract/order.ts. */
export function orderRoutes(serve: Serve, serveCallback: ServeCallback, parts: OrderParts): void {
  const { query } = parts.db;
  const one = async (order: StoredOrder) => {
    const [own] = await shown(query, [order]);
    return own ?? refuse('notFound');
  };
  const said = async (answer: { ok: true; order: StoredOrder } | { ok: false; why: Why }) =>
    answer.ok ? one(answer.order) : refuse(answer.why);

  serve(CreateOrder, async ({ input, user: { userId }, arrivedAt: now }) =>
    said(await createOrder(parts, { ...input, userId, now })),
  );
  serve(UseCoupon, async ({ input, user: { userId }, arrivedAt: now }) =>
    said(await changeCoupon(parts, { ...input, userId, now })),
  );
  serve(ZeroPay, async ({ input: { orderId }, user: { userId }, arrivedAt: now }) =>
    said(await takeFree(parts, { orderId, userId, now })),
  );
  serve(PayOrder, async ({ input, user: { userId }, arrivedAt: now }) => {
    const begun = await payOrder(parts, { ...input, userId, now });
    return begun.ok ? begun.paying : refuse(begun.why);
  });
  serve(CancelOrder, async ({ input: { orderId }, user: { userId } }) =>
    said(await cancelOrder(parts, { orderId, userId })),
  );
  serve(SandboxPay, async ({ input: { orderId }, user: { userId }, arrivedAt: now }) =>
    said(await paySandbox(parts, { orderId, userId, now })),
  );
  serve(QueryOrderState, async ({ input: { orderId }, user: { userId }, arrivedAt: now }) => {
    const found = await queryState(parts, { orderId, userId, now });
    if (!found.ok) return refuse(found.why);
    const { state, returned, expires_at: expiresAt } = found.order;
    return { state, returned: returned === '' ? null : returned, expiresAt, asked: found.asked };
  });
  serve(QueryOrder, async ({ input: { orderId }, user: { userId } }) => {
    const order = await findOwnOrder(query, userId, orderId);
    const [own] = order ? await shown(query, [order]) : [];
    if (!order || !own) return refuse('notFound');
    const begun = (await readPayments(query, [orderId])).length > 0 ? 1 : 0;
    return { ...own, channels: channelsFor(parts, order), begun, ...(await requestsOf(query, order)) };
  });
  serve(AskRefund, async ({ input, user: { userId }, arrivedAt: now }) => {
    const said = await askRefundBack(parts, { ...input, userId, now });
    return said.ok ? shownAsk(said.ask) : refuse(said.why);
  });
  serve(WithdrawRefund, async ({ input: { orderId }, user: { userId }, arrivedAt: now }) => {
    const said = await withdrawRefund(parts, { orderId, userId, now });
    return said.ok ? {} : refuse(said.why);
  });
  serve(AskInvoice, async ({ input, user: { userId }, arrivedAt: now }) => {
    const said = await askInvoice(parts, { ...input, userId, now });
    return said.ok ? shownInvoice(said.invoice) : refuse(said.why);
  });
  serve(WithdrawInvoice, async ({ input: { orderId }, user: { userId }, arrivedAt: now }) => {
    const said = await withdrawInvoice(parts, { orderId, userId, now });
    return said.ok ? {} : refuse(said.why);
  });
  serve(ListOrders, ({ input, user: { userId } }) => ownOrders(parts, userId, input));
  serve(ListCoupons, async ({ input: { packId }, user: { userId }, arrivedAt: now }) => {
    const list = await listOwnCoupons(parts, { userId, packId, now });
    return list === null ? refuse('notFound') : { list };
  });
  serve(ExchangeCoupon, async ({ input: { code }, user: { userId }, arrivedAt: now }) => {
    const given = await exchangeCoupon(parts, { userId, code, now });
    return given.ok ? given.coupon : refuse(given.why);
  });

  deskRoutes(serve, parts);

  // Each provider's own form: WeChat reads the status, and why where it is none of 200 and 204; Alipay the very text.
  serveCallback(WechatNotice, async ({ body, headers, arrivedAt: now }) => {
    const outcome = await takeNotice(parts, 'wechat', { body, headers, now });
    parts.notices?.inc({ channel: 'wechat', outcome });
    if (outcome === 'taken') return { status: 200, type: 'application/json', body: '' };
    const status = outcome === 'refused' ? 401 : 500;
    return { status, type: 'application/json', body: JSON.stringify({ code: 'FAIL', message: outcome }) };
  });
  serveCallback(AlipayNotice, async ({ body, headers, arrivedAt: now }) => {
    const outcome = await takeNotice(parts, 'alipay', { body, headers, now });
    parts.notices?.inc({ channel: 'alipay', outcome });
    if (outcome === 'taken') return { status: 200, type: 'text/plain', body: 'success' };
    return { status: outcome === 'refused' ? 401 : 500, type: 'text/plain', body: 'fail' };
  });
}
