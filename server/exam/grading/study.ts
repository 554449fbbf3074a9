import { isAnswered } from '#rules/exam/answer.ts';
import { answerTimes, timeBucket } from '#rules/exam/answer-time.ts';
import { dayOf } from '#rules/exam/schedule.ts';
import type { Graded } from '#rules/exam/scoring.ts';
import { PairMap } from '../pair-map.ts';
import type { Content, ContentQuestion } from '../paper/content.ts';
import type { AnswerToGrade } from '../record/answer-store.ts';
import type { ExamRecord } from '../record/store.ts';

/** With what an answer was counted: kept with its record, so that the same can be taken out again. */
export interface Counted {
  seconds: number;
  difficulty: number;
}

/** Points of one question or of several: those that all takers earned, and that there were for all of them. */
export interface TakersPoints {
  earned: number;
  total: number;
}

type Owner = Pick<ExamRecord, 'userId' | 'packId'>;
type Asked = Pick<ContentQuestion, 'chapterId' | 'type' | 'score'>;
type Earned = Pick<Graded, 'state' | 'earned'>;

/** What a student has answered of one kind in one chapter. Points in hundredths. */
export interface StudyCount {
  chapterId: number;
  questionTypesId: number;
  /** 0: the questions say none. */
  difficulty: number;
  done: number;
  right: number;
  seconds: number;
  points: number;
  lost: number;
}

/** Increments of it, by student. */
interface CountedKind extends Owner {
  chapterId: number;
  type: number;
  difficulty: number;
  done: number;
  right: number;
  seconds: number;
  points: number;
  lost: number;
}

/** What one student did on one day (rules/exam/schedule.ts `dayOf`). */
interface CountedDay extends Owner {
  day: number;
  answered: number;
  seconds: number;
}

/** Who gave all answers that are counted together; 0: several did. */
export const onlyOf = (onlyTaker: number, userId: number): number => (onlyTaker === userId ? userId : 0);

/** 1 puts in, -1 takes out. */
type Sign = 1 | -1;

/**
 * Increments of a student's own figures (docs/decisions/026-statistics.md), in two parts. Results hang on correctness: what an answer
 * earned, once it is graded. Times do not: that a question was answered, on which day, and how long it took.
 */
export class StudyChanges {
  /** By student and kind. */
  readonly kinds = new PairMap<CountedKind>();
  /** By student and day of a pack. */
  readonly days = new PairMap<CountedDay>();
  /** By question and bucket: how many answers, and whose. */
  readonly times = new PairMap<{ taken: number; onlyTaker: number }>();

  /** Puts in, or takes out, what an answer earned. One that is open or waits for its score has earned nothing yet, a void one nothing. */
  result(
    owner: Owner,
    { chapterId, type, score }: Asked,
    { state, earned }: Earned,
    counted: Counted,
    sign: Sign,
  ): void {
    if (state === 0 || state === 4 || state === 5) return;
    const { userId, packId } = owner;
    const { seconds, difficulty } = counted;
    // Types and difficulties are one digit each.
    const key = chapterId * 100 + type * 10 + difficulty;
    const known = this.kinds.get(userId, key);
    const kind = known ?? {
      userId,
      packId,
      chapterId,
      type,
      difficulty,
      done: 0,
      right: 0,
      seconds: 0,
      points: 0,
      lost: 0,
    };
    if (!known) this.kinds.set(userId, key, kind);
    const points = Math.round(score * 100);
    kind.done += sign;
    kind.right += state === 1 ? sign : 0;
    kind.seconds += sign * seconds;
    kind.points += sign * points;
    kind.lost += sign * (points - Math.round((earned ?? 0) * 100));
  }

  /** Puts in, or takes out, that a question was answered, and how long it took. `at`: epoch milliseconds. */
  time({ userId, packId }: Owner, questionId: number, { seconds }: Counted, at: number, sign: Sign): void {
    const day = dayOf(at);
    const key = packId * 100_000 + day;
    const known = this.days.get(userId, key);
    const of = known ?? { userId, packId, day, answered: 0, seconds: 0 };
    if (!known) this.days.set(userId, key, of);
    of.answered += sign;
    of.seconds += sign * seconds;
    const bucket = timeBucket(seconds);
    const { taken, onlyTaker } = this.times.get(questionId, bucket) ?? { taken: 0, onlyTaker: userId };
    this.times.set(questionId, bucket, { taken: taken + sign, onlyTaker: onlyOf(onlyTaker, userId) });
  }
}

