import type { CallInputs } from '#contract/all.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { makeLesson } from '#server/play/lesson.test-kit.ts';
import type { TestApp, TestUser } from '#server/test-kit.ts';

/** Two students in a pack with a lesson, and a teacher; and ways to ask and to answer. */
export async function qaScene(kit: TestApp) {
  const [as, other, teacher] = [await kit.user(), await kit.user(), await kit.user('teacher')];
  const pack = await makePack(kit, { students: [as, other] });
  const { packId, courseId } = pack;
  const lesson = await makeLesson(kit, pack);
  const ask = (
    feedbackDesc: string,
    by: TestUser = as,
    more: Partial<CallInputs['POST /app/feedback/submit']> = {},
  ) => {
    // No limit is met by asking once in a while.
    kit.time.now += 10 * 60_000;
    return kit.ok('POST /app/feedback/submit', { packId, feedbackType: 41, feedbackDesc, ...more }, { as: by });
  };
  const versionOf = async (id: number) => (await kit.ok('GET /app/qa/question', { id }, { as: teacher })).version;
  const answer = async (
    id: number,
    feedbackDesc: string,
    more: Partial<CallInputs['POST /app/qa_core/answer']> = {},
    by: TestUser = teacher,
  ) => {
    kit.time.now += 1000;
    return kit.ok(
      'POST /app/qa_core/answer',
      { ids: [id], versions: [await versionOf(id)], feedbackDesc, ...more },
      { as: by },
    );
  };
  const list = (by: TestUser = as, more: Partial<CallInputs['GET /app/feedback/list']> = {}) =>
    kit.ok('GET /app/feedback/list', { packId, feedbackType: 41, timeSortType: 1, myState: 0, ...more }, { as: by });
  const notices = async (by: TestUser) => (await kit.ok('GET /app/common/notice', { pageSize: 100 }, { as: by })).list;
  return { as, other, teacher, pack, packId, courseId, lesson, ask, answer, versionOf, list, notices };
}
