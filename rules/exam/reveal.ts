import type { Static } from 'typebox';
import type { KeyedQuestion as KeyedSchema, Question as QuestionSchema } from '#contract/exam.ts';
import { type ExamKind, scoredKinds } from '#contract/values/exam.ts';

type Question = Static<typeof QuestionSchema>;
type KeyedQuestion = Static<typeof KeyedSchema>;

/**
 * Questions of the scored exams that a student sits right now, and all that read the same (twin.ts). Until hand-in, nothing anywhere may
 * tell this student what is right in them (decisions §3 "No answer leaks"): neither their verdicts, whenever they were given, nor what a record
 * with one of them adds up to (docs/decisions/051-tallies-while-sitting.md).
 */
export type InOpenExam = ReadonlySet<number>;

/** Mock, past and timed papers are scored exams; chapter and after-class practice may show keys. */
function isScored(kind: ExamKind): boolean {
  return scoredKinds.some((scored) => scored === kind);
}

/** 1 exam with scores · -1 practice (spec §3 Exam context). */
export function examModeOf(kind: ExamKind): 1 | -1 {
  return isScored(kind) ? 1 : -1;
}

/** Whether a record has recite mode and may show single answers: practice at any time, a scored exam after hand-in. */
export function mayReveal(record: { kind: ExamKind; submittedAt: number | null }): boolean {
  return !isScored(record.kind) || record.submittedAt !== null;
}

/** How a question stands to a student who meets it outside of their records: in a list, a collection, a paper that is being put together. */
export interface KeyFacts {
  /** They may open its pack (rules/course/access.ts `mayOpen`). */
  packOpens: boolean;
  /** They sit it, or a twin of it, in a scored exam right now. */
  inOpenExam: boolean;
  /** It stands in a practice on offer of the school, which shows its key to everybody who begins it. */
  practised: boolean;
  /** A record of theirs that is over had it, or a practice has shown them its key. */
  seen: boolean;
}

/**
 * Whether a student may see the key of a question outside of their records, as it stands now (docs/decisions/041-who-sees-a-key.md). In a record
 * `mayReveal` decides, which outlives the enrolment; what is sat right now is withheld in both.
 */
export function maySeeKey({ packOpens, inOpenExam, practised, seen }: KeyFacts): boolean {
  return packOpens && !inOpenExam && (practised || seen);
}

/**
 * Whether a question may stand in what a student puts together, or is asked by a review: each of them shows its key in the end. Not one that stands
 * only in scored papers which they have not begun, or in no paper: it would be burnt for its exam. What they sit now they have read; its key follows its hand-in.
 */
export function mayDraw({ inOpenExam, practised, seen }: Omit<KeyFacts, 'packOpens'>): boolean {
  return practised || seen || inOpenExam;
}

/**
 * Whether something that was made out of a student's grades may be told, begun or gone on from while they sit questions: only where it was made
 * without each of them, for else it tells what earlier answers to them were graded (docs/decisions/062-what-was-made-before.md).
 * @param sat what they sit now @param madeWithout what they sat when it was made
 */
export function isMadeWithout(sat: Iterable<number>, madeWithout: Iterable<number>): boolean {
  const without = new Set(madeWithout);
  for (const id of sat) if (!without.has(id)) return false;
  return true;
}

/** The one way from a question with its key to one without: names what stays, so that a new field is secret by default. */
export function withoutKey(question: Question | KeyedQuestion): Question {
  const { questionId, questionTypesId, topic, options, score, chapterId, parentCaseStudyId } = question;
  return { questionId, questionTypesId, topic, options, score, chapterId, parentCaseStudyId, showAnswerFlag: 0 };
}

/** A question in a list whose questions come with keys, of which this one is withheld: it looks like one without any. */
export function withKeyWithheld(question: KeyedQuestion): KeyedQuestion {
  return {
    ...withoutKey(question),
    rightAnswer: '',
    answerAnalysis: '',
    points: [],
    accuracyRate: null,
    gradeMode: 'key',
  };
}
