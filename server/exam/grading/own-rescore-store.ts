import { sql } from 'kysely';
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
  // Of a paper’s rule none is asked for: papers of students have none.
  return row && row.question_id !== null
    ? { correctionId: row.correction_id, questionId: row.question_id, packId: row.pack_id, after: row.after_exam }
    : null;
}

/**
 * Lists the records of the next papers that have the question and began before its correction, open ones too, and notes how far that has
 * come. What of them the correction does not come to is taken off the list when it is looked at first (rescore-own.ts).
 */
export async function searchOn(trx: Trx, search: OwnSearch, most: number): Promise<void> {
  const { correctionId, questionId, packId, after } = search;
  const { papers, last } = await nextPapers(trx, packId, after, most);
  await trx
    .insertInto('own_records_on_way')
    .columns(['record_id', 'correction_id'])
    .expression(
      recordsWith(trx, { questionId, packId, after, last })
        .innerJoin('corrections', (join) => join.on('corrections.id', '=', correctionId))
        .select(['exam_records.id', 'corrections.id as correction_id'])
        .where('exam_records.version', '<=', correctionId),
    )
    .onConflict((conflict) => conflict.columns(['record_id', 'correction_id']).doNothing())
    .execute();
  await trx
    .updateTable('own_rescores')
    .set({ after_exam: last, done: papers < most ? 1 : 0 })
    .where('correction_id', '=', correctionId)
    .execute();
}

/** How many papers of students come next in a pack, up to a bound, and the last of them. */
async function nextPapers(
  query: Query,
  packId: number,
  after: number,
  most: number,
): Promise<{ papers: number; last: number }> {
  const rows = await query
    .selectFrom('exams')
    .select('id')
    .where('kind', 'in', ownKinds)
    .where('pack_id', '=', packId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute();
  return { papers: rows.length, last: rows.at(-1)?.id ?? after };
}

/** The records of a run of students' papers that have a question. */
const recordsWith = (
  query: Query,
  { questionId, packId, after, last }: { questionId: number; packId: number; after: number; last: number },
) =>
  query
    .selectFrom('exam_records')
    .innerJoin('own_papers', 'own_papers.exam_id', 'exam_records.exam_id')
    .where('own_papers.exam_id', '>', after)
    .where('own_papers.exam_id', '<=', last)
    .where('own_papers.questions', 'like', `%[${questionId},%`)
    .where('exam_records.pack_id', '=', packId);

/** How many records of students' papers of a pack have a question: closed ones and open ones. Read in pieces, so that others are served in between. */
export async function countOwnWith(
  query: Query,
  { questionId, packId }: { questionId: number; packId: number },
  papersAtOnce: number,
): Promise<{ closed: number; open: number }> {
  const counts = { closed: 0, open: 0 };
  for (let after = 0, more = true; more; ) {
    const { papers, last } = await nextPapers(query, packId, after, papersAtOnce);
    const found = await recordsWith(query, { questionId, packId, after, last })
      .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('exam_records.submitted_at').as('closed')])
      .executeTakeFirstOrThrow();
    counts.closed += Number(found.closed);
    counts.open += Number(found.all) - Number(found.closed);
    [after, more] = [last, papers === papersAtOnce];
  }
  return counts;
}

/**
 * Says of records of own papers that they were closed just now. One that its search did not see, since it began while the correction was
 * made, is listed here, and its correction is not done any more.
 */
export async function listClosedOwn(trx: Trx, recordIds: readonly number[]): Promise<void> {
  if (recordIds.length === 0) return;
  const missed = await trx
    .insertInto('own_records_on_way')
    .columns(['record_id', 'correction_id'])
    .expression(
      trx
        .selectFrom('exam_records')
        .innerJoin('own_papers', 'own_papers.exam_id', 'exam_records.exam_id')
        .innerJoin('corrections', 'corrections.pack_id', 'exam_records.pack_id')
        .innerJoin('own_rescores', 'own_rescores.correction_id', 'corrections.id')
        .innerJoin('question_corrections', 'question_corrections.correction_id', 'corrections.id')
        .select(['exam_records.id', 'corrections.id as correction_id'])
        .where('exam_records.id', 'in', [...recordIds])
        .whereRef('corrections.id', '>=', 'exam_records.version')
        .where('own_papers.questions', 'like', sql<string>`'%[' || question_corrections.question_id || ',%'`),
    )
    .onConflict((conflict) => conflict.columns(['record_id', 'correction_id']).doNothing())
    .returning('correction_id')
    .execute();
  // Whatever stands there: who says at this moment that one is done has to wait, and then finds the record (`endCorrections`).
  for (const id of [...new Set(missed.map((row) => row.correction_id))].sort((a, b) => a - b))
    await trx.updateTable('question_corrections').set({ done_at: null }).where('correction_id', '=', id).execute();
  await trx
    .updateTable('own_records_on_way')
    .set({ due: 1 })
    .where('record_id', 'in', [...recordIds])
    .execute();
}

/** Records that are listed and due, by id, behind one. */
export async function listedOwn(query: Query, after: number, most: number): Promise<number[]> {
  const rows = await query
    .selectFrom('own_records_on_way')
    .select('record_id')
    .distinct()
    .where('due', '=', 1)
    .where('record_id', '>', after)
    .orderBy('record_id')
    .limit(most)
    .execute();
  return rows.map((row) => row.record_id);
}

/** Takes a record, which the transaction holds, off the list, but for the corrections that come to it yet. */
export async function delistOwn(trx: Trx, recordId: number, but: readonly number[] = []): Promise<void> {
  let rows = trx.deleteFrom('own_records_on_way').where('record_id', '=', recordId);
  if (but.length > 0) rows = rows.where('correction_id', 'not in', but);
  await rows.execute();
}

/** Lets a record that is open, and that the transaction holds, rest on the list until it is closed. */
export async function restOwn(trx: Trx, recordId: number): Promise<void> {
  await trx.updateTable('own_records_on_way').set({ due: 0 }).where('record_id', '=', recordId).execute();
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
  return rows.flatMap(({ correction_id: correctionId, question_id: questionId, reason, changes }) =>
    questionId !== null && rescores(JSON.parse(changes) as QuestionChange)
      ? [{ correctionId, questionId, reason }]
      : [],
  );
}
