import { createHash } from 'node:crypto';
import { ownKinds, practiceKinds } from '#contract/values/exam.ts';
import { isAnswered } from '#rules/exam/answer.ts';
import { addChoice, attentionOf, bandOf, type Choices, lookReasons, qualityOf } from '#rules/exam/quality.ts';
import type { Graded } from '#rules/exam/scoring.ts';
import type { Chore } from '#server/chores.ts';
import type { Trx } from '#server/db/open.ts';
import { readTeacherIds } from '#server/user/store.ts';
import type { Content, ContentQuestion } from '../paper/content.ts';
import type { ExamParts } from '../parts.ts';
import { gradedFromJson } from './graded-store.ts';
import { listClosedOwn } from './own-rescore-store.ts';
import { PassedOver } from './passed-over.ts';
import {
  CountedAnswers,
  type CountedQuestion,
  nextToCount,
  type RecordToCount,
  readClosed,
  readQuestionCounts,
  staleQuestions,
  takeRecordsToCount,
  writeAttention,
  writeCounted,
} from './quality-count-store.ts';
import { readStandingQuality } from './quality-store.ts';
import { wakeTasks } from './rescore-store.ts';

/** Records counted in one transaction: short enough for those who save in between. */
const AT_ONCE = 50;
/** Questions whose need of a look is found in one transaction. */
const LOOKED_AT_ONCE = 200;

/** What the letters of a question stand for: as long as it is the same, answers are counted together, whatever its key. */
export function meaningOf({ type, options }: Pick<ContentQuestion, 'type' | 'options'>): string {
  return createHash('sha256')
    .update(JSON.stringify([type, options]))
    .digest('base64url')
    .slice(0, 16);
}

/** The right answer as it is counted: letters, or a text that was scored right. */
export function countedRight({ letters, right }: Pick<ContentQuestion, 'letters' | 'right'>): string {
  return letters === '' ? '=1' : right;
}

/**
 * Counts, for each question, the first answer of each student that was graded: what they give later they may have learned from
 * its key (docs/decisions/028); those of teachers, who know it, not at all. It is done after the hand-in and not in it, from a list of records that the hand-in writes.
 */
export function countQualityChore(parts: ExamParts): Chore {
  const { db, log } = parts;
  const records = new PassedOver<number>((recordId, err) =>
    log.error({ err, recordId }, 'the answers of a record cannot be counted'),
  );
  const questions = new PassedOver<number>((questionId, err) =>
    log.error({ err, questionId }, 'how much a question needs a look cannot be found'),
  );

  async function countRecords(): Promise<void> {
    for (;;) {
      const ids = (await nextToCount(db.query, AT_ONCE + records.size))
        .filter((id) => !records.has(id))
        .slice(0, AT_ONCE);
      if (ids.length === 0) return;
      // By itself: what waits for a record to be closed waits for no counting of it.
      await db.transaction((trx) => tellClosed(trx, ids));
      let taken = 0;
      await records.work(ids, async (some) => {
        taken += await db.transaction((trx) => countSome(parts, trx, some));
      });
      // None: another process has them in hand.
      if (ids.length < AT_ONCE || taken === 0) return;
    }
  }

  async function run(): Promise<void> {
    records.nextRun();
    questions.nextRun();
    await countRecords();
    for (;;) {
      const stale = (await staleQuestions(db.query, LOOKED_AT_ONCE + questions.size)).filter(
        (id) => !questions.has(id),
      );
      if (stale.length === 0) return;
      await questions.work(stale.slice(0, LOOKED_AT_ONCE), (some) =>
        db.transaction((trx) => refreshAttention(parts, trx, some)),
      );
    }
  }
  return { name: 'exam: count question quality', every: 1000, run };
}

/** Says to the re-scoring that these records were closed; saying it twice does no harm. */
async function tellClosed(trx: Trx, recordIds: readonly number[]): Promise<void> {
  const closed = await readClosed(trx, recordIds);
  await wakeTasks(trx, closed);
  const own = closed.filter(({ kind }) => ownKinds.some((known) => known === kind));
  await listClosedOwn(
    trx,
    own.map(({ id }) => id),
  );
}

