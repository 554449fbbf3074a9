import type { QuestionType } from '#rules/exam/answer.ts';
import { readJudgeAnswer } from './answer-key.ts';

/** What stands in brackets at the end of a topic: where the gap for the answer is, in banks that were made from papers. */
const LAST_BRACKETS = /(?<whole>[(（【[]\s*(?<said>[^()（）【】[\]]{1,20}?)\s*[)）】\]])\s*[。．.？?！!：:]?\s*$/;
/** How much of the end of a topic is looked at (characters). */
const LOOKED_AT = 60;
/** In the middle of a sentence only with blanks around, as a gap that was filled in: `图(A)` is none. */
const FILLED = /(?<![\w\]])(?<whole>[(（][\s\u3000]+(?<said>[A-HＡ-Ｈ](?:[\s、,，]*[A-HＡ-Ｈ])*)[\s\u3000]+[)）])/;
/** Behind which a letter in brackets is no gap: a name or a number (`P(A)`, `print(A)`, `0.5（A）`, `k[A][B]`). */
const BELONGS = { half: /[\w\]]$/, full: /(?:\d|(?<![A-Za-z])[A-Za-z])$/ };
/** What is an answer of a judge question wherever it stands. Other words are one behind a sentence that has ended: in `值为（True）`, `命题（真）` they belong to it. */
const JUDGES = /^(?:[对错√✓✔×✗✘✕✖]|正确|错误)$/;
const BEHIND_SENTENCE = /[。．.？?！!]\s*$/;

/** Capitals alone: `[e]` is a sound, `print(a)` a call. */
const lettersOf = (text: string, options: readonly string[], type: QuestionType) => {
  const letters = [...text.normalize('NFKC').replace(/[\s、,]/g, '')];
  const isAnswer = letters.length > 0 && letters.every((letter) => options.includes(letter));
  if (!isAnswer || (type === 2 && letters.length > 1)) return null;
  return letters.sort().join('');
};

const judgeOf = (text: string, before: string) => {
  if (/^[A-Za-z0-9]$/.test(text) || !(JUDGES.test(text) || BEHIND_SENTENCE.test(before))) return null;
  const read = readJudgeAnswer(text);
  return read.ok ? read.value : null;
};

/**
 * That a topic has an answer in its gap, as a sentence in Chinese: students would read it, and if it is another one than that of the row, one of them is
 * wrong. @returns null: nothing
 * @param topic as a text
 * @param options the letters of the options that the question has
 */
export function answerInTopic(
  topic: string,
  type: QuestionType,
  rightAnswer: string,
  options: readonly string[],
): string | null {
  const end = topic.trimEnd().slice(-LOOKED_AT);
  for (const found of [LAST_BRACKETS.exec(end), type === 1 ? null : FILLED.exec(topic)]) {
    const { whole = '', said = '' } = found?.groups ?? {};
    if (found === null) continue;
    const before = found.input.slice(0, found.index);
    const told = type === 1 ? judgeOf(said, before) : lettersOf(said, options, type);
    if (told === null || (type !== 1 && BELONGS[/^[([]/.test(whole) ? 'half' : 'full'].test(before))) continue;
    return told === rightAnswer
      ? `里写着答案“${whole}”，学员作答时看得到；请改成空的括号`
      : `里写着“${whole}”，和“答案”一列不一样，学员作答时也看得到；请核对，并改成空的括号`;
  }
  return null;
}

/** What an analysis concludes; not what it says of an option (`故选项 B 错误`), nor a name that begins with a letter (`应选 A 型血`). */
const CONCLUDES =
  /(?:故选|故答案[为是选]|[因故]此选|所以选|应选|本题选|正确答案[为是]?|【答案】)[ \u3000]{0,4}[:：]?[ \u3000]{0,4}([A-H](?:[ 、,，]{0,2}[A-H]){0,7})(?![A-Za-z项]|[ \u3000]{0,4}[型超语级类股座族组])/g;

const sorted = (letters: string) => [...letters.replace(/[ 、,，]/g, '')].sort().join('');

/** That an analysis concludes other letters than those of the row, as a sentence in Chinese; null: nothing. @param analysis as a text */
export function otherConclusion(analysis: string, rightAnswer: string): string | null {
  const concluded = [...analysis.normalize('NFKC').matchAll(CONCLUDES)].map(([whole, letters = '']) => ({
    whole,
    letters,
  }));
  const last = concluded.at(-1);
  if (last === undefined || concluded.some(({ letters }) => sorted(letters) === rightAnswer)) return null;
  return `里写着“${last.whole}”，和“答案”一列的 ${rightAnswer} 不一样；请核对`;
}
