import {
  AddCoupon,
  CheckDay,
  CouponCodes,
  DeclineInvoice,
  DeclineRefund,
  DeskChecks,
  DeskCoupons,
  DeskOrder,
  DeskOrders,
  EndCoupon,
  ExportOrders,
  IssueInvoice,
  RefundOrder,
  RefundPreview,
  RepeatRefund,
  ReverseInvoice,
} from '#contract/order-desk.ts';
import { chinaDay } from '#rules/clock/china-day.ts';
import { readPackNames } from '#server/course/store.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import { checkDay, lastChecks } from './check.ts';
import { termsOf } from './coupon.ts';
import { makeCouponOnce } from './coupon-kind.ts';
import { endCoupon, findCoupon, listCouponsPage, readCodes } from './coupon-store.ts';
import { deskDetails, deskList, exportPart, refundPreview } from './desk.ts';
import { isKeeper } from './desk-store.ts';
import { findOrder, readRefunds } from './order-store.ts';
import type { OrderParts } from './parts.ts';
import { refundOrder, repeatRefund, revokeFree } from './refund.ts';
import { answerInvoice, declineRefund, shownInvoice, tidyReason } from './requests.ts';

/** Comparisons that one teacher asks for: each asks every provider for a bill. */
const CHECKS = [{ most: 20, within: 60 * 60_000 }];

/** Binds the calls of contract/order-desk.ts: each asks first whether this teacher keeps the orders. */
export function deskRoutes(serveAny: Serve, parts: OrderParts): void {
  const { query } = parts.db;
  const serve: Serve = (call, handler) =>
    serveAny(call, async (ask) =>
      ask.user !== null && (await isKeeper(query, ask.user.userId)) ? handler(ask) : refuse('noOrderRight'),
    );
  const by = (userId: number) => `teacher:${userId}`;

  serve(DeskOrders, async ({ input }) => {
    return (await deskList(parts, input)) ?? refuse('dayWrong');
  });
  serve(DeskOrder, async ({ input: { orderId } }) => {
    return (await deskDetails(parts, orderId)) ?? refuse('notFound');
  });
  serve(ExportOrders, async ({ input }) => {
    return (await exportPart(parts, input)) ?? refuse('dayWrong');
  });
  serve(RefundPreview, async ({ input }) => {
    const said = await refundPreview(parts, input);
    return said.ok ? said.preview : refuse(said.why);
  });
  serve(RefundOrder, async ({ input: { orderId, amount, reason: typed, requestId }, user: { userId } }) => {
    const reason = tidyReason(typed);
    if (reason === null) return refuse('reasonWrong');
    const order = await findOrder(query, orderId);
    if (!order) return refuse('notFound');
    if (order.payment_id === null && amount === null) {
      const ended = await revokeFree(parts, { orderId, reason, byWhom: by(userId), requestId });
      if (!ended) return refuse('notPaid');
      return { amount: 0, state: 'done' as const };
    }
    const said = await refundOrder(parts, { orderId, amount, reason, byWhom: by(userId), requestId });
    if (!said.ok) return refuse(said.why);
    const now = (await readRefunds(query, [orderId])).find(({ id }) => id === said.refund.id);
    return { amount: said.refund.amount, state: now?.state ?? 'waiting' };
  });
  serve(RepeatRefund, async ({ input: { orderId, reason: typed }, user: { userId } }) => {
    const reason = tidyReason(typed);
    if (reason === null) return refuse('reasonWrong');
    if (!(await findOrder(query, orderId))) return refuse('notFound');
    const count = await repeatRefund(parts, orderId, { reason, byWhom: by(userId) });
    return count > 0 ? { count } : refuse('nothingFailed');
  });
  serve(DeclineRefund, async ({ input, user: { userId }, arrivedAt: now }) => {
    const said = await declineRefund(parts, { ...input, byWhom: by(userId), now });
    return said.ok ? {} : refuse(said.why);
  });

  const answered = async (said: Awaited<ReturnType<typeof answerInvoice>>) =>
    said.ok ? shownInvoice(said.invoice) : refuse(said.why);
  serve(IssueInvoice, async ({ input: { invoiceId, ...issued }, user: { userId }, arrivedAt: now }) => {
    return answered(
      await answerInvoice(parts, { invoiceId, answer: { do: 'issue', ...issued }, byWhom: by(userId), now }),
    );
  });
  serve(ReverseInvoice, async ({ input: { invoiceId, number }, user: { userId }, arrivedAt: now }) => {
    return answered(
      await answerInvoice(parts, { invoiceId, answer: { do: 'reverse', number }, byWhom: by(userId), now }),
    );
  });
  serve(DeclineInvoice, async ({ input: { invoiceId, answer }, user: { userId }, arrivedAt: now }) => {
    return answered(
      await answerInvoice(parts, { invoiceId, answer: { do: 'decline', answer }, byWhom: by(userId), now }),
    );
  });

  serve(DeskCoupons, async ({ input: { pageNum, pageSize } }) => {
    const page = { limit: pageSize, offset: (pageNum - 1) * pageSize };
    const { coupons, total } = await listCouponsPage(query, page);
    const names = await readPackNames(
      query,
      coupons.flatMap((coupon) => termsOf(coupon).packIds ?? []),
    );
    const list = coupons.map((coupon) => {
      const { packIds, ...terms } = termsOf(coupon);
      return {
        slug: coupon.slug,
        name: coupon.name,
        ...terms,
        packNames: packIds && packIds.map((id) => names.get(id) ?? ''),
        most: coupon.most,
        perPerson: coupon.per_person,
        given: coupon.given,
        used: coupon.used,
        codes: coupon.codes,
        endedAt: coupon.ended_at,
      };
    });
    return { list, total, pages: Math.ceil(total / pageSize), pageNum };
  });
  serve(AddCoupon, async ({ input, arrivedAt: now }) => {
    const made = await makeCouponOnce(parts, input, now);
    return made.ok ? { slug: made.slug } : refuse(made.why);
  });
  serve(EndCoupon, async ({ input: { slug }, arrivedAt: now }) => {
    if (!/^[a-z0-9-]+$/.test(slug) || !(await findCoupon(query, slug))) return refuse('notFound');
    await endCoupon(query, slug, now);
    return {};
  });
  serve(CouponCodes, async ({ input: { slug } }) => {
    const coupon = /^[a-z0-9-]+$/.test(slug) ? await findCoupon(query, slug) : undefined;
    return coupon ? { list: await readCodes(query, coupon.id) } : refuse('notFound');
  });

  serve(DeskChecks, async () => ({ list: await lastChecks(parts) }));
  serve(CheckDay, async ({ input: { day }, user: { userId }, arrivedAt: now }) => {
    const begins = chinaDay(day);
    if (begins === null || begins > now) return refuse('dayWrong');
    if (!(await countEvent(query, `order-check:${userId}`, CHECKS, now)).ok) return refuse('tooMany');
    await checkDay(parts, day);
    return { list: await lastChecks(parts) };
  });
}
