import type { Static, TObject, TSchema } from 'typebox';

/** What one person may do with sockets of one kind at one server. What is more is refused before the socket opens, or ends it. */
interface SocketLimits {
  /** Open at once. */
  readonly open: number;
  /** Opened in a minute. */
  readonly opensPerMinute: number;
  /** Bytes that may come in a minute by one socket. */
  readonly bytesPerMinute: number;
  /** Bytes that may wait to be sent: a window that takes nothing any more is cut off. */
  readonly waiting: number;
}

/**
 * One WebSocket on the wire, declared once. Its opening is a request like any other: who may, what the query holds, and
 * that no other site started it (`crossSite`) are decided before it opens, with the envelope of a refused call.
 */
export interface Socket<I extends TObject = TObject, M extends TSchema = TSchema> {
  readonly path: `/${string}`;
  /** One English sentence for the docs. */
  readonly says: string;
  /** Where it comes from: a section of the product spec or of the decisions. */
  readonly source: string;
  /** As of a call; a socket is never for visitors, and ends with the session that opened it. */
  readonly who: 'user' | 'teacher';
  /** The query. */
  readonly input: I;
  /** What the server sends, as JSON. Nothing is heard: what a browser sends is dropped. */
  readonly message: M;
  readonly limits: SocketLimits;
}

/** What a window asks for when it opens a socket. */
export type SocketInput<S extends Socket> = Static<S['input']>;
/** What a socket's window hears. */
export type MessageOf<S extends Socket> = Static<S['message']>;

/** Far more windows than anybody answers in, and a network that comes and goes in each of them. */
const USUAL: SocketLimits = { open: 50, opensPerMinute: 300, bytesPerMinute: 64 * 1024, waiting: 256 * 1024 };

type Declaration<I extends TObject, M extends TSchema> = Omit<Socket<I, M>, 'path' | 'limits'> & {
  limits?: Partial<SocketLimits>;
};

/** Declares a socket, as `call` does a call. */
export function socket<I extends TObject, M extends TSchema>(
  path: `/${string}`,
  { limits, ...declaration }: Declaration<I, M>,
): Socket<I, M> {
  return { ...declaration, path, limits: { ...USUAL, ...limits } };
}
