import type { Selectable } from 'kysely';
import { addPoints } from '#rules/exam/scoring.ts';
import { batches, inLists } from '#server/db/batches.ts';
import { differs } from '#server/db/differs.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Exams } from '#server/db/schema.ts';
import { chapterPractices, type PlacedQuestion, type PracticeChapter } from './chapter-practice.ts';
import { type Correction, countRecords, type RevisionList, type TouchedTally } from './correction-store.ts';
import {
  addExamQuestions,
  compareLists,
  type ListedQuestion,
  readListed,
  writeExamQuestions,
} from './exam-question-store.ts';
import {
  draftExam,
  type ExamDraft,
  isOtherPaper,
  practiceExam,
  readTeachersWord,
  syncChapterPractice,
  type TeachersWord,
} from './exam-store.ts';
import { readPlacedQuestions } from './question-store.ts';
import { readReserved } from './reserved-store.ts';
import { keepRetiredPlaces, otherRetiredPlaces, readRetired } from './retired-store.ts';
import { keepPlaces, otherPlaces, readVoided } from './void-question-store.ts';

/** Rows of lists that one transaction writes, and practices that it touches, at most. */
const ROWS_A_TURN = 1000;
const PRACTICES_A_TURN = 20;
/** How often it is looked anew where somebody else was faster, before all is done at once. */
const MOST_LOOKS = 10;

/** Rows of a list that are written together. After each the practice is a paper like any other. */
interface Step {
  write: readonly ListedQuestion[];
  gone: readonly number[];
}

/** What one practice lacks of what it shall be. */
interface PracticePlan {
  draft: ExamDraft;
  /** Its row as it was looked at; null: there is none yet. */
  stored: Selectable<Exams> | null;
  /** The version on offer: another one says that somebody else was here. */
  version: number | null;
  /** Its list, as it stands after the steps that were done. */
  standing: Map<number, ListedQuestion>;
  steps: Step[];
  corrects: boolean;
  /** Whether the places of questions that it leaves out have to be noted. */
  notes: boolean;
}

/** What the practices of a pack lack. */
interface PracticePlans {
  plans: PracticePlan[];
  /** Practices on offer whose chapters have no question any more. */
  gone: Selectable<Exams>[];
  /** Where the questions stood that it was made of. */
  placed: ReadonlyMap<number, PlacedQuestion>;
}

/** How the transactions are made. */
interface PracticeTurns {
  packId: number;
  /** The chapters of the pack, as they are now. */
  chapters: () => Promise<readonly PracticeChapter[]>;
  turn: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
  correction: (trx: Trx) => Correction;
  tally: TouchedTally;
}

/**
 * Does what `syncChapterPractice` does, in many short transactions: what lacks is found without a lock, and each transaction asks whether
 * that still holds of what it writes. Between two of them each practice is a paper as students may begin it, longer with each.
 */
export async function syncPracticesInTurns(query: Query, turns: PracticeTurns): Promise<void> {
  const { packId, chapters, turn, correction: begin, tally } = turns;
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const found = await planPractices(query, packId, await chapters(), await readPlacedQuestions(query, packId));
    if (await doneInTurns(found, turns)) return;
  }
  const replaced = await turn(async (trx) => {
    const correction = begin(trx);
    await syncChapterPractice(trx, packId, await chapters(), correction);
    await correction.done();
    return [...correction.replaced()];
  });
  tally.add(replaced);
}

/** Counts the records that `syncPracticesInTurns` would touch. @param placed the questions as they would stand */
export async function countTouchedPractices(
  query: Query,
  packId: number,
  chapters: readonly PracticeChapter[],
  { placed, tally }: { placed: readonly PlacedQuestion[]; tally: TouchedTally },
): Promise<void> {
  const { plans } = await planPractices(query, packId, chapters, placed);
  for (const { stored, steps, corrects, draft } of plans) {
    if (stored === null || (steps.every(isEmpty) && !isOtherPaper(draft.row, stored))) continue;
    const { id: examId, version } = stored;
    tally.add([{ examId, version, ...(await countRecords(query, stored)), corrects }]);
  }
}

const isEmpty = ({ write, gone }: Step) => write.length + gone.length === 0;

