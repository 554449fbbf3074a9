import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';

/** A knowledge point (知识点): the word of one pack for what some of its questions ask. */
export interface KnowledgePoint {
  packId: number;
  name: string;
}

/** The knowledge points of these questions, as they are and as they were before any correction. */
export async function pointsOf(query: Query, questionIds: Iterable<number>): Promise<KnowledgePoint[]> {
  const found = new Map<string, KnowledgePoint>();
  for (const ids of inLists([...questionIds])) {
    const rows = await query
      .selectFrom('questions')
      .select(['pack_id', 'knowledge_point'])
      .where('id', 'in', ids)
      .where('knowledge_point', 'is not', null)
      .union(
        query
          .selectFrom('question_revisions')
          .innerJoin('questions', 'questions.id', 'question_revisions.question_id')
          .select(['questions.pack_id', 'question_revisions.knowledge_point'])
          .where('question_revisions.question_id', 'in', ids)
          .where('question_revisions.knowledge_point', 'is not', null),
      )
      .execute();
    for (const { pack_id: packId, knowledge_point: name } of rows)
      if (name !== null) found.set(`${packId} ${name}`, { packId, name });
  }
  return [...found.values()];
}

/** The questions of these knowledge points, now or before a correction, as a list for `in (…)`. */
export function questionsOfPoints(query: Query, points: readonly KnowledgePoint[]) {
  const byPack = [...Map.groupBy(points, ({ packId }) => packId)].map(
    ([packId, of]) => [packId, padded(of.map(({ name }) => name))] as const,
  );
  return query
    .selectFrom('questions')
    .select('id')
    .where(({ or, and, eb }) =>
      or(byPack.map(([packId, names]) => and([eb('pack_id', '=', packId), eb('knowledge_point', 'in', names)]))),
    )
    .union(
      query
        .selectFrom('question_revisions')
        .innerJoin('questions as now', 'now.id', 'question_revisions.question_id')
        .select('now.id')
        .where(({ or, and, eb }) =>
          or(
            byPack.map(([packId, names]) =>
              and([eb('now.pack_id', '=', packId), eb('question_revisions.knowledge_point', 'in', names)]),
            ),
          ),
        ),
    );
}
