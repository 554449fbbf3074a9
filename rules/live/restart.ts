const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;
/** A process that ran so long had started well: what ends it then begins a new count (milliseconds). */
const WELL_AFTER = 60_000;

/** How many endings in a row there are, with one more after it ran so long (milliseconds). */
export const endingsAfter = (endings: number, ran: number) => (ran >= WELL_AFTER ? 1 : endings + 1);

/** How long to wait before a process that ended is started again: twice as long after each ending in a row. */
export const waitToRestart = (endings: number) => Math.min(FIRST_WAIT * 2 ** Math.max(endings - 1, 0), LONGEST_WAIT);
