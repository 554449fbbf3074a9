import { t, tIn } from '#web/lib/t.ts';
import type { Level } from './view.ts';

/** A level filter in the person's language (spec §9: all, 985, 211, double-first-class). */
export function levelWord(level: Level): string {
  return level === 'all' ? tIn('level', '全部') : level === 'dfc' ? t('双一流') : level;
}

/** The levels a university has, highest first. */
export function levelsOf({ is985, is211, isDfc }: { is985: number; is211: number; isDfc: number }): string[] {
  return [is985 === 1 && '985', is211 === 1 && '211', isDfc === 1 && t('双一流')].filter((level) => level !== false);
}
