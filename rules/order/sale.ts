import type { SaleState } from '#contract/values/order.ts';

/** How a pack is sold. Sums are fen, times epoch milliseconds; null: no bound. */
export interface SaleFacts {
  archived: boolean;
  /** Students may enrol by themselves. */
  open: boolean;
  price: number | null;
  seats: number | null;
  /** Seats that paid and waiting orders take. */
  taken: number;
  from: number | null;
  until: number | null;
}

/**
 * Whether a pack can be bought now (decisions §8).
 * @param payable the school takes payments in some way; without one nothing that costs is sold
 */
export function saleState(pack: SaleFacts, now: number, payable: boolean): SaleState {
  if (pack.archived) return 'closed';
  if (pack.price === null) return 'free';
  if (!pack.open || !payable) return 'closed';
  if (pack.from !== null && now < pack.from) return 'early';
  if (pack.until !== null && now >= pack.until) return 'over';
  return pack.seats !== null && pack.taken >= pack.seats ? 'soldOut' : 'onSale';
}
