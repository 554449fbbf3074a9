import type { DataOf } from '#contract/call.ts';
import type { DeskChecks } from '#contract/order-desk.ts';
import type { PayChannel } from '#contract/values/order.ts';
import { chinaDay, chinaTime, DAY } from '#rules/clock/china-day.ts';
import type { Query } from '#server/db/open.ts';
import { findCheck, listChecks, type StoredCheck, saveCheck } from './desk-store.ts';
import { readOrdersOfPayments, readOrdersOfRefunds } from './order-store.ts';
import type { OrderParts } from './parts.ts';
import { ProviderAway, ProviderRefused } from './provider.ts';
import { compareDay, type DayReport } from './reconcile.ts';

type Shown = DataOf<typeof DeskChecks>['list'][number];

/** What the comparison of a day said, or that there was no bill to be had, with what the provider says of it. */
type Checked = { channel: PayChannel; day: string } & ({ ok: true; report: DayReport } | { ok: false; said: string });

/** Compares a day with the bill of each provider and keeps what was found: the page, the command and the chore come through here. */
export async function checkDay(parts: OrderParts, day: string): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const channel of parts.channels()) {
    const one = await checkChannel(parts, channel, day, parts.clock());
    if (one) checked.push(one);
  }
  return checked;
}

async function checkChannel(parts: OrderParts, channel: PayChannel, day: string, at: number): Promise<Checked | null> {
  const keep = (outcome: StoredCheck['outcome'], found: object) =>
    saveCheck(parts.db.query, { day, channel, outcome, found: JSON.stringify(found), at });
  try {
    const report = await compareDay(parts, channel, day);
    if (!report) return null;
    const { payments, refunds, differences } = report;
    await keep(differences.length === 0 ? 'same' : 'differs', { payments, refunds, differences });
    return { ok: true, channel, day, report };
  } catch (error) {
    if (!(error instanceof ProviderAway || error instanceof ProviderRefused)) throw error;
    // What was found before stays: that a bill cannot be had again takes nothing of it back.
    if ((await findCheck(parts.db.query, day, channel)) === undefined) await keep('away', {});
    return { ok: false, channel, day, said: error.message };
  }
}

/** Bills are ready after ten in the morning (WeChat Pay); before that nobody is asked. */
const BILLS_READY = 10.5 * 60 * 60_000;

/** Compares yesterday with the bills, once they are ready and until it has been done; differences are told to the operator. */
export async function checkYesterday(parts: OrderParts, now: number): Promise<void> {
  const day = chinaTime(now - BILLS_READY - DAY).slice(0, 10);
  for (const channel of parts.channels()) {
    const known = await findCheck(parts.db.query, day, channel);
    // What was compared before the bill was ready says nothing of it.
    const ready = (chinaDay(day) ?? 0) + DAY + BILLS_READY;
    if (known && known.outcome !== 'away' && known.at >= ready) continue;
    const checked = await checkChannel(parts, channel, day, now);
    if (checked?.ok && checked.report.differences.length > 0)
      parts.log.error(
        { channel, day, differences: checked.report.differences.length },
        'a day differs from the bill of a payment provider: look at /teach/orders',
      );
  }
}

/** What the last comparisons found. */
export async function lastChecks({ db: { query } }: OrderParts): Promise<Shown[]> {
  const kept = (await listChecks(query, 90)).map(({ found, ...check }) => ({ ...check, found: reportIn(found) }));
  const orderOf = await ordersByNumbers(
    query,
    kept.flatMap(({ found }) => found.differences.map(({ line }) => line)),
  );
  return kept.map(({ day, channel, outcome, at, found: { payments, refunds, differences } }) => ({
    ...{ day, channel, outcome, at, payments, refunds },
    differences: differences.map(({ what, line: { kind, outTradeNo, outRefundNo, amount }, ourAmount }) => {
      const no = outRefundNo || outTradeNo;
      return {
        what,
        kind,
        no,
        amount,
        ourAmount,
        orderId: orderOf(kind, kind === 'payment' ? outTradeNo : outRefundNo),
      };
    }),
  }));
}

/** What a comparison found, as it is kept; of many differences the first. */
function reportIn(found: string): Pick<DayReport, 'payments' | 'refunds' | 'differences'> {
  const report = {
    payments: { count: 0, sum: 0 },
    refunds: { count: 0, sum: 0 },
    differences: [],
    ...(JSON.parse(found) as Partial<DayReport>),
  };
  return { ...report, differences: report.differences.slice(0, 200) };
}

/** Finds out which orders numbers of providers belong to, all of them at once. */
async function ordersByNumbers(
  query: Query,
  lines: readonly { kind: 'payment' | 'refund'; outTradeNo: string; outRefundNo: string }[],
): Promise<(kind: 'payment' | 'refund', no: string) => number | null> {
  const of = (wanted: 'payment' | 'refund') => lines.filter(({ kind }) => kind === wanted);
  const found = {
    payment: await readOrdersOfPayments(
      query,
      of('payment').map(({ outTradeNo }) => outTradeNo),
    ),
    refund: await readOrdersOfRefunds(
      query,
      of('refund').map(({ outRefundNo }) => outRefundNo),
    ),
  };
  return (kind, no) => found[kind].get(no) ?? null;
}
