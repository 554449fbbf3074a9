import { type Trouble, troubleOf } from './trouble.ts';

/** Milliseconds in which one kind of trouble is said once, with how often it came. */
const SAID_EVERY = 1000;

/** What stands in the log of a trouble. */
interface TroubleLine {
  trouble: Trouble;
  /** How many calls and chores met it since the last line. */
  times: number;
  /** The newest of them. */
  where: string;
  reason: string;
}

/** What went wrong with a database lately: a line a second for each kind, however many met it, and no stack for each. */
export class Troubles {
  readonly #silent = new Map<Trouble, { times: number; say: (() => void) | null }>();
  #mayBeFull = false;

  /**
   * Whether the last writes failed for want of space or because of the disk: then only a write tells whether it is over.
   */
  get mayBeFull(): boolean {
    return this.#mayBeFull;
  }

  /** A write went well. */
  wrote(): void {
    this.#mayBeFull = false;
  }

  /**
   * Takes note of a trouble that somebody met.
   * @param where what was being done, e.g. a call
   * @returns which; null: the error is another one, of which nothing was noted
   */
  note(error: unknown, where: string, say: (line: TroubleLine) => void): Trouble | null {
    const trouble = troubleOf(error);
    if (trouble === null) return null;
    if (trouble === 'full' || trouble === 'ill') this.#mayBeFull = true;
    const line = (times: number) => say({ trouble, times, where, reason: reasonOf(error) });
    const silent = this.#silent.get(trouble);
    if (silent) {
      silent.times += 1;
      silent.say = () => line(silent.times);
      return trouble;
    }
    line(1);
    this.#beSilent(trouble);
    return trouble;
  }

  #beSilent(trouble: Trouble): void {
    const silent: { times: number; say: (() => void) | null } = { times: 0, say: null };
    this.#silent.set(trouble, silent);
    setTimeout(() => {
      this.#silent.delete(trouble);
      if (silent.say === null) return;
      silent.say();
      this.#beSilent(trouble);
    }, SAID_EVERY).unref();
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = 'code' in error ? `${String(error.code)} ${error.message}` : error.message;
  return error.cause instanceof Error ? `${own} (${reasonOf(error.cause)})` : own;
}
