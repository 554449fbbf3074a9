import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { formatYuan } from './yuan.ts';

type Terms = Pick<Data<'GET /api/coupon/list'>['list'][number], 'kind' | 'off' | 'mostOff' | 'threshold'>;

/** What a coupon takes off, in a few letters: −¥20.00, or −20%. */
export function offText({ kind, off }: Pick<Terms, 'kind' | 'off'>): string {
  return kind === 'amount' ? `−${formatYuan(off)}` : `−${off}%`;
}

/** What it asks for, in a sentence. */
export function termsText({ kind, mostOff, threshold }: Terms): string {
  const said = [
    threshold > 0 ? t('满 {sum} 可用', { sum: formatYuan(threshold) }) : t('无门槛'),
    ...(kind === 'percent' && mostOff !== null ? [t('最多减 {sum}', { sum: formatYuan(mostOff) })] : []),
  ];
  return said.join(' · ');
}
