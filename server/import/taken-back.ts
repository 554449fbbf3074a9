import type { Db, Trx } from '#server/db/open.ts';

/** Ends the transaction of a dry run with what it would have done. */
class TakenBack<Done> extends Error {
  readonly done: Done;
  constructor(done: Done) {
    super('dry run');
    this.done = done;
  }
}

/** Does the writing of an import in one transaction, which a dry run takes back. */
export async function inOneWriting<Done>(db: Db, dryRun: boolean, work: (trx: Trx) => Promise<Done>): Promise<Done> {
  try {
    return await db.transaction(
      async (trx) => {
        const done = await work(trx);
        if (dryRun) throw new TakenBack(done);
        return done;
      },
      { long: true },
    );
  } catch (error) {
    if (error instanceof TakenBack) return error.done as Done;
    throw error;
  }
}
