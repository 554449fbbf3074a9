import type { Db } from '#server/db/open.ts';
import { inSteps, type PersonPart } from '#server/person-part.ts';
import { deleteAllNotes, readAllNotes, readSeenLessons } from './person-store.ts';
import { deleteRights, readRights } from './right-store.ts';

/** Of a person: what they have seen, since when they could, and their notes, which nobody else sees. */
export function playParts({ query }: Db): readonly PersonPart[] {
  return [
    { name: '课时学习进度', rows: (userId) => inSteps((step) => readSeenLessons(query, userId, step)) },
    {
      name: '打开过的视频和音频',
      rows: (userId) => inSteps((step) => readRights(query, userId, step)),
      forget: deleteRights,
    },
    {
      name: '课时笔记',
      rows: (userId) => inSteps((step) => readAllNotes(query, userId, step)),
      forget: deleteAllNotes,
    },
  ];
}
