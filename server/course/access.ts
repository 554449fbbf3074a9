import { type Access, mayGoOn, mayOpen } from '#rules/course/access.ts';
import type { Db, Query } from '#server/db/open.ts';
import type { EnrolmentStore, StudentPlace } from './enrolment-store.ts';

/** A student at a pack, or at a thing in it. */
interface PackAsk extends StudentPlace {
  /** The thing was taken out of its pack's offer. */
  archived: boolean;
}

/**
 * Whether students may open packs: loads what `rules/course/access.ts` decides by. A call that names its pack says
 * `who: 'enrolled'` in the contract and is asked for before its handler (server/http/serve.ts); others ask here, and those for
 * the enrolled that are answered in groups (`gathered`).
 */
export interface PackAccess {
  /** Whether a student may open a pack. */
  mayOpen(userId: number, packId: number): Promise<Access>;
  /** For many at once, in their order: whether each may open what they ask for, and go on with what they have there. */
  askAll<A extends PackAsk>(query: Query, asks: readonly A[]): Promise<{ ask: A; open: Access; goOn: Access }[]>;
}

/** Makes what decides who may open packs, once for a server (server/app.ts). */
export function packAccess(db: Db, enrolments: EnrolmentStore): PackAccess {
  const askAll: PackAccess['askAll'] = async (query, asks) => {
    const packs = await enrolments.readFacts(query, asks);
    return asks.map((ask, at) => {
      const pack = packs[at];
      const facts = pack ? { ...pack, archived: pack.archived || ask.archived } : null;
      return { ask, open: mayOpen(facts), goOn: mayGoOn(facts) };
    });
  };
  return {
    askAll,
    mayOpen: async (userId, packId) => {
      const [pack = null] = await enrolments.readFacts(db.query, [{ userId, packId }]);
      return mayOpen(pack);
    },
  };
}
