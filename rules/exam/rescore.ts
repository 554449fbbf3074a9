import type { GradeMode } from '#contract/values/exam.ts';
import { isAnswered, isSelfScored, normalAnswer, type QuestionType } from './answer.ts';
import { type Graded, gradeAnswer, hasParts, type OwnScore, scoreSelf } from './scoring.ts';

/** What of a question decides about points. */
interface GradedBy {
  type: QuestionType;
  right: string;
  score: number;
  gradeMode: GradeMode;
}

/**
 * One answer graded again after its question was corrected. What a student scored themselves stays theirs: full points stay
 * full, others stay as they are where they still fit. While the question gives its points to everybody (送分) or to nobody (作废), the own
 * score is set aside with the grade, and counts again with the question.
 * @param before how it was graded; null: the record does not have it
 * @param was the question by which it was graded
 */
export function regraded(
  question: GradedBy,
  { before, was, answer, share }: { before: Graded | null; was: GradedBy; answer: string | null; share: number | null },
): Graded {
  const now = gradeAnswer(question, answer, share);
  if (!isSelfScored(question.type) || !isAnswered(answer) || before === null) return now;
  const own = was.gradeMode === 'key' ? ownScoreOf(before, was.score) : before.own;
  if (own === undefined) return now;
  if (question.gradeMode !== 'key') return { ...now, own };
  const earned = own.earned >= own.of ? question.score : Math.min(own.earned, question.score);
  const scored = scoreSelf(question, earned, own.judgeFlag ?? undefined);
  return scored.ok ? scored.graded : now;
}

/** What a student gave themselves; undefined: they have not yet. */
function ownScoreOf({ earned, judgeFlag }: Graded, of: number): OwnScore | undefined {
  return earned === null ? undefined : { earned, of, judgeFlag };
}

/** A question as a teacher finds it, with the points it gives outside of papers and in each. */
export interface CorrectableQuestion {
  type: QuestionType;
  /** Letters on offer; '' for texts. */
  letters: string;
  right: string;
  analysis: string;
  gradeMode: GradeMode;
  score: number;
  scores: ReadonlyMap<number, number>;
}

/** What a teacher wants of it; what is left out stays. Texts are ready to be stored. */
export interface WantedCorrection {
  right?: string | undefined;
  analysis?: string | undefined;
  gradeMode?: GradeMode | undefined;
  scores?: readonly { examId: number; score: number }[] | undefined;
}

/** What a correction changes, each as [before, after]; points by exam. */
export interface QuestionChange {
  right?: [string, string];
  analysis?: [string, string];
  gradeMode?: [GradeMode, GradeMode];
  /** Outside of papers. */
  score?: [number, number];
  scores?: Record<number, [number, number]>;
  /** Practices on offer that a void question has left, with its place and its points there, for the day on which it counts again. */
  leaves?: Record<number, [position: number, score: number]>;
  /** It came with a file: no later file has to bear with it as with a teacher's word. */
  filed?: true;
}

type Decided =
  | { ok: true; change: QuestionChange }
  | { ok: false; why: 'answerMalformed' | 'badInput' | 'nothingToCorrect' | 'notFound'; field?: string; at?: number };

/** What a paper may give for a question, as the files of a school do. */
const fitsPaper = (score: number) => score >= 0.5 && score <= 100 && Number.isInteger(score * 2);

/**
 * What a teacher's correction changes. A void question gives no points anywhere (`pointsOf`), what its lists say of it stays, so it gives
 * the same when it counts again.
 * @param voided the points that it had, where it was made void when lists were still written over
 */
export function decideCorrection(
  question: CorrectableQuestion,
  wanted: WantedCorrection,
  voided: Pick<QuestionChange, 'score' | 'scores'> | null,
): Decided {
  const change: QuestionChange = {};
  if (wanted.right !== undefined) {
    const read = normalAnswer(question.type, question.letters, wanted.right);
    if (!read.ok || !isAnswered(read.answer)) return { ok: false, why: 'answerMalformed', field: 'rightAnswer' };
    if (read.answer !== question.right) change.right = [question.right, read.answer];
  }
  if (wanted.analysis !== undefined && wanted.analysis !== question.analysis)
    change.analysis = [question.analysis, wanted.analysis];
  const gradeMode = wanted.gradeMode ?? question.gradeMode;
  if (gradeMode !== question.gradeMode) change.gradeMode = [question.gradeMode, gradeMode];
  const scores = new Map<number, number>();
  if (question.gradeMode === 'void' && gradeMode !== 'void') {
    if (voided?.score && question.score === 0) change.score = [question.score, voided.score[0]];
    for (const [examId, [before]] of Object.entries(voided?.scores ?? {}))
      if (question.scores.get(Number(examId)) === 0) scores.set(Number(examId), before);
  }
  for (const [at, { examId, score }] of (wanted.scores ?? []).entries()) {
    if (!question.scores.has(examId)) return { ok: false, why: 'notFound', field: `scores.${at}.examId`, at };
    if (gradeMode === 'void' || !fitsPaper(score))
      return { ok: false, why: 'badInput', field: `scores.${at}.score`, at };
    scores.set(examId, score);
  }
  for (const [examId, score] of scores) {
    const before = question.scores.get(examId) ?? 0;
    if (before !== score) change.scores = { ...change.scores, [examId]: [before, score] };
  }
  return Object.keys(change).length === 0 ? { ok: false, why: 'nothingToCorrect' } : { ok: true, change };
}

/** Whether a correction changes what answers are worth: an analysis alone changes no verdict. */
export function rescores({ right, gradeMode, score, scores }: QuestionChange): boolean {
  return right !== undefined || gradeMode !== undefined || score !== undefined || scores !== undefined;
}

/** What a correction changes in a paper: the share of the points for a part of the right letters (null: none), and what is graded again by it. */
export interface RuleChange {
  partial: [number | null, number | null];
  questionIds: number[];
}

/**
 * The questions of one version of a paper that another rule for partly right answers grades again: all in which a part of the right letters
 * may bring something. A void one (作废), and one that gives its points to everybody, earns the same by either, but comes along: it may count by its key again.
 * @param was the share by which the version graded
 * @param share the one that it shall grade by
 * @returns none where the version is graded by that rule already
 */
export function ruledQuestions<Question extends Pick<GradedBy, 'type'>>(
  { partial: was, questions }: { partial: number | null; questions: readonly Question[] },
  share: number | null,
): Question[] {
  return was === share ? [] : questions.filter(({ type }) => hasParts(type));
}

/**
 * What a field shall be when a file comes in again: the teacher's word stands as long as the file says what it said before the
 * teacher corrected it; a file that says something new is newer and is taken.
 * @param stored as it stands
 * @param wanted as the file says
 * @param corrected what teachers changed of it, oldest first
 */
export function afterImport<V extends string | number>(
  stored: V,
  wanted: V,
  corrected: readonly (readonly [before: V, after: V])[],
): { value: V; says: 'kept' | 'overruled' | null } {
  const last = corrected.at(-1);
  if (last === undefined || stored !== last[1] || wanted === stored) return { value: wanted, says: null };
  if (corrected.some(([before]) => before === wanted)) return { value: stored, says: 'kept' };
  return { value: wanted, says: 'overruled' };
}
