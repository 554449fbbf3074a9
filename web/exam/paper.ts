import type { Static } from 'typebox';
import type { DataOf } from '#contract/call.ts';
import type {
  ExamCache,
  ExamDetails,
  KeyedQuestion as KeyedQuestionSchema,
  ResultTip,
  ReviewExam,
  SubmitExam,
} from '#contract/exam.ts';
import { sortLetters } from '#rules/exam/answer.ts';
import { msg } from '#web/lib/t.ts';

/** The questions of a record, in the order of that record. */
export type Paper = DataOf<typeof ExamDetails>;
export type Question = Paper['questions'][number];
export type KeyedQuestion = Static<typeof KeyedQuestionSchema>;
export type CaseMaterial = Paper['cases'][number];
/** What the server stores of a record at one moment (`/api/exam/cache`): answers, marks, remaining time. */
export type RecordSnapshot = DataOf<typeof ExamCache>;
/** What a hand-in comes to: the record, and the questions whose answer came too late. */
export type HandInReply = DataOf<typeof SubmitExam>;
export type Result = DataOf<typeof ResultTip>;
export type Review = DataOf<typeof ReviewExam>;
export type ReviewedQuestion = Review['questions'][number];

/** Judge, single, multiple and indefinite choice are answered by letters; 4 and 8 by text. */
export function byLetters(type: number): boolean {
  return type === 1 || type === 2 || type === 3 || type === 5;
}

/** Types where several letters may be right. */
export function manyLetters(type: number): boolean {
  return type === 3 || type === 5;
}

/** The interface name of a question type, in Chinese: the key for `t`. */
export const typeNames: Readonly<Record<number, string>> = {
  1: msg('判断题'),
  2: msg('单选题'),
  3: msg('多选题'),
  4: msg('简答题'),
  5: msg('不定项选择题'),
  8: msg('自评简答题'),
};

/** The interface name of an exam kind, in Chinese: the key for `t`. */
export const kindNames: Readonly<Record<string, string>> = {
  chapter: msg('章节练习'),
  afterclass: msg('课后练习'),
  mock: msg('模拟考试'),
  past: msg('历年真题'),
  timed: msg('限时测试'),
  own: msg('自选练习'),
  random: msg('随机组卷'),
};

/** The letters of a question in the order shown. */
export function lettersOf(options: Readonly<Record<string, string>>): string[] {
  return Object.keys(options).sort();
}

/** The answer after choosing a letter: replaced for one letter, toggled and kept sorted for several (spec §4 Exam). */
export function choose(type: number, answer: string, letter: string): string {
  if (!manyLetters(type)) return letter;
  const letters = new Set(answer);
  if (!letters.delete(letter)) letters.add(letter);
  return sortLetters([...letters].join(''));
}
