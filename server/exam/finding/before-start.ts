import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { BeforeStart } from '#contract/exam.ts';
import { questionTypes } from '#contract/values/exam.ts';
import { accommodationIn, minutesAdded } from '#rules/exam/accommodation.ts';
import { examModeOf } from '#rules/exam/reveal.ts';
import { addPoints } from '#rules/exam/scoring.ts';
import { ownPaperVersion } from '../paper/own-paper-store.ts';
import { tellsWhatIsSat } from '../paper/save-own-paper.ts';
import type { ExamParts } from '../parts.ts';
import { readRetake } from '../results/retake.ts';
import { readOffered } from './offered.ts';
import { findPaper } from './store.ts';

type Found = { ok: true; paper: DataOf<typeof BeforeStart> } | { ok: false; why: Why };

/** What a student should know of a paper before it begins, as a record that begins now would have it. */
export async function readBeforeStart(exam: ExamParts, userId: number, examId: number): Promise<Found> {
  const { query } = exam.db;
  const found = await findPaper(query, examId);
  if (!found || (found.ownerId !== null && found.ownerId !== userId)) return { ok: false, why: 'notFound' };
  const [access] = await exam.access.askAll(query, [{ userId, packId: found.packId, archived: found.archived }]);
  const open = access?.open ?? { ok: false, why: 'notFound' };
  if (!open.ok) return open;
  const own = found.ownerId !== null;
  if (own && (await tellsWhatIsSat(exam, query, { userId, examId }))) return { ok: false, why: 'madeBeforeExam' };
  const { paper, content } = own
    ? { paper: found, content: await exam.readContent(query, examId, await ownPaperVersion(query, found.packId)) }
    : await readOffered(query, exam.readContent, examId, found);
  const sumOf = (questions: readonly { score: number }[]) => ({
    count: questions.length,
    score: addPoints(questions.map(({ score }) => score)),
  });
  const granted = (await exam.accommodations.inForce(query, [userId])).get(userId) ?? [];
  const added = minutesAdded(paper.examTime, accommodationIn(granted, paper.packId));
  const { examName, examTime } = paper;
  return {
    ok: true,
    paper: {
      examId,
      examName,
      examMode: examModeOf(paper.kind),
      examTime,
      ownTime: examTime === null ? null : examTime + added,
      totalQuestion: content.questions.length,
      totalScore: sumOf(content.questions).score,
      parts: content.sections.map(({ title, questionIds }) => ({
        title,
        ...sumOf(questionIds.flatMap((id) => content.byId.get(id) ?? [])),
      })),
      types: questionTypes.flatMap((questionTypesId) => {
        const some = content.questions.filter((question) => question.type === questionTypesId);
        return some.length === 0 ? [] : [{ questionTypesId, ...sumOf(some) }];
      }),
      partial: content.partial,
      shuffled: paper.shuffled,
      retake: await readRetake(exam, { userId, examId }),
    },
  };
}