/** Seconds that each answer of a record took, by question. */
export function timesOf(
  record: Pick<ExamRecord, 'startedAt'>,
  answers: ReadonlyMap<number, AnswerToGrade>,
  totalTime: number,
): Map<number, number> {
  const saved = [...answers.values()].filter(({ answer }) => answer !== null);
  return answerTimes(saved, { startedAt: record.startedAt, totalTime });
}

/**
 * Counts a record that closes: every answer, but for those that were counted when their key was shown. @returns with what each
 * answered question was counted, for `exam_records.counted`
 */
export function countClosing(
  study: StudyChanges,
  record: ExamRecord,
  content: Content,
  answers: ReadonlyMap<number, AnswerToGrade>,
  { graded, at, totalTime }: { graded: ReadonlyMap<number, Graded>; at: number; totalTime: number },
): Map<number, Counted> {
  const all = new Map<number, Counted>();
  if (answers.size === 0) return all;
  const seconds = timesOf(record, answers, totalTime);
  for (const question of content.questions) {
    const { questionId } = question;
    const [answer, result] = [answers.get(questionId), graded.get(questionId)];
    if (!answer || !result || !isAnswered(answer.answer)) continue;
    const before = countedAtShow(answer);
    const counted = before ?? { seconds: seconds.get(questionId) ?? 0, difficulty: question.difficulty };
    all.set(questionId, counted);
    if (before) continue;
    study.time(record, questionId, counted, at, 1);
    study.result(record, question, result, counted, 1);
  }
  return all;
}

/** With what an answer was counted when its key was shown; null: it was not. */
export function countedAtShow({
  countedSeconds: seconds,
  countedDifficulty: difficulty,
}: Pick<AnswerToGrade, 'countedSeconds' | 'countedDifficulty'>): Counted | null {
  return seconds === null || difficulty === null ? null : { seconds, difficulty };
}

/**
 * Takes out of its student's figures what a closed record earned, as `graded` says. What regrades a record takes out what it was,
 * and puts in what it is (`putResults`). Days and times stay: they do not hang on what was right.
 * @param counted `exam_records.counted`; what is not in it was never counted
 */
export function takeResults(
  study: StudyChanges,
  record: Owner,
  content: Pick<Content, 'byId'>,
  graded: ReadonlyMap<number, Earned>,
  counted: ReadonlyMap<number, Counted>,
): void {
  moveResults(study, record, content, graded, counted, -1);
}

/** Puts into its student's figures what a closed record earned: the other half of `takeResults`. */
export function putResults(
  study: StudyChanges,
  record: Owner,
  content: Pick<Content, 'byId'>,
  graded: ReadonlyMap<number, Earned>,
  counted: ReadonlyMap<number, Counted>,
): void {
  moveResults(study, record, content, graded, counted, 1);
}

function moveResults(
  study: StudyChanges,
  record: Owner,
  { byId }: Pick<Content, 'byId'>,
  graded: ReadonlyMap<number, Earned>,
  counted: ReadonlyMap<number, Counted>,
  sign: Sign,
): void {
  for (const [questionId, earned] of graded) {
    const [question, known] = [byId.get(questionId), counted.get(questionId)];
    if (question && known) study.result(record, question, earned, known, sign);
  }
}

/** For the column `exam_records.counted`. */
export function countedToJson(counted: ReadonlyMap<number, Counted>): string {
  const parts: string[] = [];
  for (const [id, { seconds, difficulty }] of counted) parts.push(`"${id}":[${seconds},${difficulty}]`);
  return `{${parts.join(',')}}`;
}

/** What `countedToJson` wrote, by question. */
export function countedFromJson(text: string): Map<number, Counted> {
  const all = JSON.parse(text) as Record<string, [seconds: number, difficulty: number]>;
  return new Map(Object.entries(all).map(([id, [seconds, difficulty]]) => [Number(id), { seconds, difficulty }]));
}
