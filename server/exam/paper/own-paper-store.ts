import { sql } from 'kysely';
import { type OwnKind, ownKinds, scoredKinds } from '#contract/values/exam.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';

/**
 * Papers that students put together for themselves (kinds `own` and `random`). Their list never changes, and there are as many as students
 * practise, so a correction touches none of them: a record of one has for its version the number of the first correction of
 * the pack that it does not show, which is one more than the last it was made after. Reading it takes each question as it
 * stood before that correction, or as it is (content-store.ts).
 */
export interface NewOwnPaper {
  userId: number;
  packId: number;
  /** Two papers of one slug are one: the second is not stored. */
  slug: string;
  kind: OwnKind;
  name: string;
  purpose: 'chosen' | 'daily' | 'random';
  /** Minutes; null: no limit. */
  examTime: number | null;
  /** With the points they give. */
  questions: readonly (readonly [questionId: number, score: number])[];
  /** Questions of it that stand for others, by those others. */
  standIns?: ReadonlyMap<number, number>;
  /** JSON: how a random paper was wanted. */
  blueprint?: string;
  /** The questions that the student sat when their grades were read for it (rules/exam/reveal.ts `isMadeWithout`). */
  sat: readonly number[];
  now: number;
}

/** An own paper, as far as its maker is told at once. */
export interface MadePaper {
  examId: number;
  totalQuestion: number;
  totalScore: number;
}

/** With the questions that it was put together without. */
export interface StoredOwnPaper extends MadePaper {
  sat: number[];
}

/** Stores a new own paper, or finds the one of its slug that is there. */
export async function addOwnPaper(
  trx: Trx,
  { userId, packId, slug, kind, name, purpose, examTime, questions, standIns, blueprint = '', sat, now }: NewOwnPaper,
): Promise<StoredOwnPaper> {
  const added = await trx
    .insertInto('exams')
    .values({
      pack_id: packId,
      course_id: null,
      chapter_id: null,
      slug,
      kind,
      name,
      year: null,
      exam_time: examTime,
      test_type: 0,
      partial: null,
      shuffle_questions: 0,
      shuffle_options: 0,
      pass_score: null,
      total_question: questions.length,
      total_score: questions.reduce((sum, [, score]) => sum + score, 0),
      sections: '[]',
      position: 0,
    })
    .onConflict((conflict) => conflict.columns(['pack_id', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) {
    await trx
      .insertInto('own_papers')
      .values({
        exam_id: added.id,
        user_id: userId,
        purpose,
        questions: JSON.stringify(questions),
        blueprint,
        sat: JSON.stringify(sat),
        made_at: now,
      })
      .execute();
    const stored = [...(standIns ?? [])];
    if (stored.length > 0)
      await trx
        .insertInto('stand_ins')
        .values(stored.map(([of, by]) => ({ exam_id: added.id, question_id: by, for_question_id: of })))
        .execute();
  }
  const stored = await findOwnPaper(trx, packId, slug);
  if (!stored) throw new Error(`no own paper ${slug}`);
  return stored;
}

/** The paper of a slug; null: nobody has made it yet. */
export async function findOwnPaper(query: Query, packId: number, slug: string): Promise<StoredOwnPaper | null> {
  const row = await query
    .selectFrom('exams')
    .innerJoin('own_papers', 'own_papers.exam_id', 'exams.id')
    .select([
      'exams.id as examId',
      'exams.total_question as totalQuestion',
      'exams.total_score as totalScore',
      'own_papers.sat',
    ])
    .where('exams.pack_id', '=', packId)
    .where('exams.slug', '=', slug)
    .executeTakeFirst();
  return row ? { ...row, sat: JSON.parse(row.sat) as number[] } : null;
}

/** What a practice that a student put together, and never began, was made without; null of any other paper. Random papers are not made of grades (027). */
export async function unbegunMadeWithout(query: Query, examId: number): Promise<number[] | null> {
  const row = await query
    .selectFrom('own_papers')
    .select('own_papers.sat')
    .where('own_papers.exam_id', '=', examId)
    .where('own_papers.purpose', '<>', 'random')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('exam_records')
            .select('exam_records.id')
            .whereRef('exam_records.exam_id', '=', 'own_papers.exam_id'),
        ),
      ),
    )
    .executeTakeFirst();
  return row ? (JSON.parse(row.sat) as number[]) : null;
}

