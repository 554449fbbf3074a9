import { type Allowance, takeMore, type Used } from '#rules/user/allowance.ts';
import { addressKey } from '#rules/user/limits.ts';

/** Keys that the server is asked for: by one address (an IPv6 network of 64 bits is one), and by all together. */
const OF_ADDRESS: Allowance = { most: 10, within: 1000 };
const OF_ALL: Allowance = { most: 50, within: 1000 };
/** Questions that may be open at once. */
const MOST_OPEN = 32;
const MOST_OPEN_OF_ADDRESS = 4;

interface Waiting {
  key: string;
  isHere: () => boolean;
  answer: (stream: string | null) => void;
}

interface Address {
  waiting: Waiting[];
  open: number;
  used: Used | undefined;
}

/**
 * In whose turn the server is asked for keys: addresses one after the other, so that whoever asks for a thousand wrong ones waits for
 * their own turn and keeps nobody else from theirs. Nobody is refused for asking much; who is gone is not asked for.
 */
export class AskTurns {
  /** In the order of their turns. */
  private readonly addresses = new Map<string, Address>();
  private used: Used | undefined;
  private open = 0;
  private later: NodeJS.Timeout | undefined;
  private readonly now: () => number;
  private readonly ask: (key: string) => Promise<string | null>;

  /** @param now milliseconds @param ask asks the server whose stream a key is; does not throw */
  constructor(now: () => number, ask: (key: string) => Promise<string | null>) {
    this.now = now;
    this.ask = ask;
  }

  /** Whose stream a key is, once it is its address's turn. @param isHere whether who asks still waits */
  wait(ip: string, key: string, isHere: () => boolean): Promise<string | null> {
    return new Promise((answer) => {
      const name = addressKey(ip);
      const address = this.addresses.get(name) ?? { waiting: [], open: 0, used: undefined };
      // As many as connections of it are open; those of closed ones go.
      address.waiting = address.waiting.filter((each) => this.isWaiting(each));
      address.waiting.push({ key, isHere, answer });
      this.addresses.set(name, address);
      this.next();
    });
  }

  private isWaiting({ isHere, answer }: Waiting): boolean {
    if (isHere()) return true;
    answer(null);
    return false;
  }

  /** Asks for all whose turn it is, and comes back when more may be asked. */
  private next(): void {
    clearTimeout(this.later);
    let wait = Number.POSITIVE_INFINITY;
    for (const [name, address] of [...this.addresses]) {
      address.waiting = address.waiting.filter((each) => this.isWaiting(each));
      const now = this.now();
      if (address.waiting.length === 0 || address.open >= MOST_OPEN_OF_ADDRESS || this.open >= MOST_OPEN) {
        this.forget(name, address, now);
        continue;
      }
      const own = takeMore(OF_ADDRESS, address.used, 1, now);
      if (!own.ok) {
        wait = Math.min(wait, own.retryAfter);
        continue;
      }
      const all = takeMore(OF_ALL, this.used, 1, now);
      if (!all.ok) {
        wait = Math.min(wait, all.retryAfter);
        break;
      }
      this.used = all.used;
      address.used = own.used;
      // Its next turn comes after that of all others.
      this.addresses.delete(name);
      this.addresses.set(name, address);
      const [first] = address.waiting.splice(0, 1);
      if (first) void this.askFor(address, first);
      if (address.waiting.length > 0) wait = 0;
    }
    if (wait < Number.POSITIVE_INFINITY) this.later = setTimeout(() => this.next(), Math.max(1, wait)).unref();
  }

  private async askFor(address: Address, { key, answer }: Waiting): Promise<void> {
    address.open += 1;
    this.open += 1;
    answer(await this.ask(key));
    address.open -= 1;
    this.open -= 1;
    this.next();
  }

  /** Nothing is kept of an address that has nothing to wait for and used nothing lately. */
  private forget(name: string, { waiting, open, used }: Address, now: number): void {
    if (waiting.length === 0 && open === 0 && (used === undefined || now - used.at > OF_ADDRESS.within))
      this.addresses.delete(name);
  }
}
