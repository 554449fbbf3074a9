import { EventEmitter } from 'node:events';
import { createClient } from 'redis';

/** Short-lived messages between windows, across processes when Redis is there. Nothing that may not be lost goes here. */
export interface Bus {
  publish(topic: string, message: unknown): Promise<void>;
  /** @returns the function that ends the subscription */
  subscribe(topic: string, hear: (message: unknown) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Fan-out inside this process. */
export function localBus(): Bus {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    publish: async (topic, message) => {
      emitter.emit(topic, message);
    },
    subscribe: async (topic, hear) => {
      emitter.on(topic, hear);
      return async () => {
        emitter.off(topic, hear);
      };
    },
    close: async () => {
      emitter.removeAllListeners();
    },
  };
}

/** Milliseconds without a word after which a connection to Redis counts as dead; a living one is asked three times in it. */
const SILENT = 15_000;

/**
 * Fan-out through Redis: one connection hears for the whole process, local listeners share it. Both come back by
 * themselves when Redis does. Publishing never waits for Redis: a call or a chore must not hang on a message that may be
 * lost anyway.
 * @throws when Redis cannot be reached at first, or takes the connection and says nothing
 */
export async function redisBus(url: string, onError: (error: unknown) => void, silent = SILENT): Promise<Bus> {
  let reached = false;
  const socket = {
    connectTimeout: 5000,
    socketTimeout: silent,
    reconnectStrategy: (retries: number, cause: Error) => (reached ? Math.min(100 * 2 ** retries, 2000) : cause),
  };
  const pingInterval = silent / 3;
  const speaker = createClient({ url, socket, pingInterval, disableOfflineQueue: true });
  const hearer = createClient({ url, socket, pingInterval });
  speaker.on('error', onError);
  hearer.on('error', onError);
  await Promise.all([speaker.connect(), hearer.connect()]);
  reached = true;
  /** Messages that Redis has not confirmed, and since when it has confirmed none of them. */
  let owed = 0;
  let owedSince = 0;
  const answered = () => {
    owed -= 1;
    owedSince = performance.now();
  };
  return {
    publish: async (topic, message) => {
      if (owed === 0) owedSince = performance.now();
      // What is written to a connection keeps it from counting as silent, and waits in memory.
      if (performance.now() - owedSince > pingInterval) return;
      owed += 1;
      void speaker.publish(`lixue:${topic}`, JSON.stringify(message)).catch(onError).finally(answered);
    },
    subscribe: async (topic, hear) => {
      const channel = `lixue:${topic}`;
      const listener = (text: string) => hear(JSON.parse(text));
      await hearer.subscribe(channel, listener);
      return () => hearer.unsubscribe(channel, listener);
    },
    close: async () => {
      await Promise.all([speaker, hearer].map((client) => (client.isReady ? client.close() : client.destroy())));
    },
  };
}
