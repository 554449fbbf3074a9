import { useSyncExternalStore } from 'react';
import { hearDraft, keepDraft, keptDraft } from '#web/lib/drafts.ts';
import { useMe } from '#web/lib/me.ts';

/**
 * What a student jots down while sitting a record: options struck out, and a sheet of scratch paper. It is in this browser alone, no answer, and
 * gone with the hand-in or a sign-out (docs/decisions/067-what-time-was-spent.md).
 */
export interface Jottings {
  /** Letters struck out, by question. */
  readonly struck: Readonly<Record<string, string>>;
  /** What was typed on the sheet. */
  readonly text: string;
  /** What was drawn on it: each stroke as x, y, x, y … in CSS pixels from its upper left corner. */
  readonly strokes: readonly (readonly number[])[];
}

export const blank: Jottings = { struck: {}, text: '', strokes: [] };

/** Characters on a sheet, and numbers of all strokes together: some 200 KB, so that a browser has room for several. */
export const TEXT_LONGEST = 5000;
export const INK_MOST = 40_000;

const isEmpty = ({ struck, text, strokes }: Jottings) =>
  text === '' && strokes.length === 0 && Object.keys(struck).length === 0;

/** What was kept, as far as it is as it was written; anything else is left out. */
export function readJottings(kept: object): Jottings {
  const { struck, text, strokes } = kept as Record<string, unknown>;
  const letters = typeof struck === 'object' && struck !== null ? Object.entries(struck) : [];
  return {
    struck: Object.fromEntries(
      letters.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && /^[A-Z]+$/.test(entry[1])),
    ),
    text: typeof text === 'string' ? text.slice(0, TEXT_LONGEST) : '',
    strokes: Array.isArray(strokes) ? strokes.filter(isStroke) : [],
  };
}

const isStroke = (stroke: unknown): stroke is number[] =>
  Array.isArray(stroke) && stroke.length >= 2 && stroke.length % 2 === 0 && stroke.every(Number.isFinite);

/** Strikes an option out, or takes that back. */
export function toggleStruck(jottings: Jottings, questionId: number, letter: string): Jottings {
  const before = jottings.struck[questionId] ?? '';
  const after = before.includes(letter) ? before.replace(letter, '') : [...before, letter].sort().join('');
  const { [questionId]: _, ...others } = jottings.struck;
  return { ...jottings, struck: after === '' ? others : { ...others, [questionId]: after } };
}

/** Whether the sheet has room for another stroke. */
export function hasRoom({ strokes }: Jottings): boolean {
  return strokes.reduce((sum, { length }) => sum + length, 0) < INK_MOST;
}

/** A stroke more; a sheet that is full stays as it is. */
export function addStroke(jottings: Jottings, stroke: readonly number[]): Jottings {
  if (!isStroke(stroke) || !hasRoom(jottings)) return jottings;
  return { ...jottings, strokes: [...jottings.strokes, stroke.map(Math.round)] };
}

const placeOf = (recordId: number) => `jottings.${recordId}`;
const listeners = new Set<() => void>();
/** Those of the record on the screen. */
let held: { owner: number; recordId: number; jottings: Jottings } | null = null;

function look(owner: number, recordId: number): Jottings {
  if (held?.owner !== owner || held.recordId !== recordId)
    held = { owner, recordId, jottings: keptDraft(owner, placeOf(recordId), readJottings) ?? blank };
  return held.jottings;
}

function put(owner: number, recordId: number, jottings: Jottings): void {
  held = { owner, recordId, jottings };
  keepDraft(owner, placeOf(recordId), isEmpty(jottings) ? null : jottings);
  for (const listener of listeners) listener();
}

/** The jottings of a record, and the way to change them. */
export function useJottings(recordId: number): [Jottings, (change: (before: Jottings) => Jottings) => void] {
  const owner = useMe().me?.studentId ?? 0;
  const jottings = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      // Another window of the same record: what it jotted down would be lost with the next stroke here.
      const end = hearDraft(owner, placeOf(recordId), () => {
        held = null;
        listener();
      });
      return () => {
        listeners.delete(listener);
        end();
      };
    },
    () => look(owner, recordId),
  );
  return [jottings, (change) => put(owner, recordId, change(look(owner, recordId)))];
}

/** The record is handed in: nothing of it is needed any more. */
export function forgetJottings(owner: number, recordId: number): void {
  put(owner, recordId, blank);
}
