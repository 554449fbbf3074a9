import type { QuestionType } from '#rules/exam/answer.ts';
import { readJudgeAnswer } from './answer-key.ts';

/** What stands in brackets at the end of a topic: where the gap for the answer is, in banks that were made from papers. */
const LAST_BRACKETS = /[(（【[]\s*([^()（）【】[\]]{1,20}?)\s*[)）】\]]\s*[。．.？?！!：:]?\s*$/;
/** How much of the end of a topic is looked at (characters). */
const LOOKED_AT = 60;
/** In the middle of a sentence only with blanks around, as a gap that was filled in: `图(A)` is none. */
const FILLED = /[(（][\s\u3000]+([A-H](?:[\s、,，]*[A-H])*)[\s\u3000]+[)）]/;

const lettersOf = (text: string) => {
  const bare = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s、,]/g, '');
  return /^[A-H]{1,8}$/.test(bare) ? [...bare].sort().join('') : null;
};

/**
 * That a topic has an answer in its gap, as a sentence in Chinese: students would read it, and if it is another one than that of the row, one of them is
 * wrong. @returns null: nothing
 * @param topic as a text
 */
export function answerInTopic(topic: string, type: QuestionType, rightAnswer: string): string | null {
  const last = LAST_BRACKETS.exec(topic.trimEnd().slice(-LOOKED_AT))?.[1];
  const filled = type === 1 ? undefined : FILLED.exec(topic)?.[1];
  for (const written of [last, filled]) {
    if (written === undefined) continue;
    const judged = type === 1 && !/^[A-Za-z0-9]$/.test(written) ? readJudgeAnswer(written) : null;
    const letters = type === 1 ? (judged?.ok ? judged.value : null) : lettersOf(written);
    if (letters === null) continue;
    return letters === rightAnswer
      ? `里写着答案“（${written}）”，学员作答时看得到；请改成空的括号`
      : `里写着“（${written}）”，和“答案”一列不一样，学员作答时也看得到；请核对，并改成空的括号`;
  }
  return null;
}

/** What an analysis concludes; not what it says of an option (`故选项 B 错误`). */
const CONCLUDES =
  /(?:故选|故答案[为是选]|[因故]此选|所以选|应选|本题选|正确答案[为是]?|【答案】)[ \u3000]{0,4}[:：]?[ \u3000]{0,4}([A-H](?:[ 、,，]{0,2}[A-H]){0,7})(?![A-Za-z项])/g;

/** That an analysis concludes other letters than those of the row, as a sentence in Chinese; null: nothing. @param analysis as a text */
export function otherConclusion(analysis: string, rightAnswer: string): string | null {
  const concluded = [...analysis.normalize('NFKC').matchAll(CONCLUDES)].map(([whole, letters = '']) => ({
    whole,
    letters,
  }));
  const last = concluded.at(-1);
  if (last === undefined || concluded.some(({ letters }) => lettersOf(letters) === rightAnswer)) return null;
  return `里写着“${last.whole}”，和“答案”一列的 ${rightAnswer} 不一样；请核对`;
}
