/**
 * An address below which bytes are served that are no answer of a call: playlists, keys and segments of a video. It is declared
 * once, as a call is. Who may have them is said by a grant that a call gave, in the cookie of the path, or as a bearer: never in
 * the address, which ends in logs and links (decisions §4).
 */
export interface Bytes {
  /** What stands before the id of what is served; the rest of the address says which part of it. */
  readonly path: `/${string}/`;
  /** One English sentence for the docs. */
  readonly says: string;
  /** Where it comes from: a section of the product spec or of the decisions. */
  readonly source: string;
}
