import type { DataOf } from '#contract/call.ts';
import type { PreviewCorrection } from '#contract/exam-quality.ts';
import { isSelfScored, type QuestionType } from '#rules/exam/answer.ts';
import { afterImport, type RuleChange } from '#rules/exam/rescore.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { previewCorrection, previewRule } from '../grading/quality.ts';
import { contentReader } from '../paper/content-store.ts';
import { correctQuestion, planCorrection, type TeacherChange } from '../paper/correct-question.ts';
import { correctRule, planRule } from '../paper/correct-rule.ts';
import { countClosed, type FiledRow, readFiledRows, readListings } from '../paper/filed-question-store.ts';
import { questionName } from '../paper/question-name.ts';
import {
  findCorrectable,
  type PaperVersion,
  readCorrectedScores,
  readTeacherCorrections,
  type TeacherCorrection,
} from '../paper/teacher-correction-store.ts';

/** A question as a file says it, as far as records are graded by it. */
interface FiledQuestion {
  key: string;
  type: QuestionType;
  options: Record<string, string>;
  rightAnswer: string;
  score: number;
}

/** Points that the papers of a file give, by the key of the paper and of the question. */
export type FiledScores = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The rule for partly right answers that a paper of a file has; null: none. */
interface FiledRule {
  /** Of the paper. */
  key: string;
  partial: number | null;
}

/** Questions, and papers, whose records are tried for figures: each reads all of them. */
const TRIED = 20;

/** Who asks for the re-scoring, and why. */
export interface RescoreAsked {
  teacherId: number;
  reason: string;
}

/** What the keys, the points and the rules of a file mean for records that are over. */
export interface FileRescore {
  /** Questions whose key or points are others now, each by its name, of the first ones with the figures of the records that are graded by what was. */
  questions: { name: string; preview: DataOf<typeof PreviewCorrection> | null }[];
  /** Papers whose rule for partly right answers is another now, as far as records are graded by it, each with the rule before and after. */
  papers: { name: string; rule: RuleChange['partial']; preview: DataOf<typeof PreviewCorrection> | null }[];
  /** Records that are over and were graded by what was, each once. */
  records: number;
  /** Questions that cannot be corrected so, by their names. */
  refused: string[];
  /** Whether they are graded again. */
  asked: boolean;
}

/**
 * Makes the reader of what a file changes in keys, points and rules of papers, before that is written. Where it is asked for, each such question is corrected
 * as a teacher does it (docs/decisions/028), in the transaction of the import and before anything else of it: its records are then graded
 * again in the background, and their students told. Where options are others too nothing is graded again but for its points, since the letters stand for
 * something else; what students score themselves, no reference text changes.
 * @param query that transaction; where nobody asks for it nothing is written, and no transaction is needed
 * @param tried whether the import is only tried: then there are figures too
 */
