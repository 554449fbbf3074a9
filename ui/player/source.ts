import type { Known } from './head-start.ts';

/** What can be played now. */
export interface Opening {
  /** The master playlist (HLS). */
  url: string;
  /** What came along: its list of qualities, and of one quality the list of parts and the key. */
  known?: Known;
  /** Of these the address of the list of parts. */
  begins?: string;
}

/** Where a film or a sound comes from. */
export interface Source {
  /** Waits for the right to play. @returns null: there is none, of which whoever asked for it tells */
  open: () => Promise<Opening | null>;
  /** Asked anew for each request for a playlist, a key or a segment. What they carry never stands in an address. */
  headers?: () => Record<string, string>;
  /** The server refused: gets a new right to play. @returns whether there is one */
  renew?: () => Promise<boolean>;
}

/** A quality, by the shorter side of its picture. */
export interface Quality {
  index: number;
  height: number;
}

/** Why a film cannot be played: the codes that the product spec §8 names, 3 `decode` and 4 `network`. */
export type Failure = 'decode' | 'network';

export interface Listener {
  /** The element has been given what it plays, which interrupts a play that was asked for before. */
  onAttached(): void;
  onQualities(qualities: readonly Quality[]): void;
  /** Which quality plays now. */
  onQuality(index: number): void;
  onFailure(why: Failure): void;
}

/** What loads a source into a media element. */
export interface Engine {
  /** -1: by itself. */
  chooseQuality(index: number): void;
  /** Asks for the stream again where it hangs. */
  nudge(): void;
  /** Somebody tries again what failed: with every try anew. */
  reopen(): void;
  destroy(): void;
}
