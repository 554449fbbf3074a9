import type { Refusal, Why } from '#contract/envelope.ts';
import type { Role } from '#contract/values/user.ts';
import type { KeptText } from './kept-text.ts';

/** A refused call: `why` picks status and sentence from the catalogue. */
export interface Refused {
  readonly refused: Refusal;
}
/**
 * Data that is serialized already, by the serializer of the call's own schema (`jsonOf` in `serialize.ts`): text, or the
 * parts of it, for what many get alike.
 */
export interface ReadyJson {
  readonly json: string | readonly (Buffer | KeptText)[];
}

/** Answers a call with a refusal from the catalogue. `field` and `at` name what is at fault (contract `Refusal`). */
export function refuse(why: Why, field?: string, at?: number): Refused {
  return { refused: { why, ...(field === undefined ? {} : { field }), ...(at === undefined ? {} : { at }) } };
}

/** Whether a handler's answer is a refusal (`refuse`), not data. */
export function isRefused(value: unknown): value is Refused {
  return typeof value === 'object' && value !== null && 'refused' in value;
}

/** Whether a handler's answer is serialized already and goes out as it is. */
export function isReadyJson(value: unknown): value is ReadyJson {
  if (typeof value !== 'object' || value === null || !('json' in value)) return false;
  return typeof value.json === 'string' || Array.isArray(value.json);
}

/** What a signed-in request knows of its person. */
export interface SignedIn {
  userId: number;
  role: Role;
  tokenHash: string;
}

/** What a handler is told: the checked input, who asks, and when the request arrived (server time, milliseconds). */
export interface Ask<I, U> {
  input: I;
  user: U;
  arrivedAt: number;
  ip: string;
  /** What the program calls itself; empty: it does not say. */
  userAgent: string;
  /** A page of ours or a program asked for it, not a link of another site, nor an address that somebody opened (decisions §7). */
  isMeant: boolean;
  /** The device cookie, by which a browser is known again; null: none came. */
  device: string | null;
  /** Puts the device cookie on the answer. */
  setDevice(device: { token: string; expiresAt: number }): void;
  /** Puts the session cookie on the answer; null takes it away. */
  setSession(session: { token: string; expiresAt: number } | null): void;
  /** Puts a cookie on the answer that is sent below one path alone. */
  setGrant(grant: { token: string; expiresAt: number; path: string }): void;
}
