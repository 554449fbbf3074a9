import type { IncomingHttpHeaders } from 'node:http';
import type { PayChannel } from '#contract/values/order.ts';
import { notePaymentHint, noteUnknownNumber } from './order-store.ts';
import type { OrderParts } from './parts.ts';
import { askRefund } from './refund.ts';
import { askPayment } from './settle.ts';

/** What becomes of a provider's message: taken, refused, or to be sent again. */
type Outcome = 'taken' | 'refused' | 'unknownKey' | 'unknownNumber';

/** A provider waits 5 s for its answer, and is answered before that however slow its own query is (milliseconds). */
const ANSWER_WITHIN = 800;

/** Work that a message began and that its answer did not wait for. */
const underWay = new WeakMap<OrderParts, Map<string, Promise<void>>>();

/**
 * Takes a provider's message. It is a hint and no proof (decisions §8): once its signature is right, that it came is committed, and
 * then the provider is asked. Whatever happens afterwards, the chore asks again.
 */
export async function takeNotice(
  parts: OrderParts,
  channel: PayChannel,
  message: { body: Buffer; headers: IncomingHttpHeaders; now: number },
): Promise<Outcome> {
  const provider = parts.providerOf(channel);
  if (!provider) return 'refused';
  const notice = provider.readNotice(message);
  if (!notice.ok) {
    if (notice.unknownKey)
      parts.log.error({ channel }, 'a message of a provider is signed with a key that is not known here');
    return notice.unknownKey ? 'unknownKey' : 'refused';
  }
  const { outTradeNo, outRefundNo } = notice;
  if (!(await notePaymentHint(parts.db.query, outTradeNo))) {
    await noteUnknownNumber(parts.db.query, channel, outTradeNo, message.now);
    parts.log.error({ channel, outTradeNo }, 'a provider names a payment that is not known here');
    return 'unknownNumber';
  }
  const work = once(parts, `${outTradeNo}:${outRefundNo ?? ''}`, async () => {
    await askPayment(parts, outTradeNo);
    if (outRefundNo !== null) await askRefund(parts, outRefundNo);
  });
  await Promise.race([work, new Promise((wake) => setTimeout(wake, ANSWER_WITHIN).unref())]);
  return 'taken';
}

/** Ends when nothing that a message began is under way any more. */
export async function noticesDone(parts: OrderParts): Promise<void> {
  await Promise.all(underWay.get(parts)?.values() ?? []);
}

/** What is being asked at this moment is not asked again: the fifty messages of one payment are one question. */
function once(parts: OrderParts, key: string, work: () => Promise<void>): Promise<void> {
  const all = underWay.get(parts) ?? new Map<string, Promise<void>>();
  underWay.set(parts, all);
  const there = all.get(key);
  if (there) return there;
  const begun = work()
    .catch((error: unknown) => parts.log.error({ err: error }, 'a message of a provider could not be followed'))
    .finally(() => all.delete(key));
  all.set(key, begun);
  return begun;
}
