import type { Checked } from '#content/checked.ts';
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
/** Tags of HTML, SubRip and WebVTT, and the overrides of Advanced SubStation that SubRip files carry: `{\an8}`. */
const MARKS = /<\/?[a-z][a-z0-9]*(?:[.\s][^<>]*)?\/?>|<\d[\d:.]*>|\{\\[^{}]*\}/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', lrm: '', rlm: '' },
};

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
    .map((cue) => ({ ...cue, lines: cue.lines.map(plain).filter((line) => line !== '') }))
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

/** A line without tags; what was written as an entity is what it stands for. */
function plain(line: string): string {
  const bare = line.replace(MARKS, '').replace(/&([a-z]{2,4});/g, (hit, name: string) => ENTITIES[name] ?? hit);
  return visibleText(bare).replace(/\s+/g, ' ').trim();
}

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
