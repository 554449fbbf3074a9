import type { Checked } from '#content/checked.ts';
import type { Run } from '#content/sheet/sheet.ts';
import { visibleText } from '#content/visible-text.ts';
import { POINT_LONGEST, POINTS_MOST, WORD_LONGEST, WORDS_MOST } from '#contract/values/exam.ts';
import { checkWeights, type ScoringPoint } from '#rules/exam/scoring-points.ts';
import { readScore } from './question.ts';

/** A scoring point as its author wrote it, taken apart. */
interface PointText {
  words: string[];
  /** The parts of the text that are shown: without the brackets of key words and their other wordings. */
  shown: [from: number, to: number][];
}

/** Words between 【 and 】 are key words; behind | stand other wordings of one, which are looked for and not shown. */
const KEY_WORD = /【([^【】]*)】/g;

const tooLong = (text: string) =>
  `采点“${text.trim().slice(0, 15)}…”太长（${text.length} 个字符），最多 ${POINT_LONGEST} 个`;

/** Takes a scoring point apart, or says in Chinese what is wrong with it. */
export function readPointText(text: string): Checked<PointText> {
  if (text.trim() === '') return { ok: false, why: '采点没有写内容' };
  if (text.length > POINT_LONGEST) return { ok: false, why: tooLong(text) };
  const words: string[] = [];
  const shown: PointText['shown'] = [];
  let at = 0;
  for (const { 0: whole, 1: inside = '', index } of text.matchAll(KEY_WORD)) {
    const wordings = inside.split(/[|｜]/);
    if (wordings.some((wording) => wording.trim() === ''))
      return { ok: false, why: `采点“${text.slice(0, 15)}”的【】里没有写关键词` };
    words.push(...wordings.map((wording) => wording.trim()));
    shown.push([at, index], [index + 1, index + 1 + (wordings[0]?.length ?? 0)]);
    at = index + whole.length;
  }
  shown.push([at, text.length]);
  const rest = text.replace(KEY_WORD, '');
  if (/[【】]/.test(rest)) return { ok: false, why: `采点“${text.slice(0, 15)}”的【】没有成对` };
  const long = words.find((word) => word.length > WORD_LONGEST);
  if (long) return { ok: false, why: `关键词“${long.slice(0, 15)}…”太长，最多 ${WORD_LONGEST} 个字` };
  if (words.length > WORDS_MOST)
    return { ok: false, why: `采点“${text.slice(0, 15)}”的关键词太多（${words.length} 个），最多 ${WORDS_MOST} 个` };
  return { ok: true, value: { words: [...new Set(words)], shown: shown.filter(([from, to]) => from < to) } };
}

/** What is shown of a scoring point. */
export const shownPart = (text: string, { shown }: PointText): string =>
  shown.map(([from, to]) => text.slice(from, to)).join('');

/** What the scoring points of a question have wrong together, in Chinese; null: nothing. */
export function pointsFault(points: readonly Pick<ScoringPoint, 'weight'>[], score: number): string | null {
  if (points.length > POINTS_MOST) return `采点太多（${points.length} 个），最多 ${POINTS_MOST} 个`;
  const fits = checkWeights(points, score);
  return fits.ok ? null : `采点的分值加起来是 ${fits.sum} 分，超过了本题的 ${score} 分`;
}

/** A scoring point of a cell: its formatted pieces without weight and brackets. */
interface CellPoint {
  runs: Run[];
  words: string[];
  weight: number;
}

/** The lines of a cell that say something, each in its formatted pieces. */
function linesOf(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [[]];
  for (const { text, formats } of runs) {
    for (const [nth, part] of visibleText(text).split('\n').entries()) {
      if (nth > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, formats });
    }
  }
  return lines.filter((line) => line.some(({ text }) => text.trim() !== ''));
}

/** The pieces of a line as far as they lie in the parts that are shown. */
function cut(line: readonly Run[], shown: PointText['shown']): Run[] {
  const pieces: Run[] = [];
  let at = 0;
  for (const { text, formats } of line) {
    for (const [from, to] of shown) {
      const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
      if (part !== '') pieces.push({ text: part, formats });
    }
    at += text.length;
  }
  return pieces;
}

/** The weight at the end of a line: （2分）, (1.5 分), 【2分】 or 2分. A half, a range, a ratio and what is taken off are none. */
const WEIGHT =
  /^(.*?)\s*(?:[（(【[［]\s*([\d０-９.．]+)\s*分\s*[）)】\]］]|(?<![\d０-９.．])(?<![（(【[［\-－−/／~～+＋扣减]\s*|[\d０-９][,，、至到—–:∶]\s*)([\d０-９.．]+)\s*分)\s*[。.；;，,]?\s*$/su;
/** A weight within a line: what follows it is another point. */
const WEIGHT_BEFORE = /[（(【[［]\s*[\d０-９.．]+\s*分\s*[）)】\]］]/u;
/** One without brackets, where the line ends with one of that kind: `甲 1分；乙 1分`, `每点1分，共3分`. */
const BARE_BEFORE = /[\d０-９]\s*分\s*[;；,，.。、]/u;
/** What a weight takes at the end of a line, with blanks. */
const WEIGHT_LONGEST = 40;

/**
 * Reads the cell 采点: one point a line, its weight at the end of the line.
 * @returns the points, and every reason in Chinese why a line is none
 */
export function readPointCell(runs: readonly Run[]): { points: CellPoint[]; why: string[] } {
  const points: CellPoint[] = [];
  const why: string[] = [];
  const lines = linesOf(runs);
  if (lines.length > POINTS_MOST) return { points, why: [`采点太多（${lines.length} 个），最多 ${POINTS_MOST} 个`] };
  for (const [nth, line] of lines.entries()) {
    const plain = line
      .map(({ text }) => text)
      .join('')
      .trimEnd();
    // Looking for a weight takes long in a long run of blanks.
    if (plain.length > POINT_LONGEST + WEIGHT_LONGEST) {
      why.push(`第 ${nth + 1} 个：${tooLong(plain)}`);
      continue;
    }
    const found = WEIGHT.exec(plain);
    if (!found) {
      why.push(`第 ${nth + 1} 个采点“${plain.trim().slice(0, 15)}”没有写分值，请在行末写上，如（2分）`);
      continue;
    }
    const [, text = '', bracketed, bare] = found;
    if (WEIGHT_BEFORE.test(text) || (bare !== undefined && BARE_BEFORE.test(text))) {
      why.push(`第 ${nth + 1} 个采点“${plain.trim().slice(0, 15)}”里不止一个分值，请每个采点写一行（Alt+Enter 换行）`);
      continue;
    }
    const weight = readScore(bracketed ?? bare ?? '');
    const read = readPointText(text);
    if (!weight.ok) why.push(`第 ${nth + 1} 个采点：${weight.why}`);
    if (!read.ok) why.push(`第 ${nth + 1} 个：${read.why}`);
    if (weight.ok && read.ok)
      points.push({ runs: cut(line, read.value.shown), words: read.value.words, weight: weight.value });
  }
  return { points, why };
}
