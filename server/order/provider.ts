import type { IncomingHttpHeaders } from 'node:http';
import type { PayChannel } from '#contract/values/order.ts';

/** A provider could not be asked, or what came cannot be believed: what became of it is unknown, and is asked again. */
export class ProviderAway extends Error {}

/** A provider has said no, for good. `code` is its own word. */
export class ProviderRefused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a provider says of one attempt to pay. Sums are fen. */
export type PaymentSaid =
  | { state: 'paid'; amount: number; providerNo: string; paidAt: number | null }
  | { state: 'open' }
  /** `none`: it knows no such number (yet). */
  | { state: 'closed' | 'none' };

/** What a provider says of money on its way back. */
export type RefundSaid = { state: 'done' | 'waiting' | 'none' } | { state: 'failed'; said: string };

/** One line of a provider's bill of a day. Sums are fen. */
export interface BillLine {
  kind: 'payment' | 'refund';
  outTradeNo: string;
  /** Of a refund; '' of a payment. */
  outRefundNo: string;
  amount: number;
}

/** A message of a provider, as far as it may be believed: that something happened to these numbers. */
type Notice =
  | { ok: true; outTradeNo: string; outRefundNo: string | null }
  /** Its signature, its time or its addressee is wrong; `unknownKey`: it may be right, by a key that is not known here. */
  | { ok: false; unknownKey: boolean };

interface Attempt {
  outTradeNo: string;
  amount: number;
  title: string;
  /** The order is shown at this page of ours when a provider sends the student back. */
  orderId: number;
  now: number;
  expiresAt: number;
}

/** A way in which money comes, behind one interface. None of these is called inside of a transaction. */
export interface PaymentProvider {
  readonly channel: PayChannel;
  /** Makes an attempt known to the provider; the same one twice is one. @throws ProviderAway, ProviderRefused */
  begin(attempt: Attempt): Promise<{ codeUrl: string } | { payUrl: string }>;
  /** The truth about an attempt. @throws ProviderAway */
  query(outTradeNo: string): Promise<PaymentSaid>;
  /** Ends an attempt so that it cannot be paid any more. `paid`: it was paid meanwhile. @throws ProviderAway */
  close(outTradeNo: string): Promise<'closed' | 'paid'>;
  /** Asks for money to go back; the same number twice is one. @throws ProviderAway */
  refund(asked: {
    outTradeNo: string;
    outRefundNo: string;
    amount: number;
    /** All that was paid. */
    paid: number;
    reason: string;
  }): Promise<RefundSaid>;
  /** The truth about money on its way back. @throws ProviderAway */
  queryRefund(asked: { outTradeNo: string; outRefundNo: string }): Promise<RefundSaid>;
  /** The bill of a day in China (YYYY-MM-DD). @throws ProviderAway, ProviderRefused when there is none yet */
  bill(day: string): Promise<BillLine[]>;
  /** Reads a message over its raw bytes. */
  readNotice(message: { body: Buffer; headers: IncomingHttpHeaders; now: number }): Notice;
  /** Days until the first of its keys runs out; null: none does. */
  keysEndIn?(now: number): number | null;
}
