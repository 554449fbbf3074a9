import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
/** Where the server of the journeys keeps everything; fresh for each run. */
export const DATA_DIR = 'test-results/e2e-data';

interface Ran {
  code: number;
  said: string;
}

/** The operator's command line beside the running server. @returns its exit code and all it said */
export async function lixue(...words: string[]): Promise<Ran> {
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['tools/with-node.mjs', 'server/cli.ts', ...words],
      { cwd: root, env: { ...process.env, DATA_DIR, DEMO: '1', DATABASE_URL: '', REDIS_URL: '', NODE_ENV: '' } },
    );
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: `${stdout}${stderr}` };
  }
}

/** The name of content/test/nasty, character for character. */
export const nasty = `刁钻测试包 <b>不是粗体</b> & "引号" '单引号' 𠮷㐂😀`;

/** Loads the pack that is hard to handle on purpose. Loading it again changes nothing. */
export async function loadNasty(): Promise<void> {
  const { code, said } = await lixue('import', 'pack', 'content/test/nasty');
  if (code !== 0) throw new Error(said);
}
