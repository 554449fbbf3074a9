import type { CallData, CallInputs, Calls } from '#contract/all.ts';
import type { Envelope, Refusal, Why } from '#contract/envelope.ts';
import { knowFormulas } from '#ui/known-formulas.ts';
import { type AskedAhead, askedAhead } from './asked-ahead.ts';
import { serverClock } from './clock.ts';
import { msg, t } from './t.ts';

/** The name of a call, as `contract/` declares it. */
export type CallKey = keyof Calls;
export type Input<N extends CallKey> = CallInputs[N];
export type Data<N extends CallKey> = CallData[N];

/** Why a call failed: the server's refusal, or `offline` when no answer came (no network, or the time-out passed). */
export type FailedWhy = Why | 'offline';

const offlineMsg = msg('网络连接不上，请检查网络后重试');
const brokenMsg = msg('服务器出错了，请稍后重试');
const busyMsg = msg('服务器正忙，请稍后重试');

/** A call that did not succeed. `msg` is a Chinese sentence for the person: show it as `t(error.msg)`. */
export class CallError extends Error {
  /** The HTTP status, or 0 when no answer came; the call may then have happened or not. */
  readonly code: number;
  readonly why: FailedWhy;
  readonly msg: string;
  /** The input field at fault, where there is one. */
  readonly field: string | undefined;
  /** Its place from 0, where the input field is an entry of a list. */
  readonly at: number | undefined;

  constructor(code: number, why: FailedWhy, sentence: string, fault: Pick<Refusal, 'field' | 'at'> = {}) {
    super(sentence);
    this.name = 'CallError';
    this.code = code;
    this.why = why;
    this.msg = sentence;
    this.field = fault.field;
    this.at = fault.at;
  }
}

/** What a person is told of a call that failed, in their language; what is no answer of a call counts as a broken server. */
export function failureText(error: unknown): string {
  return t(error instanceof CallError ? error.msg : brokenMsg);
}

/** Whether a call that failed so may succeed a moment later: no answer came, or the server was busy or broken. */
export function isPassing({ code }: CallError): boolean {
  return code === 0 || code >= 500;
}

/** Whether asking again can come to anything: what passes, what asked too often, and who has signed in meanwhile. A refusal for good stays one. */
export function retryHelps(error: CallError): boolean {
  return isPassing(error) || error.why === 'tooMany' || error.why === 'notSignedIn';
}

export interface SendOptions {
  /** Ends the call early; it then fails with the signal's reason, not with a CallError. */
  signal?: AbortSignal | undefined;
  /** Milliseconds without an answer after which the call counts as offline. */
  timeout?: number;
  /** Lets the request outlive the page (leaving, closing). Browsers limit such bodies to 64 KB. */
  keepalive?: boolean;
  /** `false`: a lost session fails at once instead of asking the person to sign in again. */
  signInAgain?: boolean;
  /** The person asks for it once more by a press: having put signing in off counts no more. */
  pressed?: boolean;
}

const defaultTimeout = 20_000;

/** `pressed`: the person asked for it now, so that having put it off counts no more. */
type SignIn = (pressed: boolean) => Promise<boolean>;
let askSignIn: SignIn | null = null;
let asking: Promise<boolean> | null = null;
/** How often a lost session has been repaired. */
let repairs = 0;

/**
 * The shell says how a lost session is repaired in place: it opens the sign-in dialog over whatever is open (an exam
 * stays) and resolves to true once the same person is signed in again.
 */
export function onSignInNeeded(handler: SignIn | null): void {
  askSignIn = handler;
}

/** Opens the sign-in dialog because the person asks for it. Resolves to whether the same person is signed in again. */
export function signInNow(): Promise<boolean> {
  return openSignIn(true);
}

function openSignIn(pressed: boolean): Promise<boolean> {
  if (askSignIn === null) return Promise.resolve(false);
  asking ??= askSignIn(pressed)
    .then((done) => {
      if (done) repairs += 1;
      return done;
    })
    .finally(() => {
      asking = null;
    });
  return asking;
}

/**
 * However many calls fail at once, one dialog opens and all of them wait for it. A call that was sent with the old
 * session and fails after the repair (`since` is older) needs no second dialog.
 */
function signInAgain(since: number, pressed: boolean): Promise<boolean> {
  return repairs === since ? openSignIn(pressed) : Promise.resolve(true);
}

/**
 * Makes a call of the contract and returns its `data`.
 * Throws `CallError` for every refusal and for a missing answer. A 401 asks once to sign in again (`onSignInNeeded`)
 * and then repeats the call, so a page with work on it stays open.
 */
export async function send<N extends CallKey>(name: N, input: Input<N>, options: SendOptions = {}): Promise<Data<N>> {
  return withSignIn(() => once(name, input, options) as Promise<Data<N>>, options);
}

async function withSignIn<T>(
  work: () => Promise<T>,
  options: Pick<SendOptions, 'signInAgain' | 'pressed'>,
): Promise<T> {
  const since = repairs;
  try {
    return await work();
  } catch (error) {
    const lost = error instanceof CallError && error.why === 'notSignedIn' && options.signInAgain !== false;
    if (!lost || !(await signInAgain(since, options.pressed === true))) throw error;
    return await work();
  }
}

