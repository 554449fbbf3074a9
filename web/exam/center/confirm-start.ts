import { languageOf } from '#rules/rich-text/language.ts';
import { confirm } from '#ui/confirm.ts';
import { CallError, type Data, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { manyLetters, typeNames } from '../paper.ts';
import { formatScore } from '../score.ts';
import { type Retake, sayRule } from './retake.ts';

/** Milliseconds that a start waits for what the paper is made of; after that it is asked with what is known. */
const LOOK = 3000;
/** Parts that are named; of a paper with more its types are. */
const PARTS = 8;

type Before = Data<'GET /app/exam/before_start'>;

/**
 * Asks before a clock starts that cannot be stopped, and says what the paper is made of and how much time this student has. Resolves to
 * whether to start; at once where there is no time limit.
 */
export async function confirmStart(paper: {
  examId: number;
  examName: string;
  totalQuestion: number;
  examTime: number | null;
  retake: Retake;
}): Promise<boolean> {
  const { examId, examName, totalQuestion, examTime, retake } = paper;
  if (examTime === null) return true;
  const before = await send('GET /app/exam/before_start', { examId }, { timeout: LOOK }).catch((error: unknown) => {
    if (error instanceof CallError) return null;
    throw error;
  });
  const limit = { count: before?.totalQuestion ?? totalQuestion, minutes: before?.ownTime ?? examTime };
  return confirm({
    title: t('开始“{name}”？', { name: examName }),
    text: [
      t('共 {count} 题，限时 {minutes} 分钟。开始后计时不会停止，时间到自动交卷。', limit),
      ...(limit.minutes > examTime
        ? [t('您的考试时间已延长，这份试卷通常限时 {minutes} 分钟。', { minutes: examTime })]
        : []),
      [...(before === null ? [] : sayRules(before)), ...sayRule(before?.retake ?? retake)].join(' · '),
    ]
      .filter((line) => line !== '')
      .join('\n'),
    ...(before === null ? {} : { facts: partsOf(before) }),
    yes: t('开始'),
    careful: true,
  });
}

/** Its parts, or its types where it has no parts, with their questions and points; then all of it. */
function partsOf({ totalQuestion, totalScore, parts, types }: Before) {
  const named = parts.every(({ title }) => title !== '') && parts.length > 0 && parts.length <= PARTS;
  const sayOf = ({ count, score }: { count: number; score: number }) =>
    t('{count} 题 · {score} 分', { count, score: formatScore(score) });
  return [
    ...(named
      ? parts.map((part) => ({ name: part.title, lang: languageOf(part.title), value: sayOf(part) }))
      : types.map((type) => ({ name: t(typeNames[type.questionTypesId] ?? ''), value: sayOf(type) }))),
    { name: t('合计'), value: sayOf({ count: totalQuestion, score: totalScore }) },
  ];
}

function sayRules({ types, partial, shuffled }: Before): string[] {
  const said: string[] = [];
  if (types.some(({ questionTypesId }) => manyLetters(questionTypesId)))
    said.push(
      partial === null
        ? t('多选题少选、错选不得分')
        : t('多选题少选得 {percent}% 的分，错选不得分', { percent: formatScore(partial * 100) }),
    );
  if (shuffled) said.push(t('题目或选项的顺序每次不同'));
  return said;
}
