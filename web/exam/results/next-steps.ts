import type { NextStep } from '#rules/exam/next-steps.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { kindPath } from '../center/CenterHead.tsx';
import { type Result, typeNames } from '../paper.ts';
import { formatScore } from '../score.ts';

/** A step as the page shows it: what to do, why, and where that is. */
interface ShownStep {
  title: string;
  reason: string;
  to: string;
}

/** A step (rules/exam/next-steps.ts) in the person's language, with the place that it opens. */
export function showStep(step: NextStep, result: Pick<Result, 'recordId' | 'packId' | 'examId' | 'kind'>): ShownStep {
  const { recordId, packId, examId, kind } = result;
  // Mistakes made in own practice stay with the paper where the question was first met.
  const exam = kind === 'own' ? undefined : examId;
  switch (step.code) {
    case 'score':
      return {
        title: t('给简答题评分'),
        reason: t('{count} 题还没有评分，评完总分才完整', { count: step.count }),
        to: paths.examReview(recordId, { view: 'list', only: 'pending' }),
      };
    case 'wrongOfChapter':
      return {
        title: t('练“{name}”的错题', { name: step.chapterName }),
        reason: t('这一章丢了 {lost} 分，{count} 题还在错题本里', {
          lost: formatScore(step.lost),
          count: step.count,
        }),
        to: paths.wrongQuestions({ packId, exam, chapter: step.chapterId }),
      };
    case 'practise':
      return {
        title: t('做“{name}”的章节练习', { name: step.chapterName }),
        reason: t('得分率 {rate}%，是最弱的一章', { rate: step.percent }),
        to: paths.exam(step.examId),
      };
    case 'wrongOfType':
      return {
        title: t('练{type}的错题', { type: t(typeNames[step.questionTypesId] ?? '') }),
        reason: t('这种题型丢了 {lost} 分，{count} 题还在错题本里', {
          lost: formatScore(step.lost),
          count: step.count,
        }),
        to: paths.wrongQuestions({ packId, exam, type: step.questionTypesId }),
      };
    case 'review':
      return {
        title: t('完成今日复习'),
        reason: t('今天有 {count} 题要复习', { count: step.count }),
        to: paths.wrongQuestions({ packId }),
      };
    case 'again':
      return {
        title: t('看完解析再做一遍'),
        reason: t('这次得了 {score} 分，及格是 {pass} 分', {
          score: formatScore(step.score),
          pass: formatScore(step.pass),
        }),
        to: paths.examReview(recordId),
      };
    case 'newChapter':
      return {
        title: t('开始“{name}”的章节练习', { name: step.chapterName }),
        reason: t('这一章还没有练过，共 {count} 题', { count: step.totalQuestion }),
        to: paths.exam(step.examId),
      };
    case 'newPaper':
      return {
        title: t('挑战一份新试卷'),
        reason: t('还有 {count} 份试卷没有做过', { count: step.count }),
        to: kindPath('mock', packId),
      };
    case 'wrongOfPack':
      return {
        title: t('练这门课程的错题'),
        reason: t('这门课程还有 {count} 题在错题本里', { count: step.count }),
        to: paths.wrongQuestions({ packId }),
      };
    case 'random':
      return {
        title: t('随机组一份试卷'),
        reason: t('从题库的 {count} 题里，按您要的题型和题量抽题', { count: step.count }),
        to: paths.randomPaper({ packId }),
      };
  }
}
