import { type ExamKind, TIMED_TEST } from '#contract/values/exam.ts';
import type { RetakeRule } from '#rules/exam/retake.ts';
import type { ScoringPoint } from '#rules/exam/scoring-points.ts';
import type { MadePack } from '#server/course/pack.test-kit.ts';
import { fingerprintOf } from '#server/db/fingerprint.ts';
import type { TestApp } from '#server/test-kit.ts';
import { storedPoints } from './paper/stored-points.ts';

/** A question as a test writes it; what is left out gets a plain value. */
export interface MakeQuestion {
  type: 1 | 2 | 3 | 4 | 5 | 8;
  /** Letters, or text for types 4 and 8. */
  right: string;
  /** How many options; 4 when left out (types 2, 3, 5). */
  options?: number;
  score?: number;
  /** Index into the pack's chapters; 0 when left out. */
  chapter?: number;
  topic?: string;
  caseId?: number;
  /** Scoring points of types 4 and 8. */
  points?: readonly ScoringPoint[];
  /** 1 to 5; none when left out. */
  difficulty?: number;
}

let made = 0;

/** Questions of a pack; @returns their ids in order. */
export async function makeQuestions(
  { db }: Pick<TestApp, 'db'>,
  pack: MadePack,
  questions: readonly MakeQuestion[],
): Promise<number[]> {
  const ids: number[] = [];
  for (let from = 0; from < questions.length; from += 500) {
    const rows = await db.query
      .insertInto('questions')
      .values(
        questions.slice(from, from + 500).map((question, at) => {
          made += 1;
          const topic = question.topic ?? `<p>题目 ${made}</p>`;
          return {
            pack_id: pack.packId,
            chapter_id: pack.chapterIds[question.chapter ?? 0] ?? pack.chapterIds[0],
            slug: `q-${made}`,
            question_types_id: question.type,
            topic,
            options: JSON.stringify(optionsOf(question)),
            right_answer: question.right,
            points: storedPoints(question.points ?? [], question.score ?? 2),
            answer_analysis: `<p>解析 ${made}</p>`,
            score: question.score ?? 2,
            difficulty: question.difficulty ?? null,
            case_id: question.caseId ?? null,
            position: from + at,
            fingerprint: fingerprintOf({ topic, options: optionsOf(question), material: null }),
          };
        }),
      )
      .returning('id')
      .execute();
    ids.push(...rows.map((row) => row.id));
  }
  return ids.sort((a, b) => a - b);
}

function optionsOf({ type, options = 4 }: MakeQuestion): Record<string, string> {
  if (type === 1) return { A: '对', B: '错' };
  if (type === 4 || type === 8) return {};
  return Object.fromEntries([...'ABCDEFGH'.slice(0, options)].map((letter) => [letter, `<p>选项 ${letter}</p>`]));
}

/** A paper as a test writes it; what is left out gets a plain value. */
export interface MakeExam {
  kind?: ExamKind;
  questionIds: readonly number[];
  /** Points each; the questions' own (2) when left out. */
  score?: number;
  minutes?: number | null;
  partial?: number | null;
  shuffleQuestions?: boolean;
  shuffleOptions?: boolean;
  year?: number;
  /** Index into the pack's chapters, for chapter and after-class practice. */
  chapter?: number;
  name?: string;
  retake?: Partial<RetakeRule>;
  /** Its questions are kept out of practice. */
  reserved?: boolean;
}

/** A paper of a pack; mock with 60 minutes when nothing else is said. */
export async function makeExam({ db }: Pick<TestApp, 'db'>, pack: MadePack, exam: MakeExam): Promise<number> {
  made += 1;
  const kind = exam.kind ?? 'mock';
  const practice = kind === 'chapter' || kind === 'afterclass';
  const points = new Map<number, number>();
  for (let from = 0; from < exam.questionIds.length; from += 1000) {
    const rows = await db.query
      .selectFrom('questions')
      .select(['id', 'score'])
      .where('id', 'in', exam.questionIds.slice(from, from + 1000))
      .execute();
    for (const row of rows) points.set(row.id, exam.score ?? row.score);
  }
  const { id } = await db.query
    .insertInto('exams')
    .values({
      pack_id: pack.packId,
      course_id: pack.courseId,
      chapter_id: practice ? (pack.chapterIds[exam.chapter ?? 0] ?? null) : null,
      slug: `${kind}-${made}`,
      kind,
      name: exam.name ?? `试卷 ${made}`,
      year: exam.year ?? null,
      exam_time: exam.minutes === undefined ? (practice ? null : 60) : exam.minutes,
      test_type: kind === 'timed' ? TIMED_TEST : 0,
      partial: exam.partial ?? null,
      shuffle_questions: exam.shuffleQuestions ? 1 : 0,
      shuffle_options: exam.shuffleOptions ? 1 : 0,
      pass_score: null,
      total_question: exam.questionIds.length,
      total_score: [...points.values()].reduce((sum, score) => sum + score, 0),
      sections: kind === 'chapter' ? '[]' : JSON.stringify([{ title: '一、试题', questionIds: exam.questionIds }]),
      position: made,
      most_attempts: exam.retake?.most ?? null,
      retake_after: exam.retake?.after ?? null,
      counted_record: exam.retake?.counts ?? 'first',
      reserved: exam.reserved ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let from = 0; from < exam.questionIds.length; from += 1000) {
    await db.query
      .insertInto('exam_questions')
      .values(
        exam.questionIds.slice(from, from + 1000).map((questionId, at) => ({
          exam_id: id,
          question_id: questionId,
          position: from + at,
          score: points.get(questionId) ?? 0,
        })),
      )
      .execute();
  }
  return id;
}
