import { createHash } from 'node:crypto';
import type { Insertable, Selectable } from 'kysely';
import { type GradeMode, paperKinds, practiceKinds, schoolKinds } from '#contract/values/exam.ts';
import { type CorrectableQuestion, type QuestionChange, type RuleChange, rescores } from '#rules/exam/rescore.ts';
import { type RescoreLeg, waysTo } from '#rules/exam/rescore-ways.ts';
import { pointsOf } from '#rules/exam/scoring.ts';
import { batches, inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Exams, PaperRevisions, QuestionCorrections, Questions, RescoreTasks } from '#server/db/schema.ts';
import { contentQuestion } from './content-store.ts';
import type { KeyOverrides, RevisionList } from './correction-store.ts';

/** A paper or a practice that has a question now. */
interface PaperOfQuestion {
  examId: number;
  name: string;
  kind: Selectable<Exams>['kind'];
  /** Where its list has it. */
  position: number;
  /** That it gives there; none where it is void. */
  score: number;
  archived: boolean;
}

/** A question as a teacher finds it before correcting it. */
export interface FoundQuestion {
  row: Selectable<Questions>;
  papers: PaperOfQuestion[];
  correctable: CorrectableQuestion;
  /** Another as soon as anything of it is another: of two teachers at once the second names an old one. */
  standing: string;
}

/** Reads a question with all that a teacher may correct in it; null: there is none. */
export async function findCorrectable(query: Query, questionId: number): Promise<FoundQuestion | null> {
  const row = await query.selectFrom('questions').selectAll().where('id', '=', questionId).executeTakeFirst();
  if (!row) return null;
  const listed = await query
    .selectFrom('exam_questions')
    .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
    .select([
      'exams.id',
      'exams.name',
      'exams.kind',
      'exams.archived',
      'exam_questions.score',
      'exam_questions.position',
    ])
    .where('exam_questions.question_id', '=', questionId)
    .orderBy('exams.position')
    .orderBy('exams.id')
    .execute();
  const papers = listed.map(({ id, name, kind, archived, score, position }) => ({
    examId: id,
    name,
    kind,
    position,
    score: pointsOf(row.grade_mode, score),
    archived: archived === 1,
  }));
  const { type, letters, right, analysis, gradeMode } = contentQuestion(row, row.score);
  const scores = new Map(listed.map(({ id, score }) => [id, score]));
  const all = [type, row.topic, row.options, right, analysis, gradeMode, row.score, [...scores]];
  return {
    row,
    papers,
    correctable: { type, letters, right, analysis, gradeMode, score: row.score, scores },
    standing: createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16),
  };
}

/** A version of a paper that records began with, or that is on offer. */
export interface PaperVersion {
  exam: Selectable<Exams>;
  /** Kept by a correction; null: the one on offer. */
  kept: Selectable<PaperRevisions> | null;
  version: number;
  /** Versions whose records come to this one yet, by earlier corrections. */
  comeYet: number[];
}

/**
 * Every version of every paper of the pack that has a question: what is on offer, and what was kept and records still have, or come
 * to yet by an earlier correction. What such a one leads away from is left out: its records go where it says first, so that a
 * record gets each correction, in their order. Own practices are left out: their version is a number of corrections (own-paper-store.ts).
 */
export async function versionsWith(query: Query, packId: number, questionId: number): Promise<PaperVersion[]> {
  const current = await query
    .selectFrom('exam_questions')
    .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
    .selectAll('exams')
    .where('exam_questions.question_id', '=', questionId)
    .orderBy('exams.id')
    .execute();
  const kept = await query
    .selectFrom('paper_revisions')
    .innerJoin('exams', 'exams.id', 'paper_revisions.exam_id')
    .selectAll('paper_revisions')
    .where('exams.pack_id', '=', packId)
    .where('exams.kind', 'in', schoolKinds)
    .where('paper_revisions.questions', 'like', `%[${questionId},%`)
    .orderBy('paper_revisions.exam_id')
    .orderBy('paper_revisions.version')
    .execute();
  return versionsAmong(query, current, kept);
}

