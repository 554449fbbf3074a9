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

/**
 * Fan-out through Redis: one connection hears for the whole process, local listeners share it. Both come back by
 * themselves when Redis does. Publishing never waits for Redis: a call or a job must not hang on a message that may be
 * lost anyway.
 * @throws when Redis cannot be reached at first
 */
export async function redisBus(url: string, onError: (error: unknown) => void): Promise<Bus> {
  let reached = false;
  const socket = {
    connectTimeout: 5000,
    reconnectStrategy: (retries: number, cause: Error) => (reached ? Math.min(100 * 2 ** retries, 2000) : cause),
  };
  const speaker = createClient({ url, socket, disableOfflineQueue: true });
  const hearer = createClient({ url, socket });
  speaker.on('error', onError);
  hearer.on('error', onError);
  await Promise.all([speaker.connect(), hearer.connect()]);
  reached = true;
  return {
    publish: async (topic, message) => {
      void speaker.publish(`lixue:${topic}`, JSON.stringify(message)).catch(onError);
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
