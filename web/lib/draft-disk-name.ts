/** The browser's database of drafts (web/lib/draft-disk.ts). */
export const DRAFT_DISK = 'lixue-drafts';

/** Milliseconds that anything waits for the browser's databases: in some browsers they can hang. */
export const PATIENCE = 1000;

/** Whether this browser has it: most never do, and then nothing is loaded for it. Where the browser cannot say, it may. */
export async function hasDraftDisk(): Promise<boolean> {
  if (!('indexedDB' in globalThis)) return false;
  try {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE));
    const known = await Promise.race([indexedDB.databases?.(), late]);
    return known === undefined || known.some(({ name }) => name === DRAFT_DISK);
  } catch {
    return false;
  }
}
