import type { Selectable } from 'kysely';
import { pointsOf } from '#rules/exam/scoring.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Exams, Questions } from '#server/db/schema.ts';
import type { Correction } from './correction-store.ts';
import { type ListedQuestion, readExamQuestions } from './exam-question-store.ts';

/** Where a retired question stood in the papers of its school: by exam its place and the points that it gave. */
type Places = Record<number, [position: number, score: number]>;

/** That a person has taken a question out, as `questions.retired` holds it (JSON; '': it is not retired). */
export interface Retirement {
  /** Epoch milliseconds. */
  at: number;
  /** The account of the machine, where a command did it; a teacher's page leaves it empty. */
  by: string;
  /** The teacher whose page did it. */
  teacherId?: number | undefined;
  reason: string;
  places: Places;
}

/** A paper that a question left or came back to. */
export interface PaperOfRetired {
  name: string;
  totalQuestion: number;
  totalScore: number;
  passScore: number | null;
}

/** What `questions.retired` holds; null: nobody took the question out. */
export const readRetirement = (stored: string): Retirement | null =>
  stored === '' ? null : (JSON.parse(stored) as Retirement);

/** Papers and practices of the school that list a question; chapter practices follow from the questions by themselves. */
const listing = (query: Query, questionId: number) =>
  query
    .selectFrom('exam_questions')
    .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
    .selectAll('exams')
    .select(['exam_questions.position as place', 'exam_questions.score as points'])
    .where('exam_questions.question_id', '=', questionId)
    .where('exams.kind', '<>', 'chapter')
    .orderBy('exams.position')
    .orderBy('exams.id');

/** Papers on offer that have this question and no other. */
export async function onlyQuestionOf(query: Query, questionId: number): Promise<string[]> {
  const rows = await listing(query, questionId).where('exams.archived', '=', 0).execute();
  return rows.filter(({ total_question }) => total_question <= 1).map(({ name }) => name);
}

/** A list that a retired question has left, with the points that it gave there. */
export interface LeftList {
  examId: number;
  slug: string;
  kind: Selectable<Exams>['kind'];
  score: number;
}

/**
 * The papers that a retired question would come back to, and the practices of chapters that records still have with it: those follow from the
 * questions, so it gives its own points there. Nothing of a question that is not retired.
 */
export async function readLeftLists(
  query: Query,
  { id, score, retired }: Pick<Selectable<Questions>, 'id' | 'score' | 'retired'>,
): Promise<LeftList[]> {
  const said = readRetirement(retired);
  if (said === null) return [];
  const papers = Object.keys(said.places).map(Number);
  const left: LeftList[] = [];
  for (const ids of inLists(papers)) {
    const rows = await query.selectFrom('exams').select(['id', 'slug', 'kind']).where('id', 'in', ids).execute();
    for (const { id: examId, ...row } of rows) left.push({ examId, ...row, score: said.places[examId]?.[1] ?? 0 });
  }
  const practices = await query
    .selectFrom('paper_revisions')
    .innerJoin('exams', 'exams.id', 'paper_revisions.exam_id')
    .select(['exams.id', 'exams.slug', 'exams.kind'])
    .distinct()
    .where('exams.kind', '=', 'chapter')
    .where('paper_revisions.questions', 'like', `%[${id},%`)
    .execute();
  for (const { id: examId, ...row } of practices) left.push({ examId, ...row, score });
  return left.sort((a, b) => a.examId - b.examId);
}

/**
 * Takes a question out of everything new: papers begin without it from now on, and remember its place. What began with it keeps it (decision
 * 016). The practices of chapters are brought up to date by the caller (`syncChapterPractice`).
 */
export async function retire(
  trx: Trx,
  correction: Correction,
  question: Pick<Selectable<Questions>, 'id' | 'grade_mode'>,
  said: Omit<Retirement, 'places'>,
): Promise<PaperOfRetired[]> {
  const places: Places = {};
  const left: PaperOfRetired[] = [];
  for (const { place, points, ...exam } of await listing(trx, question.id).execute()) {
    await correction.replacePaper(exam, () => readExamQuestions(trx, exam.id), true);
    places[exam.id] = [place, points];
    await trx
      .deleteFrom('exam_questions')
      .where('exam_id', '=', exam.id)
      .where('question_id', '=', question.id)
      .execute();
    const paper = await addToPaper(trx, exam.id, -pointsOf(question.grade_mode, points), -1);
    if (exam.archived === 0) left.push(paper);
  }
  await trx
    .updateTable('questions')
    .set({ archived: 1, retired: JSON.stringify({ ...said, places } satisfies Retirement) })
    .where('id', '=', question.id)
    .execute();
  return left;
}

/** Takes a retirement back: the question stands in its papers again, in its place and with its points, as far as there are such papers. */
export async function takeBack(
  trx: Trx,
  correction: Correction,
  question: Pick<Selectable<Questions>, 'id' | 'grade_mode' | 'retired'>,
): Promise<PaperOfRetired[]> {
  const came: PaperOfRetired[] = [];
  await trx.updateTable('questions').set({ archived: 0, retired: '' }).where('id', '=', question.id).execute();
  for (const [id, [position, score]] of Object.entries(readRetirement(question.retired)?.places ?? {})) {
    const examId = Number(id);
    const exam = await trx.selectFrom('exams').selectAll().where('id', '=', examId).executeTakeFirst();
    const stands = await trx
      .selectFrom('exam_questions')
      .select('question_id')
      .where('exam_id', '=', examId)
      .where('question_id', '=', question.id)
      .executeTakeFirst();
    if (!exam || stands) continue;
    await correction.replacePaper(exam, () => readExamQuestions(trx, examId), false);
    await trx
      .insertInto('exam_questions')
      .values({ exam_id: examId, question_id: question.id, position, score })
      .execute();
    const paper = await addToPaper(trx, examId, pointsOf(question.grade_mode, score), 1);
    if (exam.archived === 0) came.push(paper);
  }
  return came;
}