/** How a student wanted their newest random paper of a pack (JSON); null: there is none that says so. */
export async function readLastBlueprint(query: Query, userId: number, packId: number): Promise<string | null> {
  const row = await query
    .selectFrom('own_papers')
    .innerJoin('exams', 'exams.id', 'own_papers.exam_id')
    .select('own_papers.blueprint')
    .where('own_papers.user_id', '=', userId)
    .where('own_papers.purpose', '=', 'random')
    .where('own_papers.blueprint', '<>', '')
    .where('exams.pack_id', '=', packId)
    .orderBy('own_papers.made_at', 'desc')
    .orderBy('own_papers.exam_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.blueprint ?? null;
}

/** The version that a record of an own paper of this pack begins with now. */
export async function ownPaperVersion(query: Query, packId: number): Promise<number> {
  const { next } = await query
    .selectFrom('corrections')
    .select(sql<number>`coalesce(max(id), 0) + 1`.as('next'))
    .where('pack_id', '=', packId)
    .executeTakeFirstOrThrow();
  return Number(next);
}

/**
 * Keeps what an own paper adds up to for the records that begin with this version, where that is no more what it was when it was made:
 * a question of it is void by now. The list itself stays (content-store.ts).
 */
export async function keepOwnTotal(
  trx: Trx,
  { examId, version, totalScore }: { examId: number; version: number; totalScore: number },
): Promise<void> {
  const {
    questions,
    total_score: made,
    ...exam
  } = await trx
    .selectFrom('exams')
    .innerJoin('own_papers', 'own_papers.exam_id', 'exams.id')
    .select([
      'kind',
      'name',
      'test_type',
      'exam_time',
      'partial',
      'total_question',
      'total_score',
      'sections',
      'own_papers.questions',
    ])
    .where('exams.id', '=', examId)
    .executeTakeFirstOrThrow();
  if (made === totalScore) return;
  await trx
    .insertInto('paper_revisions')
    // The version of an own paper follows the last correction of its pack.
    .values({ ...exam, exam_id: examId, version, correction_id: version - 1, total_score: totalScore, questions })
    .onConflict((conflict) => conflict.columns(['exam_id', 'version']).doNothing())
    .execute();
}

/** Who put a paper together; null: it is the school's. */
export async function ownPaperOf(query: Query, examId: number): Promise<number | null> {
  const row = await query.selectFrom('own_papers').select('user_id').where('exam_id', '=', examId).executeTakeFirst();
  return row?.user_id ?? null;
}

/** Whether any student has put a paper of this pack together. */
export async function anyOwnPaper(query: Query, packId: number): Promise<boolean> {
  const row = await query
    .selectFrom('exams')
    .select('id')
    .where('pack_id', '=', packId)
    .where('kind', 'in', ownKinds)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many papers a student has put together since then (epoch milliseconds). */
export async function countOwnPapers(query: Query, userId: number, since: number): Promise<number> {
  const { count } = await query
    .selectFrom('own_papers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('made_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** The open record of a daily review of a pack that was made since then (epoch milliseconds); null: there is none. */
export async function findOpenDaily(
  query: Query,
  userId: number,
  packId: number,
  since: number,
): Promise<{ examId: number; recordId: number } | null> {
  const row = await query
    .selectFrom('own_papers')
    .innerJoin('exam_records', 'exam_records.exam_id', 'own_papers.exam_id')
    .select(['exam_records.exam_id', 'exam_records.id'])
    .where('own_papers.user_id', '=', userId)
    .where('own_papers.made_at', '>=', since)
    .where('own_papers.purpose', '=', 'daily')
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.pack_id', '=', packId)
    .where('exam_records.submitted_at', 'is', null)
    .orderBy('exam_records.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { examId: row.exam_id, recordId: row.id } : null;
}

/**
 * Today's reviews of a pack that a student has made since then: how many, and the newest one that was not begun, with its
 * questions in order.
 */
export async function readDailies(
  query: Query,
  userId: number,
  packId: number,
  since: number,
): Promise<{
  count: number;
  waiting: { examId: number; madeAt: number; sat: number[]; questionIds: number[] } | null;
}> {
  const rows = await query
    .selectFrom('own_papers')
    .innerJoin('exams', 'exams.id', 'own_papers.exam_id')
    .select(({ exists, selectFrom }) => [
      'own_papers.exam_id',
      'own_papers.made_at',
      'own_papers.sat',
      'own_papers.questions',
      exists(
        selectFrom('exam_records')
          .select('exam_records.id')
          .whereRef('exam_records.exam_id', '=', 'own_papers.exam_id'),
      ).as('begun'),
    ])
    .where('own_papers.user_id', '=', userId)
    .where('own_papers.made_at', '>=', since)
    .where('own_papers.purpose', '=', 'daily')
    .where('exams.pack_id', '=', packId)
    .orderBy('own_papers.exam_id', 'desc')
    .execute();
  const found = rows.find(({ begun }) => !begun);
  const waiting = found && {
    examId: found.exam_id,
    madeAt: found.made_at,
    sat: JSON.parse(found.sat) as number[],
    questionIds: (JSON.parse(found.questions) as [id: number, score: number][]).map(([id]) => id),
  };
  return { count: rows.length, waiting: waiting ?? null };
}

/** Own papers made from `from` until before `until` that nobody has begun. */
function unbegun(query: Query, { from, until }: { from: number; until: number }) {
  return query
    .selectFrom('own_papers')
    .where('made_at', '>=', from)
    .where('made_at', '<', until)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('exam_records')
            .select('exam_records.id')
            .whereRef('exam_records.exam_id', '=', 'own_papers.exam_id'),
        ),
      ),
    );
}

/** Whether the maker of an own paper sits a scored exam, or did since `until`: until its end they may not begin what was made before (decision 070). */
const satUntilNow = (query: Query, until: number) =>
  query
    .selectFrom('exam_records as sat')
    .innerJoin('exams as scored', 'scored.id', 'sat.exam_id')
    .leftJoin('paper_revisions as begun', (join) =>
      join.onRef('begun.exam_id', '=', 'sat.exam_id').onRef('begun.version', '=', 'sat.version'),
    )
    .select('sat.id')
    .whereRef('sat.user_id', '=', 'own_papers.user_id' as never)
    // As it was when it began: an import may have made it something else since.
    .where(({ fn }) => fn.coalesce('begun.kind', 'scored.kind'), 'in', scoredKinds)
    .where(({ or, eb }) => or([eb('sat.submitted_at', 'is', null), eb('sat.submitted_at', '>', until)]));

/** Own papers that nobody began and nobody was kept from beginning, oldest first. */
export async function unbegunPapers(
  query: Query,
  { from, until, most }: { from: number; until: number; most: number },
): Promise<number[]> {
  const rows = await unbegun(query, { from, until })
    .select('exam_id')
    .where(({ not, exists }) => not(exists(satUntilNow(query, until))))
    .orderBy('made_at')
    .limit(most)
    .execute();
  return rows.map((row) => row.exam_id);
}

/** When the oldest of the own papers was made that nobody began because of an exam; null: there is none. */
export async function oldestKeptPaper(query: Query, of: { from: number; until: number }): Promise<number | null> {
  const row = await unbegun(query, of)
    .select('made_at')
    .where(({ exists }) => exists(satUntilNow(query, of.until)))
    .orderBy('made_at')
    .limit(1)
    .executeTakeFirst();
  return row?.made_at ?? null;
}

/**
 * Deletes own papers, but for those that have a record by now. A start holds its paper (`startStore.readExams`): what is being
 * begun at this moment is passed over. @returns how many are gone
 */
export async function deleteOwnPapers(db: Pick<Db, 'kind'>, trx: Trx, examIds: readonly number[]): Promise<number> {
  if (examIds.length === 0) return 0;
  let rows = trx.selectFrom('exams').select('id').where('id', 'in', padded(examIds)).where('kind', 'in', ownKinds);
  if (db.kind === 'postgres') rows = rows.forUpdate().skipLocked();
  const held = (await rows.orderBy('id').execute()).map((row) => row.id);
  if (held.length === 0) return 0;
  // Asked once more, now that nobody can begin them.
  const begun = await trx.selectFrom('exam_records').select('exam_id').where('exam_id', 'in', padded(held)).execute();
  const kept = new Set(begun.map((row) => row.exam_id));
  const gone = held.filter((id) => !kept.has(id));
  if (gone.length === 0) return 0;
  await trx.deleteFrom('stand_ins').where('exam_id', 'in', padded(gone)).execute();
  await trx.deleteFrom('paper_revisions').where('exam_id', 'in', padded(gone)).execute();
  await trx.deleteFrom('own_papers').where('exam_id', 'in', padded(gone)).execute();
  await trx.deleteFrom('exams').where('id', 'in', padded(gone)).execute();
  return gone.length;
}

/** The own papers of a student whose press begins so, oldest first, what each was made without, and whether it was handed in. */
export async function findBegunPapers(
  query: Query,
  userId: number,
  press: string,
): Promise<{ examId: number; sat: number[]; handedIn: boolean }[]> {
  const rows = await query
    .selectFrom('own_papers')
    .innerJoin('exams', 'exams.id', 'own_papers.exam_id')
    .select(({ exists, selectFrom }) => [
      'own_papers.exam_id',
      'own_papers.sat',
      exists(
        selectFrom('exam_records')
          .select('exam_records.id')
          .whereRef('exam_records.exam_id', '=', 'own_papers.exam_id')
          .where('exam_records.submitted_at', 'is not', null),
      ).as('handed_in'),
    ])
    .where('own_papers.user_id', '=', userId)
    .where('exams.slug', 'like', `own:${userId}:${press}%`)
    .orderBy('own_papers.exam_id')
    .execute();
  return rows.map((row) => ({
    examId: row.exam_id,
    sat: JSON.parse(row.sat) as number[],
    handedIn: Boolean(row.handed_in),
  }));
}
