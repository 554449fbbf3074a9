import { IconArrowBackUp, IconCheck, IconHourglass, IconX } from '@tabler/icons-react';
import type { OrderState } from '#contract/values/order.ts';
import chip from '#ui/chip.module.css';
import { t } from '#web/lib/t.ts';
import { stateWords } from './order-words.ts';

const icons = { open: IconHourglass, paid: IconCheck, closed: IconX, refunded: IconArrowBackUp } as const;
const tones = { open: 'amber', paid: 'jade', closed: undefined, refunded: 'indigo' } as const;

/** How an order stands: a shape with its word. */
export function StateChip({ state }: { state: OrderState }) {
  const Icon = icons[state];
  return (
    <span className={chip.chip} data-tone={tones[state]}>
      <Icon size={14} stroke={2.2} aria-hidden />
      {t(stateWords[state])}
    </span>
  );
}
