import { type QuestionChange, rescores } from '#rules/exam/rescore.ts';
import { addPoints, pointsOf } from '#rules/exam/scoring.ts';
import type { Query } from '#server/db/open.ts';
import type { Content, ContentQuestion } from './content.ts';
import type { ReadContent } from './content-store.ts';
import { type FoundQuestion, type PaperVersion, versionsWith } from './teacher-correction-store.ts';

/** A version of a paper whose records a correction re-scores. */
export interface TouchedVersion extends PaperVersion {
  content: Content;
  before: ContentQuestion;
  /** With the new key version as it will be. */
  after: ContentQuestion;
  /** Points of the whole paper. */
  totalBefore: number;
  totalAfter: number;
}

/**
 * The versions of papers in which a correction changes what answers are worth. An older version is touched where its letters
 * stand for the same, whatever key it has; where the options were others, a key for them is not known.
 */
export async function touchedVersions(
  query: Query,
  readContent: ReadContent,
  { row, correctable }: FoundQuestion,
  change: QuestionChange,
): Promise<TouchedVersion[]> {
  if (!rescores(change)) return [];
  const touched: TouchedVersion[] = [];
  for (const found of await versionsWith(query, row.pack_id, row.id)) {
    const content = await readContent(query, found.exam.id, found.version);
    const before = content.byId.get(row.id);
    if (!before || !readsTheSame(before, row)) continue;
    const keyVersion = row.key_version + (change.right || change.gradeMode ? 1 : 0);
    const points = change.scores?.[found.exam.id];
    const gradeMode = change.gradeMode?.[1] ?? correctable.gradeMode;
    const listed = points && points[0] === before.listed ? points[1] : before.listed;
    const after: ContentQuestion = {
      ...before,
      right: change.right?.[1] ?? correctable.right,
      analysis: change.analysis?.[1] ?? (found.kept === null ? correctable.analysis : before.analysis),
      gradeMode,
      score: pointsOf(gradeMode, listed),
      listed,
      keyVersion,
    };
    const same = after.right === before.right && after.gradeMode === before.gradeMode && after.score === before.score;
    if (same) continue;
    const totalBefore = addPoints(content.questions.map(({ score }) => score));
    touched.push({
      ...found,
      content,
      before,
      after,
      totalBefore,
      totalAfter: addPoints([totalBefore, -before.score, after.score]),
    });
  }
  return touched;
}

function readsTheSame(before: ContentQuestion, row: FoundQuestion['row']): boolean {
  return before.type === row.question_types_id && JSON.stringify(before.options) === row.options;
}
