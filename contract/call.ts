import { type Static, type TLiteral, type TObject, type TSchema, type TUnion, Type } from 'typebox';
import type { Why } from './envelope.ts';
import { LARGEST_PAGE_SIZE, PAGE_SIZE, PLACE_PATTERN } from './values/paging.ts';

/** How a call is named everywhere: in code, in tests, in the docs and in the browser's `send`. */
type CallName = `${'GET' | 'POST'} /${string}`;

/**
 * Who may make a call. `visitor`: anyone · `user`: signed in · `enrolled`: signed in, and may open the pack that `packId`
 * names (`notFound`, `notEnrolled`; rules/course/access.ts) · `teacher`: signed in with the teacher's role.
 */
type Who = 'visitor' | 'user' | 'enrolled' | 'teacher';

/**
 * One call on the wire, declared once and read by both sides: the server validates and serializes with it, the
 * browser takes its types (never the schemas themselves, which stay out of the web bundle).
 */
export interface Call<N extends CallName = CallName, I extends TObject = TObject, D extends TSchema = TSchema> {
  readonly name: N;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** One English sentence for `/docs`. */
  readonly says: string;
  /** Where the call comes from: a section of the product spec or of the decisions. */
  readonly source: string;
  readonly who: Who;
  /**
   * For reports that every viewer sends all day: what comes within a tenth of a second is read, decided and answered together
   * (server/http/gathered.ts). Where they are for the enrolled, their handler asks for all enrolments at once. Any other call is answered by
   * itself, and the server asks for its enrolment.
   */
  readonly gathered: boolean;
  /** GET reads it from the query, POST from the JSON body, or from the form that it takes instead (`form`). */
  readonly input: I;
  /** The body is `multipart/form-data`, one of whose fields is a file (`FormFile`); it takes nothing else. */
  readonly form: boolean;
  /** The `data` of a successful envelope. A field it does not name never leaves the server. */
  readonly data: D;
  /**
   * Refusals this call can answer beside those of every call (`badInput`, `notSignedIn`, `notAllowed`, `crossSite`,
   * `notByAddress`, and `tooMany` where its limits are met).
   */
  readonly refuses: readonly Why[];
  /**
   * Whether it changes something: every POST, and each GET that says so (decisions §7). It refuses requests that another site
   * started (`crossSite`), and as a GET also those that no program made: an address that was opened, a picture, a page fetched
   * ahead (`notByAddress`).
   */
  readonly writes: boolean;
  /**
   * It waits for its turn beside what reads, and goes behind saves: every call that changes nothing, and those that read much before they change
   * something. What a person waits for at every press, such as a save, is none of them.
   */
  readonly inTurn: boolean;
  /** The browser keeps what it sends with it until it is acknowledged, and sends it again. */
  readonly kept: boolean;
  /** The largest body in bytes. What is larger is refused unread (`tooLarge`). */
  readonly bodyLimit: number;
  /** How much of it one person may ask for. */
  readonly limits: CallLimits;
}

/**
 * How much of one call one person who is signed in may ask for at one server, whatever others do; what is more is refused
 * (`tooMany`, with `Retry-After`), and what the browser keeps it sends again. Far above what anybody does by hand in
 * several windows, after hours without a network too: server/http/allowances.test.ts holds that against them.
 */
export interface CallLimits {
  /** Under way at once. */
  readonly inFlight: number;
  /** At a stretch; what was asked for is given back evenly within a minute. */
  readonly perMinute: number;
  /** Bytes of bodies, as `perMinute`. */
  readonly bytesPerMinute: number;
}

const MEGABYTE = 1024 * 1024;
const READS: CallLimits = { inFlight: 32, perMinute: 600, bytesPerMinute: MEGABYTE };
const WRITES: CallLimits = { inFlight: 32, perMinute: 300, bytesPerMinute: 8 * MEGABYTE };
/** For calls whose answer is long or takes the database long. */
export const HEAVY = { inFlight: 16, perMinute: 120 } as const satisfies Partial<CallLimits>;

