import type { CallLimits } from './call.ts';

/**
 * One message of a provider to this server (payment, video): declared once, as a call is. It is no call: nobody is signed in, no
 * envelope is answered, a request from another site is what it is, and its signature is over the bytes as they came, so
 * that nothing may parse them first (decisions §8).
 */
export interface Callback {
  readonly path: `/${string}`;
  /** One English sentence for the docs. */
  readonly says: string;
  /** Where it comes from: a section of the product spec or of the decisions. */
  readonly source: string;
  /** The largest body in bytes; what is larger is refused unread. */
  readonly bodyLimit: number;
  /** How much one address may send. A message that is refused comes again: providers repeat for hours. */
  readonly limits: CallLimits;
}

/** Some bytes of JSON or XML, a few a second at most from one of a provider's machines. */
const USUAL = { bodyLimit: 64 * 1024, limits: { inFlight: 16, perMinute: 600, bytesPerMinute: 8 * 1024 * 1024 } };

/** Declares a callback. */
export function callback(
  path: `/${string}`,
  {
    limits,
    ...declaration
  }: Omit<Callback, 'path' | 'bodyLimit' | 'limits'> & {
    bodyLimit?: number;
    limits?: Partial<CallLimits>;
  },
): Callback {
  return { ...USUAL, ...declaration, limits: { ...USUAL.limits, ...limits }, path };
}
