import type { QuestionChange } from '#rules/exam/rescore.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { readTeacherCorrections, type TeacherCorrection } from './teacher-correction-store.ts';

/** What the correction changed that made a question void, as long as it is; null: it counts. */
export function voidedOf(
  corrections: readonly TeacherCorrection[],
): Pick<QuestionChange, 'score' | 'scores' | 'leaves'> | null {
  return corrections.findLast(makesVoid)?.change ?? null;
}

const makesVoid = ({ change }: TeacherCorrection) => change.gradeMode?.[1] === 'void';

/** The questions of a pack that count for nothing (作废), with the correction that made them so. */
export async function readVoided(query: Query, packId: number): Promise<Map<number, TeacherCorrection | null>> {
  const rows = await query
    .selectFrom('questions')
    .select('id')
    .where('pack_id', '=', packId)
    .where('grade_mode', '=', 'void')
    .execute();
  const ids = rows.map(({ id }) => id);
  const corrections = await readTeacherCorrections(query, ids);
  return new Map(ids.map((id) => [id, (corrections.get(id) ?? []).findLast(makesVoid) ?? null]));
}

/** Void questions of which another place is kept than a practice gives them as it comes in now. */
export function otherPlaces(
  examId: number,
  left: readonly { questionId: number; position: number; score: number }[],
  voided: Awaited<ReturnType<typeof readVoided>>,
): { correction: TeacherCorrection; place: readonly [position: number, score: number] | undefined }[] {
  const places = new Map(left.map(({ questionId, position, score }) => [questionId, [position, score] as const]));
  return [...voided].flatMap(([questionId, correction]) => {
    const place = places.get(questionId);
    const known = correction?.change.leaves?.[examId];
    const isOther = correction !== null && (known?.[0] !== place?.[0] || known?.[1] !== place?.[1]);
    return isOther ? [{ correction, place }] : [];
  });
}

/**
 * Keeps the places that void questions have in a practice as it comes in now, for the day on which they count again; of one that the
 * practice lists no more it is forgotten.
 * @param left what the practice lists and does not offer
 */
export async function keepPlaces(
  trx: Trx,
  examId: number,
  left: readonly { questionId: number; position: number; score: number }[],
  voided: Awaited<ReturnType<typeof readVoided>>,
): Promise<void> {
  for (const { correction, place } of otherPlaces(examId, left, voided)) {
    const { [examId]: _, ...leaves } = correction.change.leaves ?? {};
    correction.change.leaves = place ? { ...leaves, [examId]: [...place] } : leaves;
    await trx
      .updateTable('question_corrections')
      .set({ changes: JSON.stringify(correction.change) })
      .where('correction_id', '=', correction.id)
      .execute();
  }
}
