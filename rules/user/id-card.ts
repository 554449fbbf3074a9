/** Which check an identity number failed, in the order in which they are made. */
export type IdCardFault = 'required' | 'length' | 'digits' | 'region' | 'birth' | 'checksum';
type IdCardCheck =
  | { ok: true; number: string; birth: string; sex: 'male' | 'female' }
  | { ok: false; why: IdCardFault };

/** First two digits: provinces of GB/T 2260; 83 is on the residence permits of people from Taiwan. */
const regions = new Set(
  '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83'.split(' '),
);
/** GB 11643-1999: 2^(18-i) mod 11 for the i-th digit. */
const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const checkDigits = '10X98765432';
/** China keeps one time, eight hours ahead of UTC. */
const CHINA = 8 * 60 * 60 * 1000;

/** The check digit of GB 11643-1999 for the first 17 digits: '0' to '9' or 'X'. */
export function checkDigitOf(first17: string): string {
  let sum = 0;
  weights.forEach((weight, at) => {
    sum += weight * Number(first17[at]);
  });
  return checkDigits[sum % 11] ?? '';
}

/**
 * Checks a resident identity number (product spec §5; GB 11643-1999): given, 18 characters, digits with a possible X at
 * the end, a province that exists, a birthday from 1900 to today, and the check digit. Spaces, full-width characters and
 * a small x are tolerated. The old numbers of 15 digits ended in 2013 and fail as `length`.
 * @param now epoch milliseconds, for "today" in China
 */
export function checkIdCard(typed: string, now: number): IdCardCheck {
  const number = typed.normalize('NFKC').replace(/\s/g, '').toUpperCase();
  if (number === '') return { ok: false, why: 'required' };
  if ([...number].length !== 18) return { ok: false, why: 'length' };
  if (!/^\d{17}[\dX]$/.test(number)) return { ok: false, why: 'digits' };
  if (!regions.has(number.slice(0, 2))) return { ok: false, why: 'region' };
  const birth = `${number.slice(6, 10)}-${number.slice(10, 12)}-${number.slice(12, 14)}`;
  if (!isDay(birth) || birth < '1900-01-01' || birth > dayInChina(now)) return { ok: false, why: 'birth' };
  if (checkDigitOf(number) !== number[17]) return { ok: false, why: 'checksum' };
  return { ok: true, number, birth, sex: Number(number[16]) % 2 === 1 ? 'male' : 'female' };
}

/** How an identity number is shown, its owner included (decisions §7): the first three and the last two characters. */
export function maskIdCard(number: string): string {
  return /^\d{17}[\dX]$/.test(number) ? `${number.slice(0, 3)}${'*'.repeat(13)}${number.slice(16)}` : '****';
}

/** Whether YYYY-MM-DD names a day of the calendar. */
function isDay(day: string): boolean {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  if (month < 1 || month > 12 || date < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return date <= (days[month - 1] ?? 0);
}

function dayInChina(now: number): string {
  return new Date(now + CHINA).toISOString().slice(0, 10);
}
