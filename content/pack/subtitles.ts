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
  lines: { text: string; isApart: boolean }[];
  /** By its file; null: it has none. */
  number: number | null;
  length: number;
}

/** `01:02:03,450`, `02:03.4`, `01:02:03:450`; some leave the fraction out. */
const TIME = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,9})|:(\d{3}))?$/;
/** What stands between two times, also as a word processor or a person writes it. */
const ARROW = /(?:[-\u2010-\u2015\u2212] ?){1,4}(?:>|&gt;)|→/;
/** A side of an arrow that is meant as a time. */
const LIKE_TIME = /^[-\d:.,;\s]*\d[-\d:.,;\s]*:[-\d:.,;\s]*$/;
/** Tags of SubRip and WebVTT and time stamps of WebVTT. Whatever else stands between such signs is what the lesson says: `a<b`, `List<String>`, `<p>`. */
const TAGS =
  /<\/(?:b|i|u|s|font|c|v|lang|ruby|rt)\s?>|<(?:b|i|u|s|c|v|lang|ruby|rt)(?:\.[\w.-]{1,80})?(?:\s[a-z-]{1,20}=["'][^<>]{0,200})?>|<font(?:\s[^<>]{0,200})?>|<lang(?:\.[\w.-]{1,80})?\s[\w-]{1,40}>|(?<=^\s{0,3}|>\s{0,3}|\}\s{0,3})<v(?:\.[\w.-]{1,80})?\s[^<>]{1,100}>|<(?:\d{2,3}:)?\d\d:\d\d\.\d{3}>/gi;
/** The overrides of Advanced SubStation that SubRip files carry, `{\an8}`; no group of TeX: `{\alpha}`. */
const OVERRIDES =
  /\{(?:\s{0,3}\\(?:(?:an?|[iuspqkK]|be?|blur|k[fo]|[xy]?bord|[xy]?shad|fs(?:c[xy]|p)?|fr[xyz]?|fa[xy]|fe|pbo)-?\d[\d.]{0,10}|(?:[1-4]?c|[1-4]a|alpha)&H[\da-fA-F]{1,8}&?|[1-4]?c(?![a-zA-Z])|(?:pos|move|fade?|org|i?clip|t)\((?:[^{}()]|\([^{}()]{0,80}\)){0,200}\)|fn[^\\{}]{0,80}|r(?:[A-Z][^\\{}]{0,40})?(?![a-z]))){1,40}\s{0,3}\}/g;
/** Line ends within a line. `\n` between blanks or quotes is what a lesson on programs says, `\nabla` a formula. */
const BREAKS =
  /<[bB][rR]\s{0,3}\/?>|\\N(?![a-zA-Z])|\\N(?=[A-Z][a-z])|(?<=[^\s"'“‘\\])\\n(?![a-zA-Z\s"'”’]|$)|&#(?:10|[xX]0?[aA]);/g;
/** Entities of signs that nobody sees. */
const UNSEEN = /&(?:lrm|rlm|zwn?j|shy|#820[3-7]|#x200[b-f]|#65279|#xfeff);/gi;

/**
 * Reads WebVTT or SubRip, by what is in it and not by its name, and writes it anew: WebVTT of times and plain lines alone, in order of time.
 * Encoded as UTF-8, UTF-16 with its mark, or GB18030. Text behind an empty line belongs to the cue before it; tags, styles and places are left out.
 * @returns the track and what is to be said of it, or a sentence in Chinese
 */
export function readSubtitles(bytes: Uint8Array): Checked<{ track: string; warnings: string[] }> {
  const no = (why: string) => ({ ok: false, why }) as const;
  const text = textOf(bytes);
  const damaged = damagedLines(bytes);
  if (damaged.length > 0) return no(`${named(damaged)}有损坏的字（UTF-8）`);
  if (text === null) return no('无法识别字幕的文字编码，请另存为 UTF-8');
  if (text.includes('\0')) return no('这不是字幕文件');
  const cues: Cue[] = [];
  const isWebVtt = text.startsWith('WEBVTT');
  const [unread, lost, reversed]: [number[], number[], number[]] = [[], [], []];
  /** Null: what comes belongs to no cue, before the first one and after a note. */
  let open: Cue | null = null;
  let number: number | null = null;
  let isNote = isWebVtt;
  let wasEmpty = true;
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) {
    const isEmpty = line.trim() === '';
    const timing: ReturnType<typeof timingOf> = isEmpty ? null : timingOf(line, wasEmpty || open === null);
    if (timing === 'unread') unread.push(at + 1);
    else if (timing) {
      if (open) number = takeHeading(open, wasEmpty, isWebVtt);
      else if (isWebVtt && !wasEmpty && lost.at(-1) === at) lost.pop();
      if (timing.to !== null && timing.to <= timing.from) reversed.push(at + 1);
      open = { ...timing, lines: [], number, length: 0 };
      cues.push(open);
      isNote = false;
      if (cues.length > MOST_CUES) return no(`字幕超过 ${MOST_CUES} 条`);
    } else if (isEmpty) isNote = false;
    else if (isWebVtt && wasEmpty && /^(?:NOTE(?:\s|$)|(?:STYLE|REGION)\s*$)/.test(line)) {
      if (open) number = open.number;
      [open, isNote] = [null, true];
    } else if (open) {
      open.lines.push({ text: line.trim(), isApart: wasEmpty });
      open.length += line.trim().length;
      if (open.length > LONGEST_CUE) return no(`第 ${at + 1} 行的字幕超过 ${LONGEST_CUE} 个字符`);
    } else if (/^\d+$/.test(line.trim())) number = Number(line);
    else if (!isNote) lost.push(at + 1);
    wasEmpty = isEmpty;
  }
  if (unread.length > 0)
    return no(`${named(unread)}的时间无法识别，请写作 00:00:01,000 --> 00:00:03,000，文字写在下一行`);
  const warnings = [
    ...(lost.length > 0 ? [`${named(lost)}不属于任何一条字幕，学员看不到；是字幕请在它上面写时间`] : []),
    ...(reversed.length > 0 ? [`${named(reversed)}的结束时间不晚于开始时间，最多显示 ${SHOWN_FOR / 1000} 秒`] : []),
  ];
  const shown = cues
    .map((cue) => ({ ...cue, lines: cue.lines.flatMap((line) => plain(line.text)).filter((line) => line !== '') }))
    .filter(({ lines }) => lines.length > 0)
    .sort((a, b) => a.from - b.from);
  if (shown.length === 0) return no('里面没有一条字幕（时间写作 00:00:01,000 --> 00:00:03,000，下一行是文字）');
  const track = `WEBVTT\n\n${shown.map((cue, at) => written(cue, shown[at + 1])).join('\n')}`;
  return { ok: true, value: { track, warnings } };
}

type Shown = Pick<Cue, 'from' | 'to'> & { lines: string[] };

/** Lines of the file, the first ones by number. */
const named = (lines: readonly number[]): string =>
  `第 ${lines.slice(0, 10).join('、')} 行${lines.length > 10 ? `等 ${lines.length} 处` : ''}`;

/** Takes the number (of WebVTT: the name) of the next cue from the lines of this one, where it was read as text. @returns the number */
function takeHeading({ lines, number }: Cue, wasEmpty: boolean, isWebVtt: boolean): number | null {
  const last = lines.at(-1);
  if (!last) return null;
  const isNumber = /^\d+$/.test(last.text);
  const isAlone = last.isApart && !wasEmpty;
  // Without an empty line before it, a number is text unless it counts on: the answer may be 42.
  const isHeading = isAlone ? isNumber || isWebVtt : isNumber && number !== null && Number(last.text) === number + 1;
  if (isHeading) lines.pop();
  return isHeading && isNumber ? Number(last.text) : null;
}

/**
 * Lines with broken characters of a file that is UTF-8 but for these; none where it is all UTF-8, or something else. In GB18030 and
 * other encodings most characters are broken when they are read as UTF-8.
 */
function damagedLines(bytes: Uint8Array): number[] {
  if (isUtf16(bytes)) return [];
  const text = new TextDecoder().decode(bytes);
  const broken = text.split('\ufffd').length - 1;
  if (broken === 0) return [];
  let whole = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) whole += 1;
  if (whole - broken < 10 * broken) return [];
  return text.split(/\r\n?|\n/).flatMap((line, at) => (line.includes('\ufffd') ? [at + 1] : []));
}

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

function textOf(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const marked = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  for (const encoding of marked ? [marked] : ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return null;
}

/**
 * The times of a line that has some; null: it is text; `unread`: it is meant as times. What follows them (places on the picture) is left out.
 * @param isDue an empty line or nothing stands before it
 */
function timingOf(line: string, isDue: boolean): Pick<Cue, 'from' | 'to'> | 'unread' | null {
  const head = visibleText(line.slice(0, 200).normalize('NFKC'))
    .replace(/\s+/g, ' ')
    .replace(/ ?([:.,]) ?/g, '$1');
  const arrow = ARROW.exec(head);
  if (!arrow || arrow.index > 40) return null;
  const [before, after] = [head.slice(0, arrow.index).trim(), head.slice(arrow.index + arrow[0].length).trim()];
  const [end = '', ...rest] = after.split(' ');
  const from = milliseconds(before);
  const to = milliseconds(end);
  const isOwn = arrow[0] === '-->';
  if (from === null || (to === null && end !== '') || rest.some((word) => !/^[a-z]\w*:/i.test(word)))
    return LIKE_TIME.test(before) || (isOwn && (isDue || from !== null || /^-?\d[\d:.,]*$/.test(before)))
      ? 'unread'
      : null;
  return { from, to };
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

/** The lines of a line without tags; what was written as an entity is what it stands for. */
const plain = (line: string): string[] =>
  line
    .replace(TAGS, '')
    .replace(OVERRIDES, '')
    .split(BREAKS)
    .map((part) =>
      visibleText(withoutEntities(part.replace(UNSEEN, '')))
        .replace(/\s+/g, ' ')
        .trim(),
    );

function written({ from, to, lines }: Shown, next: Shown | undefined): string {
  const most = Math.max(from + 1, Math.min(from + SHOWN_FOR, next?.from ?? Number.POSITIVE_INFINITY));
  const end = to !== null && to > from ? to : most;
  const safe = lines.map((line) => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'));
  return `${clock(from)} --> ${clock(end)}\n${safe.join('\n')}\n`;
}

function clock(time: number): string {
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  return `${two(time / 3_600_000)}:${two((time / 60_000) % 60)}:${two((time / 1000) % 60)}.${String(time % 1000).padStart(3, '0')}`;
}
