import type { DataOf } from '#contract/call.ts';
import type { SubmitExam } from '#contract/exam.ts';
import { mayOpen } from '#rules/course/access.ts';
import { usedSeconds } from '#rules/exam/attempt.ts';
import { type InOpenExam, mayDraw, maySeeKey } from '#rules/exam/reveal.ts';
import type { Graded, Tally } from '#rules/exam/scoring.ts';
import type { EnrolmentStore } from '#server/course/enrolment-store.ts';
import type { Db, Query } from '#server/db/open.ts';
import { readTeacherIds } from '#server/user/store.ts';
import type { ContentQuestion } from '../paper/content.ts';
import { type KnowledgePoint, pointsOf } from '../paper/knowledge-point-store.ts';
import { readReserved } from '../paper/reserved-store.ts';
import { readRetakeRule } from '../paper/retake-store.ts';
import type { RecordView } from '../record/store.ts';
import { readStudied, readStudiedGroups } from './card-store.ts';
import {
  type ExamStanding,
  type GradedStore,
  gradedFromJson,
  gradedStore,
  type Progress,
  readGradedOf,
  readStandings,
} from './graded-store.ts';
import { type AskedKey, readPractised, readSeen, readUnpractised, readUnpractisedCollected } from './key-store.ts';
import { afterClassWith, chaptersWith, examsWith, type OpenExamStore, openExamStore } from './open-exam-store.ts';
import { readRescores, type StoredRescore } from './rescore-store.ts';
import type { StudyCount, TakersPoints } from './study.ts';
import { readStudyCounts } from './study-store.ts';
import { readTicks } from './tick-store.ts';
import type { StudiedGroup, StudiedQuestion, WrongEntry, WrongFacet, WrongListFilter } from './wrong-entry.ts';
import {
  moveWrong,
  type PastAnswer,
  readPastAnswers,
  readWrongFacets,
  readWrongOf,
  readWrongPacks,
  readWrongPage,
} from './wrong-list-store.ts';

/** A record's tally as its student may see it now: whole, or nothing of it while they sit one of its questions in a scored exam. */
type VisibleTally = (Tally & { withheld: false }) | (Record<keyof Tally, null> & { withheld: true });
const WITHHELD = {
  score: null,
  rightCount: null,
  wrongCount: null,
  unansweredCount: null,
  pendingCount: null,
  withheld: true,
} as const;
/** The result of a closed record, as hand-in, own score and result tip say it. */
type Result = Omit<DataOf<typeof SubmitExam>, 'late' | keyof VisibleTally> & VisibleTally;

/** How a record stands beside those of other takers; what is withheld or cannot be told is null. */
interface Comparison {
  takers: number;
  /** 1 is best. */
  rank: number | null;
  average: number | null;
  /** Whether this record is the one of its student that counts (decision 020); of a teacher none does. */
  countsInRanking: boolean | null;
  /** What all takers earned with each question. */
  byQuestion: ReadonlyMap<number, TakersPoints>;
}

interface Stores {
  graded: GradedStore;
  openExams: OpenExamStore;
  enrolments: EnrolmentStore;
}

/** Makes the grades as one student may see them; a server makes the maker once. */
export type GradesFor = (query: Query, userId: number) => VisibleGrades;

/** Makes the only way by which what hangs on correctness leaves the grading room. */
export function gradesReader(db: Db, enrolments: EnrolmentStore): GradesFor {
  const stores = { graded: gradedStore(db), openExams: openExamStore(db), enrolments };
  return (query, userId) => new VisibleGrades(stores, query, userId);
}

/** The questions of which each of these students may be told nothing now (`VisibleGrades.hidden`); who sits no scored exam is not named. */
export type HiddenOf = (query: Query, userIds: readonly number[]) => Promise<ReadonlyMap<number, ReadonlySet<number>>>;

/** Makes the reader of what is hidden from many students, for work in the background and for what teachers are told of it. */
export function hiddenReader(db: Db): HiddenOf {
  return openExamStore(db).inOpenExams;
}

/**
 * All that hangs on correctness as one student may see it now: of the questions that they sit in a scored exam, or of twins
 * of them, nothing, whenever it was graded, in no list, no sum and no comparison (decisions §3 "No answer leaks";
 * docs/decisions/020-no-rank-is-an-oracle.md, 051-tallies-while-sitting.md). Made for one request; the open exams are read once, when first needed.
 */
