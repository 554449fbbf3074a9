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
  lines: string[];
}

/** `01:02:03,450`, `02:03.4`; some leave the fraction out. */
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?$/;
/** Tags of SubRip and WebVTT and time stamps of WebVTT. Whatever else stands between such signs is what the lesson says: `a<b`, `List<String>`, `<p>`. */
const TAGS =
  /<\/(?:b|i|u|s|font|c|v|lang|ruby|rt)\s?>|<(?:b|i|u|s|c|v|lang|ruby|rt)(?:\.[\w.-]{1,80})?(?:\s[a-z-]{1,20}=["'][^<>]{0,200})?>|<font(?:\s[^<>]{0,200})?>|<lang(?:\.[\w.-]{1,80})?\s[\w-]{1,40}>|(?<=^\s{0,3}|>\s{0,3}|\}\s{0,3})<v(?:\.[\w.-]{1,80})?\s[^<>]{1,100}>|<(?:\d{2,3}:)?\d\d:\d\d\.\d{3}>/gi;
/** The overrides of Advanced SubStation that SubRip files carry, `{\an8}`; no group of TeX: `{\alpha}`. */
const OVERRIDES =
  /\{(?:\s{0,3}\\(?:(?:an?|[iuspqkK]|be?|blur|k[fo]|[xy]?bord|[xy]?shad|fs(?:c[xy]|p)?|fr[xyz]?|fa[xy]|fe|pbo)-?\d[\d.]{0,10}|(?:[1-4]?c|[1-4]a|alpha)&H[\da-fA-F]{1,8}&?|[1-4]?c(?![a-zA-Z])|(?:pos|move|fade?|org|i?clip|t)\((?:[^{}()]|\([^{}()]{0,80}\)){0,200}\)|fn[^\\{}]{0,80}|r(?:[A-Z][^\\{}]{0,40})?(?![a-z]))){1,40}\s{0,3}\}/g;
/** Line ends within a line. `\n` between blanks or quotes is what a lesson on programs says, `\nabla` a formula. */
const BREAKS = /<[bB][rR]\s{0,3}\/?>|\\N(?![a-zA-Z])|\\N(?=[A-Z][a-z])|(?<=[^\s"'“‘\\])\\n(?![a-zA-Z\s"'”’]|$)|&#(?:10|[xX]0?[aA]);/g;
/** Entities of signs that nobody sees. */
const UNSEEN = /&(?:lrm|rlm|zwn?j|shy|#820[3-7]|#x200[b-f]|#65279|#xfeff);/gi;

/**
 * Reads WebVTT or SubRip, by what is in it and not by its name, and writes it anew: WebVTT of times and plain lines alone, in order of time.
 * Encoded as UTF-8, UTF-16 with its mark, or GB18030. What stands between cues is passed over; tags, styles and places are left out.
 * @returns the track, or a sentence in Chinese
 */
export function readSubtitles(bytes: Uint8Array): Checked<string> {
  const no = (why: string) => ({ ok: false, why }) as const;
  const text = textOf(bytes);
  if (text === null) return no('无法识别字幕的文字编码，请另存为 UTF-8');
  if (text.includes('\0')) return no('这不是字幕文件');
  const cues: Cue[] = [];
  let open: Cue | null = null;
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) {
    const timing = timingOf(line);
    if (timing) {
      // Without an empty line between them, the number of this cue was read as text of the one before.
      if (open && /^\d+$/.test(open.lines.at(-1) ?? '')) open.lines.pop();
      open = { ...timing, lines: [] };
      cues.push(open);
      if (cues.length > MOST_CUES) return no(`字幕超过 ${MOST_CUES} 条`);
    } else if (line.trim() === '') open = null;
    else if (open) {
      open.lines.push(line.trim());
      if (open.lines.join('').length > LONGEST_CUE) return no(`第 ${at + 1} 行的字幕超过 ${LONGEST_CUE} 个字符`);
    }
  }
  const shown = cues
    .map((cue) => ({ ...cue, lines: cue.lines.flatMap(plain).filter((line) => line !== '') }))
    .filter(({ lines }) => lines.length > 0)
    .sort((a, b) => a.from - b.from);
  if (shown.length === 0) return no('里面没有一条字幕（时间写作 00:00:01,000 --> 00:00:03,000，下一行是文字）');
  return { ok: true, value: `WEBVTT\n\n${shown.map((cue, at) => written(cue, shown[at + 1])).join('\n')}` };
}

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

/** The times of a line that has some; null: it has none. What follows them (places on the picture) is left out. */
function timingOf(line: string): Pick<Cue, 'from' | 'to'> | null {
  const arrow = line.indexOf('-->');
  if (arrow < 0 || arrow > 40) return null;
  const from = milliseconds(line.slice(0, arrow).trim());
  return from === null
    ? null
    : {
        from,
        to: milliseconds(
          line
            .slice(arrow + 3)
            .trim()
            .split(/\s/, 1)[0] ?? '',
        ),
      };
}

function milliseconds(text: string): number | null {
  const found = TIME.exec(text);
  if (!found) return null;
  const [, hours = '0', minutes = '', seconds = '', fraction = ''] = found;
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** The lines of a line without tags; what was written as an entity is what it stands for. */
const plain = (line: string): string[] =>
  line
    .replace(TAGS, '')
    .replace(OVERRIDES, '')
    .split(BREAKS)
    .map((part) => visibleText(withoutEntities(part.replace(UNSEEN, ''))).replace(/\s+/g, ' ').trim());

function written({ from, to, lines }: Cue, next: Cue | undefined): string {
  const most = Math.max(from + 1, Math.min(from + SHOWN_FOR, next?.from ?? Number.POSITIVE_INFINITY));
  const end = to !== null && to > from ? to : most;
  const safe = lines.map((line) => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'));
  return `${clock(from)} --> ${clock(end)}\n${safe.join('\n')}\n`;
}

function clock(time: number): string {
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  return `${two(time / 3_600_000)}:${two((time / 60_000) % 60)}:${two((time / 1000) % 60)}.${String(time % 1000).padStart(3, '0')}`;
}
