/** What reading one file of a stranger may take, the whole process counted (docs/decisions/019-foreign-files.md). */
export interface Limits {
  /** Resident memory in megabytes, what libraries hold outside of JavaScript included. */
  memoryMB: number;
  /** What JavaScript may hold of it (MB), so that it collects its garbage before it comes near. */
  heapMB: number;
  /** Seconds of work (processor time of all threads) between two results that are handed on: rows, files, pictures. */
  workS: number;
  /** Seconds that nothing may come at all, whatever it waits for; many times `workS`, for a machine that is busy. */
  waitS: number;
}

/** Our readers refuse what they know to be too much; these bounds hold for what nobody thought of. */
export const LIMITS: Limits = { memoryMB: 400, heapMB: 256, workS: 15, waitS: 300 };
