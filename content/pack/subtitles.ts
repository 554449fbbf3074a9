import type { Checked } from '#content/checked.ts';
import { withoutEntities } from '#content/rich-text/html-tags.ts';
import { visibleText } from '#content/visible-text.ts';

/** The largest file of subtitles, in bytes; two hours of talk have some 200 KB. */
export const LARGEST_SUBTITLES = 10 * 1024 * 1024;
const MOST_CUES = 20_000;
/** Characters of one cue: more covers the picture. */
const LONGEST_CUE = 1000;
/** How long a cue is shown that does not say until when, unless the next one comes before (milliseconds). */
const SHOWN_FOR = 5000;

interface Cue {
  from: number;
  /** Null: it does not say. */
  to: number | null;
  /** The line of its times, counted from 1. */
  at: number;
  lines: string[];
  length: number;
}

/** A line of text. */
interface Line {
  text: string;
  /** Counted from 1. */
  at: number;
  /** An empty line, or the beginning of the file, stands before it. */
  isApart: boolean;
}

/** `01:02:03,450`, `02:03.4`, `01:02:03:450`; some leave the fraction out. */
const TIME = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,9})|:(\d{3}))?$/;
/** What stands between two times, also as a word processor or a person writes it. */
const ARROW = /(?:[-\u2010-\u2015\u2212] ?){1,4}(?:>|&gt;)|→/;
/** A side of an arrow that is meant as a time. */
const LIKE_TIME = /^[-\d:.,;\s]*\d[-\d:.,;\s]*:[-\d:.,;\s]*$/;
/** Two times, each with hours or a fraction, and nothing between or beside them but signs. */
const TWO_TIMES =
  /^(?:\d{1,3}:\d\d:\d\d(?:[.,:]\d{1,9})?|\d{1,3}:\d\d[.,]\d{1,9})[^\p{L}\p{N}]{1,10}(?:\d{1,3}:\d\d:\d\d(?:[.,:]\d{1,9})?|\d{1,3}:\d\d[.,]\d{1,9})$/u;
