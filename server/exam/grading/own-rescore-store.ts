import { ownKinds } from '#contract/values/exam.ts';
import { type QuestionChange, rescores } from '#rules/exam/rescore.ts';
import type { Query, Trx } from '#server/db/open.ts';

/** A correction for which papers that students put together are looked through, from the paper behind `after` on. */
interface OwnSearch {
  correctionId: number;
  questionId: number;
  packId: number;
  after: number;
}

/** The first search that is not done; null: there is none. */
export async function nextSearch(query: Query): Promise<OwnSearch | null> {
  const row = await query
    .selectFrom('own_rescores')
    .innerJoin('question_corrections', 'question_corrections.correction_id', 'own_rescores.correction_id')
    .innerJoin('corrections', 'corrections.id', 'own_rescores.correction_id')
    .select(['own_rescores.correction_id', 'question_id', 'pack_id', 'after_exam'])
    .where('own_rescores.done', '=', 0)
    .orderBy('own_rescores.correction_id')
    .limit(1)
    .executeTakeFirst();
  return row
    ? { correctionId: row.correction_id, questionId: row.question_id, packId: row.pack_id, after: row.after_exam }
    : null;
}

/** Lists the closed records of the next papers that have the question and began before its correction, and notes how far that has come. */
export async function searchOn(trx: Trx, search: OwnSearch, most: number): Promise<void> {
  const { correctionId, questionId, packId, after } = search;
  const papers = await trx
    .selectFrom('exams')
    .select('id')
    .where('kind', 'in', ownKinds)
    .where('pack_id', '=', packId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute();
  const last = papers.at(-1)?.id ?? after;
  await trx
    .insertInto('own_records_to_rescore')
    .columns(['record_id'])
    .expression(
      trx
        .selectFrom('exam_records')
        .innerJoin('own_papers', 'own_papers.exam_id', 'exam_records.exam_id')
        .select('exam_records.id')
        .where('own_papers.exam_id', '>', after)
        .where('own_papers.exam_id', '<=', last)
        .where('own_papers.questions', 'like', `%[${questionId},%`)
        .where('exam_records.pack_id', '=', packId)
        .where('exam_records.submitted_at', 'is not', null)
        .where('exam_records.version', '<=', correctionId),
    )
    .onConflict((conflict) => conflict.column('record_id').doNothing())
    .execute();
  await trx
    .updateTable('own_rescores')
    .set({ after_exam: last, done: papers.length < most ? 1 : 0 })
    .where('correction_id', '=', correctionId)
    .execute();
}

/** Lists records of own papers that were closed just now, where a correction came since they began. */
export async function listClosedOwn(trx: Trx, recordIds: readonly number[]): Promise<void> {
  if (recordIds.length === 0) return;
  await trx
    .insertInto('own_records_to_rescore')
    .columns(['record_id'])
    .expression(
      trx
        .selectFrom('exam_records')
        .select('exam_records.id')
        .where('exam_records.id', 'in', [...recordIds])
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('own_rescores')
              .innerJoin('corrections', 'corrections.id', 'own_rescores.correction_id')
              .select('corrections.id')
              .whereRef('corrections.pack_id', '=', 'exam_records.pack_id')
              .whereRef('corrections.id', '>=', 'exam_records.version'),
          ),
        ),
    )
    .onConflict((conflict) => conflict.column('record_id').doNothing())
    .execute();
}

/** Records that are listed, by id, behind one. */
export async function listedOwn(query: Query, after: number, most: number): Promise<number[]> {
  const rows = await query
    .selectFrom('own_records_to_rescore')
    .select('record_id')
    .where('record_id', '>', after)
    .orderBy('record_id')
    .limit(most)
    .execute();
  return rows.map((row) => row.record_id);
}

/** Takes a record off the list. */
export async function delistOwn(trx: Trx, recordId: number): Promise<void> {
  await trx.deleteFrom('own_records_to_rescore').where('record_id', '=', recordId).execute();
}

/** The corrections of a pack that change what answers are worth and that a record with this version does not show, oldest first. */
export async function correctionsSince(
  query: Query,
  { packId, version }: { packId: number; version: number },
): Promise<{ correctionId: number; questionId: number; reason: string }[]> {
  const rows = await query
    .selectFrom('question_corrections')
    .innerJoin('corrections', 'corrections.id', 'question_corrections.correction_id')
    .select(['correction_id', 'question_id', 'reason', 'changes'])
    .where('corrections.pack_id', '=', packId)
    .where('corrections.id', '>=', version)
    .orderBy('corrections.id')
    .execute();
  return rows
    .filter(({ changes }) => rescores(JSON.parse(changes) as QuestionChange))
    .map((row) => ({ correctionId: row.correction_id, questionId: row.question_id, reason: row.reason }));
}
