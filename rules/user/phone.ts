/** A mainland mobile number as it is stored: 11 digits. */
type PhoneCheck = { ok: true; phone: string } | { ok: false; why: 'phoneWrong' };

/**
 * Reads a mobile number as people type or paste it: spaces, dashes, dots and brackets between the digits, full-width digits, and a
 * leading +86, 0086 or 86 are tolerated. What remains must be 11 digits that start with 1 (product spec §5); the second
 * digit is not checked, since new segments are opened without notice.
 */
export function readPhone(typed: string): PhoneCheck {
  const plain = typed
    .normalize('NFKC')
    .replace(/[\s\-‐-―−().·]/g, '')
    .replace(/^(?:\+86|0086|86(?=1\d{10}$))/, '');
  return /^1\d{10}$/.test(plain) ? { ok: true, phone: plain } : { ok: false, why: 'phoneWrong' };
}

/** How a phone is shown to anyone: 138****1234 (decisions §7). What is no phone shows nothing of itself. */
export function maskPhone(phone: string): string {
  return /^1\d{10}$/.test(phone) ? `${phone.slice(0, 3)}****${phone.slice(7)}` : '****';
}
