import type { Chore } from '#server/chores.ts';
import type { ExamParts } from '../parts.ts';
import { readGradedOf } from './graded-store.ts';
import { StatisticChanges } from './statistics.ts';
import { countClosing, countedToJson } from './study.ts';
import { findUncounted, writeCounted } from './study-store.ts';

/** Records counted in one transaction. */
const AT_ONCE = 64;

/**
 * Counts the records that a version without statistics closed: what is counted here is counted as closing would have. Each is
 * claimed in the database, so any number of processes can do it; afterwards there is one look at an empty index.
 */
export function countEarlierChore({ db, log, records, answers, readContent, writeStatistics }: ExamParts): Chore {
  async function countSome(): Promise<number> {
    return db.transaction(async (trx) => {
      const found = await findUncounted(trx, AT_ONCE);
      const locked = await records.lock(trx, found);
      // Another process may have counted some while this one waited for them.
      const still = new Set(found.length === 0 ? [] : await findUncounted(trx, AT_ONCE, found));
      const statistics = new StatisticChanges();
      for (const record of locked) {
        if (!still.has(record.id) || record.submittedAt === null) continue;
        const stored = (await answers.readToGrade(trx, [record.id])).get(record.id) ?? new Map();
        const content = await readContent(trx, record.examId, record.version).catch((error: unknown) => {
          log.warn({ err: error, recordId: record.id }, 'record stays out of the statistics');
          return null;
        });
        const counted =
          content === null
            ? new Map()
            : countClosing(statistics.study, record, content, stored, {
                graded: await readGradedOf(trx, record.id),
                at: record.submittedAt,
                totalTime: record.totalTime,
              });
        await writeCounted(trx, record.id, countedToJson(counted));
      }
      await writeStatistics(trx, statistics);
      return found.length;
    });
  }

  return {
    name: 'exam: count earlier records',
    every: 60_000,
    run: async () => {
      while ((await countSome()) > 0);
    },
  };
}
