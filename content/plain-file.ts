import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Checked } from './checked.ts';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');
const no = (why: string) => ({ ok: false, why }) as const;

/**
 * Opens a file that a stranger's folder holds. A link is not followed, because it could lead to any file of the machine,
 * and a device or a pipe is not waited for.
 * @returns what `read` makes of it, or a sentence in Chinese
 */
export async function withPlainFile<T>(
  path: string,
  read: (file: FileHandle, bytes: number) => Promise<Checked<T>>,
): Promise<Checked<T>> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      return found.isFile() ? await read(file, found.size) : no('不是普通文件');
    } finally {
      await file.close();
    }
  } catch (error) {
    // FreeBSD says EMLINK, every other system ELOOP.
    if (['ELOOP', 'EMLINK'].includes(codeOf(error))) return no('这是一个链接，请放入文件本身');
    if (codeOf(error) === 'ENOENT') return no('没有这个文件');
    if (codeOf(error) === '') throw error;
    return no(`读不了这个文件（${codeOf(error)}）`);
  }
}

/**
 * Reads a whole file that a stranger's folder holds (`withPlainFile`).
 * @param most bytes
 * @returns the bytes, or a sentence in Chinese
 */
export const readPlainFile = (path: string, most: number): Promise<Checked<Buffer>> =>
  withPlainFile<Buffer>(path, async (file, size) => {
    if (size > most) return no(`文件太大，最大 ${Math.floor(most / 1_048_576)} MB`);
    // It may grow while it is read.
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return { ok: true, value: bytes.subarray(0, bytesRead) };
  });
