import { toast } from '#ui/toast.ts';
import type { Leaving } from './draft-disk.ts';
import { hasDraftDisk } from './draft-disk-name.ts';
import { recall, remember, storedName } from './remember.ts';
import { t } from './t.ts';
import { CAME, LEFT } from './who-came-name.ts';

/*
 * What somebody has begun to write and not sent. It stays in this browser over a reload, a sign-in that ran out and a failure of the
 * server, for that person alone, until it is sent or they sign out. Local storage has it, which answers at once; where that is
 * full or forbidden, the browser's database has it (draft-disk.ts), and this page a copy in its memory.
 */
const prefix = 'draft.';
const nameOf = (owner: number, place: string) => `${prefix}${owner}.${place}`;

const disk = () => import('./draft-disk.ts');
/** What is kept on the disk, by name. */
let onDisk = new Map<string, string>();
/** Names that were forgotten while the disk was being read; null: it has been. */
let forgotten: Set<string> | null = new Set();
/** Whether this page has said that nothing keeps what is written. */
let isSaid = false;
void readDisk();

/** Reads what earlier pages left on the disk. */
async function readDisk(): Promise<void> {
  try {
    if (!(await hasDraftDisk())) return;
    const { readTexts, forgetText } = await disk();
    const texts = await readTexts();
    for (const name of forgotten ?? []) if (texts?.delete(name)) void forgetText(name);
    onDisk = new Map([...(texts ?? []), ...onDisk]);
  } catch {
    // What reads it did not come: what is there stays there.
  } finally {
    forgotten = null;
  }
}

/** Since when this window is somebody's. */
let ownSince = Date.now();

/** Somebody signed in: what they write from now on is kept, also in windows that stood open before. */
export function keepDraftsAgain(owner: number): void {
  ownSince = Date.now();
  remember(CAME, String(owner));
  if (recall(CAME) !== String(owner))
    void disk().then(
      ({ noteCame }) => noteCame(owner),
      () => undefined,
    );
}

/** Hears who signs in in other windows of this browser. @returns what ends it */
export function hearWhoCame(heard: (owner: number) => void): () => void {
  const hear = ({ key, newValue }: StorageEvent) => {
    if (key === storedName(CAME) && newValue !== null) heard(Number(newValue));
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}

/** Whether somebody signed out meanwhile in another window: what still stands in a form of this one is written down for nobody to find. */
function hasLeft(owner: number): boolean {
  const left = Number(recall(LEFT) ?? 0);
  // By a clock that was set back since, nobody has.
  return left >= ownSince && left <= Date.now() && recall(CAME) !== String(owner);
}

/** Whether a person may still be written for, by what local storage and what the disk know. */
function mayKeep(owner: number, { left, came }: Leaving): boolean {
  return !hasLeft(owner) && (left < ownSince || left > Date.now() || came === owner);
}

/** The pictures of a draft that have not arrived at the server: this browser's disk has them (draft-disk.ts). */
export function unsentPictures(owner: number, place: string) {
  const name = nameOf(owner, place);
  return {
    /** Keeps one. @returns what names it here; null: it is not kept */
    keep: (file: File): Promise<number | null> =>
      disk().then(
        ({ keepPicture }) => keepPicture(name, file, (leaving) => mayKeep(owner, leaving)),
        () => null,
      ),
    /** Those that are kept, in the order in which they were chosen. */
    read: async (): Promise<{ id: number; file: File }[]> => {
      try {
        return (await hasDraftDisk()) ? await (await disk()).readPictures(name) : [];
      } catch {
        return [];
      }
    },
  };
}

/** Forgets a picture of a draft: it has arrived, or is not wanted. */
export function forgetUnsent(id: number): void {
  void disk().then(({ forgetPicture }) => forgetPicture(id), ignore);
}

const ignore = () => undefined;

/** Keeps a draft; null forgets it. @param owner `studentId` of who writes @param place what it is written for, unique in the site */
export function keepDraft(owner: number, place: string, draft: object | null): void {
  const name = nameOf(owner, place);
  const text = draft === null || hasLeft(owner) ? null : JSON.stringify(draft);
  remember(name, text);
  if (text === null || recall(name) === text) {
    forgotten?.add(name);
    if (onDisk.delete(name)) void toDisk(owner, name);
    return;
  }
  // What stands there is older than this.
  remember(name, null);
  onDisk.set(name, text);
  void toDisk(owner, name);
}

/** The drafts that are being written to the disk. */
const writing = new Set<string>();

/** Brings the disk to what a draft is now, and to what it has become meanwhile. */
async function toDisk(owner: number, name: string): Promise<void> {
  if (writing.has(name)) return;
  writing.add(name);
  try {
    const { keepText, forgetText } = await disk();
    for (let written: string | null = null; ; ) {
      const text = onDisk.get(name);
      if (text === undefined) await forgetText(name);
      else if (text !== written && !(await keepText(name, text, (leaving) => mayKeep(owner, leaving)))) sayUnkept();
      written = text ?? null;
      if (onDisk.get(name) === text) return;
    }
  } catch {
    sayUnkept();
  } finally {
    writing.delete(name);
  }
}

/** Says once that what is written would not outlive this page. */
function sayUnkept(): void {
  if (isSaid) return;
  isSaid = true;
  toast(t('这个浏览器存不下草稿，离开本页前请先提交或复制'), 'plain', 5000);
}

/** Hears that a draft was changed in another window of this browser. @returns what ends it */
export function hearDraft(owner: number, place: string, heard: () => void): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === storedName(nameOf(owner, place))) heard();
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}

/** The draft of a place as `read` understands it; null: there is none, or it is not one. */
export function keptDraft<Draft>(owner: number, place: string, read: (kept: object) => Draft | null): Draft | null {
  const name = nameOf(owner, place);
  try {
    const kept: unknown = JSON.parse((hasLeft(owner) ? null : onDisk.get(name)) ?? recall(name) ?? 'null');
    return typeof kept === 'object' && kept !== null ? read(kept) : null;
  } catch {
    return null;
  }
}

/** The words alone of a draft, no longer than its field; '': there are none. */
export function typedDraft(owner: number, place: string, longest: number): string {
  return (
    keptDraft(owner, place, (kept) => {
      const { text } = kept as Record<string, unknown>;
      return typeof text === 'string' ? [...text].slice(0, longest).join('') : null;
    }) ?? ''
  );
}

/** Forgets the drafts of everybody in this browser: somebody signs out. Resolves when the disk has done so too. */
export async function forgetDrafts(): Promise<void> {
  remember(CAME, null);
  try {
    const { localStorage } = window;
    for (const name of Object.keys(localStorage)) if (name.startsWith(`lixue.${prefix}`)) localStorage.removeItem(name);
  } catch {
    // Without storage nothing was kept.
  }
  onDisk = new Map();
  const left = Date.now();
  // Last: where storage was full there is room now.
  remember(LEFT, String(left));
  try {
    // Where that does not hold it, the disk tells the other windows.
    if (recall(LEFT) !== String(left) || (await hasDraftDisk())) await (await disk()).clearDisk(left);
  } catch {
    // What loads it did not come: nothing was written by this page.
  }
}
