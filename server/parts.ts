import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { SmsBudget } from '#rules/user/limits.ts';
import type { Bus } from './bus.ts';
import type { SharedClock } from './db/clock.ts';
import type { Db } from './db/open.ts';
import type { Files } from './files.ts';
import type { PaymentProvider } from './order/provider.ts';
import type { SrsSettings } from './srs-settings.ts';
import type { CaptchaProvider } from './user/captcha-provider.ts';
import type { SmsSender } from './user/sms.ts';

/** Random bytes from a secure source; tests pass their own. */
export type Random = (bytes: number) => Buffer;

/** Everything a feature may reach. Clock and randomness are parts, so that tests own them. */
export interface Parts {
  db: Db;
  files: Files;
  /** A folder of this machine for what is not whole yet; made when it is needed. */
  workFolder: string;
  /** Where encoders of live lessons come to, and the folder of what is recorded; null: this server takes no streams. */
  rtmp: { port: number; host: string; folder: string } | null;
  /** The SRS that takes the streams in place of an ingest of our own; null: none does. */
  srs: SrsSettings | null;
  /** The FFmpeg that the operator names; null: the one that is found. */
  ffmpegPath: string | null;
  /** The share of a lesson's media that has to be seen for it to be finished, 0 to 1. */
  lessonShare: number;
  sms: SmsSender;
  smsBudget: SmsBudget;
  /** Seals the hashes of identity numbers; it stands nowhere in the database (server/user/identity-secret.ts). */
  identitySecret: Buffer;
  /** The captcha of others that strangers are asked for; null: the slider with its work alone. */
  captcha: CaptchaProvider | null;
  /** The companies through which the school takes money. */
  payments: readonly PaymentProvider[];
  /** The cashier that moves no money is there. Never in production. */
  sandboxPay: boolean;
  bus: Bus;
  /** Epoch milliseconds. */
  clock: () => number;
  /**
   * The time for what cannot be undone (closing a paper, deleting what has expired): null while the clock is in doubt, then
   * it waits. With several servers it is never later than the database's time, asked now. Chores are given it.
   */
  sureTime: SharedClock['sureTime'];
  /** Registers what has to be done when the clock was set back while the server ran. */
  onClockSetBack: SharedClock['onSetBack'];
  random: Random;
  log: Logger;
  /** Figures of the features for `/metrics`, beside those of calls and process. */
  metrics: Registry;
  /** Demo mode: demo accounts, codes shown on the login page. Never in production. */
  demo: boolean;
  /** How people reach the server, e.g. https://lixue.example.cn; null: as the request says. */
  publicUrl: string | null;
}