/** A paper of a pack by its stable key, archived ones too; null: there is none. */
export async function findPaper(query: Query, packId: number, key: string): Promise<Selectable<Exams> | null> {
  const row = await query
    .selectFrom('exams')
    .selectAll()
    .where('pack_id', '=', packId)
    .where('slug', '=', key)
    .where('kind', 'in', paperKinds)
    .executeTakeFirst();
  return row ?? null;
}

/** Every version of one paper in the same way: what is on offer, and what was kept and records still have or come to yet. */
export async function versionsOf(query: Query, exam: Selectable<Exams>): Promise<PaperVersion[]> {
  const kept = await query
    .selectFrom('paper_revisions')
    .selectAll()
    .where('exam_id', '=', exam.id)
    .orderBy('version')
    .execute();
  return versionsAmong(query, [exam], kept);
}

/** Of versions that are kept those that records have, or come to yet, and that no correction leads away from; behind what is on offer. */
async function versionsAmong(
  query: Query,
  current: readonly Selectable<Exams>[],
  kept: readonly Selectable<PaperRevisions>[],
): Promise<PaperVersion[]> {
  const exams = new Map(current.map((exam) => [exam.id, exam]));
  const keptIds = kept.map(({ exam_id: id }) => id);
  for (const exam of await readExams(query, keptIds)) exams.set(exam.id, exam);
  const legs = await undoneLegs(query, [...exams.keys()]);
  const versionOf = (exam: Selectable<Exams>, revision: Selectable<PaperRevisions> | null): PaperVersion => {
    const { version } = revision ?? exam;
    const comeYet = waysTo(legs, { examId: exam.id, version }).map((way) => way.version);
    return { exam, kept: revision, version, comeYet };
  };
  const found = current.map((exam) => versionOf(exam, null));
  for (const revision of kept) {
    const { exam_id: examId, version } = revision;
    const exam = exams.get(examId);
    if (!exam || legs.some((leg) => leg.examId === examId && leg.from === version)) continue;
    const one = versionOf(exam, revision);
    if (one.comeYet.length > 0 || (await hasRecords(query, examId, version))) found.push(one);
  }
  return found;
}

/** The re-scoring of these papers that is not done yet. */
export async function undoneLegs(
  query: Query,
  examIds: readonly number[],
): Promise<(RescoreLeg & { correctionId: number })[]> {
  const legs: (RescoreLeg & { correctionId: number })[] = [];
  for (const ids of inLists([...new Set(examIds)])) {
    const rows = await query
      .selectFrom('rescore_tasks')
      .innerJoin('question_corrections', 'question_corrections.correction_id', 'rescore_tasks.correction_id')
      .select(['rescore_tasks.correction_id', 'rescore_tasks.exam_id', 'from_version', 'to_version'])
      .select(['question_id', 'changes'])
      .where('rescore_tasks.exam_id', 'in', ids)
      .where('done', '=', 0)
      .orderBy('rescore_tasks.exam_id')
      .orderBy('from_version')
      .execute();
    for (const row of rows)
      legs.push({
        correctionId: row.correction_id,
        questionIds: regradedBy(row),
        examId: row.exam_id,
        from: row.from_version,
        to: row.to_version,
      });
  }
  return legs;
}

/** The questions that a correction grades again: its own, or those that the rule of its paper decides. */
export function regradedBy({
  question_id: questionId,
  changes,
}: Pick<Selectable<QuestionCorrections>, 'question_id' | 'changes'>): number[] {
  return questionId === null ? (JSON.parse(changes) as RuleChange).questionIds : [questionId];
}

/** Papers by their ids, as they are on offer. */
export async function readExams(query: Query, examIds: readonly number[]): Promise<Selectable<Exams>[]> {
  const found: Selectable<Exams>[] = [];
  for (const ids of inLists([...new Set(examIds)]))
    found.push(...(await query.selectFrom('exams').selectAll().where('id', 'in', ids).execute()));
  return found;
}

