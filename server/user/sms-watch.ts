import { Counter, Gauge, type Registry } from 'prom-client';
import { ALARM_SHARE } from '#rules/user/limits.ts';
import type { Parts } from '#server/parts.ts';
import { eventsWithin } from './rate-limit.ts';

const HOUR = 60 * 60 * 1000;
/** An attack lasts: it is said once in so many milliseconds, not at each code. */
const SAY_EVERY = 5 * 60 * 1000;

interface SmsWatch {
  /** A code was sent. */
  sent(): void;
  /** A code was not sent, because the school's hour is used up. */
  heldBack(): void;
  /** Looks how much of the hour is used, and tells the operator when it is much. */
  look(now: number): Promise<void>;
}

/** The school's SMS in log and metrics: codes cost money, and a flood of them is an attack (decisions §7). */
export function smsWatch({ db, log, metrics, smsBudget }: Parts): SmsWatch {
  const sent = counter(metrics, 'lixue_sms_sent_total', 'SMS codes sent by this process.');
  const held = counter(metrics, 'lixue_sms_held_back_total', 'SMS codes not sent since the school’s hour was used up.');
  const name = 'lixue_sms_hour_share';
  const share =
    (metrics.getSingleMetric(name) as Gauge | undefined) ??
    new Gauge({ name, help: 'SMS codes of the last hour, of what SMS_PER_HOUR allows.', registers: [metrics] });
  const saidAt = new Map<string, number>();
  const say = (sentence: string) => {
    const now = performance.now();
    if (now - (saidAt.get(sentence) ?? Number.NEGATIVE_INFINITY) < SAY_EVERY) return;
    saidAt.set(sentence, now);
    log.error({ perHour: smsBudget.perHour }, sentence);
  };
  return {
    sent: () => sent.inc(),
    heldBack: () => {
      held.inc();
      say('SMS codes are held back: the school’s hour is used up');
    },
    look: async (now) => {
      const used = (await eventsWithin(db.query, 'sms-school', HOUR, now)) / smsBudget.perHour;
      share.set(used);
      if (used >= ALARM_SHARE) say('unusually many SMS codes: half of the school’s hour is used');
    },
  };
}

function counter(metrics: Registry, name: string, help: string): Counter {
  return (metrics.getSingleMetric(name) as Counter | undefined) ?? new Counter({ name, help, registers: [metrics] });
}