export class VisibleGrades {
  readonly #stores: Stores;
  readonly #query: Query;
  readonly #userId: number;
  #inOpenExam: Promise<InOpenExam> | null = null;

  constructor(stores: Stores, query: Query, userId: number) {
    this.#stores = stores;
    this.#query = query;
    this.#userId = userId;
  }

  /** The questions of which neither key nor verdict may be told now, whenever they were graded. */
  async hidden(): Promise<ReadonlySet<number>> {
    return this.#open();
  }

  /**
   * Those of these questions whose key the student may see now, met outside of their records (rules/exam/reveal.ts `maySeeKey`): every call that
   * gives a key without naming a record asks here.
   */
  async keysOf(questions: readonly AskedKey[]): Promise<ReadonlySet<number>> {
    if (questions.length === 0) return new Set();
    const inOpenExam = await this.#open();
    const packIds = [...new Set(questions.map(({ packId }) => packId))];
    const packs = await this.#stores.enrolments.readFacts(
      this.#query,
      packIds.map((packId) => ({ userId: this.#userId, packId })),
    );
    const opens = new Set(packIds.filter((_, at) => mayOpen(packs[at] ?? null).ok));
    const practised = await readPractised(
      this.#query,
      questions.map(({ questionId }) => questionId),
    );
    const seen = await this.#seen(questions.filter(({ questionId }) => !practised.has(questionId)));
    const shown = questions.filter(({ questionId, packId }) =>
      maySeeKey({
        packOpens: opens.has(packId),
        inOpenExam: inOpenExam.has(questionId),
        practised: practised.has(questionId),
        seen: seen.has(questionId),
      }),
    );
    return new Set(shown.map(({ questionId }) => questionId));
  }

  /** Questions on offer of a pack, or of some chapters of it, that may not stand in what the student puts together (rules/exam/reveal.ts `mayDraw`). */
  async undrawable(packId: number, chapterIds: readonly number[] | null = null): Promise<ReadonlySet<number>> {
    return this.#undrawn(await readUnpractised(this.#query, packId, chapterIds));
  }

  /**
   * Those of these questions whose very words are kept for a paper that the student has not begun (decision 052): whoever names one by its id alone, and no
   * record of theirs, is told that it is not there.
   */
  async keptBack(questions: readonly AskedKey[]): Promise<ReadonlySet<number>> {
    const reserved = await readReserved(
      this.#query,
      questions.map(({ questionId }) => questionId),
    );
    return reserved.size === 0
      ? reserved
      : this.#undrawn(questions.filter(({ questionId }) => reserved.has(questionId)));
  }

  /** Of questions that stand in no practice on offer, those that the student has not met yet. */
  async #undrawn(unpractised: readonly AskedKey[]): Promise<Set<number>> {
    const [inOpenExam, seen] = [await this.#open(), await this.#seen(unpractised)];
    const ids = unpractised.map(({ questionId }) => questionId);
    return new Set(
      ids.filter((id) => !mayDraw({ inOpenExam: inOpenExam.has(id), practised: false, seen: seen.has(id) })),
    );
  }

  /** What the student has seen in the packs of these questions; nothing is read where none is asked for, which is the usual case. */
  async #seen(unpractised: readonly AskedKey[]): Promise<ReadonlySet<number>> {
    return readSeen(this.#query, this.#userId, [...new Set(unpractised.map(({ packId }) => packId))]);
  }

  /** What each question of a closed record was graded, without those that are hidden; empty while it is open. */
  async verdicts(record: Pick<RecordView, 'id'>): Promise<Map<number, Graded>> {
    const graded = await readGradedOf(this.#query, record.id);
    for (const questionId of await this.#open()) graded.delete(questionId);
    return graded;
  }

  /** Which scoring points the student ticked in a record when scoring it, without questions that are hidden. */
  async ticks(record: Pick<RecordView, 'id'>): Promise<Map<number, number[]>> {
    const ticks = await readTicks(this.#query, record.id);
    for (const questionId of await this.#open()) ticks.delete(questionId);
    return ticks;
  }

  /** As `verdicts`, to be added up: all of a closed record, or nothing while its tally is withheld. */
  async countedVerdicts(record: RecordView): Promise<Map<number, Graded>> {
    if ((await this.#withheldExams([record.examId])).has(record.examId)) return new Map();
    return readGradedOf(this.#query, record.id);
  }

  /**
   * The tallies of closed records, by record; of an open one nothing is counted. A sum less what is told beside it is the verdict on one
   * question, so the tally of a record with a question that is sat is withheld as a whole.
   */
  async tallies(records: readonly RecordView[]): Promise<Map<number, VisibleTally>> {
    const own = records.filter((record) => record.userId === this.#userId && record.submittedAt !== null);
    if (own.length === 0) return new Map();
    const withheld = await this.#withheldExams(own.map(({ examId }) => examId));
    const stored = await this.#stores.graded.tallies(
      this.#query,
      own.map(({ id }) => id),
    );
    const tallies = new Map<number, VisibleTally>();
    for (const { id, examId } of own) {
      const whole = stored.get(id);
      if (whole) tallies.set(id, withheld.has(examId) ? WITHHELD : { ...whole, withheld: false });
    }
    return tallies;
  }

  /** Those of these exams that have, in any version, a question that the student sits: what their records add up to is withheld. */
  async #withheldExams(examIds: readonly number[]): Promise<ReadonlySet<number>> {
    return examsWith(this.#query, examIds, await this.#open());
  }

  /** The result of a closed record; null while it is open. */
  async result(record: RecordView): Promise<Result | null> {
    const { submittedAt, closed } = record;
    const tally = (await this.tallies([record])).get(record.id);
    if (submittedAt === null || closed === null || !tally) return null;
    return {
      recordId: record.id,
      closed,
      submittedAt,
      totalScore: record.totalScore,
      usedTime: usedSeconds({ ...record, submittedAt }, record.totalTime),
      ...tally,
    };
  }

  /**
   * A result beside those of all takers. Rank and averages hold the records of others, who may sit the same scored exam: where the
   * own tally is withheld they are, too.
   */
  async comparison(record: RecordView, { score }: Pick<Result, 'score'>): Promise<Comparison> {
    const { graded } = this.#stores;
    const { counts } = await readRetakeRule(this.#query, record.examId);
    const teachers = await readTeacherIds(this.#query);
    const { takers, better, average, isCounted } = await graded.compare(this.#query, record, score ?? 0, {
      counts,
      teachers,
    });
    if (score === null) return { takers, rank: null, average: null, countsInRanking: null, byQuestion: new Map() };
    return {
      takers,
      rank: isCounted ? better + 1 : null,
      average,
      countsInRanking: teachers.has(record.userId) ? null : isCounted,
      byQuestion: await graded.takersPoints(this.#query, record.examId),
    };
  }

  /** How a record was graded again after corrections, oldest first; nothing while any of its questions is withheld. */
  async rescores(record: RecordView): Promise<StoredRescore[]> {
    if (record.userId !== this.#userId || record.submittedAt === null) return [];
    if ((await this.#withheldExams([record.examId])).has(record.examId)) return [];
    return readRescores(this.#query, record.id);
  }

  /** Share of takers who were right, by question, without those that are hidden. */
  async accuracy(questions: readonly ContentQuestion[]): Promise<Map<number, number>> {
    const hidden = await this.#open();
    return this.#stores.graded.accuracy(
      this.#query,
      questions.filter(({ questionId }) => !hidden.has(questionId)),
    );
  }

  /** Where the student stands in each exam of a pack; of those that are withheld without the best score. */
  async standings(packId: number): Promise<Map<number, ExamStanding & { withheld: boolean }>> {
    const standings = await readStandings(this.#query, { userId: this.#userId, packId });
    const withheld = await this.#withheldExams([...standings.keys()]);
    return new Map(
      [...standings].map(([examId, standing]) => [
        examId,
        withheld.has(examId)
          ? { ...standing, bestScore: null, withheld: standing.lastRecordId !== null }
          : { ...standing, withheld: false },
      ]),
    );
  }

  /** How the student fared in each chapter; of those `withheld` nothing. */
  async chapterProgress(): Promise<{ progress: Map<number, Progress>; withheld: ReadonlySet<number> }> {
    const withheld = await chaptersWith(this.#query, [...(await this.#open())]);
    const progress = await this.#stores.graded.chapterProgress(this.#query, this.#userId);
    for (const chapterId of withheld) progress.delete(chapterId);
    return { progress, withheld };
  }

  /** The student's figures of a pack by chapter, type and difficulty, without the chapters in which a question is hidden. */
  async studyCounts(packId: number): Promise<{ counts: StudyCount[]; withheld: boolean }> {
    const open = await this.#open();
    const chapters = await chaptersWith(this.#query, [...open]);
    const counts = await readStudyCounts(this.#query, this.#userId, packId);
    return { counts: counts.filter(({ chapterId }) => !chapters.has(chapterId)), withheld: open.size > 0 };
  }

  /** How the student fared in the newest record of each after-class practice of a pack; of those `withheld` nothing. */
  async afterClassProgress(
    packId: number,
  ): Promise<{ progress: Map<number, Progress>; withheld: ReadonlySet<number> }> {
    const withheld = await afterClassWith(this.#query, packId, await this.#open());
    const progress = await this.#stores.graded.afterClassProgress(this.#query, this.#userId, packId);
    for (const examId of withheld) progress.delete(examId);
    return { progress, withheld };
  }

  /**
   * Whether the student sits a scored exam now, so that its questions are left out of their wrong-question list. How many
   * they are is told nowhere: a question that comes in meanwhile must not be noticed.
   */
  async withholds(): Promise<boolean> {
    return (await this.#open()).size > 0;
  }

  /** A page of the student's wrong-question list. */
  async wrongPage(
    filter: WrongListFilter & { order: 'newest' | 'timesWrong'; limit: number; offset: number },
  ): Promise<{ entries: WrongEntry[]; total: number }> {
    return readWrongPage(this.#query, await this.#asked(), filter);
  }

  /** How the list of a pack is spread over states, chapters, types, exams and counts. */
  async wrongFacets(packId: number): Promise<WrongFacet[]> {
    return readWrongFacets(this.#query, await this.#asked(), packId);
  }

  /** How many entries each pack has, by state. */
  async wrongPacks(): ReturnType<typeof readWrongPacks> {
    return readWrongPacks(this.#query, await this.#asked());
  }

  /** Moves entries of the list to another state. @returns how many there were */
  async moveWrong(questionIds: readonly number[], state: 'in' | 'removed'): Promise<number> {
    return moveWrong(this.#query, await this.#asked(), questionIds, state);
  }

  /** The entries of questions, by question. */
  async wrongOf(questionIds: readonly number[]): Promise<Map<number, WrongEntry>> {
    return readWrongOf(this.#query, await this.#asked(), questionIds);
  }

  /** What became of each answer that the student gave to a question, newest first; null while it is withheld. */
  async historyOf(
    questionId: number,
    most: number,
  ): Promise<(Omit<PastAnswer, 'graded'> & { graded: Graded | null })[] | null> {
    if ((await this.#open()).has(questionId)) return null;
    const answers = await readPastAnswers(this.#query, this.#userId, questionId, most);
    return answers.map(({ graded, ...answer }) => ({
      ...answer,
      graded: gradedFromJson(graded).get(questionId) ?? null,
    }));
  }

  /** The questions that the student reviews, in one pack or in all (card-store.ts). */
  async studied(packId?: number): Promise<StudiedQuestion[]> {
    return readStudied(this.#query, await this.#askedCards(), packId);
  }

  /** As `studied`, only counted. */
  async studiedGroups(packId?: number): Promise<StudiedGroup[]> {
    return readStudiedGroups(this.#query, await this.#askedCards(), packId);
  }

  /**
   * Of a card of the same knowledge point as a hidden question nothing is told either: where that question was right it may have stood for the card's and
   * moved it (rules/exam/stand-in.ts); whether it did may not decide what is told. A collected question that the student has not met yet is no review: that
   * would show its key.
   */
  async #askedCards(): Promise<{ userId: number; hidden: readonly number[]; points: readonly KnowledgePoint[] }> {
    const { userId, hidden } = await this.#asked();
    const unmet = await this.#undrawn(await readUnpractisedCollected(this.#query, userId));
    return { userId, hidden: [...new Set([...hidden, ...unmet])], points: await pointsOf(this.#query, hidden) };
  }

  async #asked(): Promise<{ userId: number; hidden: readonly number[] }> {
    return { userId: this.#userId, hidden: [...(await this.#open())] };
  }

  #open(): Promise<InOpenExam> {
    this.#inOpenExam ??= this.#stores.openExams.inOpenExam(this.#query, this.#userId);
    return this.#inOpenExam;
  }
}
