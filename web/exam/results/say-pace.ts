import { lostPerMinute } from '#rules/exam/answer-time.ts';
import { t } from '#web/lib/t.ts';
import { formatScore } from '../score.ts';

/** How many points each minute cost, in words; undefined where none was lost, or no time is known. */
export function sayPace(lost: number, seconds: number): string | undefined {
  const pace = lostPerMinute(lost, seconds);
  return pace === null || lost <= 0 ? undefined : t('每分钟失 {points} 分', { points: formatScore(pace) });
}

/** The name of a difficulty from 1 (easy) to 5; 0: the question says none. */
export function difficultyName(difficulty: number): string {
  return difficulty === 0 ? t('未标难度') : t('难度 {level}', { level: difficulty });
}
