import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { CollectedOfRecord, CollectQuestion, ListCollected } from '#contract/exam-wrong.ts';
import { withKeyWithheld } from '#rules/exam/reveal.ts';
import { chapterWithBelow, readChapterNames } from '#server/course/chapter-store.ts';
import { asShownWithKey } from '../paper/content.ts';
import { findQuestionPlace } from '../paper/content-store.ts';
import { isOffered, readCaseMaterial, readQuestions } from '../paper/standing-question-store.ts';
import type { ExamParts } from '../parts.ts';
import { collect, readCollected, readNotes, uncollect } from './collection-store.ts';

/** Collects a question, changes its note or takes it out. */
export async function saveCollected(
  { db: { query }, access, gradesFor }: ExamParts,
  { userId, now, questionId, collect: wanted, note }: InputOf<typeof CollectQuestion> & { userId: number; now: number },
): Promise<{ ok: true; saved: DataOf<typeof CollectQuestion> } | { ok: false; why: Why }> {
  const place = await findQuestionPlace(query, questionId);
  if (!place) return { ok: false, why: 'notFound' };
  if (wanted === 0) {
    await uncollect(query, userId, questionId);
    return { ok: true, saved: { collected: 0, note: '' } };
  }
  const { packId } = place;
  const opens = await access.mayOpen(userId, packId);
  if (!opens.ok) return opens;
  if ((await gradesFor(query, userId).keptBack([{ questionId, packId }])).size > 0)
    return { ok: false, why: 'notFound' };
  return { ok: true, saved: { collected: 1, note: await collect(query, { userId, packId, questionId, note, now }) } };
}

/** What a student has collected of the questions of a record of theirs; null when they have no such record. */
export async function readCollectedOfRecord(
  { db: { query }, records, readContent }: ExamParts,
  userId: number,
  recordId: number,
): Promise<DataOf<typeof CollectedOfRecord> | null> {
  const record = await records.find(userId, recordId);
  if (!record) return null;
  const { byId } = await readContent(query, record.examId, record.version);
  const notes = await readNotes(query, userId, [...byId.keys()]);
  return { list: [...notes].map(([questionId, note]) => ({ questionId, note })) };
}

/** A page of the collection of a pack; null when the pack has no such chapter. */
export async function readCollection(
  { db: { query }, gradesFor }: ExamParts,
  userId: number,
  { packId, chapterId, questionTypesId, pageNum, pageSize }: InputOf<typeof ListCollected>,
): Promise<DataOf<typeof ListCollected> | null> {
  const chapterIds = chapterId === undefined ? undefined : await chapterWithBelow(query, packId, chapterId);
  if (chapterIds === null) return null;
  const { list: collected, total } = await readCollected(query, {
    userId,
    packId,
    chapterIds,
    questionTypesId: questionTypesId === 0 ? undefined : questionTypesId,
    limit: pageSize,
    offset: (pageNum - 1) * pageSize,
  });
  const questions = await readQuestions(
    query,
    collected.map(({ questionId }) => questionId),
  );
  const all = [...questions.values()];
  const grades = gradesFor(query, userId);
  const shown = await grades.keysOf(all);
  const rates = await grades.accuracy(all);
  const chapters = await readChapterNames(query, [...new Set(all.map((question) => question.chapterId))]);
  const list = collected.flatMap(({ questionId, note, collectedAt }) => {
    const question = questions.get(questionId);
    if (!question) return [];
    const keyed = asShownWithKey(question, null, rates.get(questionId) ?? null);
    return {
      question: shown.has(questionId) ? keyed : withKeyWithheld(keyed),
      note,
      collectedAt,
      chapterName: chapters.get(question.chapterId) ?? '',
      onOffer: isOffered(question) ? 1 : 0,
    };
  });
  const cases = await readCaseMaterial(
    query,
    all.flatMap(({ caseId }) => (caseId === null ? [] : [caseId])),
  );
  const pages = Math.ceil(total / pageSize);
  return { list, cases, total, pages, pageNum, withheld: await grades.withholds() };
}
