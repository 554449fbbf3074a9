import { t } from '#web/lib/t.ts';

/**
 * How long an open record goes on, in words.
 * @param endsAt milliseconds of the server's clock; null: it has no limit
 */
export function sayTimeLeft(endsAt: number | null, now: number): string {
  if (endsAt === null) return t('进行中');
  const minutes = Math.ceil((endsAt - now) / 60_000);
  return minutes > 0 ? t('剩余 {minutes} 分钟', { minutes }) : t('正在自动交卷');
}
