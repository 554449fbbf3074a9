import type { InvoiceKind, InvoiceState } from '#contract/values/order.ts';
import { LONGEST_EMAIL, LONGEST_TITLE } from '#contract/values/order.ts';

const SIGNS = '0123456789ABCDEFGHJKLMNPQRTUWXY';
/** 3 to the power of the place, modulo 31 (GB 32100-2015, 4.2). */
const WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];

/** A tax number as it is kept: without blanks, in capitals. */
export const tidyTaxNo = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();

/**
 * Whether a text is a unified social credit code (统一社会信用代码), which is a company's tax number: 18 signs without I, O, S, V
 * and Z, the last one the check sign of GB 32100-2015.
 */
export function isTaxNo(text: string): boolean {
  if (!/^[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}$/.test(text)) return false;
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * SIGNS.indexOf(text[at] ?? ''), 0);
  return SIGNS[(31 - (sum % 31)) % 31] === text[17];
}

/** Whether a text can be an address of e-mail: one @, a domain with a dot, no blanks. What it is worth only a letter shows. */
export function isEmail(text: string): boolean {
  return text.length <= LONGEST_EMAIL && /^[^\s@<>"',;]{1,64}@[^\s@<>"',;.]+(\.[^\s@<>"',;.]+)+$/.test(text);
}

interface InvoiceFields {
  kind: InvoiceKind;
  title: string;
  taxNo: string;
  email: string;
}

/** Which fields are wrong of what somebody asks an invoice for, in the order of the form. */
export function faultsOfInvoice({ kind, title, taxNo, email }: InvoiceFields): ('title' | 'taxNo' | 'email')[] {
  const name = title.trim();
  const wrong = {
    title: name === '' || [...name].length > LONGEST_TITLE,
    taxNo: kind === 'company' && !isTaxNo(tidyTaxNo(taxNo)),
    email: !isEmail(email.trim()),
  };
  return (['title', 'taxNo', 'email'] as const).filter((field) => wrong[field]);
}

/** What an invoice is decided by. Sums are fen. */
interface InvoiceFacts {
  /** The order is paid. */
  paid: boolean;
  /** What the school keeps of the order: paid, less all that has gone or goes back. */
  kept: number;
  /** Its invoices. */
  states: readonly InvoiceState[];
}

/** Whether an invoice may be asked for: of a paid order that cost something, one at a time. */
export function mayAskInvoice({ paid, kept, states }: InvoiceFacts): boolean {
  return paid && kept > 0 && !states.some((state) => state === 'waiting' || state === 'issued');
}

/** Whether an issued invoice says more than the school has kept: then a red one has to take it back. */
export function needsReversal({ state, amount }: { state: InvoiceState; amount: number }, kept: number): boolean {
  return state === 'issued' && amount > kept;
}
