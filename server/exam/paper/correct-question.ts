import { decideCorrection, type QuestionChange, type WantedCorrection } from '#rules/exam/rescore.ts';
import { lockPack } from '#server/course/pack-store.ts';
import type { Db, Trx } from '#server/db/open.ts';
import type { ReadContent } from './content-store.ts';
import { Correction } from './correction-store.ts';
import { readExamQuestions } from './exam-question-store.ts';
import { raiseVersions } from './exam-store.ts';
import { type Led, leadRecords } from './lead-records.ts';
import { readLeftLists } from './retired-store.ts';
import {
  type FoundQuestion,
  findCorrectable,
  keepCorrected,
  leavesPractice,
  readExams,
  readTeacherCorrections,
  returnToPractices,
  saveTeacherCorrection,
  writeChange,
} from './teacher-correction-store.ts';
import { type TouchedVersion, touchedVersions } from './touched-versions.ts';
import { voidedOf } from './void-question-store.ts';

/** A correction as a teacher sends it, with its texts ready to be stored. */
export interface TeacherChange extends WantedCorrection {
  questionId: number;
  /** What the teacher looked at (`FoundQuestion.standing`). */
  standing: string;
  /** It comes with a file that says the same of the question itself, so the points of a chapter's practice may be named. */
  filed?: boolean;
}

type Refusal = Extract<ReturnType<typeof decideCorrection>, { ok: false }> | { ok: false; why: 'correctedMeanwhile' };

/** What a correction would do, or why it is not done. */
export type Planned =
  | {
      ok: true;
      found: FoundQuestion;
      change: QuestionChange;
      touched: TouchedVersion[];
      /** Practices that the question comes back to, since it counts again. */
      returns: NonNullable<QuestionChange['leaves']>;
    }
  | (Refusal & { field?: string });

/** Finds what a correction changes and which versions of papers it touches. Writes nothing. */
export async function planCorrection(
  query: Trx | Db['query'],
  readContent: ReadContent,
  { questionId, standing, filed = false, ...wanted }: TeacherChange,
): Promise<Planned> {
  const found = await findCorrectable(query, questionId);
  if (!found) return { ok: false, why: 'notFound', field: 'questionId' };
  if (found.standing !== standing) return { ok: false, why: 'correctedMeanwhile' };
  // The points of a chapter's practice are those of the question itself.
  const practices = new Set(found.papers.filter(({ kind }) => kind === 'chapter').map(({ examId }) => examId));
  const at = (wanted.scores ?? []).findIndex(({ examId }) => practices.has(examId));
  if (at >= 0 && !filed) return { ok: false, why: 'notFound', field: `scores.${at}.examId`, at };
  const earlier = (await readTeacherCorrections(query, [questionId])).get(questionId) ?? [];
  const voided = voidedOf(earlier);
  // A file names the points of a paper for a question that has left it since, too; nobody else sees it there.
  const left = filed ? await readLeftLists(query, found.row) : [];
  const scores = new Map([...left.map(({ examId, score }) => [examId, score] as const), ...found.correctable.scores]);
  const decided = decideCorrection({ ...found.correctable, scores }, wanted, voided);
  if (!decided.ok) return decided;
  const { change } = decided;
  if (filed) change.filed = true;
  const leaving = found.papers.filter(({ kind }) => leavesPractice(kind, change.gradeMode?.[1] ?? 'key'));
  if (leaving.length > 0)
    change.leaves = Object.fromEntries(
      leaving.map(({ examId, position }) => [examId, [position, found.correctable.scores.get(examId) ?? 0]]),
    );
  return {
    ok: true,
    found,
    change,
    touched: await touchedVersions(query, readContent, found, change),
    // One that was archived meanwhile stays where it is.
    returns: change.gradeMode?.[0] === 'void' && found.row.archived === 0 ? (voided?.leaves ?? {}) : {},
  };
}

/**
 * Corrects a question: what is on offer says the new thing at once, and every version of a paper that records have gets a
 * version beside it that says it too. The records are moved there when they are re-scored (grading/rescore.ts); a record in
 * progress stays with its own until it is handed in (decision 016, 028).
 */
export async function correctQuestion(
  { db, readContent }: { db: Db; readContent: ReadContent },
  trx: Trx,
  wanted: TeacherChange & { teacherId: number; reason: string; now: number },
): Promise<{ ok: true; correctionId: number } | Refusal> {
  const { questionId, teacherId, reason, now } = wanted;
  const place = await findCorrectable(trx, questionId);
  if (!place) return { ok: false, why: 'notFound', field: 'questionId' };
  const packId = place.row.pack_id;
  await lockPack(trx, packId);
  const correction = new Correction(db, trx, { packId, now, noted: true, stays: true });
  await correction.lockPapers();
  // Only now nothing can change under it: neither another teacher nor an import, nor a start of one of its papers.
  const plan = await planCorrection(trx, readContent, wanted);
  if (!plan.ok) return plan;
  const { found, change, touched, returns } = plan;
  await correction.keepQuestions([found.row]);
  const correctionId = await correction.correctionId();
  const byExam = Map.groupBy(touched, ({ exam }) => exam.id);
  const exams = new Map(touched.map(({ exam }) => [exam.id, exam]));
  for (const exam of await readExams(trx, Object.keys(returns).map(Number))) exams.set(exam.id, exam);
  for (const exam of exams.values()) await correction.replacePaper(exam, () => readExamQuestions(trx, exam.id), true);
  // Another analysis is a new version too, for who begins from now on; a paper that was replaced above is passed over.
  if (change.analysis) await raiseVersions(trx, [questionId], [], correction);
  const { keyVersion } = await writeChange(trx, found.row, change);
  await returnToPractices(trx, found.row, returns);
  const tasks: Led[] = [];
  for (const [examId, versions] of byExam) {
    const exam = exams.get(examId);
    if (!exam) continue;
    // What is on offer of a practice has a void question no more; who answered it keeps it.
    const leaves = change.leaves?.[examId] !== undefined;
    const led = await leadRecords(
      trx,
      exam,
      versions,
      (kept, { after: { right, analysis, gradeMode, listed }, totalAfter: total }, version) =>
        keepCorrected(trx, kept, {
          ...{ version, questionId, listed, total },
          override: { right, analysis, gradeMode, keyVersion },
        }),
      leaves,
    );
    tasks.push(...led);
  }
  await saveTeacherCorrection(trx, { id: correctionId, questionId, teacherId, reason, change, now }, tasks);
  await correction.done();
  return { ok: true, correctionId };
}
