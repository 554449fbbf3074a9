/** Milliseconds of reading in one go, after which everything else that has arrived comes first. */
const AT_A_STRETCH = 4;
/** Reads of one person under way at once; the person's others wait for them. */
const AT_ONCE = 4;

/** A person's reads: how many may be under way and are, and those that wait. */
interface Reader {
  readonly most: number;
  underWay: number;
  readonly waiting: (() => Promise<unknown>)[];
}

/**
 * The turns of calls that change nothing. What reads takes the thread that saves are answered on: so after a few
 * milliseconds of it all else that has come in goes first, and then one person's next read after another's, however many
 * each of them sent. While nothing waits, a read begins at once.
 */
export class ReadTurns {
  readonly #readers = new Map<number, Reader>();
  /** People with reads that may begin, the next one first. */
  readonly #ready: Reader[] = [];
  #began = Number.NEGATIVE_INFINITY;
  #reading = false;
  #pumping = false;

  /** Does a person's read when it is its turn. @param userId 0: visitors together */
  async of<T>(userId: number, work: () => Promise<T>): Promise<T> {
    // Visitors are many people under one name.
    const most = userId === 0 ? Number.POSITIVE_INFINITY : AT_ONCE;
    const reader = this.#readers.get(userId) ?? { most, underWay: 0, waiting: [] };
    this.#readers.set(userId, reader);
    if (reader.underWay < reader.most && !this.#pumping && this.#hasTime()) return this.#begin(userId, reader, work);
    return new Promise<T>((resolve, reject) => {
      reader.waiting.push(() => this.#begin(userId, reader, work).then(resolve, reject));
      this.#mayBegin(reader);
    });
  }

  /** Whether this turn of the event loop has time left for reading. */
  #hasTime(): boolean {
    const now = performance.now();
    if (!this.#reading) {
      this.#reading = true;
      this.#began = now;
      setImmediate(() => {
        this.#reading = false;
      });
    }
    return now - this.#began < AT_A_STRETCH;
  }

  async #begin<T>(userId: number, reader: Reader, work: () => Promise<T>): Promise<T> {
    reader.underWay += 1;
    try {
      return await work();
    } finally {
      reader.underWay -= 1;
      if (reader.waiting.length > 0) this.#mayBegin(reader);
      else if (reader.underWay === 0) this.#readers.delete(userId);
    }
  }

  #mayBegin(reader: Reader): void {
    if (reader.underWay >= reader.most) return;
    if (!this.#ready.includes(reader)) this.#ready.push(reader);
    void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      await nextTurn();
      for (let reader = this.#ready.shift(); reader; reader = this.#ready.shift()) {
        const begin = reader.waiting.shift();
        if (!begin) continue;
        // What only computes is done when this goes on; what waits for a disk or a database lets others go on meanwhile.
        const done = begin();
        if (reader.waiting.length > 0) this.#mayBegin(reader);
        const waits = await Promise.race([done.then(() => false), nextTurn()]);
        if (waits === false && !this.#hasTime()) await nextTurn();
      }
    } finally {
      this.#pumping = false;
    }
  }
}

/** Lets everything that has arrived go first. */
const nextTurn = () => new Promise<true>((wake) => setImmediate(() => wake(true)));
