import { recall, remember } from '#web/lib/remember.ts';
import { CallError, type Data, type Input, retryHelps, send } from '#web/lib/send.ts';
import { copyToDisk, readCopy } from './report-disk.ts';
import { TOLD, UNSENT } from './unsent-name.ts';

const REPORT = 'POST /app/course/report_duration';

/** A report of what was played that the server has not acknowledged. */
interface Unsent extends Input<typeof REPORT> {
  playId: string;
  seq: number;
  studentId: number;
  /** Device time. */
  at: number;
  /** Of a page that still played when it was kept: it is sent by that page, and by another one only if that is gone. */
  begun?: true;
}

/** Of an outage the server believes three minutes: what is more than this is given up, the oldest first. */
const MOST = 40;
/** Milliseconds after which nobody waits for it any more: a month. */
const FORGOTTEN = 30 * 86_400_000;

/** Milliseconds after which a page without Web Locks (plain http) is taken for gone: it would have kept what it plays anew. */
const SILENT = 20_000;

/** What this page plays, by the name of each opening of a player. */
const played = new Set<string>();
const lockOf = (playId: string) => `play.${playId}`;

/** Lets other pages of this browser know that an opening of the player is alive, until it is told that it ended. */
export function stayAlive(playId: string): () => void {
  played.add(playId);
  const stop = new AbortController();
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Over plain http there are none; a browser may also refuse them.
  navigator.locks?.request(lockOf(playId), { signal: stop.signal }, () => ended).catch(() => undefined);
  return () => {
    played.delete(playId);
    stop.abort();
    end();
  };
}

/** The openings of players whose pages are alive, this one among them. */
async function alive(begun: readonly Unsent[], now: number): Promise<ReadonlySet<string>> {
  const held = await navigator.locks?.query().catch(() => undefined);
  const names = new Set(held?.held?.map(({ name }) => name));
  const isAlive = ({ playId, at }: Unsent) => (held ? names.has(lockOf(playId)) : Math.abs(now - at) < SILENT);
  return new Set([...played, ...begun.filter(isAlive).map(({ playId }) => playId)]);
}

/** What this page has not sent: where the browser has no storage it lives here alone. */
let inPage: readonly Unsent[] = [];
/** What this page is sending, by its name; it comes to what `sendReport` comes to. */
const underWay = new Map<string, { lessonId: number; sent: Promise<Data<typeof REPORT> | null> }>();
/** What did not arrive when it was sent last: it is still waited for while it is sent again. */
const late = new Set<string>();
const listeners = new Set<() => void>();
const nameOf = ({ playId, seq }: Unsent) => `${playId} ${seq}`;
const without = (list: readonly Unsent[], one: Unsent) => list.filter((other) => nameOf(other) !== nameOf(one));

const stored = () => listIn(recall(UNSENT));

function listIn(text: string | null): Unsent[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(isUnsent) : [];
  } catch {
    return [];
  }
}

function isUnsent(value: unknown): value is Unsent {
  const { playId, seq, studentId, at } = (value ?? {}) as Partial<Record<keyof Unsent, unknown>>;
  return typeof playId === 'string' && [seq, studentId, at].every((number) => typeof number === 'number');
}

function store(list: readonly Unsent[]): void {
  remember(UNSENT, list.length === 0 ? null : JSON.stringify(list.slice(-MOST)));
  copyToDisk(() => recall(UNSENT));
}

let recovery: Promise<boolean> | null = null;

/**
 * Takes in what the disk knows better than local storage, once for a page: a browser that was killed whole, or lost its power, wrote the
 * end of it to the disk alone. What arrived meanwhile is sent again and counts once, by its number.
 * @returns whether there was anything
 */
export function recoverUnsent(): Promise<boolean> {
  recovery ??= readCopy().then((copy) => {
    const all = new Map(stored().map((one) => [nameOf(one), one]));
    const newer = listIn(copy).filter((one) => (all.get(nameOf(one))?.at ?? 0) < one.at);
    if (newer.length === 0) return false;
    for (const one of newer) all.set(nameOf(one), one);
    store([...all.values()].sort((a, b) => a.at - b.at));
    return true;
  });
  return recovery;
}

