/** Milliseconds of two pictures of a screen that shows sixty a second. */
export const TWO_PICTURES = 33;

/** How often in a row work is put off that does not fit. */
const PUT_OFF = 3;

/** How much of what a kind of work was thought to cost a cheaper one takes back. */
const LEARNS = 0.2;

/**
 * Whether a piece of work still fits into the frame that is under way, so that small pieces of unlike cost make few of them late: it learns what each kind costs on
 * this machine, and puts off for some frames what does not fit. All times are of `performance.now()`.
 */
export class FrameRoom {
  readonly #costs = new Map<string, number>();
  #began = Number.NEGATIVE_INFINITY;
  #refused = 0;

  /** A frame begins. */
  begins(at: number): void {
    this.#began = at;
  }

  /** Milliseconds since the frame began. */
  passed(now: number): number {
    return now - this.#began;
  }

  /** Whether work of this kind ends within so many milliseconds of the frame, or has been put off often enough. */
  fits(kind: string, now: number, within: number): boolean {
    const fits = this.passed(now) + (this.#costs.get(kind) ?? 0) < within || this.#refused >= PUT_OFF;
    this.#refused = fits ? 0 : this.#refused + 1;
    return fits;
  }

  /** Work of this kind took so many milliseconds. */
  took(kind: string, cost: number): void {
    const before = this.#costs.get(kind) ?? 0;
    this.#costs.set(kind, cost > before ? cost : before + LEARNS * (cost - before));
  }
}
