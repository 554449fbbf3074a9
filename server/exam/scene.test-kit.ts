import { enrol, type MadePack, makePack } from '#server/course/pack.test-kit.ts';
import { START, type TestApp, type TestUser } from '#server/test-kit.ts';
import { type MakeExam, makeExam, makeQuestions } from './paper.test-kit.ts';

/** A student of their own who has started an exam in `window-0001`: where most exam tests begin. */
export interface Scene {
  as: TestUser;
  pack: MadePack;
  /** Question ids: judge A (difficulty 3) · single B · multiple ABD (3 points) · text (5) · indefinite AC · self-scored text (5). */
  ids: [number, number, number, number, number, number];
  examId: number;
  recordId: number;
  windowId: string;
  base: { examId: number; recordId: number; windowId: string };
  /** Input of a save of the question at an index. */
  save(at: number, answer: string, seq?: number): SaveInput;
}

interface SaveInput {
  examId: number;
  recordId: number;
  questionId: number;
  windowId: string;
  answer: string;
  seq?: number;
}

/** The scoring points of the text question. */
const POINTS = [
  { text: '采点甲', weight: 3, words: ['甲'] },
  { text: '采点乙', weight: 1.5, words: [] },
];

/** Milliseconds of the exam that a scene starts, when nothing else is said. */
export const HOUR = 3_600_000;

/** Sets the clock to START and starts an exam (a mock of an hour with half points for a part, if nothing else is said). */
export async function startScene(kit: TestApp, exam: Partial<MakeExam> = {}, as?: TestUser): Promise<Scene> {
  kit.time.now = START;
  const student = as ?? (await kit.user());
  const pack = await makePack(kit, { students: [student] });
  const [judge = 0, single = 0, multiple = 0, text = 0, indefinite = 0, own = 0] = await makeQuestions(kit, pack, [
    { type: 1, right: 'A', chapter: 2, difficulty: 3 },
    { type: 2, right: 'B', chapter: 2 },
    { type: 3, right: 'ABD', score: 3, chapter: 2 },
    { type: 4, right: '<p>参考</p>', score: 5, chapter: 2, points: POINTS },
    { type: 5, right: 'AC', chapter: 3 },
    { type: 8, right: '<p>参考</p>', score: 5, chapter: 3 },
  ]);
  const ids: Scene['ids'] = [judge, single, multiple, text, indefinite, own];
  const examId = await makeExam(kit, pack, { questionIds: ids, partial: 0.5, ...exam });
  const windowId = 'window-0001';
  const { recordId } = await kit.ok('GET /app/exam/test_start', { examId, windowId }, { as: student });
  const base = { examId, recordId, windowId };
  return {
    as: student,
    pack,
    ids,
    examId,
    recordId,
    windowId,
    base,
    save: (at, answer, seq) => ({ ...base, questionId: ids[at] ?? 0, answer, ...(seq === undefined ? {} : { seq }) }),
  };
}

/** The sweeper's name in `TestApp.chore`. */
export const SWEEP = 'exam: close overdue records';

/** What is stored of a record's answers, by question. */
export async function storedAnswers(
  kit: TestApp,
  recordId: number,
): Promise<Map<number, { answer: string | null; seq: number }>> {
  const rows = await kit.db.query.selectFrom('exam_answers').selectAll().where('record_id', '=', recordId).execute();
  return new Map(rows.map((row) => [row.question_id, { answer: row.answer, seq: row.seq }]));
}

/** Another student of the same pack. */
export async function classmate(kit: TestApp, pack: MadePack): Promise<TestUser> {
  const student = await kit.user();
  await enrol(kit, student, pack.packId);
  return student;
}
