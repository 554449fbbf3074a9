import type { Checked } from '#content/checked.ts';
import { squeezed } from '#content/sheet/squeezed.ts';
import type { QuestionType } from '#rules/exam/answer.ts';
import type { ScoringPoint } from '#rules/exam/scoring-points.ts';

/** The letters options may have, in order. */
export const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] as const;

/** What a judge question offers, whatever its author wrote: A is right, B is wrong. */
export const JUDGE_OPTIONS: Readonly<Record<string, string>> = { A: '对', B: '错' };

/** A question that has passed every check and may be stored as it is. */
export interface CheckedQuestion {
  /** Stable in its pack. */
  key: string;
  type: QuestionType;
  /** Sanitized HTML. */
  topic: string;
  /** Letter to sanitized HTML; {} for types 4 and 8. */
  options: Record<string, string>;
  /** Letters ascending, or sanitized HTML for types 4 and 8. */
  rightAnswer: string;
  /** Sanitized HTML; '' when there is none. */
  analysis: string;
  score: number;
  difficulty: number | null;
  /** What it asks about (知识点); null: not said. Questions of one pack with the same words stand for each other in a review. */
  knowledgePoint: string | null;
  /** What a reference answer of types 4 and 8 gives marks for (采点); [] when its author wrote none. */
  points: ScoringPoint[];
}

/** How each type is called in messages. */
export const TYPE_NAMES: Readonly<Record<QuestionType, string>> = {
  1: '判断题',
  2: '单选题',
  3: '多选题',
  4: '简答题',
  5: '不定项选择题',
  8: '自评简答题',
};

const TYPES = new Map<string, QuestionType>(
  Object.entries({
    判断: 1,
    是非: 1,
    对错: 1,
    单选: 2,
    单项选择: 2,
    单项: 2,
    单选选择: 2,
    多选: 3,
    多项选择: 3,
    多项: 3,
    简答: 4,
    问答: 4,
    论述: 4,
    主观: 4,
    名词解释: 4,
    计算: 4,
    计算分析: 4,
    案例分析: 4,
    综合: 4,
    材料分析: 4,
    不定项: 5,
    不定项选择: 5,
    不定选: 5,
    任选: 5,
    自评简答: 8,
    自评: 8,
    简答自评: 8,
  } as const),
);

/**
 * Reads a question type: 单选, 单选题, 单项选择题, （多选）… @returns the type, or why not: 填空题 has no counterpart here,
 * and a bare 选择题 does not say how many answers are right.
 */
export function readType(text: string): Checked<QuestionType> {
  const word = squeezed(text)
    .replace(/^[[(【〔]+|[\])】〕]+$/g, '')
    .replace(/[型试]?题$/, '');
  if (word === '') return { ok: false, why: '没有写题型' };
  const type = TYPES.get(word);
  if (type) return { ok: true, value: type };
  if (word === '填空')
    return {
      ok: false,
      why: '没有填空题这种题型“填空”：请改为 简答 或 自评简答（由学员对照参考答案评分），或写出选项改为 单选',
    };
  return {
    ok: false,
    why: `不认识的题型“${text.trim().slice(0, 20)}”，可用：判断、单选、多选、不定项、简答、自评简答`,
  };
}

/** Reads points: a number from 0.5 to 100 in steps of 0.5; `2分` is read too. */
export function readScore(text: string): Checked<number> {
  const written = squeezed(text).replace(/分$/, '');
  // Not the numbers of programs: 0x10 would be 16.
  const value = /^[-+\d.]/.test(written) && !/^\+?0[box]/i.test(written) ? Number(written) : Number.NaN;
  if (Number.isFinite(value) && value >= 0.5 && value <= 100 && Number.isInteger(value * 2)) return { ok: true, value };
  return { ok: false, why: `分值“${text.trim().slice(0, 20)}”不正确，须为 0.5 到 100 之间、以 0.5 为单位的数` };
}

const DIFFICULTIES = new Map(
  Object.entries({
    很易: 1,
    容易: 1,
    简单: 1,
    易: 1,
    低: 1,
    较易: 2,
    较容易: 2,
    较简单: 2,
    偏易: 2,
    中: 3,
    中等: 3,
    一般: 3,
    适中: 3,
    普通: 3,
    较难: 4,
    偏难: 4,
    较困难: 4,
    难: 5,
    困难: 5,
    很难: 5,
    高: 5,
  }),
);

/** A share of right answers, or of wrong ones: both are written so. */
const SHARE = /^(?:0?\.\d+|0|\d{1,3}%)$/;

/** Reads a difficulty: 1 (easy) to 5, or the usual words from 易 to 难. */
export function readDifficulty(text: string): Checked<number> {
  const word = squeezed(text);
  const value = DIFFICULTIES.get(word) ?? (/^[1-5](?:\.0+)?$/.test(word) ? Math.trunc(Number(word)) : undefined);
  if (value) return { ok: true, value };
  return {
    ok: false,
    why: `难度“${text.trim().slice(0, 20)}”不正确，${SHARE.test(word) ? '小数的难度系数含义不一（越大越易还是越难），' : ''}须为 1 到 5，或 易、较易、中、较难、难`,
  };
}

/** The longest name of a knowledge point, in characters. */
const LONGEST_POINT = 100;

/** Reads the name of a knowledge point: one line, blanks as one. */
export function readKnowledgePoint(text: string): Checked<string> {
  const name = text.replace(/\s+/g, ' ').trim();
  if (name.length <= LONGEST_POINT) return { ok: true, value: name };
  return { ok: false, why: `知识点“${name.slice(0, 20)}…”太长，最多 ${LONGEST_POINT} 个字` };
}

/** The longest key that a school gives a question (编号), in characters. */
const LONGEST_KEY = 64;

/** Reads the school's own key of a question: one line, blanks as one, wide characters as narrow ones; '' where there is none. */
export function readSchoolKey(text: string): Checked<string> {
  const key = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  if ([...key].length <= LONGEST_KEY) return { ok: true, value: key };
  return { ok: false, why: `编号“${key.slice(0, 20)}…”太长，最多 ${LONGEST_KEY} 个字` };
}

/**
 * Checks that options begin at A and leave no gap, and that there are two to eight of them.
 * @param letters the letters that have a text
 */
export function checkLetters(letters: readonly string[]): Checked<string[]> {
  const known = LETTERS.filter((letter) => letters.includes(letter));
  if (known.length < 2)
    return { ok: false, why: known.length === 0 ? '没有选项' : `只有选项${known[0]}，至少要有两个选项` };
  const gap = LETTERS.slice(0, known.length).find((letter) => !known.includes(letter));
  if (gap) return { ok: false, why: `选项${gap}是空的，而后面还有选项${known.at(-1)}，选项须从 A 起连续` };
  return { ok: true, value: known };
}