async function addToPaper(trx: Trx, examId: number, points: number, questions: number): Promise<PaperOfRetired> {
  const row = await trx
    .updateTable('exams')
    .set(({ eb }) => ({
      total_score: eb('total_score', '+', points),
      total_question: eb('total_question', '+', questions),
    }))
    .where('id', '=', examId)
    .returning(['name', 'total_question', 'total_score', 'pass_score'])
    .executeTakeFirstOrThrow();
  return {
    name: row.name,
    totalQuestion: row.total_question,
    totalScore: row.total_score,
    passScore: row.pass_score,
  };
}

/** The retired questions of a pack, by id. */
export async function readRetired(query: Query, packId: number): Promise<Map<number, Retirement>> {
  const rows = await query
    .selectFrom('questions')
    .select(['id', 'retired'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 1)
    .where('retired', '<>', '')
    .execute();
  return new Map(
    rows.flatMap(({ id, retired }) => {
      const said = readRetirement(retired);
      return said ? [[id, said]] : [];
    }),
  );
}

/** Retired questions of which something else is noted than an import says of a paper, with what it says. */
export function otherRetiredPlaces(
  examId: number,
  left: readonly ListedQuestion[],
  retired: Awaited<ReturnType<typeof readRetired>>,
): [questionId: number, said: Retirement, place: readonly [position: number, score: number] | undefined][] {
  const places = new Map(left.map(({ questionId, position, score }) => [questionId, [position, score] as const]));
  return [...retired].flatMap(([questionId, said]) => {
    const place = places.get(questionId);
    const known = said.places[examId];
    return known?.[0] === place?.[0] && known?.[1] === place?.[1] ? [] : [[questionId, said, place] as const];
  }) as ReturnType<typeof otherRetiredPlaces>;
}

/**
 * Notes for retired questions what an import says of a paper: where it lists them, or that it lists them no more.
 * @param left what the paper lists and does not offer
 */
export async function keepRetiredPlaces(
  trx: Trx,
  examId: number,
  left: readonly ListedQuestion[],
  retired: Awaited<ReturnType<typeof readRetired>>,
): Promise<void> {
  for (const [questionId, said, place] of otherRetiredPlaces(examId, left, retired)) {
    const { [examId]: _, ...others } = said.places;
    said.places = place ? { ...others, [examId]: [...place] } : others;
    await trx
      .updateTable('questions')
      .set({ retired: JSON.stringify(said) })
      .where('id', '=', questionId)
      .execute();
  }
}

/** A question as the operator's commands name it. */
export interface NamedQuestion {
  id: number;
  key: string;
  schoolKey: string | null;
  /** Sanitized HTML. */
  topic: string;
  archived: boolean;
  retirement: Retirement | null;
}

const named = (query: Query, packId: number) =>
  query
    .selectFrom('questions')
    .select(['id', 'slug', 'school_key', 'topic', 'archived', 'retired'])
    .where('pack_id', '=', packId)
    .orderBy('id');

type NamedRow = Awaited<ReturnType<ReturnType<typeof named>['execute']>>[number];

const namedQuestion = (row: NamedRow): NamedQuestion => ({
  id: row.id,
  key: row.slug,
  schoolKey: row.school_key,
  topic: row.topic,
  archived: row.archived === 1,
  retirement: readRetirement(row.retired),
});

/** The pack of a question; null: there is no such question. */
export async function readPackOf(query: Query, questionId: number): Promise<number | null> {
  const row = await query.selectFrom('questions').select('pack_id').where('id', '=', questionId).executeTakeFirst();
  return row?.pack_id ?? null;
}

/** The question of a pack by its number, or, as an operator names it, by its 编号, else by its key in the pack, else by its number behind `#`; null: there is none. */
export async function findNamed(query: Query, packId: number, name: number | string): Promise<NamedQuestion | null> {
  if (typeof name === 'number') {
    const own = await named(query, packId).where('id', '=', name).executeTakeFirst();
    return own ? namedQuestion(own) : null;
  }
  const id = /^#(\d{1,15})$/.exec(name)?.[1];
  const row =
    (await named(query, packId).where('school_key', '=', name).executeTakeFirst()) ??
    (await named(query, packId).where('slug', '=', name).executeTakeFirst()) ??
    (id === undefined ? undefined : await named(query, packId).where('id', '=', Number(id)).executeTakeFirst());
  return row ? namedQuestion(row) : null;
}

/** Questions of a pack whose text has these words, or the retired ones. @param words '': any text */
export async function listNamed(
  query: Query,
  packId: number,
  { words, retired, most }: { words: string; retired: boolean; most: number },
): Promise<NamedQuestion[]> {
  let rows = named(query, packId);
  if (words !== '')
    rows = rows.where(({ eb, fn, val }) =>
      eb(fn<number>('length', ['topic']), '>', fn<number>('length', [fn('replace', ['topic', val(words), val('')])])),
    );
  if (retired) rows = rows.where('archived', '=', 1).where('retired', '<>', '');
  return (await rows.limit(most).execute()).map(namedQuestion);
}
