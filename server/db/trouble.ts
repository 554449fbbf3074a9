/**
 * What is wrong when a database does not do what it was asked, through nobody's fault who asked:
 * `race` lost against another transaction, whose work was taken back whole · `held` somebody else holds a row or the file ·
 * `cut` the connection was lost before the work can have been committed · `unsure` it was lost while a commit was under
 * way, which may have happened or not · `away` no connection can be had · `slow` it took longer than it may ·
 * `full` no space is left · `ill` the disk fails, or the database may only be read · `crowd` more wait than may.
 */
export type Trouble = 'race' | 'held' | 'cut' | 'unsure' | 'away' | 'slow' | 'full' | 'ill' | 'crowd';

/** An error whose trouble is known where it is made. */
export class DatabaseTrouble extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.trouble = trouble;
  }
}

/** PostgreSQL's codes (its manual, appendix A) and the operating system's. Classes (two characters) stand for all of theirs. */
const byCode: Readonly<Record<string, Trouble>> = {
  '40001': 'race', // serialization failure
  '40P01': 'race', // deadlock
  '55P03': 'held', // lock_timeout, NOWAIT
  '57014': 'slow', // statement_timeout
  '57P01': 'cut', // ended by the administrator
  '57P02': 'cut', // another session crashed
  '57P05': 'cut', // idle_session_timeout
  '25P03': 'cut', // idle_in_transaction_session_timeout
  '25P04': 'cut', // transaction_timeout
  '08': 'cut', // connection exceptions
  '08001': 'away', // the connection could not be made
  '08004': 'away', // the connection was rejected
  '57P03': 'away', // starting up or shutting down
  '53300': 'away', // too many connections
  '53100': 'full', // disk full
  '53200': 'ill', // out of memory
  '58030': 'ill', // input or output failed
  '25006': 'ill', // may only be read: another server has become the leader
  ENOSPC: 'full',
  EDQUOT: 'full',
  EIO: 'ill',
  EROFS: 'ill',
  ECONNRESET: 'cut',
  EPIPE: 'cut',
  ETIMEDOUT: 'cut',
  ECONNREFUSED: 'away',
  EHOSTUNREACH: 'away',
  ENETUNREACH: 'away',
  EAI_AGAIN: 'away',
  ENOTFOUND: 'away',
  // A socket file that is not there: PostgreSQL does not run.
  ENOENT: 'away',
};

/** SQLite's primary result codes (sqlite.org/rescode.html); the extended ones have them in their last byte. */
const bySqliteCode: Readonly<Record<number, Trouble>> = {
  5: 'held', // BUSY
  8: 'ill', // READONLY
  10: 'ill', // IOERR
  13: 'full', // FULL
};

/** What pg says of its own, without a code. */
const bySentence: readonly (readonly [beginning: string, trouble: Trouble])[] = [
  ['timeout exceeded when trying to connect', 'away'],
  ['timeout expired', 'away'],
  ['Connection terminated due to connection timeout', 'away'],
  ['Connection terminated', 'cut'],
  ['Client has encountered a connection error', 'cut'],
  ['Client was closed', 'cut'],
];

/** What is wrong, read from an error of a driver; null: the fault is another one. */
export function troubleOf(error: unknown): Trouble | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof DatabaseTrouble) return error.trouble;
  if (isPlanGone(error)) return 'race';
  const { code, errcode, syscall } = error as { code?: unknown; errcode?: unknown; syscall?: unknown };
  if (typeof errcode === 'number') return bySqliteCode[errcode & 0xff] ?? null;
  if (typeof code === 'string') {
    // A file that is not there is no matter of the database.
    if (code === 'ENOENT' && syscall !== 'connect') return null;
    return byCode[code] ?? (/^[0-9A-Z]{5}$/.test(code) ? (byCode[code.slice(0, 2)] ?? null) : null);
  }
  return bySentence.find(([beginning]) => error.message.startsWith(beginning))?.[1] ?? null;
}

/**
 * Whether a prepared statement can be used no more: a column has another type since (0A000), or the connection's own
 * statements were thrown away, by a pooler for one (26000). Prepared under another name it works again.
 */
export function isPlanGone(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === '26000' || (error.code === '0A000' && error.message.includes('cached plan'));
}

/**
 * Whether a transaction that met this is to be done again. A commit that may have happened is repeated only where
 * twice is the same as once; a connection that cannot be had was waited for already (postgres.ts).
 */
export function isRepeated(trouble: Trouble | null, idempotent: boolean): boolean {
  return trouble === 'race' || trouble === 'held' || trouble === 'cut' || (trouble === 'unsure' && idempotent);
}

/** Whether a trouble may be one item's matter, a lock or a statement that took too long; the others are everybody's. */
export function isOfOne(trouble: Trouble): boolean {
  return trouble === 'held' || trouble === 'slow';
}
