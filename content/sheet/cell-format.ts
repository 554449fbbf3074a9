/** Excel's numbered formats as it shows them in Chinese; 27 to 36 and 50 to 58 are Chinese dates. */
const BUILT_IN = new Map<number, string>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '"¥"#,##0;"¥"-#,##0'],
  [6, '"¥"#,##0;"¥"-#,##0'],
  [7, '"¥"#,##0.00;"¥"-#,##0.00'],
  [8, '"¥"#,##0.00;"¥"-#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [11, '0.00E+00'],
  [14, 'yyyy/m/d'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy/m/d h:mm'],
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
  [37, '#,##0;-#,##0'],
  [38, '#,##0;-#,##0'],
  [39, '#,##0.00;-#,##0.00'],
  [40, '#,##0.00;-#,##0.00'],
  [41, '#,##0;-#,##0;"-"'],
  [42, '"¥"#,##0;"¥"-#,##0;"¥""-"'],
  [43, '#,##0.00;-#,##0.00;"-"'],
  [44, '"¥"#,##0.00;"¥"-#,##0.00;"¥""-"'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [48, '##0.0E+0'],
  [49, '@'],
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

/** From here on formats are those of the file. */
const FIRST_OWN = 164;

/** The sections of a format: for positive, negative, zero and text, or for numbers that meet a condition. */
function sectionsOf(code: string): string[] {
  const sections = [''];
  let at = 0;
  for (const piece of code.split(/("[^"]*"|\\.|\[[^\]]*\]|;)/)) {
    if (piece === ';') at = sections.push('') - 1;
    else sections[at] += piece;
  }
  return sections;
}

const CONDITION = /\[(<=|>=|<>|<|>|=)\s*(-?[\d.]+)\]/;
const meets = (value: number, sign: string, bound: number): boolean =>
  sign === '<'
    ? value < bound
    : sign === '>'
      ? value > bound
      : sign === '<='
        ? value <= bound
        : sign === '>='
          ? value >= bound
          : sign === '='
            ? value === bound
            : value !== bound;

/** The sections of a format that show numbers: without the last one where that is of texts. None: a number is shown as it is. */
function numberSections(code: string): string[] {
  const sections = sectionsOf(code);
  return withoutWords(core(sections.at(-1) ?? '')).includes('@') ? sections.slice(0, -1) : sections;
}

/**
 * The section that shows a number; `signed`: the number's own minus is not shown, the section says it. null: programs do not agree (whether a
 * minus stands before a negative number that meets a condition).
 */
function sectionFor(value: number, code: string): { section: string; signed: boolean } | null {
  const sections = numberSections(code);
  const conditions = sections.map((section) => CONDITION.exec(section));
  if (conditions.some(Boolean)) {
    if (value < 0) return null;
    const at = conditions.findIndex((found, index) =>
      found ? meets(value, found[1] ?? '', Number(found[2])) : index > 0,
    );
    return { section: sections[at] ?? '', signed: false };
  }
  const numbers = sections.slice(0, 3);
  if (value < 0 && numbers.length > 1) return { section: numbers[1] ?? '', signed: true };
  return { section: (value === 0 && numbers.length > 2 ? numbers[2] : numbers[0]) ?? '', signed: false };
}

/** Stands for a quotation mark that is a sign of a format itself, until `bare` or a date is written: no text has it. */
const QUOTE = '\uFDD3';

/** A section without colours, locales and fillers; `[h]`, hours beyond a day, and a currency stay. What stands in words is no sign. */
const core = (section: string) =>
  section.replace(
    /"[^"]*"|\\([\s\S])|\[\$([^\]-]*)[^\]]*\]|(\[(?:h+|m+|s+)\])|\[[^\]]*\]|[_*][\s\S]/gi,
    (found, escaped: string | undefined, currency: string | undefined, time: string | undefined) => {
      if (found.startsWith('"')) return found;
      if (escaped !== undefined) return `"${escaped === '"' ? QUOTE : escaped}"`;
      return currency === undefined ? (time ?? '') : `"${currency}"`;
    },
  );

/** What a format puts around a text. */
export interface TextFormat {
  before: string;
  after: string;
}

/** How a format shows a text; null: not as it is, and nobody knows how (hidden, or other words in its place). */
export function textFormat(code: string): TextFormat | null {
  const sections = sectionsOf(code);
  const own =
    sections.length > 3 ? sections[3] : sections.findLast((section) => withoutWords(core(section)).includes('@'));
  if (own === undefined) return { before: '', after: '' };
  const pieces = core(own)
    .split(/("[^"]*"|@)/)
    .filter((piece) => piece !== '');
  const at = pieces.indexOf('@');
  if (at < 0 || at !== pieces.lastIndexOf('@'))
    return /^general$/i.test(core(own).trim()) ? { before: '', after: '' } : null;
  const words = (some: string[]) => bare(some.join(''));
  return { before: words(pieces.slice(0, at)).trimStart(), after: words(pieces.slice(at + 1)).trimEnd() };
}

const withoutWords = (code: string) => code.replace(/"[^"]*"/g, '');
const isDate = (code: string) => {
  const signs = withoutWords(code)
    .replace(/general/gi, '')
    .replace(/s\.0+/gi, 's');
  return /[ymdhsbge]|a{3,4}/i.test(signs) && !/[0#?]/.test(signs);
};

const two = (value: number) => String(value).padStart(2, '0');

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const CHINESE_MONTHS = '一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** The language of a format by its number or name (`[$-804]`, `[$-zh-CN]`), in small letters; '': none. */
const languageOf = (section: string): string =>
  /\[\$[^\]-]*-([\w-]+)/.exec(section.replace(/"[^"]*"|\\[\s\S]/g, ''))?.[1]?.toLowerCase() ?? '';
const IS_CHINESE = /^0*804$|^zh(?:-hans)?(?:-cn)?$/;
const IS_ENGLISH = /^$|^0*[0-9a-f]{0,2}09$|^en(?:-[a-z]+)?$/;
/** The date and the time as the system writes them, whatever else the format says: the first of each in Excel's list. */
const OF_SYSTEM: Readonly<Record<string, string>> = {
  f800: 'yyyy年m月d日',
  'x-sysdate': 'yyyy年m月d日',
  f400: 'h:mm:ss',
  'x-systime': 'h:mm:ss',
};
/** Names of months and days, and halves of a day. */
const NAMES = /mmm|ddd|am\/pm|a\/p/i;
/** Of those, what is known in Chinese. */
const NAMES_IN_CHINESE = /(?<!m)m{3,4}(?!m)|(?<!d)d{4}(?!d)/gi;

/** A date as its format shows it in its language; null: nobody here knows how. */
function dateIn(language: string, serial: number, code: string, from1904: boolean): string | null {
  const ofSystem = OF_SYSTEM[language];
  if (ofSystem !== undefined) return dateText(serial, ofSystem, from1904);
  const chinese = IS_CHINESE.test(language);
  const signs = withoutWords(code);
  if (!IS_ENGLISH.test(language) && NAMES.test(chinese ? signs.replace(NAMES_IN_CHINESE, '') : signs)) return null;
  // In Taiwan years are counted from 1912.
  if (/^0*404$|^zh-tw$/.test(language) && /e/i.test(signs)) return null;
  return dateText(serial, code, from1904, chinese);
}

/** A serial day of Excel as its format shows it. The calendar of 1900 counts a 29 February that never was. */
function dateText(serial: number, code: string, from1904: boolean, chinese = false): string | null {
  const days = from1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const pieces =
    code.match(/"[^"]*"|\[[hms]+\]|am\/pm|a\/p|上午\/下午|y+|e+|m+|d+|h+|s+(?:\.0+)?|a{3,4}|[\s\S]/gi) ?? [];
  const decimals = /s\.(0+)/i.exec(code)?.[1]?.length ?? 0;
  const unit = 10 ** Math.min(decimals, 3);
  const at = new Date((Math.round((days - 25569) * 86_400 * unit) / unit) * 1000);
  if (Number.isNaN(at.getTime()) || serial < 0) return null;
  const signsOfDate = withoutWords(code);
  // Eras and calendars of other countries. Excel shows a day 0 of January 1900, and its 29 February.
  if (/[bg]/i.test(signsOfDate)) return null;
  if (/[yed]|a{3}/i.test(signsOfDate) && !from1904 && (serial < 1 || (serial >= 60 && serial < 61))) return null;
  const seconds = Math.round(serial * 86_400);
  // The day of the week goes by the number alone, so 1 is a Sunday: people show what WEEKDAY() says so.
  const weekday = (Math.floor(Math.round(serial * 86_400 * unit) / unit / 86_400) + (from1904 ? 5 : 6)) % 7;
  const half = pieces.find((piece) => /^(?:am\/pm|a\/p|上午\/下午)$/i.test(piece));
  const hours = half ? at.getUTCHours() % 12 || 12 : at.getUTCHours();
  const signs = pieces.map((piece, index) => ({ piece, index })).filter(({ piece }) => /^\[?[ymdhse]/i.test(piece));
  // "m" means minutes beside hours or seconds, else months.
  const isMinutes = (index: number) => {
    const place = signs.findIndex((sign) => sign.index === index);
    return /^\[?h/i.test(signs[place - 1]?.piece ?? '') || /^\[?s/i.test(signs[place + 1]?.piece ?? '');
  };
  const padded = (value: number, piece: string) => (piece.length >= 2 ? two(value) : String(value));
  return pieces
    .map((piece, index) => {
      if (piece.startsWith('"')) return piece.slice(1, -1);
      if (piece === half) {
        const [am = '', pm = ''] = half.split('/');
        return at.getUTCHours() < 12 ? am : pm;
      }
      const sign = piece.toLowerCase();
      if (/^\[h+\]$/.test(sign)) return String(Math.floor(seconds / 3600)).padStart(sign.length - 2, '0');
      if (/^\[m+\]$/.test(sign)) return String(Math.floor(seconds / 60)).padStart(sign.length - 2, '0');
      if (/^\[s+\]$/.test(sign)) return String(seconds).padStart(sign.length - 2, '0');
      if (/^a{3,4}$/.test(sign)) return `${sign.length > 3 ? '星期' : ''}${'日一二三四五六'[weekday]}`;
      switch (sign[0]) {
        // In China `e` is the year.
        case 'e':
          return String(at.getUTCFullYear());
        case 'y':
          return sign.length <= 2 ? two(at.getUTCFullYear() % 100) : String(at.getUTCFullYear());
        case 'm': {
          if (sign.length <= 2) return padded(isMinutes(index) ? at.getUTCMinutes() : at.getUTCMonth() + 1, sign);
          if (chinese)
            return sign.length === 3 ? `${at.getUTCMonth() + 1}月` : (CHINESE_MONTHS[at.getUTCMonth()] ?? '');
          const name = MONTHS[at.getUTCMonth()] ?? '';
          return sign.length === 3 ? name.slice(0, 3) : sign.length === 4 ? name : name.slice(0, 1);
        }
        case 'd': {
          if (chinese && sign.length > 3) return `星期${'日一二三四五六'[weekday]}`;
          const name = DAYS[weekday] ?? '';
          return sign.length <= 2 ? padded(at.getUTCDate(), sign) : sign.length === 3 ? name.slice(0, 3) : name;
        }
        case 'h':
          return padded(hours, sign);
        case 's': {
          const [whole = ''] = sign.split('.');
          const part = decimals > 0 ? `.${String(at.getUTCMilliseconds()).padStart(3, '0').slice(0, decimals)}` : '';
          return padded(at.getUTCSeconds(), whole) + part;
        }
        case '@':
          return '';
        default:
          return piece;
      }
    })
    .join('')
    .replaceAll(QUOTE, '"')
    .trim();
}

/** The serial day of a date or time that a file keeps as ISO 8601; null: it is none. */
export function isoSerial(text: string, from1904: boolean): number | null {
  const [found, day, hours = '0', minutes = '0', seconds = '0'] =
    /^(\d{4}-\d\d-\d\d)?(?:(?:^|T)(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?)?Z?$/.exec(text) ?? [];
  if (!found) return null;
  const time = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
  if (day === undefined) return time;
  const serial = Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569;
  if (Number.isNaN(serial)) return null;
  return time + (from1904 ? serial - 1462 : serial < 61 ? serial - 1 : serial);
}

/** Words of a format without their quotation marks. */
const bare = (text: string) => text.replaceAll('"', '').replaceAll(QUOTE, '"');

/** What stands around the digits of a format: signs and quoted words. */
const AROUND = '((?:[^#0?"]|"[^"]*")*)';
const FRACTION = new RegExp(`^${AROUND}(?:([#0?]+)(?:\\s|"\\s+")+)?[#0?]+\\s*/\\s*([#?0]+|[1-9]\\d*)${AROUND}$`);

/** 1.5 under `# ?/?` is "1 1/2", under `?/?` "3/2": people type fractions into option cells and Excel makes numbers of them. */
function fractionText(value: number, format: string): string | null {
  const [found, before = '', whole, under = '', after = ''] = FRACTION.exec(format) ?? [];
  const amount = Math.abs(value);
  if (found === undefined || amount >= 1e9) return null;
  const apart = whole === undefined ? 0 : Math.trunc(amount);
  const { over, by } = nearest(amount - apart, under);
  const carried = whole !== undefined && over === by;
  const [full, rest] = carried ? [apart + 1, 0] : [apart, over];
  const shown = [
    whole !== undefined && (full > 0 || rest === 0 || whole.includes('0')) ? String(full) : '',
    whole === undefined || rest > 0 ? `${rest}/${by}` : '',
  ].filter(Boolean);
  const sign = value < 0 && (full > 0 || rest > 0) ? '-' : '';
  return `${sign}${bare(before).trimStart()}${shown.join(' ')}${bare(after).trimEnd()}`;
}

/** The fraction nearest to a number, with the denominator that a format fixes, or one of as many digits as it has. */
function nearest(value: number, under: string): { over: number; by: number } {
  if (/[1-9]/.test(under)) return { over: Math.round(value * Number(under)), by: Number(under) };
  const most = 10 ** Math.min(under.length, 3) - 1;
  let best = { over: Math.round(value), by: 1, miss: Math.abs(value - Math.round(value)) };
  for (let by = 2; by <= most; by += 1) {
    const over = Math.round(value * by);
    const miss = Math.abs(value - over / by);
    if (miss < best.miss - 1e-12) best = { over, by, miss };
  }
  return best;
}

/** The number as people typed it: 0.1+0.2 is stored as 0.30000000000000004 and shown as 0.3. */
const plainNumber = (value: number) =>
  String(Number(value.toPrecision(15))).replace(
    /e([+-])(\d+)$/,
    (_, sign: string, digits: string) => `E${sign}${digits.padStart(2, '0')}`,
  );

const PLACES = new RegExp(`^${AROUND}([#0?][#0?,]*)(?:\\.([#0?]*))?(,*)${AROUND}$`);

/** A number of Excel has fifteen digits; behind them it shows zeros that mean nothing. */
const MOST_DECIMALS = 15;

const SCIENTIFIC = new RegExp(`^${AROUND}([#0?]+)(?:\\.([#0?]+))?e([+-])([#0?]+)${AROUND}$`, 'i');

/** What `0.00E+00` and `##0.0E+0` show: the digits before the point say by how much the exponent steps. */
function scientificText(value: number, format: string): string | null {
  const [found, ahead = '', before = '', decimals = '', sign = '+', exponent = '', behind = ''] =
    SCIENTIFIC.exec(format) ?? [];
  if (found === undefined) return null;
  const step = before.length;
  const [, power = '0'] = value.toExponential(14).split('e');
  const stepped = (at: number) => at - (((at % step) + step) % step);
  const places = Math.min(decimals.length, MOST_DECIMALS);
  // By its decimals, not its bits: 1.255 is 1.26.
  const shownAt = (at: number) =>
    Number((value / 10 ** at).toPrecision(15)).toLocaleString('en-US', {
      minimumFractionDigits: places,
      maximumFractionDigits: places,
      useGrouping: false,
    });
  let at = stepped(Number(power));
  // 9.999 rounds to 10.00, which has one digit more than there is room for.
  if (Math.abs(Number(shownAt(at))) >= 10 ** step) at += step;
  const power10 = `${at < 0 ? '-' : sign === '+' ? '+' : ''}${String(Math.abs(at)).padStart(exponent.length, '0')}`;
  return `${bare(ahead).trimStart()}${shownAt(at)}E${power10}${bare(behind).trimEnd()}`;
}

/**
 * What a number cell shows. Answers and options that look like percentages, dates, fractions or amounts are stored by
 * Excel as bare numbers (25% as 0.25), so the cell's format is needed to read what the author saw.
 * @param formatId the numbered format of the cell's style
 * @param code the format's own text where the file defines one
 * @returns null: a format of which we do not know what it shows (Chinese numerals, digits between other signs)
 */
export function numberText(
  value: number,
  formatId: number,
  code: string | undefined,
  from1904: boolean,
): string | null {
  const whole = code ?? BUILT_IN.get(formatId) ?? '';
  // Formats of other languages, which no file explains.
  if (code === undefined && formatId > 0 && formatId < FIRST_OWN && whole === '') return null;
  if (/\[DBNum\d\]/i.test(whole)) return null;
  const found = sectionFor(value, whole);
  if (found === null) return null;
  const { section, signed } = found;
  const format = core(section);
  if (isDate(format)) return dateIn(languageOf(section), value, format, from1904);
  const shown = signed ? Math.abs(value) : value;
  const general = /^((?:[^"g]|"[^"]*")*)general(.*)$/i.exec(format);
  if (whole === '' || numberSections(whole).length === 0) return plainNumber(shown);
  // A minus stands before the words, as with digits.
  if (general)
    return `${shown < 0 ? '-' : ''}${bare(general[1] ?? '').trimStart()}${plainNumber(Math.abs(shown))}${bare(general[2] ?? '').trimEnd()}`;
  const digits = withoutWords(format);
  if (/[?#0]\s*\/\s*[?#\d]/.test(digits)) return fractionText(shown, format);
  if (/[#0?]\s*e[+-]/i.test(digits)) return scientificText(shown, format);
  // Eras of other countries, digits that a format writes by itself: nobody says what they show.
  if (/[a-z1-9]/i.test(digits)) return null;
  const places = PLACES.exec(format);
  // A section of words alone shows them: "无" for zero, nothing for an empty one.
  if (!places) return /[#0?]/.test(digits) ? null : bare(format).trim();
  const [, before = '', left = '', decimals, behind = '', after = ''] = places;
  // What stands for a digit that is not there depends on the program.
  if (/0.*[#?]/.test(left)) return null;
  const scale = /,*$/.exec(left)?.[0].length ?? 0;
  const percent = digits.includes('%');
  const scaled = Number(((percent ? shown * 100 : shown) / 1000 ** (scale + behind.length)).toPrecision(15));
  const amount = scaled.toLocaleString('en-US', {
    minimumIntegerDigits: Math.min(Math.max((left.match(/0/g) ?? []).length, 1), 21),
    minimumFractionDigits: Math.min((decimals?.match(/0/g) ?? []).length, MOST_DECIMALS),
    maximumFractionDigits: Math.min(decimals?.length ?? 0, MOST_DECIMALS),
    useGrouping: /[#0?],[#0?]/.test(left),
  });
  // `#` and `?` show no zero before the point, and the point stands whatever comes behind it.
  const [ahead = '', part = ''] = amount.replace(/^-/, '').split('.');
  const number = `${ahead === '0' && !left.includes('0') ? '' : ahead}${decimals === undefined ? '' : `.${part}`}`;
  const isZero = !/[1-9]/.test(amount);
  const sign = amount.startsWith('-') && !isZero ? '-' : '';
  return `${sign}${bare(before).trimStart()}${number}${bare(after).trimEnd()}`;
}
