import { recall, remember, storedName } from './remember.ts';

/*
 * What somebody has begun to write and not sent. It stays in this browser over a reload, a sign-in that ran out and a failure of the
 * server, for that person alone, until it is sent or they sign out.
 */
const prefix = 'draft.';
const nameOf = (owner: number, place: string) => `${prefix}${owner}.${place}`;

/** When somebody last signed out in this browser, in epoch milliseconds. */
const LEFT = 'leftAt';
/** Who signed in after that, also in another window. */
const CAME = 'cameAgain';
/** Since when this window is somebody's. */
let ownSince = Date.now();

/** Somebody signed in: what they write from now on is kept, also in windows that stood open before. */
export function keepDraftsAgain(owner: number): void {
  ownSince = Date.now();
  remember(CAME, String(owner));
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

/** Keeps a draft; null forgets it. @param owner `studentId` of who writes @param place what it is written for, unique in the site */
export function keepDraft(owner: number, place: string, draft: object | null): void {
  remember(nameOf(owner, place), draft === null || hasLeft(owner) ? null : JSON.stringify(draft));
}

/** The draft of a place as `read` understands it; null: there is none, or it is not one. */
export function keptDraft<Draft>(owner: number, place: string, read: (kept: object) => Draft | null): Draft | null {
  try {
    const kept: unknown = JSON.parse(recall(nameOf(owner, place)) ?? 'null');
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

/** Forgets the drafts of everybody in this browser: somebody signs out. */
export function forgetDrafts(): void {
  remember(CAME, null);
  try {
    const { localStorage } = window;
    for (const name of Object.keys(localStorage)) if (name.startsWith(`lixue.${prefix}`)) localStorage.removeItem(name);
  } catch {
    // Without storage nothing was kept.
  }
  // Last: where storage was full there is room now.
  remember(LEFT, String(Date.now()));
}
