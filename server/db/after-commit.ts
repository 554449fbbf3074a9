import type { Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** A message for the bus. */
export interface Said {
  topic: string;
  message: unknown;
}

const said = new WeakMap<object, Map<string, Said>>();

/** Collects what is said in a transaction. @returns what was, to be published once it has committed */
export function collectSaid(trx: Transaction<Tables>): () => Iterable<Said> {
  const messages = new Map<string, Said>();
  said.set(trx, messages);
  return () => messages.values();
}

/**
 * Publishes a message on the bus (server/bus.ts) once a transaction of `Db.transaction` has committed; never, where it is taken back.
 * Of one topic the last message counts. What nobody hears is lost, as everything on the bus: a command's process has none.
 */
export function sayAfterCommit(trx: Transaction<Tables>, topic: string, message: unknown): void {
  said.get(trx)?.set(topic, { topic, message });
}
