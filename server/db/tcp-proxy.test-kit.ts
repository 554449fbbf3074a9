import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket, connect as tcp } from 'node:net';

/** A network between a server and its database, which fails when a test says so. */
interface Network {
  /** The address of the database by way of this network. */
  url: string;
  /** Connections that are there hear nothing any more and never end, as behind a cable that was pulled. */
  killSilently(): void;
  /** New connections go the same way, until `heal`. */
  swallowAll(): void;
  /** Connections that are there are cut. */
  cut(): void;
  /** New connections work again. */
  heal(): void;
  /** The next time that these words go to the database they arrive, and the connection is cut before the answer. */
  cutAfter(words: string): void;
  /** Connections taken so far. */
  taken(): number;
  close(): Promise<void>;
}

/** Puts a network before the database of this address. */
export async function networkTo(url: string): Promise<Network> {
  const target = new URL(url);
  const pairs = new Set<{ near: Socket; far: Socket; dead: boolean }>();
  let swallowing = false;
  let words: string | null = null;
  let taken = 0;
  const server = createServer((near) => {
    taken += 1;
    const far = tcp(Number(target.port || 5432), target.hostname);
    const pair = { near, far, dead: swallowing };
    let mute = false;
    pairs.add(pair);
    near.on('data', (bytes) => {
      if (pair.dead) return;
      far.write(bytes);
      if (words !== null && bytes.includes(words)) {
        words = null;
        mute = true;
      }
    });
    far.on('data', (bytes) => {
      if (mute) near.destroy();
      else if (!pair.dead) near.write(bytes);
    });
    for (const [side, other] of [
      [near, far],
      [far, near],
    ] as const) {
      side.on('error', () => undefined);
      side.on('close', () => {
        if (pair.dead && side === far) return;
        other.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  address.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const { near, far } of [...pairs]) {
      near.destroy();
      far.destroy();
    }
  };
  const killSilently = () => {
    for (const pair of pairs) pair.dead = true;
  };
  return {
    url: address.href,
    killSilently,
    swallowAll: () => {
      killSilently();
      swallowing = true;
    },
    cut,
    heal: () => {
      swallowing = false;
    },
    cutAfter: (text) => {
      words = text;
    },
    taken: () => taken,
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
