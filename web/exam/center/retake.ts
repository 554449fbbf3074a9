import { mayRetake } from '#rules/exam/retake.ts';
import { formatMoment } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';

export type Retake = Data<'GET /api/exam/exam_list'>['list'][number]['retake'];

const MINUTE = 60_000;

/** Which record counts in the ranking, in words. */
export const countedNames = {
  first: msg('排名只算第一次'),
  best: msg('排名算最高的一次'),
  last: msg('排名算最后一次'),
} as const;

/** What a paper says of sitting it again; nothing where it says nothing of its own. */
export function sayRule({ most, left, after, counts }: Retake): string[] {
  const said: string[] = [];
  if (most !== null && left !== null) said.push(t('可考 {most} 次，还剩 {left} 次', { most, left }));
  if (after !== null) said.push(t('两次至少间隔 {minutes} 分钟', { minutes: after }));
  if (most !== 1 && (said.length > 0 || counts !== 'first')) said.push(t(countedNames[counts]));
  return said;
}

/** Why no new record may begin now, as a short sentence; null: it may. */
export function whyNotAgain(retake: Retake, now: number): string | null {
  const may = mayRetake(retake, now);
  if (may.ok) return null;
  if (may.why === 'noAttemptsLeft' || retake.nextAt === null) return t('次数已用完');
  // Said to the minute: never one in which it is refused.
  const minute = Math.ceil(retake.nextAt / MINUTE) * MINUTE;
  return t('{moment} 后可再考', { moment: formatMoment(minute, now) });
}
