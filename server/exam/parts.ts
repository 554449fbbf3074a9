import type { PackAccess } from '#server/course/access.ts';
import type { EnrolmentStore } from '#server/course/enrolment-store.ts';
import { formulaSetter, type SetFormulasOf } from '#server/formulas.ts';
import type { Parts } from '#server/parts.ts';
import { type CloseRecords, recordCloser } from './grading/close-records.ts';
import { statisticsWriter, type WriteStatistics } from './grading/statistics-store.ts';
import { type GradingStore, gradingStore } from './grading/store.ts';
import { type GradesFor, gradesReader, type HiddenOf, hiddenReader } from './grading/visible-grades.ts';
import { contentReader, type ReadContent } from './paper/content-store.ts';
import { type AccommodationStore, accommodationStore } from './record/accommodation-store.ts';
import { type AnswerStore, answerStore } from './record/answer-store.ts';
import { type RecordStore, recordStore } from './record/store.ts';

/** What the calls and chores of exams share: statements that are compiled once, and one cache of papers. */
export interface ExamParts extends Pick<Parts, 'db' | 'bus' | 'clock' | 'sureTime' | 'random' | 'log'> {
  enrolments: EnrolmentStore;
  access: PackAccess;
  records: RecordStore;
  answers: AnswerStore;
  accommodations: AccommodationStore;
  readContent: ReadContent;
  setFormulas: SetFormulasOf;
  grading: GradingStore;
  gradesFor: GradesFor;
  hiddenOf: HiddenOf;
  writeStatistics: WriteStatistics;
  closeRecords: CloseRecords;
}

/** Makes the parts of exams, once for a server (server/app.ts). */
export function examParts(
  { db, bus, clock, sureTime, random, log }: Parts,
  enrolments: EnrolmentStore,
  access: PackAccess,
): ExamParts {
  const answers = answerStore(db);
  const readContent = contentReader();
  const grading = gradingStore(db);
  const gradesFor = gradesReader(db, enrolments);
  const writeStatistics = statisticsWriter(db);
  return {
    db,
    bus,
    clock,
    sureTime,
    random,
    log,
    enrolments,
    access,
    records: recordStore(db),
    answers,
    accommodations: accommodationStore(db),
    readContent,
    setFormulas: formulaSetter({ onTrouble: (err) => log.error({ err }, 'formulas are not set: their thread failed') }),
    grading,
    gradesFor,
    hiddenOf: hiddenReader(db),
    writeStatistics,
    closeRecords: recordCloser({ answers, readContent, grading, writeStatistics }),
  };
}