/** Whether any record has a version of a paper, open ones too. */
export async function hasRecords(query: Query, examId: number, version: number): Promise<boolean> {
  const row = await query
    .selectFrom('exam_records')
    .select('id')
    .where('exam_id', '=', examId)
    .where('version', '=', version)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A version of a paper where it is kept, which it is if a record began with it, or comes to it yet; else null. */
export async function findKept(
  query: Query,
  examId: number,
  version: number,
): Promise<Selectable<PaperRevisions> | null> {
  const row = await query
    .selectFrom('paper_revisions')
    .selectAll()
    .where('exam_id', '=', examId)
    .where('version', '=', version)
    .executeTakeFirst();
  return row ?? null;
}

/** Keeps an older version anew with a corrected question, for the records that are re-scored by it. */
export async function keepCorrected(
  trx: Trx,
  kept: Selectable<PaperRevisions>,
  corrected: { version: number; questionId: number; listed: number; total: number; override: KeyOverrides[number] },
): Promise<void> {
  const list = (JSON.parse(kept.questions) as RevisionList).map(([id, score]): [number, number] =>
    id === corrected.questionId ? [id, corrected.listed] : [id, score],
  );
  const overrides = { ...(JSON.parse(kept.overrides) as KeyOverrides), [corrected.questionId]: corrected.override };
  const row: Insertable<PaperRevisions> = {
    ...kept,
    version: corrected.version,
    questions: JSON.stringify(list),
    total_score: corrected.total,
    overrides: JSON.stringify(overrides),
  };
  await trx.insertInto('paper_revisions').values(row).execute();
}

/** Keeps a version anew with another rule for partly right answers, for the records that are re-scored by it. */
export async function keepRuled(
  trx: Trx,
  kept: Selectable<PaperRevisions>,
  ruled: { version: number; partial: number | null },
): Promise<void> {
  await trx
    .insertInto('paper_revisions')
    .values({ ...kept, ...ruled })
    .execute();
}

/** Writes another rule for partly right answers into what is on offer of a paper. */
export async function writeRule(trx: Trx, examId: number, partial: number | null): Promise<void> {
  await trx.updateTable('exams').set({ partial }).where('id', '=', examId).execute();
}

/** Writes what a teacher corrected into what is on offer. */
export async function writeChange(
  trx: Trx,
  question: Selectable<Questions>,
  change: QuestionChange,
): Promise<{ keyVersion: number }> {
  const keyVersion = question.key_version + (change.right || change.gradeMode ? 1 : 0);
  await trx
    .updateTable('questions')
    .set({
      right_answer: change.right?.[1] ?? question.right_answer,
      answer_analysis: change.analysis?.[1] ?? question.answer_analysis,
      grade_mode: change.gradeMode?.[1] ?? question.grade_mode,
      score: change.score?.[1] ?? question.score,
      key_version: keyVersion,
    })
    .where('id', '=', question.id)
    .execute();
  await relist(trx, question, change);
  await trx.updateTable('question_quality').set({ stale: 1 }).where('question_id', '=', question.id).execute();
  return { keyVersion };
}

/** Whether a question that is graded so is left out of what is on offer of a paper: practices offer no void one. */
export function leavesPractice(kind: Selectable<Exams>['kind'], gradeMode: GradeMode): boolean {
  return gradeMode === 'void' && practiceKinds.some((practice) => practice === kind);
}

/**
 * Puts a question that counts again back into the practices on offer that it had left. One that has it by now is left as it is.
 * @param leaves as the correction kept it that made it void
 */
export async function returnToPractices(
  trx: Trx,
  question: Pick<Selectable<Questions>, 'id'>,
  leaves: NonNullable<QuestionChange['leaves']>,
): Promise<void> {
  for (const [examId, [position, score]] of Object.entries(leaves)) {
    const back = await trx
      .insertInto('exam_questions')
      .values({ exam_id: Number(examId), question_id: question.id, position, score })
      .onConflict((conflict) => conflict.columns(['exam_id', 'question_id']).doNothing())
      .returning('exam_id')
      .executeTakeFirst();
    if (back) await addToTotals(trx, Number(examId), score, 1);
  }
}

async function addToTotals(trx: Trx, examId: number, points: number, questions: number): Promise<void> {
  if (points === 0 && questions === 0) return;
  await trx
    .updateTable('exams')
    .set(({ eb }) => ({
      total_score: eb('total_score', '+', points),
      total_question: eb('total_question', '+', questions),
    }))
    .where('id', '=', examId)
    .execute();
}

/** Writes what a correction says of a question's points, and of its place in practices, into the lists that are on offer. */
async function relist(trx: Trx, { id, grade_mode }: Selectable<Questions>, change: QuestionChange): Promise<void> {
  const [was, is] = change.gradeMode ?? [grade_mode, grade_mode];
  const listed = await trx
    .selectFrom('exam_questions')
    .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
    .select(['exams.id', 'exams.kind', 'exam_questions.score'])
    .where('exam_questions.question_id', '=', id)
    .execute();
  for (const { id: examId, kind, score: before } of listed) {
    const after = change.scores?.[examId]?.[1] ?? before;
    if (leavesPractice(kind, is)) {
      await trx.deleteFrom('exam_questions').where('exam_id', '=', examId).where('question_id', '=', id).execute();
      await addToTotals(trx, examId, -pointsOf(was, before), -1);
      continue;
    }
    if (after !== before)
      await trx
        .updateTable('exam_questions')
        .set({ score: after })
        .where('exam_id', '=', examId)
        .where('question_id', '=', id)
        .execute();
    await addToTotals(trx, examId, pointsOf(is, after) - pointsOf(was, before), 0);
  }
}

/** Gives what is on offer of a paper another number, behind those of older versions that were kept anew. */
export async function setVersion(trx: Trx, examId: number, version: number): Promise<void> {
  await trx.updateTable('exams').set({ version }).where('id', '=', examId).execute();
}

/** Stores the correction with who made it and why, and what it has to re-score. */
export async function saveTeacherCorrection(
  trx: Trx,
  correction: { id: number; teacherId: number; reason: string; now: number } & (
    | { questionId: number; change: QuestionChange }
    | { examId: number; change: RuleChange }
  ),
  tasks: readonly Pick<RescoreTasks, 'exam_id' | 'from_version' | 'to_version'>[],
): Promise<void> {
  const isOfQuestion = 'questionId' in correction;
  const isRescored = isOfQuestion && rescores(correction.change);
  await trx
    .insertInto('question_corrections')
    .values({
      correction_id: correction.id,
      question_id: isOfQuestion ? correction.questionId : null,
      exam_id: isOfQuestion ? null : correction.examId,
      teacher_id: correction.teacherId,
      reason: correction.reason,
      changes: JSON.stringify(correction.change),
      made_at: correction.now,
      done_at: isRescored || tasks.length > 0 ? null : correction.now,
    })
    .execute();
  // Papers that students put together have no rule for partly right answers.
  if (isRescored) await trx.insertInto('own_rescores').values({ correction_id: correction.id }).execute();
  for (const batch of batches(tasks))
    await trx
      .insertInto('rescore_tasks')
      .values(batch.map((task) => ({ ...task, correction_id: correction.id })))
      .execute();
}

/** Who corrected something, when and why, and when all that hangs on it was graded again. */
interface MadeCorrection {
  id: number;
  teacherId: number;
  reason: string;
  madeAt: number;
  doneAt: number | null;
}

/** A correction that a teacher made in a question. */
export interface TeacherCorrection extends MadeCorrection {
  questionId: number;
  change: QuestionChange;
}

/** One in the rule of a paper. */
export interface RuleCorrection extends MadeCorrection {
  examId: number;
  change: RuleChange;
}

const madeOf = (row: Selectable<QuestionCorrections>): MadeCorrection => ({
  id: row.correction_id,
  teacherId: row.teacher_id,
  reason: row.reason,
  madeAt: row.made_at,
  doneAt: row.done_at,
});

/** What teachers corrected in questions, oldest first, by question. */
export async function readTeacherCorrections(
  query: Query,
  questionIds: readonly number[],
): Promise<Map<number, TeacherCorrection[]>> {
  const found = new Map<number, TeacherCorrection[]>();
  for (const ids of inLists([...new Set(questionIds)])) {
    const rows = await query
      .selectFrom('question_corrections')
      .selectAll()
      .where('question_id', 'in', ids)
      .orderBy('correction_id')
      .execute();
    for (const row of rows) {
      const questionId = row.question_id ?? 0;
      const one = { ...madeOf(row), questionId, change: JSON.parse(row.changes) as QuestionChange };
      const known = found.get(questionId);
      if (known) known.push(one);
      else found.set(questionId, [one]);
    }
  }
  return found;
}

/** What was corrected in the rules of a pack's papers that grades a question again, oldest first. */
export async function readRuleCorrections(
  query: Query,
  { packId, questionId }: { packId: number; questionId: number },
): Promise<RuleCorrection[]> {
  const rows = await query
    .selectFrom('question_corrections')
    .innerJoin('exams', 'exams.id', 'question_corrections.exam_id')
    .selectAll('question_corrections')
    .where('exams.pack_id', '=', packId)
    .where('question_corrections.question_id', 'is', null)
    .orderBy('correction_id')
    .execute();
  return rows
    .filter((row) => regradedBy(row).includes(questionId))
    .map((row) => ({ ...madeOf(row), examId: row.exam_id ?? 0, change: JSON.parse(row.changes) as RuleChange }));
}

/** A question as it stood before a correction. */
export interface QuestionBefore {
  correctionId: number;
  madeAt: number;
  state: Pick<
    Selectable<Questions>,
    | 'question_types_id'
    | 'topic'
    | 'options'
    | 'right_answer'
    | 'answer_analysis'
    | 'chapter_id'
    | 'case_id'
    | 'grade_mode'
  >;
}

/** How a question stood before each correction that was kept, oldest first. */
export async function readRevisions(query: Query, questionId: number, most: number): Promise<QuestionBefore[]> {
  const rows = await query
    .selectFrom('question_revisions')
    .innerJoin('corrections', 'corrections.id', 'question_revisions.correction_id')
    .selectAll('question_revisions')
    .select('corrections.made_at')
    .where('question_revisions.question_id', '=', questionId)
    .orderBy('question_revisions.correction_id', 'desc')
    .limit(most)
    .execute();
  return rows
    .reverse()
    .map(({ correction_id: correctionId, made_at: madeAt, ...state }) => ({ correctionId, madeAt, state }));
}

/** The points that a teacher corrected in the papers of a pack, by exam and question, oldest first. */
export async function readCorrectedScores(
  query: Query,
  packId: number,
): Promise<Map<number, Map<number, [before: number, after: number][]>>> {
  const rows = await query
    .selectFrom('question_corrections')
    .innerJoin('corrections', 'corrections.id', 'question_corrections.correction_id')
    .select(['question_corrections.question_id', 'question_corrections.changes'])
    .where('corrections.pack_id', '=', packId)
    .where('question_corrections.question_id', 'is not', null)
    .where('question_corrections.changes', 'like', '%"scores":%')
    .orderBy('question_corrections.correction_id')
    .execute();
  const found = new Map<number, Map<number, [number, number][]>>();
  for (const { question_id: of, changes } of rows) {
    const question_id = of ?? 0;
    const { scores = {}, filed } = JSON.parse(changes) as QuestionChange;
    if (filed) continue;
    for (const [examId, points] of Object.entries(scores)) {
      const ofExam = found.get(Number(examId)) ?? new Map<number, [number, number][]>();
      found.set(Number(examId), ofExam);
      ofExam.set(question_id, [...(ofExam.get(question_id) ?? []), points]);
    }
  }
  return found;
}
