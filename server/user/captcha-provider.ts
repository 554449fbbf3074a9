import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';

/**
 * What a provider says of a proof that a browser brought: a person's, or not; `away` where it says nothing (it cannot be
 * reached, or refuses our keys), with the reason for the log.
 */
export type Word = { is: 'passed' } | { is: 'failed' } | { is: 'away'; reason: string };

/** A captcha of others, whose script runs in the page. Providers are adapters behind this. */
export interface CaptchaProvider {
  /** What the page has to know to show it. */
  shown: { sceneId: string; prefix: string; region: 'cn' | 'sgp' };
  /** From where the page may load its script and what that needs: more sources of the page's policy. */
  sources: Partial<Record<'scriptSrc' | 'styleSrc' | 'imgSrc' | 'connectSrc' | 'fontSrc', readonly string[]>>;
  /** Asks the provider about a proof. Never throws, and answers within seconds. */
  verify(proof: string): Promise<Word>;
}

/** A provider that is away stays away: it is said once in so many milliseconds, not at each ticket. */
const SAY_EVERY = 60 * 1000;
const NAME = 'lixue_captcha_provider_total';

/** What the provider said, in log and metrics. `none`: a ticket was earned by the slider though a proof was asked for. */
export function watchProvider({
  log,
  metrics,
}: {
  log: Logger;
  metrics: Registry;
}): (word: Word | { is: 'none' }) => void {
  const said =
    (metrics.getSingleMetric(NAME) as Counter<'word'> | undefined) ??
    new Counter({
      name: NAME,
      help: 'Proofs of the captcha’s provider by what it said of them; none: tickets earned without a proof.',
      labelNames: ['word'],
      registers: [metrics],
    });
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (word) => {
    said.inc({ word: word.is });
    if (word.is !== 'away' || performance.now() - loggedAt < SAY_EVERY) return;
    loggedAt = performance.now();
    log.error({ reason: word.reason }, 'the captcha’s provider says nothing: the slider with the most work stands in');
  };
}
