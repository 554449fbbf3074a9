import { yuanOf } from '#rules/order/money.ts';

/** A price in fen as ¥199, or ¥19.90 where it is no whole number of yuan. */
export const formatPrice = (fen: number): string => `¥${yuanOf(fen).replace(/\.00$/, '')}`;
