import { t } from '#web/lib/t.ts';
import { formatScore } from './score.ts';

/** What a part of the right letters brings, by a paper's rule. @param share of the points; null: nothing */
export function sayPartShare(share: number | null): string {
  return share === null ? t('少选不得分') : t('少选得 {percent}% 的分', { percent: formatScore(share * 100) });
}
