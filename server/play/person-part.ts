import type { Db } from '#server/db/open.ts';
import { inSteps, type PersonPart } from '#server/person-part.ts';
import { deleteAllNotes, readAllNotes, readSeenLessons } from './person-store.ts';

/** Of a person: what they have seen, and their notes, which nobody else sees. */
export function playParts({ query }: Db): readonly PersonPart[] {
  return [
    { name: '课时学习进度', rows: (userId) => inSteps((step) => readSeenLessons(query, userId, step)) },
    {
      name: '课时笔记',
      rows: (userId) => inSteps((step) => readAllNotes(query, userId, step)),
      forget: deleteAllNotes,
    },
  ];
}
