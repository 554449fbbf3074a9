import type { QueryClient } from '@tanstack/react-query';
import type { CallKey } from './send.ts';

const who: CallKey = 'GET /api/user/info';

/** Windows of this browser; old browsers have none, and ask anew when they are looked at again. */
const openChannel = () => (typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('lixue.exam-began'));

/** What is cached and not shown may hold keys and figures that may not be told now: it would be shown before it is asked for anew. */
const dropUnshown = (client: QueryClient) =>
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== who && !query.isActive() });

/**
 * A scored exam has begun, or goes on, in this window: nothing that was cached before comes back from memory, here and in the other windows of this
 * browser (decisions §3 "No answer leaks").
 */
export function tellExamBegan(client: QueryClient): void {
  dropUnshown(client);
  const channel = openChannel();
  channel?.postMessage('');
  channel?.close();
}

/** Hears of scored exams that begin in other windows of this browser. @returns what ends it */
export function onExamBegan(heard: () => void): () => void {
  const channel = openChannel();
  channel?.addEventListener('message', heard);
  return () => channel?.close();
}

/**
 * Asks anew for what is shown here when a scored exam begins in another window. An exam that runs here is no call's answer: what it shows of keys it
 * forgets itself (`forgetKeys`).
 * @returns what ends it
 */
export function hearExamsBegin(client: QueryClient): () => void {
  return onExamBegan(() => {
    dropUnshown(client);
    void client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== who && isCall(name) });
  });
}

const isCall = (name: unknown) => typeof name === 'string' && name.startsWith('GET ');
