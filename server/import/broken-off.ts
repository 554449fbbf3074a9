import type { Db } from '#server/db/open.ts';
import { dropStaged, ImportLost, readBrokenOff, takeOver } from '#server/exam/paper/question-import-store.ts';
import { shortTurns } from './turns.ts';
import { writeImport } from './write-questions.ts';

/** What is said to an import that comes while another one is written into its pack. */
export const IN_WRITING =
  '另一次导入正在写入这个题库包，没有导入。请稍后再试；若那次导入已被中断，一分钟后它会由运行中的服务或下一次导入接着写完';

/**
 * Writes an import that was broken off to its end.
 * @param now epoch milliseconds
 * @returns false: somebody has it
 */
export async function goOnWithImport(db: Db, importId: number, now: number): Promise<boolean> {
  const hold = await takeOver(db, importId, now);
  if (!hold) return false;
  try {
    await writeImport(db, shortTurns(db, hold), importId);
  } catch (error) {
    if (error instanceof ImportLost) return false;
    throw error;
  }
  return true;
}

/** Goes on with all imports that were broken off, and forgets those of which nothing was decided. @param now epoch milliseconds */
export async function goOnWithImports(db: Db, now: number): Promise<void> {
  await dropStaged(db, { now });
  for (const importId of await readBrokenOff(db.query, now)) await goOnWithImport(db, importId, now);
}