/** Enough for every call that does not carry answers. */
export const SMALL_BODY = 64 * 1024;

/** What a caller sends: the input's type. */
export type InputOf<C extends Call> = Static<C['input']>;
/** What a caller gets back in `data`. */
export type DataOf<C extends Call> = Static<C['data']>;

interface Declaration<I extends TObject, D extends TSchema> {
  says: string;
  source: string;
  who: I['properties'] extends { packId: typeof Id } ? Who : Exclude<Who, 'enrolled'>;
  input: I;
  data: D;
  gathered?: boolean;
  refuses?: readonly Why[];
  writes?: boolean;
  inTurn?: boolean;
  kept?: boolean;
  form?: boolean;
  bodyLimit?: number;
  limits?: Partial<CallLimits>;
}

/** Declares a call. The name carries method and path, so a path from an address bar or a log finds it by search. */
export function call<const N extends CallName, I extends TObject, D extends TSchema>(
  name: N,
  { limits, ...declaration }: Declaration<I, D>,
): Call<N, I, D> {
  const [method, path] = name.split(' ') as ['GET' | 'POST', string];
  return {
    refuses: [],
    gathered: false,
    writes: method === 'POST',
    inTurn: method === 'GET' && !declaration.writes,
    kept: false,
    form: false,
    bodyLimit: SMALL_BODY,
    ...declaration,
    limits: { ...(method === 'GET' && !declaration.writes ? READS : WRITES), ...limits },
    name,
    method,
    path,
  };
}

/** A database id. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** Epoch milliseconds. */
export const Millis = Type.Integer({ description: 'epoch milliseconds' });
/** Yes or no as the spec writes it: 1 or 0. */
export const YesNo = Type.Integer({ minimum: 0, maximum: 1, description: '1 yes, 0 no' });
export const PageNum = Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 });
export const PageSize = Type.Integer({ minimum: 1, maximum: LARGEST_PAGE_SIZE, default: PAGE_SIZE });
/** A file that came in a form, whole and in memory: its name as the sender says it, and its bytes. */
export interface SentFile {
  name: string;
  bytes: Uint8Array;
}
/** The field of a form (`form: true`) that is a file. */
export const FormFile = Type.Unsafe<SentFile>({
  contentMediaType: 'application/octet-stream',
  description: 'the file itself',
});
/** An answer that says nothing beyond having worked. */
export const Nothing = Type.Object({});

type Literals<V extends readonly (string | number)[]> = { -readonly [At in keyof V]: TLiteral<V[At]> };

/** One of these values (contract/values), in the form that the serializer understands. */
export const OneOf = <const V extends readonly (string | number)[]>(values: V, options?: { description: string }) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  ) as unknown as TUnion<Literals<V>>;

/** A value or null, in the form that the serializer understands. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One page of a list: `total` counts all pages, `pages` is the number of pages. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({ list: Type.Array(item), total: Type.Integer(), pages: Type.Integer(), pageNum: Type.Integer() });

/** Of a list that shrinks while one reads it or works on it: behind which entry one goes on. `pageNum` is then but said back. */
export const After = Type.Optional(
  Type.String({
    maxLength: 32,
    pattern: PLACE_PATTERN,
    description:
      '`next` of the page before: what comes behind its last entry is listed and counted, whatever left the list meanwhile',
    examples: ['w1790000000000-12'],
  }),
);
export const Next = Nullable(
  Type.String({ description: 'to be sent as `after` with the next page; null: this one is the last' }),
);

/** Names what a person writes, so that it is stored once however often it is sent. */
export const ClientId = Type.Optional(
  Type.String({
    minLength: 8,
    maxLength: 64,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'by chance, one for each thing written: sent again it is the same one, and gets the same answer',
  }),
);