/** @returns how many records were taken */
async function countSome({ db, answers, readContent }: ExamParts, trx: Trx, ids: readonly number[]): Promise<number> {
  const { taken, records } = await takeRecordsToCount(db, trx, ids);
  if (records.length === 0) return taken;
  const given = await answers.readToGrade(
    trx,
    records.map(({ id }) => id),
  );
  const papers = new Map<string, Content>();
  const counted = new CountedAnswers();
  const graded = new Map<number, Map<number, Graded>>();
  for (const record of records) {
    const key = `${record.examId} ${record.version}`;
    if (!papers.has(key)) papers.set(key, await readContent(trx, record.examId, record.version));
    graded.set(record.id, gradedFromJson(record.graded));
  }
  const answered = (record: RecordToCount) =>
    [...(given.get(record.id)?.values() ?? [])].flatMap(({ questionId, answer }) =>
      isAnswered(answer) ? [questionId] : [],
    );
  await counted.read(
    db,
    trx,
    records.map((record) => ({ userId: record.userId, questionIds: answered(record) })),
  );
  const questions = await readQuestionCounts(db, trx, records.flatMap(answered));
  const changed = new Set<CountedQuestion>();
  const teachers = await readTeacherIds(trx);
  for (const record of records) {
    if (teachers.has(record.userId)) continue;
    const content = papers.get(`${record.examId} ${record.version}`);
    const verdicts = graded.get(record.id);
    if (!content || !verdicts) continue;
    const of = restOf(record, content, verdicts);
    for (const questionId of answered(record)) {
      const question = content.byId.get(questionId);
      const verdict = verdicts.get(questionId);
      const counts = questions.get(questionId);
      const answer = given.get(record.id)?.get(questionId)?.answer ?? null;
      if (!question || !verdict || !counts || answer === null) continue;
      // A text waits until its student has scored it, and has no verdict where it is void.
      const unknown = verdict.state === 4 || (verdict.state === 5 && question.letters === '');
      if (unknown || !takesPlace(counts, question) || !counted.mark(record.userId, questionId)) continue;
      const token = question.letters === '' ? `=${verdict.state}` : answer;
      addChoice(counts.choices, token, bandOf(of(question, verdict)));
      changed.add(counts);
    }
  }
  await counted.write(trx);
  await writeCounted(trx, [...changed]);
  return taken;
}

/** Whether an answer to the question is counted: not where its letters stood for something else than they do for a newer key. */
function takesPlace(counts: CountedQuestion, question: ContentQuestion): boolean {
  const meaning = meaningOf(question);
  if (counts.meaning === meaning) {
    counts.keyVersion = Math.max(counts.keyVersion, question.keyVersion);
    return true;
  }
  if (counts.meaning !== '' && question.keyVersion < counts.keyVersion) return false;
  counts.meaning = meaning;
  counts.keyVersion = question.keyVersion;
  counts.choices = {};
  return true;
}

/** What a student earned of the rest of a record; what was left open in a practice says nothing, in a paper it is no points. */
function restOf(
  { kind }: RecordToCount,
  content: Content,
  verdicts: ReadonlyMap<number, Graded>,
): (question: ContentQuestion, verdict: Graded) => { earned: number; total: number; questions: number } {
  const isPractice = kind === 'own' || practiceKinds.some((known) => known === kind);
  const counts = ({ state, earned }: Graded) => earned !== null && state !== 5 && (state !== 0 || !isPractice);
  const sum = { earned: 0, total: 0, questions: 0 };
  for (const [questionId, verdict] of verdicts) {
    const question = content.byId.get(questionId);
    if (!question || !counts(verdict)) continue;
    sum.earned += verdict.earned ?? 0;
    sum.total += question.score;
    sum.questions += 1;
  }
  return ({ score }, verdict) => ({
    earned: sum.earned - (verdict.earned ?? 0),
    total: sum.total - score,
    questions: sum.questions - Number(counts(verdict)),
  });
}

/** Finds anew how much questions need a look, by the key that they have now. */
async function refreshAttention({ db }: ExamParts, trx: Trx, questionIds: readonly number[]): Promise<void> {
  // Held first, so that what is counted meanwhile makes them stale again.
  await readQuestionCounts(db, trx, questionIds);
  const standing = await readStandingQuality(trx, questionIds);
  for (const questionId of [...questionIds].sort((a, b) => a - b)) {
    const found = standing.get(questionId);
    await writeAttention(trx, questionId, found ? attentionOf(reasonsOf(found.question, found)) : 0);
  }
}

/** Why a question needs a look as it stands now. */
export function reasonsOf(
  question: ContentQuestion,
  { choices, meaning, reports }: { choices: Choices; meaning: string; reports: number },
): ReturnType<typeof lookReasons> {
  const right = countedRight(question);
  const quality = qualityOf(meaning === meaningOf(question) ? choices : {}, right);
  return lookReasons(quality, { right, gradeMode: question.gradeMode, reports });
}
