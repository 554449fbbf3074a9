import { type MadePack, makePack } from '#server/course/pack.test-kit.ts';
import { START, type TestApp, type TestUser } from '#server/test-kit.ts';
import { type MakeExam, makeExam, makeQuestions } from '../paper.test-kit.ts';
import { classmate } from '../scene.test-kit.ts';

/** The names of the jobs in `TestApp.job`. */
export const COUNT = 'exam: count question quality';
export const RESCORE = 'exam: re-score corrected records';
export const RESCORE_OWN = 'exam: re-score corrected own papers';

/** All that follows a hand-in or a correction in the background, as it runs each second. */
export async function rescoreAll(kit: Pick<TestApp, 'chore'>): Promise<void> {
  for (const chore of [COUNT, RESCORE, RESCORE_OWN]) await kit.chore(chore);
}

/** A paper of eight single choices (2 points each, right: A) and a class to sit it. */
export interface ClassRoom {
  pack: MadePack;
  ids: number[];
  examId: number;
  teacher: TestUser;
  /** A new student hands in these answers ('-': left open). */
  sits(answers: string, as?: TestUser): Promise<{ as: TestUser; examId: number; recordId: number }>;
  /** As many weak and strong students as make the groups: of question 0 the strong say B, the weak A. */
  wholeClass(): Promise<{ strong: TestUser[]; weak: TestUser[] }>;
}

/** Makes the paper; its key of question 0 is wrong. */
export async function classRoom(kit: TestApp, exam: Partial<MakeExam> = {}): Promise<ClassRoom> {
  kit.time.now = START;
  const { ok } = kit;
  const pack = await makePack(kit);
  const ids = await makeQuestions(
    kit,
    pack,
    Array.from({ length: 8 }, (_, at) => ({ type: 2 as const, right: 'A', chapter: at < 4 ? 2 : 3 })),
  );
  const examId = await makeExam(kit, pack, { questionIds: ids, ...exam });
  const sits: ClassRoom['sits'] = async (answers, student) => {
    const as = student ?? (await classmate(kit, pack));
    const { recordId } = await ok('GET /app/exam/test_start', { examId }, { as });
    const given = [...answers].flatMap((answer, at) =>
      answer === '-' ? [] : [{ questionId: ids[at] ?? 0, answer, seq: at + 1 }],
    );
    await ok('POST /api/exam/submit', { examId, recordId, answers: given }, { as });
    return { as, examId, recordId };
  };
  return {
    pack,
    ids,
    examId,
    teacher: await kit.user('teacher'),
    sits,
    wholeClass: async () => {
      const [strong, weak]: [TestUser[], TestUser[]] = [[], []];
      for (let at = 0; at < 22; at += 1) {
        strong.push((await sits('BAAAAAAA')).as);
        weak.push((await sits('ABBBBBBB')).as);
      }
      return { strong, weak };
    },
  };
}
