/** One opening of a lesson's player, and which of its reports came. */
export interface Opening {
  /** Its name, by chance (contract/play.ts). */
  playId: string;
  /** The highest number of its reports. */
  lastSeq: number;
  /** Bit n: the report n + 1 before that one came too. */
  seenSeqs: number;
}

/**
 * Openings of a student's player whose numbers are kept of one lesson: two windows and a phone that take turns, and a tab that was closed and left
 * its last report behind.
 */
export const KEPT_OPENINGS = 4;

interface Numbered {
  /** It came before: nothing of it counts. */
  replayed: boolean;
  /** A later one of its opening came before it. */
  late: boolean;
  /** What is known after it. */
  openings: readonly Opening[];
}

/**
 * Whether a report came before, or later than one that its opening sent after it; each opening as RFC 4303 tells replayed packets, by a window of 32. Of
 * more openings than are kept, the one that was silent for longest is forgotten. Should it speak again it is taken for new: what it said before
 * and says again counts again, as far as the person's clock pays. To refuse it would cost those honest time who sent nothing twice.
 * @param openings that are known, the one that spoke last first
 * @param said its opening and its number there; null: it has none, and is taken as it comes
 */
export function takeNumber(
  openings: readonly Opening[],
  { playId, seq }: { playId: string | null; seq: number | null },
): Numbered {
  if (playId === null || seq === null) return { replayed: false, late: false, openings };
  const known = openings.find((opening) => opening.playId === playId);
  const others = openings.filter((opening) => opening.playId !== playId).slice(0, KEPT_OPENINGS - 1);
  const now = (late: boolean, lastSeq: number, seenSeqs: number): Numbered => ({
    replayed: false,
    late,
    openings: [{ playId, lastSeq, seenSeqs: seenSeqs >>> 0 }, ...others],
  });
  if (!known) return now(false, seq, 0);
  const { lastSeq, seenSeqs } = known;
  const ahead = seq - lastSeq;
  if (ahead > 0) return now(false, seq, ahead > 31 ? 0 : (seenSeqs << ahead) | (1 << (ahead - 1)));
  const bit = ahead === 0 || ahead < -31 ? 0 : 1 << (-ahead - 1);
  if (bit === 0 || (seenSeqs & bit) !== 0) return { replayed: true, late: true, openings };
  return now(true, lastSeq, seenSeqs | bit);
}