export function fileCorrector(
  db: Db,
  query: Query,
  packId: number,
  { asked, tried, now }: { asked: (RescoreAsked & { trx: Trx }) | null; tried: boolean; now: number },
) {
  // Its own: what is read here may be taken back.
  const readContent = contentReader();
  const counted = new Set<string>();
  const done: FileRescore = { questions: [], papers: [], records: 0, refused: [], asked: asked !== null };

  async function count(touched: readonly PaperVersion[]): Promise<void> {
    for (const { exam, version, comeYet } of touched)
      for (const one of [version, ...comeYet]) {
        if (counted.has(`${exam.id} ${one}`)) continue;
        counted.add(`${exam.id} ${one}`);
        done.records += await countClosed(query, exam.id, one);
      }
  }

  async function correct(name: string, wanted: Omit<TeacherChange, 'standing' | 'filed'>): Promise<void> {
    const found = await findCorrectable(query, wanted.questionId);
    const change = { ...wanted, standing: found?.standing ?? '', filed: true };
    const plan = await planCorrection(query, readContent, change);
    if (!plan.ok) {
      if (plan.why !== 'nothingToCorrect') done.refused.push(name);
      return;
    }
    await count(plan.touched);
    const told = (asked !== null || tried) && done.questions.length < TRIED;
    const preview = told ? await previewCorrection(query, plan) : null;
    done.questions.push({ name, preview });
    if (asked === null) return;
    const made = await correctQuestion({ db, readContent }, asked.trx, { ...change, ...asked, now });
    if (!made.ok) throw new Error(`question ${name} was planned and could not be corrected: ${made.why}`);
  }

  /** @param scores of the papers of the file; null: it has questions alone */
  async function read(questions: readonly FiledQuestion[], scores: FiledScores | null): Promise<void> {
    const byKey = new Map(questions.map((question) => [question.key, question]));
    const rows = await readFiledRows(query, packId, [...byKey.keys()]);
    const corrections = await readTeacherCorrections(
      query,
      rows.map(({ id }) => id),
    );
    const stands = rows.flatMap((row) => {
      const filed = byKey.get(row.slug);
      return filed ? [{ row, filed, wanted: wantedOf(row, filed, corrections.get(row.id) ?? []) }] : [];
    });
    const relisted = stands.filter(({ row, wanted }) => scores !== null || wanted.score !== row.score);
    const listings = await readListings(
      query,
      relisted.map(({ row }) => row),
    );
    const corrected = scores === null ? null : await readCorrectedScores(query, packId);
    for (const { row, filed, wanted } of stands) {
      const points: { examId: number; score: number }[] = [];
      for (const { examId, slug, kind, score: before } of listings.get(row.id) ?? []) {
        const named = kind === 'chapter' ? wanted.score : scores?.get(slug)?.get(filed.key);
        if (named === undefined || row.grade_mode === 'void') continue;
        const pairs = kind === 'chapter' ? [] : (corrected?.get(examId)?.get(row.id) ?? []);
        const { value } = afterImport(before, named, pairs);
        if (value !== before) points.push({ examId, score: value });
      }
      const isKey = wanted.right !== row.right_answer;
      if (!isKey && points.length === 0) continue;
      await correct(questionName(row), {
        questionId: row.id,
        ...(isKey && { right: wanted.right }),
        ...(points.length > 0 && { scores: points }),
      });
    }
  }

  /** Reads what papers of a file give for questions that stand in no row of it: their keys and own points stay. */
  async function readScores(keys: readonly string[], scores: FiledScores): Promise<void> {
    const rows = await readFiledRows(query, packId, keys);
    const standing = rows.map((row) => ({
      key: row.slug,
      type: row.question_types_id as QuestionType,
      options: JSON.parse(row.options) as Record<string, string>,
      rightAnswer: row.right_answer,
      score: row.score,
    }));
    await read(standing, scores);
  }

  /** Reads the rules for partly right answers of papers; after all questions, so that a record is graded by the keys of the file then. */
  async function readRules(rules: readonly FiledRule[]): Promise<void> {
    for (const { key, partial } of rules) {
      const wanted = { packId, key, partial };
      const plan = await planRule(query, readContent, wanted);
      if (plan === null) continue;
      await count(plan.touched);
      const told = (asked !== null || tried) && done.papers.length < TRIED;
      const preview = told ? await previewRule(query, plan) : null;
      done.papers.push({ name: plan.exam.name, rule: plan.change.partial, preview });
      if (asked !== null) await correctRule({ db, readContent }, asked.trx, { ...wanted, ...asked, now });
    }
  }

  return { read, readScores, readRules, done };
}

/** What the key and the points of a question shall be by a file, where teachers have said their word. */
function wantedOf(
  row: FiledRow,
  filed: FiledQuestion,
  corrections: readonly TeacherCorrection[],
): { right: string; score: number } {
  const told = corrections.filter(({ change }) => !change.filed);
  const rights = told.flatMap(({ change }) => (change.right ? [change.right] : []));
  const scores = told.flatMap(({ change }) => (change.score ? [change.score] : []));
  const sameLetters = row.question_types_id === filed.type && row.options === JSON.stringify(filed.options);
  const isKeyed = sameLetters && !isSelfScored(filed.type);
  return {
    right: isKeyed ? afterImport(row.right_answer, filed.rightAnswer, rights).value : row.right_answer,
    score: afterImport(row.score, filed.score, scores).value,
  };
}
