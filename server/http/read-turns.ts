/** Milliseconds of reading in one go, after which everything else that has arrived comes first. */
const AT_A_STRETCH = 4;
/** A rest after reading is never longer (milliseconds): a change that waits for a lock holds no reader up for long. */
const LONGEST_REST = 2000;
/** Reads of one person under way at once; the person's others wait for them. */
const AT_ONCE = 4;

/** A person's reads: how many may be under way and are, and those that wait. */
interface Reader {
  readonly most: number;
  underWay: number;
  readonly waiting: (() => Promise<unknown>)[];
}

/**
 * The turns of calls that change nothing, and of those that mostly read. What reads takes the thread that saves are answered on: so after a
 * few milliseconds of it all else that has come in goes first, and then one person's next read after another's, however many
 * each of them sent. A save needs the thread several times before it is answered (it comes in, is grouped, flushed, sent): what has read for
 * longer rests as long while any is under way, or a save would wait for a long read at each of its steps. While nothing waits, a read begins
 * at once.
 */
export class ReadTurns {
  readonly #readers = new Map<number, Reader>();
  /** People with reads that may begin, the next one first. */
  readonly #ready: Reader[] = [];
  #began = Number.NEGATIVE_INFINITY;
  /** Changes under way: those that came before the last rest began, and those since. */
  #older = 0;
  #younger = 0;
  /** How many rests there were, which says of a change which of the two it is. */
  #rests = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #olderDone = () => {};
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

  /** Does what is no read, and lets it go before what has read for long. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    const rests = this.#rests;
    this.#younger += 1;
    try {
      return await work();
    } finally {
      if (rests === this.#rests) this.#younger -= 1;
      else {
        this.#older -= 1;
        if (this.#older === 0) this.#olderDone();
      }
    }
  }

  /** Whether this turn of the event loop has time left for reading. */
  #hasTime(): boolean {
    const now = performance.now();
    if (now < this.#restsUntil && this.#older + this.#younger > 0) return false;
    if (!this.#reading) {
      this.#reading = true;
      this.#began = now;
      setImmediate(() => {
        this.#reading = false;
        const end = performance.now();
        const took = end - this.#began;
        if (took >= AT_A_STRETCH) this.#restsUntil = end + Math.min(took, LONGEST_REST);
      });
    }
    return now - this.#began < AT_A_STRETCH;
  }

  /** Waits until reading has time again: for the changes that are under way now, as long as was read before. */
  async #time(): Promise<void> {
    // What came in meanwhile is taken up in the first turn, and under way in the second.
    await nextTurn();
    await nextTurn();
    this.#rests += 1;
    this.#older += this.#younger;
    this.#younger = 0;
    const rest = this.#restsUntil - performance.now();
    if (this.#older > 0 && rest > 0)
      await new Promise<void>((wake) => {
        const timer = setTimeout(wake, rest);
        this.#olderDone = () => {
          clearTimeout(timer);
          wake();
        };
      });
    this.#restsUntil = Number.NEGATIVE_INFINITY;
    while (!this.#hasTime()) await nextTurn();
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
      if (!this.#hasTime()) await this.#time();
      for (let reader = this.#ready.shift(); reader; reader = this.#ready.shift()) {
        const begin = reader.waiting.shift();
        if (!begin) continue;
        // What only computes is done when this goes on; what waits for a disk or a database lets others go on meanwhile.
        const done = begin();
        if (reader.waiting.length > 0) this.#mayBegin(reader);
        const waits = await Promise.race([done.then(() => false), nextTurn()]);
        if (waits === false && !this.#hasTime()) await this.#time();
      }
    } finally {
      this.#pumping = false;
    }
  }
}

/** Lets everything that has arrived go first. */
const nextTurn = () => new Promise<true>((wake) => setImmediate(() => wake(true)));