/** Finds which practices are not what they shall be. Writes nothing. */
async function planPractices(
  query: Query,
  packId: number,
  chapters: readonly PracticeChapter[],
  placed: readonly PlacedQuestion[],
): Promise<PracticePlans> {
  // Before their lists: one that changes in between has another version by the time that it is written.
  const rows = await query
    .selectFrom('exams')
    .selectAll()
    .where('pack_id', '=', packId)
    .where('kind', '=', 'chapter')
    .execute();
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  const said = await readTeachersWord(query, packId);
  const plans: PracticePlan[] = [];
  const kept = new Set<string>();
  for (const practice of chapterPractices(chapters, placed)) {
    const wanted = practiceExam(practice);
    // One whose questions were all taken out is not on offer.
    if (wanted.questions.every(({ questionId }) => said.retired.has(questionId))) continue;
    const stored = bySlug.get(wanted.row.slug) ?? null;
    kept.add(wanted.row.slug);
    const draft = await draftExam(query, packId, wanted, stored?.id ?? 0, said);
    const plan = await planPractice(query, draft, stored, said);
    if (plan !== null) plans.push(plan);
  }
  const gone = rows.filter(({ slug, archived }) => archived === 0 && !kept.has(slug));
  return { plans, gone, placed: new Map(placed.map((one) => [one.questionId, one])) };
}

async function planPractice(
  query: Query,
  draft: ExamDraft,
  stored: Selectable<Exams> | null,
  { voided, retired }: TeachersWord,
): Promise<PracticePlan | null> {
  const { row, questions, left, out } = draft;
  const examId = stored?.id ?? 0;
  const notes = otherPlaces(examId, left, voided).length + otherRetiredPlaces(examId, out, retired).length > 0;
  const listed = stored ? await readListed(query, stored.id) : [];
  const list = compareLists(listed, questions);
  if (stored && list === null && !notes && !differs(row, stored)) return null;
  const standing = new Map(listed.map((question) => [question.questionId, question]));
  const { write = [], gone = [], corrects = false } = list ?? {};
  const steps = stepsOf(write, gone, standing);
  return { draft, stored, version: stored?.version ?? null, standing, steps, corrects, notes };
}

/** Cuts what has to be written so that the list is in order after each step: what moves back goes first from the front, then what is new or moves on from the end. */
function stepsOf(
  write: readonly ListedQuestion[],
  gone: readonly number[],
  standing: ReadonlyMap<number, ListedQuestion>,
): Step[] {
  const movesBack = ({ questionId, position }: ListedQuestion) =>
    position <= (standing.get(questionId)?.position ?? Number.NEGATIVE_INFINITY);
  const back = write.filter(movesBack);
  const on = write.filter((question) => !movesBack(question)).reverse();
  const steps: Step[] = [
    ...[...batches([...back, ...on], ROWS_A_TURN)].map((some) => ({ write: some, gone: [] })),
    // Last, so that a practice of which all is replaced is never empty.
    ...[...batches(gone, ROWS_A_TURN)].map((some) => ({ write: [], gone: some })),
  ];
  return steps.length > 0 ? steps : [{ write: [], gone: [] }];
}

/** @returns whether all was done; false: something changed meanwhile, and nothing was written over it */
async function doneInTurns(found: PracticePlans, turns: PracticeTurns): Promise<boolean> {
  let some: { plan: PracticePlan; step: Step }[] = [];
  let size = 0;
  const flush = async () => {
    if (some.length > 0 && !(await writeSteps(found, some, turns))) return false;
    some = [];
    size = 0;
    return true;
  };
  for (const plan of found.plans)
    for (const step of plan.steps) {
      const rows = step.write.length + step.gone.length;
      const isFull = size + rows > ROWS_A_TURN || some.length >= PRACTICES_A_TURN;
      // A version is raised once a transaction.
      if ((isFull || some.at(-1)?.plan === plan) && !(await flush())) return false;
      some.push({ plan, step });
      size += rows;
    }
  return (await flush()) && (await archived(found.gone, turns));
}

/** The list of a plan after a step, in order. */
function after({ standing }: PracticePlan, { write, gone }: Step): Map<number, ListedQuestion> {
  const list = new Map(standing);
  for (const id of gone) list.delete(id);
  for (const question of write) list.set(question.questionId, question);
  return list;
}

