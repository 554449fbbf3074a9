import type { ExamKind } from '#contract/values/exam.ts';
import type { Choices } from '#rules/exam/quality.ts';
import { batches, inLists } from '#server/db/batches.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';

/** A closed record whose answers wait to be counted. */
export interface RecordToCount {
  id: number;
  userId: number;
  examId: number;
  version: number;
  kind: ExamKind;
  graded: string;
}

/** What is counted of one question. */
export interface CountedQuestion {
  questionId: number;
  packId: number;
  keyVersion: number;
  /** What its letters stand for (count-quality.ts); '': nothing is counted yet. */
  meaning: string;
  choices: Choices;
}

/** Records that wait to be counted, without a transaction. */
export async function nextToCount(query: Query, most: number): Promise<number[]> {
  const rows = await query
    .selectFrom('records_to_count')
    .select('record_id')
    .orderBy('record_id')
    .limit(most)
    .execute();
  return rows.map((row) => row.record_id);
}

/** Of these records those that are closed, with the version that they have. */
export async function readClosed(
  query: Query,
  recordIds: readonly number[],
): Promise<Pick<RecordToCount, 'id' | 'examId' | 'version' | 'kind'>[]> {
  const rows = await query
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .select(['exam_records.id', 'exam_records.exam_id', 'exam_records.version', 'exams.kind'])
    .where('exam_records.id', 'in', recordIds)
    .where('exam_records.submitted_at', 'is not', null)
    .execute();
  return rows.map((row) => ({ id: row.id, examId: row.exam_id, version: row.version, kind: row.kind }));
}

/**
 * Takes records out of those that wait, with what was graded in them. One that was opened again meanwhile is left out: it comes
 * back when it closes. Of two processes the second passes over what the first holds.
 */
export async function takeRecordsToCount(
  db: Db,
  trx: Trx,
  recordIds: readonly number[],
): Promise<{ taken: number; records: RecordToCount[] }> {
  let waiting = trx
    .selectFrom('records_to_count')
    .select('record_id')
    .where('record_id', 'in', recordIds)
    .orderBy('record_id');
  if (db.kind === 'postgres') waiting = waiting.forUpdate().skipLocked();
  const ids = (await waiting.execute()).map((row) => row.record_id);
  if (ids.length === 0) return { taken: 0, records: [] };
  const rows = await trx
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .select(['exam_records.id', 'exam_records.user_id', 'exam_records.exam_id', 'exam_records.version', 'exams.kind'])
    .select('exam_records.graded')
    .where('exam_records.id', 'in', ids)
    .where('exam_records.submitted_at', 'is not', null)
    .where('exam_records.graded', 'is not', null)
    .orderBy('exam_records.id')
    .execute();
  await trx.deleteFrom('records_to_count').where('record_id', 'in', ids).execute();
  const records = rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    examId: row.exam_id,
    version: row.version,
    kind: row.kind,
    graded: row.graded ?? '{}',
  }));
  return { taken: ids.length, records };
}

/** Bits in one block. */
const BLOCK = 4096;

/** Which questions each student's first answer was counted of; held until the transaction ends. */
export class CountedAnswers {
  readonly #blocks = new Map<string, { userId: number; block: number; bits: Buffer; changed: boolean }>();