/** A file on a slow line: it counts as offline when nothing moves for so long (milliseconds). */
const stillFor = 30_000;

/**
 * Makes a call that takes a file, as `send` does, and says how much of it has gone (0 to 1). A large file on a slow line takes its
 * time: the call counts as offline when nothing moves any more.
 */
export function sendFile(
  name: 'POST /api/common/upload',
  { file, opt }: { file: File; opt: number },
  options: { signal?: AbortSignal; onProgress?: (share: number) => void; pressed?: boolean } = {},
): Promise<Data<'POST /api/common/upload'>> {
  const form = new FormData();
  form.append('opt', String(opt));
  form.append('file', file, file.name);
  return withSignIn(() => post(name.slice('POST '.length), form, options), options) as Promise<
    Data<'POST /api/common/upload'>
  >;
}

/** Sends a form; `fetch` says nothing of how much has gone. */
function post(
  path: string,
  form: FormData,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (share: number) => void },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    let late: ReturnType<typeof setTimeout> | undefined;
    const moved = () => {
      clearTimeout(late);
      late = setTimeout(stop, stillFor);
    };
    request.open('POST', path);
    request.setRequestHeader('accept', 'application/json');
    request.upload.onprogress = ({ loaded, total }) => {
      moved();
      onProgress?.(total === 0 ? 0 : loaded / total);
    };
    request.onload = () => {
      try {
        resolve(dataOf(request.status, request.responseText));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(new CallError(0, 'offline', offlineMsg));
    request.onabort = () => reject(signal?.aborted ? signal.reason : new CallError(0, 'offline', offlineMsg));
    request.onloadend = () => {
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
    };
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) return reject(signal.reason);
    moved();
    request.send(form);
  });
}

async function once(name: string, input: object, options: SendOptions): Promise<unknown> {
  const [method = 'GET', path = '/'] = name.split(' ');
  const abort = new AbortController();
  const stop = () => abort.abort(options.signal?.reason);
  if (options.signal?.aborted) stop();
  options.signal?.addEventListener('abort', stop, { once: true });
  const late = setTimeout(() => abort.abort(), options.timeout ?? defaultTimeout);
  try {
    const [url, body] = method === 'GET' ? [path + queryOf(input), null] : [path, JSON.stringify(input)];
    const ahead = askedAhead(body === null ? url : `${url} ${body}`);
    const { status, text, sent, received } =
      (ahead && (await orEnded(ahead, abort.signal))) ??
      (await fetched(url, {
        method,
        signal: abort.signal,
        keepalive: options.keepalive ?? false,
        credentials: 'same-origin',
        headers: { accept: 'application/json', ...(body === null ? {} : { 'content-type': 'application/json' }) },
        ...(body === null ? {} : { body }),
      }));
    const data = dataOf(status, text);
    sampleClock(data, sent, received);
    takeFormulas(data);
    return data;
  } catch (error) {
    if (error instanceof CallError) throw error;
    if (options.signal?.aborted) throw options.signal.reason;
    // fetch says nothing useful about a lost network, and our own time-out means the same to the person.
    throw new CallError(0, 'offline', offlineMsg);
  } finally {
    clearTimeout(late);
    options.signal?.removeEventListener('abort', stop);
  }
}

async function fetched(url: string, init: RequestInit): Promise<AskedAhead> {
  const sent = performance.now();
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, text, sent, received: performance.now() };
}

/** What `waited` resolves to, unless `signal` ends it before. */
function orEnded<T>(waited: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
    waited.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** A query string from the fields that have a value. */
export function queryOf(input: object): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    if (value !== undefined && value !== null) query.append(key, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The data of an answer. @throws CallError for every other answer */
function dataOf(status: number, text: string): unknown {
  const envelope = envelopeOf(text);
  if (envelope === null) throw withoutEnvelope(status);
  if (envelope.code !== 200) throw refused(envelope);
  return envelope.data;
}

function envelopeOf(text: string): Envelope<unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isEnvelope(value) ? value : null;
  } catch {
    return null;
  }
}

function isEnvelope(value: unknown): value is Envelope<unknown> {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number';
}

/** An answer that is not ours comes from something between: a gateway without a server behind it, or a captive portal. */
function withoutEnvelope(status: number): CallError {
  if (status === 413) return new CallError(413, 'tooLarge', msg('提交的内容太大'));
  if (status >= 502 && status <= 504) return new CallError(503, 'busy', busyMsg);
  if (status < 400) return new CallError(0, 'offline', offlineMsg);
  return new CallError(status, 'broken', brokenMsg);
}

function refused(envelope: Envelope<unknown>): CallError {
  const refusal = (envelope.data ?? {}) as Partial<Refusal>;
  return new CallError(envelope.code, refusal.why ?? 'broken', envelope.msg || brokenMsg, refusal);
}

/** Formulas of the texts of an answer come set beside them. */
function takeFormulas(data: unknown): void {
  if (typeof data === 'object' && data !== null && 'formulas' in data) knowFormulas(data.formulas as SetFormulas);
}

type SetFormulas = NonNullable<Data<'GET /api/exam/details'>['formulas']>;

function sampleClock(data: unknown, sent: number, received: number): void {
  if (typeof data === 'object' && data !== null && 'now' in data && typeof data.now === 'number') {
    serverClock.sample(data.now, sent, received);
  }
}
