import type { Trx } from '#server/db/open.ts';
import { inSteps, type PersonPart } from '#server/person-part.ts';
import { readOpenRecords } from './finding/planned-store.ts';
import { recordLines } from './finding/user-exam-list.ts';
import type { ExamParts } from './parts.ts';
import { deleteGrants, readOwnGrants } from './record/accommodation-store.ts';
import { deleteKept, readKept, readOwnAnswers } from './record/person-store.ts';
import { readAllSettings } from './wrong/study-settings-store.ts';

const AT_ONCE = 100;

/**
 * Of a person: their records with what they answered, and what they keep. Scores are those that they may see now, and of what they sit now
 * earlier answers say `withheld` alone: beside a result that they remember, the letters would be the key (decision 020). The answers of a record
 * that is open come when it is handed in, since they stand in the paper's own order and not in the one that is shown.
 */
export function examPersonParts(exam: ExamParts): readonly PersonPart[] {
  return [
    {
      name: '考试与练习',
      async *rows(userId) {
        for (let offset = 0; ; offset += AT_ONCE) {
          const hidden = await exam.gradesFor(exam.db.query, userId).hidden();
          const records = await exam.records.list({ userId }, AT_ONCE, offset);
          for (const line of await recordLines(exam, userId, records)) {
            const answers = line.closed === null ? [] : await readOwnAnswers(exam.db.query, line.recordId);
            yield {
              ...line,
              answers: answers.map((own) =>
                hidden.has(own.questionId) ? { questionId: own.questionId, withheld: true } : own,
              ),
            };
          }
          if (records.length < AT_ONCE) return;
        }
      },
      forget: (trx, userId) => endRecords(exam, trx, userId),
    },
    {
      name: '收藏与题目笔记',
      rows: (userId) => inSteps((step) => readKept(exam.db.query, userId, step)),
      forget: deleteKept,
    },
    {
      name: '错题与复习设置',
      async *rows(userId) {
        for (const [packId, chosen] of await readAllSettings(exam.db.query, userId)) yield { packId, ...chosen };
      },
    },
    {
      name: '延长考试时间',
      rows: (userId) => inSteps((step) => readOwnGrants(exam.db.query, userId, step)),
      forget: deleteGrants,
    },
  ];
}

/**
 * Ends what a person sits when their account is closed, with what was saved: nobody hands it in any more, and a correction would wait for it
 * for ever. It ends as by time, so that what has no answer counts in no comparison.
 */
async function endRecords(exam: ExamParts, trx: Trx, userId: number): Promise<void> {
  const now = exam.clock();
  const open = await readOpenRecords(trx, userId);
  const records = await exam.records.lock(
    trx,
    open.map(({ recordId }) => recordId),
  );
  await exam.closeRecords(
    trx,
    records
      .filter(({ submittedAt }) => submittedAt === null)
      .map((record) => ({ record: { ...record, endsAt: Math.min(record.endsAt ?? now, now) }, now })),
  );
}
