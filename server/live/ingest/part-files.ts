import { mkdir, open, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { PartDisk } from './recorder.ts';

const DIGITS = 4;

/** Parts as files of one folder, numbered on from those that are there: also after a restart in the middle of a lesson. */
export function partFiles(folder: string): PartDisk {
  return {
    free: async () => {
      await mkdir(folder, { recursive: true });
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    open: async () => {
      await mkdir(folder, { recursive: true });
      const numbers = (await readdir(folder)).map((name) => Number.parseInt(name, 10) || 0);
      const number = String(Math.max(0, ...numbers) + 1).padStart(DIGITS, '0');
      const name = `${number}-${Date.now()}.flv`;
      // Never over one that is there.
      const file = await open(join(folder, name), 'wx');
      return {
        name,
        write: async (pieces) => {
          const { bytesWritten } = await file.writev([...pieces]);
          const all = pieces.reduce((sum, { length }) => sum + length, 0);
          if (bytesWritten < all) await file.appendFile(Buffer.concat(pieces).subarray(bytesWritten));
        },
        sync: () => file.datasync(),
        close: () => file.close(),
      };
    },
  };
}