  /** Reads what is known of students and questions. */
  async read(db: Db, trx: Trx, pairs: readonly { userId: number; questionIds: Iterable<number> }[]): Promise<void> {
    for (const { userId, questionIds } of pairs) {
      for (const questionId of questionIds) {
        const block = Math.floor(questionId / BLOCK);
        const key = `${userId} ${block}`;
        if (!this.#blocks.has(key))
          this.#blocks.set(key, { userId, block, bits: Buffer.alloc(BLOCK / 8), changed: false });
      }
    }
    const wanted = [...this.#blocks.values()].sort((a, b) => a.userId - b.userId || a.block - b.block);
    for (const batch of batches(wanted)) {
      // Two processes may count the same student: the rows are there before they are held.
      if (db.kind === 'postgres')
        await trx
          .insertInto('counted_answers')
          .values(batch.map(({ userId, block }) => ({ user_id: userId, block, bits: '' })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      let rows = trx
        .selectFrom('counted_answers')
        .selectAll()
        .where('user_id', 'in', [...new Set(batch.map(({ userId }) => userId))])
        .where('block', 'in', [...new Set(batch.map(({ block }) => block))])
        .orderBy('user_id')
        .orderBy('block');
      if (db.kind === 'postgres') rows = rows.forUpdate();
      for (const { user_id, block, bits } of await rows.execute()) {
        const known = this.#blocks.get(`${user_id} ${block}`);
        if (known && bits !== '') known.bits = Buffer.from(bits, 'base64');
      }
    }
  }

  /** Marks a question as counted. @returns whether it was not before */
  mark(userId: number, questionId: number): boolean {
    const found = this.#blocks.get(`${userId} ${Math.floor(questionId / BLOCK)}`);
    if (!found) throw new Error('a student was not read before their answers were counted');
    const [byte, bit] = [(questionId % BLOCK) >> 3, 1 << (questionId & 7)];
    const before = found.bits[byte] ?? 0;
    if ((before & bit) !== 0) return false;
    found.bits[byte] = before | bit;
    found.changed = true;
    return true;
  }

  async write(trx: Trx): Promise<void> {
    const changed = [...this.#blocks.values()].filter((block) => block.changed);
    for (const batch of batches(changed)) {
      await trx
        .insertInto('counted_answers')
        .values(batch.map(({ userId, block, bits }) => ({ user_id: userId, block, bits: bits.toString('base64') })))
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'block']).doUpdateSet(({ ref }) => ({ bits: ref('excluded.bits') })),
        )
        .execute();
    }
  }
}

/** What is counted of questions, by question; held until the transaction ends. A question that has nothing yet gets its row. */
export async function readQuestionCounts(
  db: Db,
  trx: Trx,
  questionIds: readonly number[],
): Promise<Map<number, CountedQuestion>> {
  const found = new Map<number, CountedQuestion>();
  for (const ids of inLists([...new Set(questionIds)].sort((a, b) => a - b))) {
    await trx
      .insertInto('question_quality')
      .columns(['question_id', 'pack_id'])
      .expression(
        trx
          .selectFrom('questions')
          .select(['id', 'pack_id'])
          .where('id', 'in', ids)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('question_quality')
                  .select('question_quality.question_id')
                  .whereRef('question_quality.question_id', '=', 'questions.id'),
              ),
            ),
          )
          .orderBy('id'),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    let rows = trx
      .selectFrom('question_quality')
      .select(['question_id', 'pack_id', 'key_version', 'meaning', 'choices'])
      .where('question_id', 'in', ids)
      .orderBy('question_id');
    if (db.kind === 'postgres') rows = rows.forUpdate();
    for (const row of await rows.execute()) found.set(row.question_id, toCounted(row));
  }
  return found;
}

function toCounted(row: {
  question_id: number;
  pack_id: number;
  key_version: number;
  meaning: string;
  choices: string;
}): CountedQuestion {
  return {
    questionId: row.question_id,
    packId: row.pack_id,
    keyVersion: row.key_version,
    meaning: row.meaning,
    choices: JSON.parse(row.choices) as Choices,
  };
}

/** Writes what was counted; how much the questions need a look is found later (`stale`). */
export async function writeCounted(trx: Trx, questions: readonly CountedQuestion[]): Promise<void> {
  for (const batch of batches(questions)) {
    await trx
      .insertInto('question_quality')
      .values(
        batch.map(({ questionId, packId, keyVersion, meaning, choices }) => ({
          question_id: questionId,
          pack_id: packId,
          key_version: keyVersion,
          meaning,
          choices: JSON.stringify(choices),
          stale: 1,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('question_id').doUpdateSet(({ ref }) => ({
          key_version: ref('excluded.key_version'),
          meaning: ref('excluded.meaning'),
          choices: ref('excluded.choices'),
          stale: ref('excluded.stale'),
        })),
      )
      .execute();
  }
}

/** Questions whose need of a look is to be found anew. */
export async function staleQuestions(query: Query, most: number): Promise<number[]> {
  const rows = await query
    .selectFrom('question_quality')
    .select('question_id')
    .where('stale', '=', 1)
    .orderBy('question_id')
    .limit(most)
    .execute();
  return rows.map((row) => row.question_id);
}

/** How much a question needs a look, and whether that is found. */
export async function writeAttention(trx: Trx, questionId: number, attention: number): Promise<void> {
  await trx
    .updateTable('question_quality')
    .set({ attention, stale: 0 })
    .where('question_id', '=', questionId)
    .execute();
}
