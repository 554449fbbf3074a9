import { OWN_PAPERS } from '#contract/values/exam.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import type { ExamParts } from '../parts.ts';
import { addOwnPaper, countOwnPapers, findOwnPaper, type MadePaper, type NewOwnPaper } from './own-paper-store.ts';

/**
 * Stores a paper of these questions, as many a day as `OWN_PAPERS` permits; whatever it is made for.
 * @param press names the press of a button: of two with one name the second gets what the first made, at whatever server
 */
export async function saveOwnPaper(
  { db, random }: Pick<ExamParts, 'db' | 'random'>,
  { name, press, ...paper }: Omit<NewOwnPaper, 'slug'> & { press?: string | undefined },
): Promise<{ ok: true; paper: MadePaper } | { ok: false; why: 'badInput' | 'noQuestions' | 'tooMany' }> {
  const { userId, questions, now } = paper;
  const tidy = tidyText(name);
  if (tidy === '') return { ok: false, why: 'badInput' };
  if (questions.length === 0) return { ok: false, why: 'noQuestions' };
  const slug = `own:${userId}:${press ?? random(12).toString('hex')}`;
  // What was made already is no further one, however many there are.
  const made = press === undefined ? null : await findOwnPaper(db.query, paper.packId, slug);
  if (made) return { ok: true, paper: made };
  const { within, most } = OWN_PAPERS;
  if ((await countOwnPapers(db.query, userId, now - within)) >= most) return { ok: false, why: 'tooMany' };
  return {
    ok: true,
    paper: await db.transaction((trx) => addOwnPaper(trx, { ...paper, slug, name: tidy })),
  };
}
