import { MOST_COMPARED } from '#contract/values/university.ts';

/** Decides the list to compare: repeated ids count once, the order stays; more than three are refused. */
export function chooseCompared(
  ids: readonly number[],
): { ok: true; ids: number[] } | { ok: false; why: 'compareFull' } {
  const chosen = [...new Set(ids)];
  return chosen.length > MOST_COMPARED ? { ok: false, why: 'compareFull' } : { ok: true, ids: chosen };
}

interface Dated {
  packId: number;
  packageName: string;
  /** YYYY-MM-DD. */
  examDate: string | null;
}

/**
 * The exam a student is heading for: the nearest day of the enrolled packs that is not past.
 * @param today YYYY-MM-DD in China; the day of the exam itself still counts
 */
export function nearestExam<P extends Dated>(packs: readonly P[], today: string): (P & { examDate: string }) | null {
  let nearest: (P & { examDate: string }) | null = null;
  for (const pack of packs) {
    const { examDate } = pack;
    if (examDate === null || examDate < today) continue;
    if (nearest === null || examDate < nearest.examDate) nearest = { ...pack, examDate };
  }
  return nearest;
}
