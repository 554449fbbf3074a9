import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { PrintPaper } from '#contract/exam-paper.ts';
import type { Role } from '#contract/values/user.ts';
import { mayPrint } from '#rules/exam/print.ts';
import { withKeyWithheld } from '#rules/exam/reveal.ts';
import { readPackNames } from '#server/course/store.ts';
import type { Query } from '#server/db/open.ts';
import { asShownWithKey, inOrder, sectionsInOrder } from '../paper/content.ts';
import { ownPaperVersion } from '../paper/own-paper-store.ts';
import { tellsWhatIsSat } from '../paper/save-own-paper.ts';
import type { ExamParts } from '../parts.ts';
import type { RecordView } from '../record/store.ts';
import { readOffered } from './offered.ts';
import { findPaper } from './store.ts';

type Printed = { ok: true; paper: DataOf<typeof PrintPaper> } | { ok: false; why: Why };

/**
 * A paper as it is printed: in the version, order and letters of the asker's record (the newest of the exam, where none is named),
 * so that the sheet and the screen are one; without a record as it stands now.
 */
export async function readPrint(
  exam: ExamParts,
  { userId, role, examId, recordId }: InputOf<typeof PrintPaper> & { userId: number; role: Role },
): Promise<Printed> {
  const { db, records, access, readContent, gradesFor } = exam;
  const { query } = db;
  const paper = await findPaper(query, examId);
  if (!paper) return { ok: false, why: 'notFound' };
  const record = await printedRecord(records, { userId, examId, recordId });
  if (record === undefined) return { ok: false, why: 'notFound' };
  const teacher = role === 'teacher';
  const of = paper.ownerId === null ? 'school' : paper.ownerId === userId ? 'me' : 'somebodyElse';
  // Own records stay readable after an enrolment has ended; without any, the paper is of the pack's offer.
  if (record === null && !teacher) {
    if (paper.archived || of === 'somebodyElse') return { ok: false, why: 'notFound' };
    const opens = await access.mayOpen(userId, paper.packId);
    if (!opens.ok) return opens;
    if (of === 'me' && (await tellsWhatIsSat(exam, query, { userId, examId })))
      return { ok: false, why: 'madeBeforeExam' };
  }
  const may = mayPrint({ kind: record?.kind ?? paper.kind, of, teacher, record });
  if (!may.ok) return may;
  const { content, paper: shown } =
    record === null && of === 'school'
      ? await readOffered(query, readContent, examId, paper)
      : { content: await readContent(query, examId, record?.version ?? (await versionOf(query, paper, of))), paper };
  const layout = record && (await records.layout(query, record));
  const hidden = await gradesFor(query, userId).hidden();
  let withheld = false;
  const questions = inOrder(content, layout).map((question) => {
    const keyed = asShownWithKey(question, layout, null);
    if (may.keys && !hidden.has(question.questionId)) return keyed;
    withheld ||= may.keys;
    return withKeyWithheld(keyed);
  });
  const { kind, examName, examTime, totalQuestion, totalScore } = record ?? shown;
  return {
    ok: true,
    paper: {
      ...{ examId, recordId: record?.id ?? null, kind, examName, examTime, totalQuestion, totalScore },
      packName: (await readPackNames(query, [paper.packId])).get(paper.packId) ?? '',
      sections: sectionsInOrder(content, layout),
      questions,
      cases: [...content.cases],
      keys: may.keys,
      withheld,
    },
  };
}

/** The version of somebody's own paper that begins now; of another's, whose version a teacher prints, the paper's. */
const versionOf = async (query: Query, { packId, version }: { packId: number; version: number }, of: string) =>
  of === 'me' ? ownPaperVersion(query, packId) : version;

/** The record that is meant, or the newest; null: the asker has none of this exam, undefined: the one named is not theirs. */
async function printedRecord(
  records: ExamParts['records'],
  { userId, examId, recordId }: { userId: number; examId: number; recordId: number | undefined },
): Promise<RecordView | null | undefined> {
  if (recordId === undefined) return (await records.list({ userId, examId }, 1, 0))[0] ?? null;
  const named = await records.find(userId, recordId);
  return named?.examId === examId ? named : undefined;
}
