import type { Db } from '#server/db/open.ts';
import type { FileOwner } from '#server/files.ts';
import { feedbackFilesAmong, isFeedbackImage } from './store.ts';

/** The pictures of reports: teachers see them, and who wrote the report. */
export function feedbackFiles({ query }: Db): FileOwner {
  return {
    belongsTo: 'feedback',
    sightOf: async (name, person) => {
      if (person === null) return null;
      const authorId = person.role === 'teacher' ? null : person.userId;
      return (await isFeedbackImage(query, name, authorId)) ? { forEverybody: false, title: '' } : null;
    },
    owned: (names) => feedbackFilesAmong(query, names),
  };
}