/** What may stand behind the times: settings of WebVTT, corners of SubRip. */
const SETTING = /^(?:(?:vertical|line|position|size|align|region):[-\w.,%]+|[XYxy][12]:-?\d+)$/;
/** What a file of WebVTT says of itself below its first line. */
const METADATA = /^(?:Kind|Language|Region|X-[\w-]+)\s?[:=]/i;
/** The first line of a comment or of styles in WebVTT; an empty line ends them. */
const NOTE = /^(?:NOTE(?:\s|$)|(?:STYLE|REGION|Style:)\s*$)/;
/** Tags that have an end: where it is missing, the sign compares (`a<b>c`). Those of WebVTT alone are small: `Stack<C>` is a type. */
const PAIRED = /<(\/?)([bBiIuUsS]|c|ruby)(?:\.[\w.-]{1,80})?(?:\s[a-z-]{1,20}=["'][^<>\n]{0,200})?\s?>/g;
/** Other tags of SubRip and WebVTT and time stamps of WebVTT. Whatever else stands between such signs is what the lesson says: `a<b`, `List<String>`, `<p>`. */
const TAGS =
  /<\/?[fF][oO][nN][tT]\s?>|<[fF][oO][nN][tT]\s[^<>\n]{0,200}>|<\/(?:v|lang|rt)\s?>|<rt(?:\.[\w.-]{1,80})?>|<lang(?:\.[\w.-]{1,80})?\s[\w-]{1,40}>|(?<=^\s{0,3}|>\s{0,3}|\}\s{0,3})<v(?:\.[\w.-]{1,80})?\s[^<>\n]{1,100}>|<(?:\d{2,3}:)?\d\d:\d\d\.\d{3}>/gm;
/** The overrides of Advanced SubStation that SubRip files carry, `{\an8}`; no group of TeX: `{\alpha}`. */
const OVERRIDES =
  /\{(?:\s{0,3}\\(?:(?:an?|[iuspqkK]|be?|blur|k[fo]|[xy]?bord|[xy]?shad|fs(?:c[xy]|p)?|fr[xyz]?|fa[xy]|fe|pbo)-?\d[\d.]{0,10}|(?:[1-4]?c|[1-4]a|alpha)&H[\da-fA-F]{1,8}&?|[1-4]?c(?![a-zA-Z])|(?:pos|move|fade?|org|i?clip|t)\((?:[^{}()]|\([^{}()]{0,80}\)){0,200}\)|fn[^\\{}]{0,80}|r(?:[A-Z][^\\{}]{0,40})?(?![a-z]))){1,40}\s{0,3}\}/g;
/** Line ends within a line. `\n` between blanks or quotes is what a lesson on programs says, `\nabla` a formula. */
const BREAKS =
  /<[bB][rR]\s{0,3}\/?>|\\N(?![a-zA-Z])|\\N(?=[A-Z][a-z])|(?<=[^\s"'“‘\\])\\n(?![a-zA-Z\s"'”’]|$)|&#(?:10|[xX]0?[aA]);/g;
/** The hard space of Advanced SubStation; `\hbar` is a formula, ` \h ` what a lesson on patterns says. */
const HARD_SPACES = /(?<![\s"'“‘`\\])\\h(?![a-z"'”’`])/g;
/** Entities of signs that nobody sees. */
const UNSEEN = /&(?:lrm|rlm|zwn?j|shy|#820[3-7]|#x200[b-f]|#65279|#xfeff);/gi;

/**
 * Reads WebVTT or SubRip, by what is in it and not by its name, and writes it anew: WebVTT of times and plain lines alone, in order of time.
 * Encoded as UTF-8, UTF-16 with its mark, or GB18030. Text behind an empty line belongs to the cue before it; tags, styles, notes, places, and
 * numbers and names of cues are left out. Any other line is read, kept as text, refused by its number, or named in a warning.
 * @returns the track and what is to be said of it, or a sentence in Chinese
 */
export function readSubtitles(bytes: Uint8Array): Checked<{ track: string; warnings: string[] }> {
  const no = (why: string) => ({ ok: false, why }) as const;
  const text = textOf(bytes);
  if (!text.ok) return text;
  if (text.value.includes('\0')) return no('这不是字幕文件');
  const isWebVtt = text.value.trimStart().startsWith('WEBVTT');
  const file = text.value.split(/\r\n?|\n/);
  const head = isWebVtt ? file.findIndex((line) => line.trim() !== '') : -1;
  const cues: Cue[] = [];
  const [unread, unsure, lost, reversed]: [number[], number[], number[], number[]] = [[], [], [], []];
  /** Null: what comes belongs to no cue, before the first one and after a note. */
  let open: Cue | null = null;
  /** The last line of text behind the times of a cue, or behind a note. */
  let last: Line | null = null;
  /** Of the latest cue; null: it has none. A first cue counts on from 0. */
  let number: number | null = 0;
  let [isHead, isNote, wasEmpty] = [isWebVtt, false, !isWebVtt];
  for (const [index, line] of file.entries()) {
    if (index <= head) continue;
    const at = index + 1;
    const isEmpty = line.trim() === '';
    const heading = headingOf(last, number, wasEmpty, isWebVtt);
    const isDue: boolean = !isNote && (open === null || wasEmpty || typeof heading?.number === 'number');
    const timing: ReturnType<typeof timingOf> = isEmpty ? null : timingOf(line, isDue);
    if (timing === 'unread') unread.push(at);
    else if (timing && timing !== 'unsure') {
      // It may as well be what the cue before it says.
      if (!timing.isExact && wasEmpty && open?.lines.length === 0) unread.push(at);
      if (heading) (open ? open.lines : lost).pop();
      if (timing.to !== null && timing.to <= timing.from) reversed.push(at);
      open = { from: timing.from, to: timing.to, at, lines: [], length: 0 };
      cues.push(open);
      [last, number, isHead, isNote] = [null, heading?.number ?? null, false, false];
      if (cues.length > MOST_CUES) return no(`字幕超过 ${MOST_CUES} 条`);
    } else if (isEmpty) [isHead, isNote] = [false, false];
    else if (isWebVtt && (wasEmpty || isHead) && NOTE.test(line)) {
      if (open && last && heading) {
        open.lines.pop();
        lost.push(last.at);
      }
      [open, last, isNote] = [null, null, true];
    } else if (open) {
      last = { text: line.trim(), at, isApart: wasEmpty };
      open.lines.push(last.text);
      open.length += last.text.length;
      if (timing === 'unsure') unsure.push(at);
      if (open.length > LONGEST_CUE) return no(`第 ${at} 行的字幕超过 ${LONGEST_CUE} 个字符`);
    } else if (!isNote && !(isHead && METADATA.test(line))) {
      last = { text: line.trim(), at, isApart: wasEmpty };
      lost.push(at);
    }
    wasEmpty = isEmpty;
  }
  if (open && last && headingOf(last, number, true, isWebVtt)) {
    open.lines.pop();
    lost.push(last.at);
  }
  if (unread.length > 0)
    return no(`${named(unread)}的时间无法识别，请写作 00:00:01,000 --> 00:00:03,000，文字写在下一行`);
  const read = cues.map((cue) => ({ ...cue, lines: plain(cue.lines) }));
  const blank = read.filter(({ lines }) => lines.length === 0).map(({ at }) => at);
  const shown = read.filter(({ lines }) => lines.length > 0).sort((a, b) => a.from - b.from);
  if (shown.length === 0) return no('里面没有一条字幕（时间写作 00:00:01,000 --> 00:00:03,000，下一行是文字）');
  const warnings = [
    ...(lost.length > 0 ? [`${named(lost)}不属于任何一条字幕，学员看不到；是字幕请在它上面写时间`] : []),
    ...(blank.length > 0 ? [`${named(blank)}的时间下面没有文字，学员看不到这条字幕`] : []),
    ...(unsure.length > 0 ? [`${named(unsure)}像是时间，但上面没有空行或序号，按文字显示；是时间请在上面空一行`] : []),
    ...(reversed.length > 0
      ? [`${named(reversed)}的结束时间不晚于开始时间，显示到下一条开始，最多 ${SHOWN_FOR / 1000} 秒`]
      : []),
  ];
  const starts = [...new Set(shown.map(({ from }) => from))];
  const nextStart = new Map(starts.map((from, index) => [from, starts[index + 1]]));
  const track = `WEBVTT\n\n${shown.map((cue) => written(cue, nextStart.get(cue.from))).join('\n')}`;
  return { ok: true, value: { track, warnings } };
}

type Shown = Pick<Cue, 'from' | 'to' | 'lines'>;

/** Lines of the file, the first ones by number. */
const named = (lines: readonly number[]): string =>
  `第 ${lines.slice(0, 10).join('、')} 行${lines.length > 10 ? `等 ${lines.length} 处` : ''}`;

/** The line above the times of a cue; null: it is a name. */
type Heading = { number: number | null };

/**
 * Whether a line of text is the number (of WebVTT: the name) of the cue whose times would come next.
 * @param number of the cue before
 * @param wasEmpty an empty line follows it
 * @returns null: it is text
 */
function headingOf(line: Line | null, number: number | null, wasEmpty: boolean, isWebVtt: boolean): Heading | null {
  if (!line) return null;
  const isNumber = /^\d+$/.test(line.text);
  const isAlone = line.isApart && !wasEmpty;
  // Without an empty line before it, a number is text unless it counts on: the answer may be 42.
  const isHeading = isAlone ? isNumber || isWebVtt : isNumber && number !== null && Number(line.text) === number + 1;
  return isHeading ? { number: isNumber ? Number(line.text) : null } : null;
}

/** The text of a file in one of the encodings. */
function textOf(bytes: Uint8Array): Checked<string> {
  const [first, second] = bytes;
  const utf16 = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  const damaged = utf16 ? [] : damagedLines(new TextDecoder().decode(bytes));
  if (damaged.length > 0) return { ok: false, why: `${named(damaged)}有损坏的字（UTF-8）；是别的编码请另存为 UTF-8` };
  const text = utf16 ? decoded(bytes, utf16) : (decoded(bytes, 'utf-8') ?? decoded(bytes, 'gb18030'));
  return text === null ? { ok: false, why: '无法识别字幕的文字编码，请另存为 UTF-8' } : { ok: true, value: text };
}

/** Null: it is in another encoding. */
function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

/**
 * Lines with broken characters of a file that is UTF-8 but for these; none where it is all UTF-8, or something else. Chinese in GB18030 that is
 * read as UTF-8 has a good character for three broken ones; of 20 characters and more, one text in thousands has two for one. Shorter ones
 * vary more: in doubt they are refused too, since the other mistake is wrong words without a warning.
 * @param text as read from UTF-8, with U+FFFD for what is none
 */
function damagedLines(text: string): number[] {
  const broken = text.split('\ufffd').length - 1;
  if (broken === 0) return [];
  let beyondAscii = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) beyondAscii += 1;
  if (beyondAscii - broken < (beyondAscii < 20 ? 1 : 2) * broken) return [];
  return text.split(/\r\n?|\n/).flatMap((line, at) => (line.includes('\ufffd') ? [at + 1] : []));
}

/** Hours or a fraction beside minutes and seconds; a time of day (`9:00`) or a ratio (`1:2`) has neither. */
const isExactTime = (text: string): boolean => /^-?\d[\d:.,]*$/.test(text) && /:.*:|[.,]/.test(text);
const isLikeTime = (text: string): boolean => text.length <= 40 && LIKE_TIME.test(text);

/**
 * The times of a line that has some. Null: it is text. `unread`: it is meant as times. `unsure`: it looks like times where none are due, and is
 * text. Exact times with the arrow of the formats are times anywhere. Settings behind them are left out.
 * @param isDue a time may stand here: behind an empty line or the number of a cue, or outside of cues and notes
 */
function timingOf(
  line: string,
  isDue: boolean,
): (Pick<Cue, 'from' | 'to'> & { isExact: boolean }) | 'unread' | 'unsure' | null {
  // No line of text may be longer, and no times are.
  if (line.length > LONGEST_CUE) return null;
  const head = visibleText(line.normalize('NFKC'))
    .replace(/\s+/g, ' ')
    .replace(/ ?([:.,]) ?/g, '$1')
    .trim();
  const arrow = ARROW.exec(head);
  if (!arrow || arrow.index > 40) return TWO_TIMES.test(head) ? 'unread' : null;
  const [before, after] = [head.slice(0, arrow.index).trim(), head.slice(arrow.index + arrow[0].length).trim()];
  const [end = '', ...rest] = after.split(' ');
  const from = milliseconds(before);
  const to = milliseconds(end);
  const isOwn = arrow[0] === '-->';
  const isRead = from !== null && (to !== null || end === '') && rest.every((word) => SETTING.test(word));
  const isExact = isOwn && isExactTime(before) && (end === '' || isExactTime(end));
  if (isRead && (isDue || isExact)) return { from, to, isExact };
  const isMeant = isDue
    ? isOwn || isLikeTime(before)
    : (isOwn && isExactTime(before)) || TWO_TIMES.test(`${before} ${end}`);
  if (isMeant) return 'unread';
  return isLikeTime(before) && (after === '' || isLikeTime(after)) ? 'unsure' : null;
}

function milliseconds(text: string): number | null {
  const found = TIME.exec(text);
  if (!found) return null;
  const [, hours, minutes = '', seconds = '', fraction = found[5] ?? ''] = found;
  if (Number(seconds) > 59 || (hours !== undefined && Number(minutes) > 59)) return null;
  return (
    (Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 +
    Math.round(Number(`0.${fraction}0`) * 1000)
  );
}

/** The lines of a cue without tags and without empty ones; what was written as an entity is what it stands for. */
const plain = (lines: readonly string[]): string[] =>
  withoutTags(lines.join('\n'))
    .split('\n')
    .flatMap((line) => line.replace(OVERRIDES, '').replace(HARD_SPACES, ' ').split(BREAKS))
    .map((part) =>
      visibleText(withoutEntities(part.replace(UNSEEN, '')))
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '');

/** The text of a cue without tags; one of a pair stays where the other is missing. */
function withoutTags(text: string): string {
  const rest = text.replace(TAGS, '');
  const begun = new Map<string, number[]>();
  const paired = new Set<number>();
  for (const { index, 1: slash, 2: name = '' } of rest.matchAll(PAIRED)) {
    const begins = begun.get(name.toLowerCase()) ?? [];
    begun.set(name.toLowerCase(), begins);
    if (!slash) {
      begins.push(index);
      continue;
    }
    const begin = begins.pop();
    if (begin !== undefined) paired.add(begin).add(index);
  }
  return rest.replace(PAIRED, (tag, _slash, _name, index: number) => (paired.has(index) ? '' : tag));
}

function written({ from, to, lines }: Shown, next: number | undefined): string {
  const end = to !== null && to > from ? to : Math.min(from + SHOWN_FOR, next ?? Number.POSITIVE_INFINITY);
  const safe = lines.map((line) => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'));
  return `${clock(from)} --> ${clock(end)}\n${safe.join('\n')}\n`;
}

function clock(time: number): string {
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  return `${two(time / 3_600_000)}:${two((time / 60_000) % 60)}:${two((time / 1000) % 60)}.${String(time % 1000).padStart(3, '0')}`;
}
