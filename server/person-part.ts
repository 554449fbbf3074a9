import type { PeopleTrx } from './db/open.ts';

/** A stored file that belongs to what somebody has here. */
interface PersonFile {
  /** As `Files` names it. */
  stored: string;
  /** What it is called in the copy, without its ending. */
  title: string;
}

/**
 * What one feature has of a person: each gives its part, and `app.ts` passes them all to the work on accounts, which knows no
 * feature (decision 048). A new feature that stores something of people brings one.
 */
export interface PersonPart {
  /** Names its file in the copy of a person's data, in Chinese. */
  name: string;
  /** All that the person has there, as they may see it now: nothing that the pages withhold from them. */
  rows(userId: number): AsyncIterable<object>;
  /** Pictures and other files that the person brought. */
  files?(userId: number): Promise<PersonFile[]>;
  /** Ends what must not outlive the account, e.g. orders that wait for payment. @returns false: not now, it has to be tried again */
  settle?(userId: number, now: number): Promise<boolean>;
  /** Takes out what names the person or is theirs alone, in the transaction that closes the account. */
  forget?(trx: PeopleTrx, userId: number): Promise<void>;
}

/** Rows that are asked for at once. */
const AT_ONCE = 500;

/** Reads all rows in steps, each after the last id of the step before: memory and locks stay small however much there is. */
export async function* inSteps<T extends { id: number }>(
  read: (step: { after: number; limit: number }) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  for (let after = 0; ; ) {
    const rows = await read({ after, limit: AT_ONCE });
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < AT_ONCE || last === undefined) return;
    after = last.id;
  }
}

/** Rows of which a person never has many. */
export async function* allOf<T extends object>(read: () => Promise<readonly T[]>): AsyncGenerator<T> {
  yield* await read();
}