async function writeSteps(
  { placed }: PracticePlans,
  some: readonly { plan: PracticePlan; step: Step }[],
  { packId, turn, correction: begin, tally }: PracticeTurns,
): Promise<boolean> {
  const next = some.map(({ plan, step }) => ({ plan, step, list: after(plan, step) }));
  const done = await turn(async (trx) => {
    const correction = begin(trx);
    await correction.lockPapers();
    const ids = new Map<PracticePlan, number>();
    const slugs = some.map(({ plan }) => plan.draft.row.slug);
    const rows = await trx
      .selectFrom('exams')
      .selectAll()
      .where('pack_id', '=', packId)
      .where('slug', 'in', slugs)
      .execute();
    const bySlug = new Map(rows.map((row) => [row.slug, row]));
    const isOther = ({ draft, version }: PracticePlan) => (bySlug.get(draft.row.slug)?.version ?? null) !== version;
    const written = some.flatMap(({ step }) => step.write.map(({ questionId }) => questionId));
    if (some.some(({ plan }) => isOther(plan)) || !(await stillPlaced(trx, written, placed))) return null;
    for (const { plan, step, list } of next) {
      const { draft, corrects, notes } = plan;
      const stored = bySlug.get(draft.row.slug);
      const total_score = addPoints([...list.values()].map(({ score }) => score));
      // One that is not on offer yet is so when it is whole: half of it may be what was taken out.
      const archived = plan.steps.at(-1) === step ? draft.row.archived : (stored?.archived ?? 1);
      const row = { ...draft.row, archived, total_question: list.size, total_score };
      const { id } = stored ?? (await trx.insertInto('exams').values(row).returning('id').executeTakeFirstOrThrow());
      ids.set(plan, id);
      if (notes) {
        await keepPlaces(trx, id, draft.left, await readVoided(trx, packId));
        await keepRetiredPlaces(trx, id, draft.out, await readRetired(trx, packId));
      }
      if (stored === undefined) await addExamQuestions(trx, id, step.write);
      else {
        if (!isEmpty(step) || isOtherPaper(row, stored))
          await correction.replacePaper(stored, async () => revisionOf(plan.standing), corrects);
        await writeExamQuestions(trx, id, { ...step, corrects });
        if (differs(row, stored)) await trx.updateTable('exams').set(row).where('id', '=', id).execute();
      }
    }
    await correction.done();
    const replaced = [...correction.replaced()];
    return { ids, replaced };
  });
  if (done === null) return false;
  tally.add(done.replaced);
  const raised = new Set(done.replaced.map(({ examId }) => examId));
  for (const { plan, list } of next) {
    plan.standing = list;
    plan.version = plan.version === null ? 1 : plan.version + (raised.has(done.ids.get(plan) ?? 0) ? 1 : 0);
    plan.notes = false;
  }
  return true;
}

const revisionOf = (list: ReadonlyMap<number, ListedQuestion>): RevisionList =>
  [...list.values()]
    .sort((a, b) => a.position - b.position || a.questionId - b.questionId)
    .map(({ questionId, score }) => [questionId, score]);

/** Whether questions still stand where they stood when the lists were made: on offer, in the same chapter, with the same points, counted, and kept for no paper. */
async function stillPlaced(
  trx: Trx,
  questionIds: readonly number[],
  placed: PracticePlans['placed'],
): Promise<boolean> {
  if (questionIds.length === 0) return true;
  for (const ids of inLists(questionIds)) {
    const rows = await trx
      .selectFrom('questions')
      .select(['id', 'chapter_id', 'score', 'archived', 'grade_mode'])
      .where('id', 'in', ids)
      .execute();
    const isSame = ({ id, chapter_id, score, archived, grade_mode }: (typeof rows)[number]) => {
      const known = placed.get(id);
      return known?.chapterId === chapter_id && known.score === score && archived === 0 && grade_mode !== 'void';
    };
    if (!rows.every(isSame)) return false;
  }
  return (await readReserved(trx, questionIds)).size === 0;
}

/** Archives practices whose chapters have no question any more. @returns whether they are as they were looked at */
async function archived(gone: PracticePlans['gone'], { packId, turn }: PracticeTurns): Promise<boolean> {
  for (const some of batches(gone)) {
    const isDone = await turn(async (trx) => {
      const rows = await trx
        .selectFrom('exams')
        .select(['id', 'version'])
        .where('pack_id', '=', packId)
        .where(
          'id',
          'in',
          some.map(({ id }) => id),
        )
        .execute();
      const versions = new Map(rows.map(({ id, version }) => [id, version]));
      if (some.some(({ id, version }) => versions.get(id) !== version)) return false;
      // Its version stays: what it says is the same, and records in progress go on.
      await trx
        .updateTable('exams')
        .set({ archived: 1 })
        .where(
          'id',
          'in',
          some.map(({ id }) => id),
        )
        .execute();
      return true;
    });
    if (!isDone) return false;
  }
  return true;
}
