import { recall, remember } from '#web/lib/remember.ts';
import type { Paper, RecordSnapshot } from '../paper.ts';
import type { UnsentAnswer } from './answers-state.ts';

const NAME = 'exam.places';
/** Records whose place a browser remembers: the latest ones. */
const MOST = 30;

/** Where a student was in a record when the screen was last left in this browser. */
export interface Place {
  recordId: number;
  questionId: number;
  /** The highest number of a change that was known then: a higher one was made elsewhere, later. */
  seq: number;
  /** Seconds spent on the record until then, all visits together: what was read without a network is not lost. */
  spent?: number;
}

/** The remembered place of a record, or null. */
export function recallPlace(recordId: number): Place | null {
  return recallPlaces().find((place) => place.recordId === recordId) ?? null;
}

export function rememberPlace(place: Place): void {
  remember(NAME, JSON.stringify([place, ...othersThan(place.recordId)].slice(0, MOST)));
}

export function forgetPlace(recordId: number): void {
  const others = othersThan(recordId);
  remember(NAME, others.length === 0 ? null : JSON.stringify(others));
}

function othersThan(recordId: number): Place[] {
  return recallPlaces().filter((place) => place.recordId !== recordId);
}

/** What is not as it was written (another version, another hand) counts as nothing. */
function recallPlaces(): Place[] {
  try {
    const places: unknown = JSON.parse(recall(NAME) ?? '[]');
    return Array.isArray(places) ? places.filter(isPlace) : [];
  } catch {
    return [];
  }
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== 'object' || value === null) return false;
  const { recordId, questionId, seq, spent = 0 } = value as Partial<Place>;
  return [recordId, questionId, seq, spent].every((field) => typeof field === 'number');
}

/**
 * Where a record opens that is continued, as a position from 0: at the question that was on the screen when it was left
 * in any browser, unless an answer was changed since; then at the question of the newest change. The first question
 * where nothing is known. Time spent on a record only grows, so it tells which place is the later one: of this browser, or
 * of the server.
 */
export function whereOneWas(
  { questions }: Pick<Paper, 'questions'>,
  { answers, place: told, totalTime }: Pick<RecordSnapshot, 'answers' | 'place' | 'totalTime'>,
  local: readonly UnsentAnswer[],
  place: Place | null,
): number {
  let newest: { questionId: number; seq: number } | null = null;
  for (const change of [...answers, ...local]) if (change.seq > (newest?.seq ?? 0)) newest = change;
  const last = newest?.seq ?? 0;
  const left = [told, place].filter((at) => at !== null && at.seq >= last);
  if ((place?.spent ?? 0) >= totalTime) left.reverse();
  const known = [...left, newest];
  const positions = known.map((at) => questions.findIndex(({ questionId }) => questionId === at?.questionId));
  return positions.find((position) => position >= 0) ?? 0;
}
