import type { Chore } from '#server/chores.ts';
import type { Db } from '#server/db/open.ts';
import { goOnWithImports } from './broken-off.ts';

/** Imports whose process has ended are looked for as often as this (milliseconds). */
const LOOK_EVERY = 30_000;

/** The background work of imports. */
export const importChores = ({ db }: { db: Db }): Chore[] => [
  { name: 'import: go on with what was broken off', every: LOOK_EVERY, run: (now) => goOnWithImports(db, now) },
];
