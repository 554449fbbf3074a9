import type { DataOf, InputOf } from '#contract/call.ts';
import type { ListWrong } from '#contract/exam-wrong.ts';
import { withKeyWithheld } from '#rules/exam/reveal.ts';
import { chapterWithBelow, readChapterNames } from '#server/course/chapter-store.ts';
import type { VisibleGrades } from '../grading/visible-grades.ts';
import type { WrongEntry, WrongListFilter } from '../grading/wrong-entry.ts';
import { asShownWithKey } from '../paper/content.ts';
import { isOffered, readCaseMaterial, readExamNames, readQuestions } from '../paper/standing-question-store.ts';
import type { ExamParts } from '../parts.ts';
import { readNotes } from './collection-store.ts';

type WrongPage = DataOf<typeof ListWrong>;
/** What narrows a list, as the calls write it. */
type SentFilter = Omit<InputOf<typeof ListWrong>, 'order' | 'pageNum' | 'pageSize'>;

/** The filter of a list as its store reads it; null when the pack has no such chapter. */
export async function wrongFilter(
  { db }: Pick<ExamParts, 'db'>,
  { packId, chapterId, questionTypesId, guessed, state = 'in', ...rest }: SentFilter,
): Promise<WrongListFilter | null> {
  const chapterIds = chapterId === undefined ? undefined : await chapterWithBelow(db.query, packId, chapterId);
  if (chapterIds === null) return null;
  return {
    ...rest,
    packId,
    state,
    chapterIds,
    questionTypesId: questionTypesId === 0 ? undefined : questionTypesId,
    guessed: guessed === 1,
  };
}

/** A page of the wrong-question list of a pack; null when the pack has no such chapter. */
export async function readErrorList(
  exam: ExamParts,
  userId: number,
  { order = 'newest', pageNum, pageSize, ...sent }: InputOf<typeof ListWrong>,
): Promise<WrongPage | null> {
  const filter = await wrongFilter(exam, sent);
  if (filter === null) return null;
  const grades = exam.gradesFor(exam.db.query, userId);
  const bounds = { limit: pageSize, offset: (pageNum - 1) * pageSize };
  const { entries, total } = await grades.wrongPage({ ...filter, order, ...bounds });
  const shown = await showEntries(exam, userId, grades, entries);
  return { ...shown, total, pages: Math.ceil(total / pageSize), pageNum, withheld: await grades.withholds() };
}

async function showEntries(
  { db: { query } }: ExamParts,
  userId: number,
  grades: VisibleGrades,
  entries: readonly WrongEntry[],
): Promise<Pick<WrongPage, 'list' | 'cases'>> {
  const questions = await readQuestions(
    query,
    entries.map(({ questionId }) => questionId),
  );
  const all = [...questions.values()];
  const shown = await grades.keysOf(all);
  const rates = await grades.accuracy(all);
  const notes = await readNotes(query, userId, [...questions.keys()]);
  const chapters = await readChapterNames(query, [...new Set(all.map(({ chapterId }) => chapterId))]);
  const exams = await readExamNames(
    query,
    entries.flatMap(({ examId }) => (examId === null ? [] : [examId])),
  );
  const list = entries.flatMap(({ questionId, ...entry }) => {
    const question = questions.get(questionId);
    if (!question) return [];
    const keyed = asShownWithKey(question, null, rates.get(questionId) ?? null);
    return {
      ...entry,
      guessed: entry.guessed ? 1 : 0,
      examName: entry.examId === null ? null : (exams.get(entry.examId) ?? null),
      chapterName: chapters.get(question.chapterId) ?? '',
      collected: notes.has(questionId) ? 1 : 0,
      note: notes.get(questionId) ?? '',
      onOffer: isOffered(question) ? 1 : 0,
      question: shown.has(questionId) ? keyed : withKeyWithheld(keyed),
    };
  });
  const cases = await readCaseMaterial(
    query,
    all.flatMap(({ caseId }) => (caseId === null ? [] : [caseId])),
  );
  return { list, cases };
}
