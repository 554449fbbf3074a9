import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** The true server as a process of its own: for what only a process can show, such as being killed or being fast. */
interface ServerProcess {
  port: number;
  pid: number;
  /** Ends it without a warning, as a power cut would. */
  kill(): Promise<void>;
  /** Ends it as an operator would. */
  stop(): Promise<void>;
}

interface Options {
  /** Its data; with `databaseUrl` only files. */
  dataDir: string;
  databaseUrl?: string;
  /** More of its environment. */
  env?: Readonly<Record<string, string>>;
  /** Arguments for Node itself, e.g. a profiler. */
  node?: readonly string[];
}

/** A port that is free now: a server with an address of its own does not say which one it listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts `server/main.ts` on a free port, without the demo pack. */
export async function startServer({ dataDir, databaseUrl, env = {}, node = [] }: Options): Promise<ServerProcess> {
  const child: ChildProcess = spawn(process.execPath, [...node, join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      HOST: '127.0.0.1',
      RTMP_PORT: '0',
      DEMO: '0',
      // Without DEMO a true SMS provider has to be set; no test of a process sends one.
      SMS_PROVIDER: 'aliyun',
      SMS_ACCESS_KEY_ID: 'none',
      SMS_ACCESS_KEY_SECRET: 'none',
      SMS_SIGN_NAME: 'none',
      SMS_TEMPLATE_CODE: 'none',
      LOG_LEVEL: 'error',
      DATA_DIR: dataDir,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      const found = /localhost:(\d+)/.exec(said);
      if (found) resolve(Number(found[1]));
    });
    child.once('exit', () => reject(new Error(`the server did not start: ${said}`)));
  });
  const end = (signal: NodeJS.Signals) => async () => {
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return { port, pid: child.pid ?? 0, kill: end('SIGKILL'), stop: end('SIGTERM') };
}
