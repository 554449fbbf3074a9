/** Sends sign-in codes. Providers are adapters behind this. */
export interface SmsSender {
  /** Sends one code; throws `SmsNotSent` when the provider did not accept it. */
  send(phone: string, code: string): Promise<void>;
}

/** A code that was not sent. The message is for the log: it names neither the phone in full nor any key. */
export class SmsNotSent extends Error {
  /** `tooSoon`: the provider's own limit for this number; `failed`: anything else. */
  readonly reason: 'tooSoon' | 'failed';
  constructor(reason: 'tooSoon' | 'failed', message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Writes the code to the log: for demos and development; the start refuses it in production. */
export function consoleSms(say: (line: string) => void): SmsSender {
  return {
    send: async (phone, code) => {
      say(`SMS to ${phone}: ${code}`);
    },
  };
}
