import { type ExamKind, ownKinds } from '#contract/values/exam.ts';
import { addPoints, type Graded } from '#rules/exam/scoring.ts';
import { type Evidence, evidenceOf } from '#rules/exam/wrong.ts';
import { PairMap } from '../pair-map.ts';
import type { ContentQuestion } from '../paper/content.ts';
import { onlyOf, StudyChanges } from './study.ts';

/** Which counters an answer belongs to. */
type CountedQuestion = Pick<ContentQuestion, 'questionId' | 'keyVersion' | 'chapterId'>;

/** The record in which an answer was given. */
interface AnsweredRecord {
  userId: number;
  examId: number;
  kind: ExamKind;
}

/** What one answer says to the wrong-question list of its student (rules/exam/wrong.ts). */
export interface QuestionEvidence {
  userId: number;
  questionId: number;
  evidence: Evidence;
  /** Epoch milliseconds. */
  at: number;
  /** Null in own practice. */
  examId: number | null;
  /** The own practice in which it was given, where its question may stand for another; else null. */
  practiceId: number | null;
}

/**
 * Increments of the counters that hang on correctness: how questions fared with everybody, a student in a chapter, all
 * takers with a question of an exam; and what each answer says to the wrong-question list. They are written in the transaction that
 * grades, never before.
 */
export class StatisticChanges {
  /** By question and version of its key: how often it was taken, how often it was right, and by whom. */
  readonly questions = new PairMap<{ taken: number; right: number; onlyTaker: number }>();
  /** By exam and question: points that were earned, and that there were. */
  readonly points = new PairMap<{ earned: number; total: number }>();
  /** By student and chapter: answers that were graded, and that were right. */
  readonly progress = new PairMap<{ graded: number; right: number }>();

  /** For the wrong-question list, in the order in which the answers were graded. */
  readonly evidence: QuestionEvidence[] = [];

  /** Of students' own figures. */
  readonly study = new StudyChanges();

  readonly #teachers: ReadonlySet<number>;

  /** @param teachers whose records are in no comparison; where nothing is counted into one, nobody need be named */
  constructor(teachers: ReadonlySet<number> = new Set()) {
    this.#teachers = teachers;
  }

  /** Counts one graded answer for its question and for the student's chapter; one that is unanswered or pending says nothing. */
  countAnswer(
    record: AnsweredRecord,
    question: CountedQuestion,
    { state, guess, at }: { state: Graded['state']; guess: boolean; at: number },
  ): void {
    const evidence = evidenceOf(state, guess);
    if (evidence === null) return;
    this.#addAnswer(record.userId, question, 1, state === 1 ? 1 : 0);
    this.#addEvidence(record, question, evidence, at);
  }

  /** Takes back what `countAnswer` counted. */
  uncountAnswer(
    record: AnsweredRecord,
    question: CountedQuestion,
    { state, guess, at }: { state: Graded['state']; guess: boolean; at: number },
  ): void {
    const evidence = evidenceOf(state, guess);
    this.#addAnswer(record.userId, question, -1, state === 1 ? -1 : 0);
    if (evidence === 'wrong') this.#addEvidence(record, question, 'notWrong', at);
    if (evidence === 'guessed') this.#addEvidence(record, question, 'notGuessed', at);
  }

  /** Follows an answer that was counted before and is graded differently now. */
  changeAnswer(
    record: AnsweredRecord,
    question: CountedQuestion,
    { before, now, at }: { before: Graded['state']; now: Graded['state']; at: number },
  ): void {
    const difference = Number(now === 1) - Number(before === 1);
    this.#addAnswer(record.userId, question, 0, difference);
    if (difference !== 0) this.#addEvidence(record, question, difference > 0 ? 'notWrong' : 'wrong', at);
  }

  /**
   * Follows an answer that was counted before and whose question is graded by another key now. The wrong-question list learns what
   * became wrong, and what is a mistake no more; a right answer says nothing twice.
   */
  rekeyAnswer(
    record: AnsweredRecord,
    before: { question: CountedQuestion; state: Graded['state'] },
    now: { question: CountedQuestion; state: Graded['state'] },
    { guess, at }: { guess: boolean; at: number },
  ): void {
    const was = evidenceOf(before.state, guess);
    const is = evidenceOf(now.state, guess);
    if (was !== null) this.#addAnswer(record.userId, before.question, -1, before.state === 1 ? -1 : 0);
    if (is !== null) this.#addAnswer(record.userId, now.question, 1, now.state === 1 ? 1 : 0);
    if (was === is) return;
    if (was === 'wrong') this.#addEvidence(record, before.question, 'notWrong', at);
    if (was === 'guessed') this.#addEvidence(record, before.question, 'notGuessed', at);
    if (is === 'wrong' || is === 'guessed') this.#addEvidence(record, now.question, is, at);
  }

  /** Notes what reviewing one question said: it counts for the student's own list alone. */
  noteReview(userId: number, questionId: number, evidence: 'wrong' | 'right', at: number): void {
    this.evidence.push({ userId, questionId, evidence, at, examId: null, practiceId: null });
  }

  /** Notes what a mark of the student (蒙的) says of an answer that is graded already. */
  noteGuess(record: AnsweredRecord, questionId: number, evidence: 'guessed' | 'notGuessed', at: number): void {
    this.#addEvidence(record, { questionId }, evidence, at);
  }

  /** Counts points of one question into the comparison with all takers: not those of teachers (decision 051), nor of a paper that one student made. */
  countPoints({ userId, examId, kind }: AnsweredRecord, questionId: number, earned: number, total: number): void {
    if (this.#teachers.has(userId) || ownKinds.some((own) => own === kind)) return;
    const points = this.points.get(examId, questionId);
    if (points) {
      points.earned = addPoints([points.earned, earned]);
      points.total = addPoints([points.total, total]);
    } else this.points.set(examId, questionId, { earned, total });
  }

  #addEvidence(
    { userId, examId, kind }: AnsweredRecord,
    { questionId }: Pick<CountedQuestion, 'questionId'>,
    evidence: Evidence,
    at: number,
  ): void {
    const own = kind === 'own';
    this.evidence.push({
      userId,
      questionId,
      evidence,
      at,
      examId: own ? null : examId,
      practiceId: own ? examId : null,
    });
  }

  #addAnswer(
    userId: number,
    { questionId, keyVersion, chapterId }: CountedQuestion,
    count: -1 | 0 | 1,
    right: number,
  ): void {
    const question = this.questions.get(questionId, keyVersion);
    if (question) {
      question.taken += count;
      question.right += right;
      question.onlyTaker = onlyOf(question.onlyTaker, userId);
    } else this.questions.set(questionId, keyVersion, { taken: count, right, onlyTaker: userId });
    const progress = this.progress.get(userId, chapterId);
    if (progress) {
      progress.graded += count;
      progress.right += right;
    } else this.progress.set(userId, chapterId, { graded: count, right });
  }
}
