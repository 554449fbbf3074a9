/** Excel's numbered formats that show a date or a time; 27 to 36 and 50 to 58 are the Chinese ones. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
const BUILT_IN = new Map<number, string>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, 'yyyy-m-d'],
  [15, 'yyyy-m-d'],
  [16, 'm-d'],
  [17, 'yyyy-m'],
  [18, 'h:mm'],
  [19, 'h:mm:ss'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy-m-d h:mm'],
  [27, 'yyyy年m月'],
  [28, 'm月d日'],
  [29, 'm月d日'],
  [30, 'm-d-yy'],
  [31, 'yyyy年m月d日'],
  [32, 'h时mm分'],
  [33, 'h时mm分ss秒'],
  [34, 'h时mm分'],
  [35, 'h时mm分ss秒'],
  [36, 'yyyy年m月'],
  [45, 'mm:ss'],
  [46, 'h:mm:ss'],
  [47, 'mm:ss'],
  [50, 'yyyy年m月'],
  [51, 'm月d日'],
  [52, 'yyyy年m月'],
  [53, 'm月d日'],
  [54, 'm月d日'],
  [55, 'h时mm分'],
  [56, 'h时mm分ss秒'],
  [57, 'yyyy年m月'],
  [58, 'm月d日'],
]);

/** The first section of a format without colours, locales and fillers: what applies to a positive number. */
const core = (code: string) =>
  (code.split(';')[0] ?? '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/_.|\*./g, '')
    .replace(/\\(.)/g, '"$1"');

const withoutWords = (code: string) => code.replace(/"[^"]*"/g, '');
const isDate = (code: string) => /[ymdhs]/i.test(withoutWords(code)) && !/[0#?]/.test(withoutWords(code));

const two = (value: number) => String(value).padStart(2, '0');

/** A serial day of Excel as its format shows it. The calendar of 1900 counts a 29 February that never was. */
function dateText(serial: number, code: string, from1904: boolean): string {
  const days = from1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const at = new Date(Math.round((days - 25569) * 86_400) * 1000);
  if (Number.isNaN(at.getTime())) return String(serial);
  const words: string[] = [];
  const bare = code
    .replace(/"([^"]*)"/g, (_, word: string) => `\uE000${words.push(word) - 1}\uE001`)
    .replace(/am\/pm|上午\/下午|a\/p|@/gi, '');
  // "m" means minutes beside hours or seconds, else months.
  const minutes = bare
    .replace(/(h+[^a-z]*)m{1,2}(?!m)/gi, '$1n')
    .replace(/m{1,2}([^a-z]*s)/gi, 'n$1')
    .replace(/h\uE000(\d+)\uE001m+/gi, 'h\uE000$1\uE001n');
  const text = minutes.replace(/y+|m+|d+|h+|n+|s+(?:\.0+)?/gi, (run) => {
    switch (run[0]?.toLowerCase()) {
      case 'y':
        return String(at.getUTCFullYear());
      case 'm':
        return run.length >= 2 ? two(at.getUTCMonth() + 1) : String(at.getUTCMonth() + 1);
      case 'd':
        return run.length >= 2 ? two(at.getUTCDate()) : String(at.getUTCDate());
      case 'h':
        return run.length >= 2 ? two(at.getUTCHours()) : String(at.getUTCHours());
      case 'n':
        return two(at.getUTCMinutes());
      default:
        return two(at.getUTCSeconds());
    }
  });
  return text.replace(/\uE000(\d+)\uE001/g, (_, at: string) => words[Number(at)] ?? '').trim();
}

/** 1.5 under `# ?/?` is "1 1/2": people type fractions into option cells and Excel makes numbers of them. */
function fractionText(value: number, code: string): string {
  const most = 10 ** Math.min((/\/\s*(\?+)/.exec(code)?.[1] ?? '?').length, 3) - 1;
  const whole = Math.trunc(Math.abs(value));
  const rest = Math.abs(value) - whole;
  let best = { over: 0, under: 1, miss: rest };
  for (let under = 1; under <= most; under += 1) {
    const over = Math.round(rest * under);
    const miss = Math.abs(rest - over / under);
    if (miss < best.miss - 1e-12) best = { over, under, miss };
  }
  const sign = value < 0 ? '-' : '';
  if (best.over === 0) return `${sign}${whole}`;
  if (best.over === best.under) return `${sign}${whole + 1}`;
  return `${sign}${whole > 0 ? `${whole} ` : ''}${best.over}/${best.under}`;
}

/** The number as people typed it: 0.1+0.2 is stored as 0.30000000000000004 and shown as 0.3. */
const plainNumber = (value: number) => String(Number(value.toPrecision(15)));

/** A number of Excel has fifteen digits; behind them it shows zeros that mean nothing. */
const MOST_DECIMALS = 15;

/**
 * What a number cell shows. Answers and options that look like percentages, dates, fractions or amounts are stored by
 * Excel as bare numbers (25% as 0.25), so the cell's format is needed to read what the author saw.
 * @param formatId the numbered format of the cell's style
 * @param code the format's own text where the file defines one
 */
export function numberText(value: number, formatId: number, code: string | undefined, from1904: boolean): string {
  const format = core(code ?? BUILT_IN.get(formatId) ?? '');
  if (isDate(format) || (code === undefined && isBuiltInDate(formatId))) return dateText(value, format, from1904);
  if (format === '' || /general/i.test(format) || format === '@') return plainNumber(value);
  const digits = withoutWords(format);
  if (/[?#0]\s*\/\s*[?#\d]/.test(digits)) return fractionText(value, digits);
  if (/e[+-]/i.test(digits)) return plainNumber(value);
  const percent = digits.includes('%');
  const decimals = /\.([0#?]+)/.exec(digits)?.[1] ?? '';
  const amount = (percent ? value * 100 : value).toLocaleString('en-US', {
    minimumFractionDigits: Math.min((decimals.match(/0/g) ?? []).length, MOST_DECIMALS),
    maximumFractionDigits: Math.min(decimals.length, MOST_DECIMALS),
    useGrouping: /[#0],[#0]/.test(digits),
  });
  const sign = amount.startsWith('-') ? '-' : '';
  const affixes = /^([^#0?]*)[#0?][#0?,.]*([^#0?]*)$/.exec(format.replaceAll('"', ''));
  const before = affixes?.[1]?.trim() ?? '';
  const after = affixes?.[2]?.trim() ?? (percent ? '%' : '');
  return `${sign}${before}${amount.slice(sign.length)}${after}`;
}
