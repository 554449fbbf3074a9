import { OWN_PAPERS } from '#contract/values/exam.ts';
import { isMadeWithout } from '#rules/exam/reveal.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import type { Query } from '#server/db/open.ts';
import type { ExamParts } from '../parts.ts';
import {
  addOwnPaper,
  countOwnPapers,
  findOwnPaper,
  type MadePaper,
  type NewOwnPaper,
  type StoredOwnPaper,
  unbegunMadeWithout,
} from './own-paper-store.ts';

/**
 * Stores a paper of these questions, as many a day as `OWN_PAPERS` permits; whatever it is made for.
 * @param press names the press of a button: of two with one name the second gets what the first made, at whatever server; not where it knows answers
 * to what is sat since
 */
export async function saveOwnPaper(
  { db, random }: Pick<ExamParts, 'db' | 'random'>,
  { name, press, ...paper }: Omit<NewOwnPaper, 'slug'> & { press?: string | undefined },
): Promise<
  { ok: true; paper: MadePaper } | { ok: false; why: 'badInput' | 'noQuestions' | 'tooMany' | 'madeBeforeExam' }
> {
  const { userId, questions, sat, now } = paper;
  const given = ({ sat: without, ...made }: StoredOwnPaper) =>
    paper.purpose === 'random' || isMadeWithout(sat, without)
      ? ({ ok: true, paper: made } as const)
      : ({ ok: false, why: 'madeBeforeExam' } as const);
  const tidy = tidyText(name);
  if (tidy === '') return { ok: false, why: 'badInput' };
  if (questions.length === 0) return { ok: false, why: 'noQuestions' };
  const slug = `own:${userId}:${press ?? random(12).toString('hex')}`;
  // What was made already is no further one, however many there are.
  const made = press === undefined ? null : await findOwnPaper(db.query, paper.packId, slug);
  if (made) return given(made);
  const { within, most } = OWN_PAPERS;
  if ((await countOwnPapers(db.query, userId, now - within)) >= most) return { ok: false, why: 'tooMany' };
  return given(await db.transaction((trx) => addOwnPaper(trx, { ...paper, slug, name: tidy })));
}

/** Whether a paper is a practice that its student put together and did not begin, and that tells what earlier answers to questions were graded which they sit now. */
export async function tellsWhatIsSat(
  { gradesFor }: Pick<ExamParts, 'gradesFor'>,
  query: Query,
  { userId, examId }: { userId: number; examId: number },
): Promise<boolean> {
  const without = await unbegunMadeWithout(query, examId);
  return without !== null && !isMadeWithout(await gradesFor(query, userId).hidden(), without);
}