/** All that stayed behind in this browser, of one person, the oldest first. */
function unsentOf(studentId: number, now: number): Unsent[] {
  const all = new Map([...stored(), ...inPage].map((one) => [nameOf(one), one]));
  return [...all.values()]
    .filter((one) => one.studentId === studentId && now - one.at < FORGOTTEN)
    .sort((a, b) => a.at - b.at || a.seq - b.seq);
}

function keep(one: Unsent): void {
  // A place says nothing any more once its opening has said a later one.
  const isBehind = (other: Unsent) =>
    other.playId === one.playId &&
    other.seq < one.seq &&
    other.duration === 0 &&
    !other.ended &&
    !underWay.has(nameOf(other));
  const withOne = (list: readonly Unsent[]) => [...without(list, one).filter((other) => !isBehind(other)), one];
  inPage = withOne(inPage).slice(-MOST);
  store(withOne(stored()));
  tellAll();
}

/**
 * Keeps a report in the making: should the browser be killed now, another page sends it as it stands. The report itself takes its place, by its
 * number.
 */
export function keepBegun(one: Unsent): void {
  store([...without(stored(), one), { ...one, begun: true }]);
}

function forget(one: Unsent): void {
  late.delete(nameOf(one));
  inPage = without(inPage, one);
  store(without(stored(), one));
  tellAll();
}

function tellAll(): void {
  for (const listener of listeners) listener();
}

/** Whether the last answer to a report was that its student is not signed in. */
let signedOut = false;

/** What that waits for which is to be sent and not on its way for the first time; null: nothing is. For `useSyncExternalStore`. */
export const unsentWaitsFor = (): 'network' | 'signIn' | null => {
  if (!inPage.some((one) => late.has(nameOf(one)) || !underWay.has(nameOf(one)))) return null;
  return signedOut ? 'signIn' : 'network';
};
export function onUnsent(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether one person left reports behind in this browser. */
export const hasUnsent = (studentId: number): boolean => unsentOf(studentId, Date.now()).length > 0;

/** Whether this page is sending a report of a lesson. For `useSyncExternalStore`. */
export const isTelling = (lessonId: number): boolean =>
  [...underWay.values()].some((report) => report.lessonId === lessonId);

/**
 * Sends a report and keeps it until the server has acknowledged it; sent twice it counts once, by its number. What the server refuses for
 * good is given up: its lesson is gone, or its student is not enrolled any more.
 * @returns what the server says of the lesson; null: it stays behind, or was refused
 */
export function sendReport(
  { begun: _begun, ...one }: Unsent,
  { keepalive = false }: { keepalive?: boolean } = {},
): Promise<Data<typeof REPORT> | null> {
  const sent = deliver(one, keepalive).finally(() => {
    underWay.delete(nameOf(one));
    tellAll();
  });
  underWay.set(nameOf(one), { lessonId: one.firstVideoId, sent });
  keep(one);
  return sent;
}

async function deliver(one: Unsent, keepalive: boolean): Promise<Data<typeof REPORT> | null> {
  // Whose it is goes along: the session may be of somebody else by now, who signed in in another window.
  const { at, ...report } = one;
  const ago = Math.max(0, Date.now() - at);
  try {
    // Nobody asked for it, so it opens no sign-in dialog.
    const progress = await send(REPORT, { ...report, ago }, { keepalive, signInAgain: false });
    signedOut = false;
    remember(TOLD, String(Date.now()));
    forget(one);
    return progress;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    late.add(nameOf(one));
    signedOut = error.why === 'notSignedIn';
    // An answer that is none of this server's (`broken`) may be a proxy's: it is tried again.
    if (!retryHelps(error) && error.why !== 'broken') forget(one);
    return null;
  }
}

/** Sends what one person left behind, one after the other, until one does not arrive, and waits for what is on its way. @returns whether any did */
export async function sendLeft(studentId: number): Promise<boolean> {
  let arrived = false;
  await recoverUnsent();
  const left = unsentOf(studentId, Date.now());
  const others = await alive(
    left.filter(({ begun }) => begun),
    Date.now(),
  );
  for (const one of left) {
    const on = underWay.get(nameOf(one));
    if (on) {
      // Whoever asks for its lesson next has to hear of it, too.
      if ((await on.sent) !== null) arrived = true;
      continue;
    }
    if (one.begun && others.has(one.playId)) continue;
    if ((await sendReport(one)) !== null) arrived = true;
    else if (unsentOf(studentId, Date.now()).some((other) => nameOf(other) === nameOf(one))) return arrived;
  }
  return arrived;
}
