import type { Selectable } from 'kysely';
import { listChapters } from '#server/course/chapter-store.ts';
import { lockPack } from '#server/course/pack-store.ts';
import type { Db, Trx } from '#server/db/open.ts';
import type { Questions } from '#server/db/schema.ts';
import { Correction, type TouchedRecords } from './correction-store.ts';
import { syncPracticesAbove } from './exam-store.ts';
import {
  findNamed,
  type NamedQuestion,
  onlyQuestionOf,
  type PaperOfRetired,
  type Retirement,
  retire,
  takeBack,
} from './retired-store.ts';
import { findCorrectable } from './teacher-correction-store.ts';

/** A question that a person takes out or brings back, as it was before, and what that did to papers and records. */
export interface RetiredOrRestored {
  ok: true;
  question: NamedQuestion;
  papers: PaperOfRetired[];
  touched: TouchedRecords;
}

type NotFound = { ok: false; why: 'notFound' };

/** A question of a pack: `name` is its number, or what an operator writes: its 编号, its key in the pack, or `#` and its number. */
export interface WhichQuestion {
  packId: number;
  name: number | string;
  /** Epoch milliseconds. */
  now: number;
}

type Work<Refusal> = (
  trx: Trx,
  correction: Correction,
  found: { question: NamedQuestion; row: Selectable<Questions> },
) => Promise<{ ok: true; papers: PaperOfRetired[] } | Refusal>;

/** Changes a question as an import does: locked, with what it replaces kept, and the practices of the chapters in which it stands brought up to date. */
async function change<Refusal extends { ok: false }>(
  db: Db,
  { packId, name, now }: WhichQuestion,
  work: Work<Refusal>,
): Promise<RetiredOrRestored | NotFound | Refusal> {
  return db.transaction(async (trx) => {
    await lockPack(trx, packId);
    const question = await findNamed(trx, packId, name);
    const row = question && (await findCorrectable(trx, question.id))?.row;
    if (!row) return { ok: false, why: 'notFound' };
    const correction = new Correction(db, trx, { packId, now, noted: true });
    await correction.lockPapers();
    const done = await work(trx, correction, { question, row });
    if (!done.ok) return done;
    await syncPracticesAbove(trx, packId, await listChapters(trx, packId), row.chapter_id, correction);
    return { ok: true, question, papers: done.papers, touched: await correction.done() };
  });
}

/** Why a question cannot be taken out: it is already, or papers would have none left. */
type NotRetired =
  | { ok: false; why: 'retiredAlready'; retirement: Retirement }
  | { ok: false; why: 'onlyQuestion'; papers: readonly string[] };

/** Takes a question out of everything new; what began with it keeps it (decision 068). */
export function retireQuestion(
  db: Db,
  which: WhichQuestion,
  said: Pick<Retirement, 'by' | 'teacherId' | 'reason'>,
): Promise<RetiredOrRestored | NotFound | NotRetired> {
  return change<NotRetired>(db, which, async (trx, correction, { question, row }) => {
    const { retirement } = question;
    if (retirement) return { ok: false, why: 'retiredAlready', retirement };
    const only = await onlyQuestionOf(trx, question.id);
    if (only.length > 0) return { ok: false, why: 'onlyQuestion', papers: only };
    return { ok: true, papers: await retire(trx, correction, row, { at: which.now, ...said }) };
  });
}

/** Why a question cannot be brought back: nobody took it out. `archived`: its file did. */
type NotRestored = { ok: false; why: 'notRetired'; question: NamedQuestion };

/** Takes a retirement back: the question stands in its papers and practices again. */
export function restoreQuestion(db: Db, which: WhichQuestion): Promise<RetiredOrRestored | NotFound | NotRestored> {
  return change<NotRestored>(db, which, async (trx, correction, { question, row }) => {
    if (!question.retirement) return { ok: false, why: 'notRetired', question };
    return { ok: true, papers: await takeBack(trx, correction, row) };
  });
}
