import type { Checked } from '#content/checked.ts';
import { visibleText } from '#content/visible-text.ts';
import type { QuestionType } from '#rules/exam/answer.ts';
import { TYPE_NAMES } from './question.ts';

/** What people write for "right" and "wrong" once width, case and blanks are levelled. */
const JUDGE_WORDS: Readonly<Record<string, 'A' | 'B'>> = {
  对: 'A',
  正确: 'A',
  是: 'A',
  真: 'A',
  对的: 'A',
  正确的: 'A',
  是的: 'A',
  T: 'A',
  TRUE: 'A',
  Y: 'A',
  YES: 'A',
  RIGHT: 'A',
  R: 'A',
  正: 'A',
  '√': 'A',
  '✓': 'A',
  '✔': 'A',
  '☑': 'A',
  '✅': 'A',
  V: 'A',
  A: 'A',
  1: 'A',
  错: 'B',
  错误: 'B',
  否: 'B',
  假: 'B',
  不对: 'B',
  不正确: 'B',
  不是: 'B',
  错的: 'B',
  错误的: 'B',
  非: 'B',
  F: 'B',
  FALSE: 'B',
  N: 'B',
  NO: 'B',
  WRONG: 'B',
  W: 'B',
  误: 'B',
  '×': 'B',
  '✗': 'B',
  '✘': 'B',
  '✕': 'B',
  '✖': 'B',
  '❌': 'B',
  '☒': 'B',
  '╳': 'B',
  X: 'B',
  B: 'B',
  0: 'B',
};

const shown = (raw: string) => `“${raw.trim().replace(/\s+/g, ' ').slice(0, 30)}”`;

/** Half-width, upper case, without what people put around an answer: blanks, brackets, quotes, 答案：, a closing stop. */
function levelled(raw: string): string {
  return visibleText(raw)
    .replace(/<[^>]*>|&nbsp;/g, ' ')
    .normalize('NFKC')
    .toUpperCase()
    .replace(/\ufe0f/g, '')
    .trim()
    .replace(/^(?:正确|参考|标准)?(?:答案|选项|选)\s*[:：]?\s*(?=.)/, '')
    .replace(/^[\s"'“”‘’([{【〔<《「]+|[\s"'“”‘’)\]}】〕>》」.。;；]+$/g, '');
}

/**
 * Reads the answer of a judge question (type 1): 对 错 √ × T F 是 否 正确 错误 TRUE FALSE, A and B.
 * @param options the texts of options A and B where the author gave any: with A "错" and B "对", the answer A means wrong.
 * @returns 'A' for right or 'B' for wrong
 */
export function readJudgeAnswer(raw: string, options: Readonly<Record<string, string>> = {}): Checked<'A' | 'B'> {
  const word = levelled(raw).replace(/\s+/g, '');
  if (word === '') return { ok: false, why: '没有写答案' };
  const given = Object.keys(options);
  if (given.length > 0) {
    const meanings = Object.fromEntries(given.map((letter) => [letter, meaningOf(options[letter] ?? '')]));
    if (given.length !== 2 || !meanings.A || !meanings.B || meanings.A === meanings.B) {
      return { ok: false, why: '判断题的选项只能是 A 和 B，一个表示对，一个表示错（也可以不写选项）' };
    }
    if (word === 'A' || word === 'B') return { ok: true, value: meanings[word] ?? 'A' };
  }
  const value = JUDGE_WORDS[word];
  return value ? { ok: true, value } : { ok: false, why: `判断题的答案${shown(raw)}看不懂，请写 对 或 错` };
}

/** What an option of a judge question says, its own letter in front tolerated: "A. 正确". */
function meaningOf(option: string): 'A' | 'B' | undefined {
  const word = levelled(option).replace(/\s+/g, '');
  return JUDGE_WORDS[word.replace(/^[AB][.、,:)]?(?=.)/, '')] ?? JUDGE_WORDS[word];
}

/** `B.乙` where option B reads 乙: the letter alone. */
function withoutText(word: string, options: Readonly<Record<string, string>>): string {
  const [, letter = '', text = ''] = /^([A-Z])\s*[.、,:)]\s*(.+)$/s.exec(word) ?? [];
  const option = options[letter];
  const bare = (said: string) => levelled(said).replace(/\s+/g, '');
  return text !== '' && option !== undefined && bare(option) === bare(text) ? letter : word;
}

/**
 * Reads the letters of a choice question (types 2, 3, 5): `AB`, `A,B`, `A、B`, ` a b d `, `ＡＢ`, `（ABD）`, `答案：C`.
 * Also `[A][B]`, `AB项`, `B选项`, and the letter with the text of its option (`B.乙`).
 * @param letters the letters of the options that exist
 * @param options their texts, by which `B.乙` is known; a letter with another text is refused
 * @returns the letters ascending without separators. A letter twice, or one without an option, is a mistake and not a
 *   habit: better to refuse a row than to store a wrong key.
 */
export function readLetters(
  raw: string,
  type: QuestionType,
  letters: readonly string[],
  options: Readonly<Record<string, string>> = {},
): Checked<string> {
  const word = withoutText(levelled(raw), options).replace(/([A-Z])\s*选?项$/, '$1');
  if (word === '') return { ok: false, why: '没有写答案' };
  const [, first = '', last = ''] = /^([A-Z])\s*-\s*([A-Z])$/.exec(word) ?? [];
  if (last > first && last.charCodeAt(0) - first.charCodeAt(0) > 1)
    return {
      ok: false,
      why: `答案${shown(raw)}看不出是“从 ${first} 到 ${last}”还是“${first} 和 ${last}”，请逐个写出字母，如 ${first}${last}`,
    };
  const bare = word.replace(/[[\](){}【】〔〕\s,，、;；/|.．。·•:：和及与&+()-]/g, '');
  if (!/^[A-Z]+$/.test(bare))
    return {
      ok: false,
      why: `答案${shown(raw)}看不懂，${TYPE_NAMES[type]}的答案须为选项字母，如 ${type === 2 ? 'B' : 'ABD'}`,
    };
  const chosen = [...bare].sort();
  const twice = chosen.find((letter, at) => chosen[at + 1] === letter);
  if (twice) return { ok: false, why: `答案${shown(raw)}里字母 ${twice} 重复了` };
  const unknown = chosen.filter((letter) => !letters.includes(letter));
  if (unknown.length > 0) return { ok: false, why: `答案${shown(raw)}里的 ${unknown.join('、')} 没有对应的选项` };
  if (type === 2 && chosen.length > 1) return { ok: false, why: `单选题只能有一个答案，这里写了${shown(raw)}` };
  if (type === 3 && chosen.length < 2)
    return { ok: false, why: `多选题至少要有两个答案，这里只写了${shown(raw)}（若可只选一个，题型请写 不定项）` };
  return { ok: true, value: chosen.join('') };
}
