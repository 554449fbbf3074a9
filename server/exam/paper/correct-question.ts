import { decideCorrection, type QuestionChange, type WantedCorrection } from '#rules/exam/rescore.ts';
import { lockPack } from '#server/course/pack-store.ts';
import type { Db, Trx } from '#server/db/open.ts';
import type { ReadContent } from './content-store.ts';
import { Correction } from './correction-store.ts';
import { readExamQuestions } from './exam-question-store.ts';
import { raiseVersions } from './exam-store.ts';
import {
  type FoundQuestion,
  findCorrectable,
  isKept,
  keepCorrected,
  readTeacherCorrections,
  saveTeacherCorrection,
  setVersion,
  voidedOf,
  writeChange,
} from './teacher-correction-store.ts';
import { type TouchedVersion, touchedVersions } from './touched-versions.ts';

/** A correction as a teacher sends it, with its texts ready to be stored. */
export interface TeacherChange extends WantedCorrection {
  questionId: number;
  /** What the teacher looked at (`FoundQuestion.standing`). */
  standing: string;
}

type Refusal = Extract<ReturnType<typeof decideCorrection>, { ok: false }> | { ok: false; why: 'correctedMeanwhile' };

/** What a correction would do, or why it is not done. */
export type Planned =
  | { ok: true; found: FoundQuestion; change: QuestionChange; touched: TouchedVersion[] }
  | (Refusal & { field?: string });

/** Finds what a correction changes and which versions of papers it touches. Writes nothing. */
export async function planCorrection(
  query: Trx | Db['query'],
  readContent: ReadContent,
  { questionId, standing, ...wanted }: TeacherChange,
): Promise<Planned> {
  const found = await findCorrectable(query, questionId);
  if (!found) return { ok: false, why: 'notFound', field: 'questionId' };
  if (found.standing !== standing) return { ok: false, why: 'correctedMeanwhile' };
  // The points of a chapter's practice are those of the question itself.
  const practices = new Set(found.papers.filter(({ kind }) => kind === 'chapter').map(({ examId }) => examId));
  const at = (wanted.scores ?? []).findIndex(({ examId }) => practices.has(examId));
  if (at >= 0) return { ok: false, why: 'notFound', field: `scores.${at}.examId`, at };
  const earlier = (await readTeacherCorrections(query, [questionId])).get(questionId) ?? [];
  const decided = decideCorrection(found.correctable, wanted, voidedOf(earlier));
  if (!decided.ok) return decided;
  return {
    ok: true,
    found,
    change: decided.change,
    touched: await touchedVersions(query, readContent, found, decided.change),
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
  const { found, change, touched } = plan;
  await correction.keepQuestions([found.row]);
  const correctionId = await correction.correctionId();
  const byExam = Map.groupBy(touched, ({ exam }) => exam.id);
  const exams = new Map(touched.map(({ exam }) => [exam.id, exam]));
  for (const exam of exams.values()) await correction.replacePaper(exam, () => readExamQuestions(trx, exam.id), true);
  // Another analysis is a new version too, for who begins from now on; a paper that was replaced above is passed over.
  if (change.analysis) await raiseVersions(trx, [questionId], [], correction);
  const { keyVersion } = await writeChange(trx, found.row, change);
  const tasks: { exam_id: number; from_version: number; to_version: number }[] = [];
  for (const [examId, versions] of byExam) {
    const exam = exams.get(examId);
    if (!exam) continue;
    let next = exam.version;
    for (const { kept, version, after } of versions) {
      if (kept === null) continue;
      next += 1;
      const { right, analysis, gradeMode, score } = after;
      await keepCorrected(trx, kept, {
        version: next,
        questionId,
        score,
        override: { right, analysis, gradeMode, keyVersion },
      });
      tasks.push({ exam_id: examId, from_version: version, to_version: next });
    }
    await setVersion(trx, examId, next + 1);
    const onOffer = versions.find(({ kept }) => kept === null);
    if (onOffer && (await isKept(trx, examId, onOffer.version)))
      tasks.push({ exam_id: examId, from_version: onOffer.version, to_version: next + 1 });
  }
  await saveTeacherCorrection(trx, { id: correctionId, questionId, teacherId, reason, change, now }, tasks);
  await correction.done();
  return { ok: true, correctionId };
}
