import { ProviderAway } from './provider.ts';

/** Milliseconds until a provider's answer is given up: two of them, one after the other, are answered before a browser gives up. */
const TIMEOUT = 3500;
/** More than a provider says in one answer; a bill has its own bound. */
const LARGEST = 1024 * 1024;
const LARGEST_BILL = 64 * 1024 * 1024;

/** An answer with its bytes as they came, over which its signature is. */
export interface ProviderAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Asks a provider over HTTP. @throws ProviderAway when no whole answer came; its message holds nothing of what was asked */
export async function askProvider(
  url: string,
  init: { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string },
  { bill = false } = {},
): Promise<ProviderAnswer> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(bill ? 60_000 : TIMEOUT),
    });
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of response.body ?? []) {
      length += piece.byteLength;
      if (length > (bill ? LARGEST_BILL : LARGEST)) throw new ProviderAway('its answer is too long');
      pieces.push(piece);
    }
    return { status: response.status, headers: response.headers, body: Buffer.concat(pieces) };
  } catch (error) {
    if (error instanceof ProviderAway) throw error;
    const fault =
      error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.name) : 'unknown';
    throw new ProviderAway(`it could not be reached: ${fault}`);
  }
}

/** A field of a parsed answer as a text; '' where it is none. */
export function textIn(value: unknown, name: string): string {
  const field = fieldIn(value, name);
  return typeof field === 'string' ? field : '';
}

/** A field of a parsed answer. */
export function fieldIn(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** JSON of strangers; undefined: it is none. */
export function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
