import type { Db } from '#server/db/open.ts';
import { inSteps, type PersonPart } from '#server/person-part.ts';
import { deleteReportImagesOf, readReportImagesOf, readReportsOf } from './person-store.ts';

/** Of a person: their reports on questions and films. The words stay when the account is closed. */
export function feedbackPart({ query }: Db): PersonPart {
  return {
    name: '反馈',
    rows: (userId) => inSteps((step) => readReportsOf(query, userId, step)),
    files: async (userId) =>
      (await readReportImagesOf(query, userId)).map(({ file, reportId }) => ({ stored: file, title: `${reportId}` })),
    forget: deleteReportImagesOf,
  };
}
