import type { Db, Trx } from '#server/db/open.ts';
import type { Parts } from '#server/parts.ts';
import { type CloseRecords, type Figures, figureWriter, recordCloser } from './grading/close-records.ts';
import { contentReader, type ReadContent } from './paper/content.ts';
import { type Answers, answerStore } from './record/answer-store.ts';
import { type Records, recordReader } from './record/store.ts';

/** What the calls and jobs of exams share: statements that are compiled once, and one cache of papers. */
export interface Desk {
  records: Records;
  answers: Answers;
  readContent: ReadContent;
  closeRecords: CloseRecords;
  writeFigures(trx: Trx, figures: Figures): Promise<void>;
}

const desks = new WeakMap<Db, Desk>();

/** The one desk of a database. */
export function examDesk({ db }: Pick<Parts, 'db'>): Desk {
  const known = desks.get(db);
  if (known) return known;
  const readContent = contentReader();
  const writeFigures = figureWriter(db);
  const desk: Desk = {
    records: recordReader(db),
    answers: answerStore(db),
    readContent,
    closeRecords: recordCloser(db, readContent, writeFigures),
    writeFigures,
  };
  desks.set(db, desk);
  return desk;
}
