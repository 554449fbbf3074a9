import type { Graded } from '#rules/exam/scoring.ts';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';

/** The graded questions of a record as `exam_records.graded` holds them: by question id, [state, earned, judgeFlag]. */
type GradedJson = Record<string, [Graded['state'], number | null, 1 | 2 | null]>;

/** For the column `exam_records.graded`; `gradedFromJson` reads it back whole. */
export function gradedToJson(graded: ReadonlyMap<number, Graded>): string {
  const json: GradedJson = {};
  for (const [id, { state, earned, judgeFlag }] of graded) json[id] = [state, earned, judgeFlag];
  return JSON.stringify(json);
}

/** The graded questions by question id, from what `gradedToJson` wrote. */
function gradedFromJson(text: string): Map<number, Graded> {
  const graded = new Map<number, Graded>();
  for (const [id, [state, earned, judgeFlag]] of Object.entries(JSON.parse(text) as GradedJson)) {
    graded.set(Number(id), { state, earned, judgeFlag });
  }
  return graded;
}

/**
 * The graded questions of closed records, by record and question. They tell what is right: whoever sends something of
 * them asks `readInOpenExam` first.
 */
export async function readGraded(
  query: Query,
  recordIds: readonly number[],
): Promise<Map<number, Map<number, Graded>>> {
  if (recordIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('exam_records')
    .select(['id', 'graded'])
    .where('id', 'in', padded(recordIds))
    .where('graded', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.id, gradedFromJson(row.graded ?? '{}')]));
}

/** The graded questions of one closed record, by question; empty while it is open. */
export async function readGradedOf(query: Query, recordId: number): Promise<Map<number, Graded>> {
  return (await readGraded(query, [recordId])).get(recordId) ?? new Map();
}
