import { yuanOf } from '#rules/order/money.ts';

/** A sum as it is shown: ¥199.00. */
export const formatYuan = (fen: number): string => `¥${yuanOf(fen)}`;
