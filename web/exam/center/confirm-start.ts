import { confirm } from '#ui/confirm.ts';
import { t } from '#web/lib/t.ts';
import { type Retake, sayRule } from './retake.ts';

/** Asks before a clock starts that cannot be stopped. Resolves to whether to start; at once where there is no time limit. */
export async function confirmStart(paper: {
  examName: string;
  totalQuestion: number;
  examTime: number | null;
  retake: Retake;
}): Promise<boolean> {
  if (paper.examTime === null) return true;
  return confirm({
    title: t('开始“{name}”？', { name: paper.examName }),
    text: [
      t('共 {count} 题，限时 {minutes} 分钟。开始后计时不会停止，时间到自动交卷。', {
        count: paper.totalQuestion,
        minutes: paper.examTime,
      }),
      sayRule(paper.retake).join(' · '),
    ].join(' '),
    yes: t('开始'),
  });
}
