import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ListQuestions, NewestQuestions, QaStudentInfo, QuestionComments, QuestionDetails } from '#contract/qa.ts';
import type { Role } from '#contract/values/user.ts';
import { listPacks } from '#server/course/pack-store.ts';
import { packsOpenTo } from '#server/course/store.ts';
import { readPeople } from '#server/user/store.ts';
import { askedAbout, readListed, readOwn } from './list-store.ts';
import type { QaParts } from './parts.ts';
import { isVisible, isWithheld, showChildren, showThreads, type Viewer } from './show.ts';
import { countOwn, findThread, lastAskedPack, readComments, readThreads, type StoredThread } from './store.ts';

/** A person who asks. */
export interface Person {
  userId: number;
  role: Role;
}
type Refusal = { ok: false; why: Why };

/** Who looks, with what may not be told to them now. */
export async function viewerOf({ db, gradesFor }: QaParts, { userId, role }: Person): Promise<Viewer> {
  const teacher = role === 'teacher';
  return { userId, teacher, hidden: teacher ? new Set() : await gradesFor(db.query, userId).hidden() };
}

/** The packs in which somebody may look, or the one they name. */
export async function packsFor(
  { db: { query }, access }: QaParts,
  { userId, role }: Person,
  packId: number | undefined,
): Promise<{ ok: true; packIds: number[] } | Refusal> {
  const teacher = role === 'teacher';
  if (packId !== undefined && !teacher) {
    const may = await access.mayOpen(userId, packId);
    return may.ok ? { ok: true, packIds: [packId] } : may;
  }
  if (packId !== undefined) return { ok: true, packIds: [packId] };
  const packIds = teacher ? (await listPacks(query)).map((pack) => pack.packId) : await packsOpenTo(query, userId);
  return { ok: true, packIds };
}

/**
 * A question that somebody may see and whose pack they may open. One of somebody else about an exam question that the viewer
 * sits now is refused as its key is; an own one is given, for its author knows it, and shown without its answers.
 */
export async function findVisible(
  parts: QaParts,
  person: Person,
  id: number,
): Promise<{ ok: true; thread: StoredThread; viewer: Viewer } | Refusal> {
  const thread = await findThread(parts.db.query, id);
  const viewer = await viewerOf(parts, person);
  if (!thread || !isVisible(thread, viewer)) return { ok: false, why: 'notFound' };
  if (!viewer.teacher) {
    const may = await parts.access.mayOpen(person.userId, thread.pack_id);
    if (!may.ok) return may;
  }
  if (isWithheld(thread, viewer) && thread.user_id !== person.userId) return { ok: false, why: 'keyHidden' };
  return { ok: true, thread, viewer };
}

const pageOf = (pageNum: number, pageSize: number) => ({ limit: pageSize, offset: (pageNum - 1) * pageSize });
/** The id before which a reader who began now goes on reading. */
export const boundOf = (asked: number | undefined, newestId: number | null) =>
  asked ?? (newestId === null ? null : newestId + 1);

/** A page of the questions of a pack: everyone's, or the own ones. */
export async function listQuestions(
  parts: QaParts,
  person: Person,
  asked: InputOf<typeof ListQuestions>,
): Promise<DataOf<typeof ListQuestions>> {
  const { query } = parts.db;
  const {
    packId,
    courseId,
    firstVideoId: lessonId,
    questionId,
    feedbackType,
    myState,
    pageNum,
    pageSize,
    beforeId,
  } = asked;
  const viewer = await viewerOf(parts, person);
  const within = { courseId, lessonId, beforeId };
  const page =
    myState === 1
      ? await readOwn(
          query,
          { ...within, userId: person.userId, packId, feedbackType, questionId },
          pageOf(pageNum, pageSize),
        )
      : (feedbackType ?? 41) === 41
        ? await readListed(
            query,
            { ...within, packIds: [packId], notAbout: await askedAbout(query, viewer.hidden) },
            pageOf(pageNum, pageSize),
          )
        : { ids: [], total: 0, newestId: null };
  return pageShown(parts, viewer, page, asked);
}

/** A page of the Q&A area. */
export async function newestQuestions(
  parts: QaParts,
  person: Person,
  asked: InputOf<typeof NewestQuestions>,
): Promise<{ ok: true; page: DataOf<typeof NewestQuestions> } | Refusal> {
  const { query } = parts.db;
  const open = await packsFor(parts, person, asked.packId);
  if (!open.ok) return open;
  const viewer = await viewerOf(parts, person);
  const filter = {
    packIds: open.packIds,
    beforeId: asked.beforeId,
    answered: asked.answered === 1,
    flaggedBy: asked.flag === 1 ? person.userId : undefined,
    notAbout: await askedAbout(query, viewer.hidden),
  };
  const page = await readListed(query, filter, pageOf(asked.pageNum, asked.pageSize));
  return { ok: true, page: await pageShown(parts, viewer, page, asked) };
}

async function pageShown(
  { db: { query } }: QaParts,
  viewer: Viewer,
  { ids, total, newestId }: { ids: readonly number[]; total: number; newestId: number | null },
  { pageNum, pageSize, beforeId }: { pageNum: number; pageSize: number; beforeId?: number },
): Promise<DataOf<typeof ListQuestions>> {
  const list = await showThreads(query, await readThreads(query, ids), viewer);
  return { list, total, pages: Math.ceil(total / pageSize), pageNum, beforeId: boundOf(beforeId, newestId) };
}

/** One question with what stands under it. */
export async function readDetails(
  parts: QaParts,
  person: Person,
  id: number,
): Promise<{ ok: true; question: DataOf<typeof QuestionDetails> } | Refusal> {
  const found = await findVisible(parts, person, id);
  if (!found.ok) return found;
  const [question] = await showThreads(parts.db.query, [found.thread], found.viewer);
  return question ? { ok: true, question } : { ok: false, why: 'notFound' };
}

/** A page of the comments under a question; of a withheld one there are none. */
export async function listComments(
  parts: QaParts,
  person: Person,
  { id, pageNum, pageSize, beforeId }: InputOf<typeof QuestionComments>,
): Promise<{ ok: true; page: DataOf<typeof QuestionComments> } | Refusal> {
  const { query } = parts.db;
  const found = await findVisible(parts, person, id);
  if (!found.ok) return found;
  if (isWithheld(found.thread, found.viewer))
    return { ok: true, page: { list: [], total: 0, pages: 0, pageNum, beforeId: null } };
  const { comments, total, newestId } = await readComments(query, id, found.viewer.teacher ? null : person.userId, {
    ...pageOf(pageNum, pageSize),
    beforeId,
  });
  const list = await showChildren(query, comments, found.viewer);
  const page = { list, total, pages: Math.ceil(total / pageSize), pageNum, beforeId: boundOf(beforeId, newestId) };
  return { ok: true, page };
}

/** The own figures of Q&A. */
export async function readStudentInfo(
  parts: QaParts,
  person: Person,
  packId: number | undefined,
): Promise<{ ok: true; info: DataOf<typeof QaStudentInfo> } | Refusal> {
  const { query } = parts.db;
  const open = await packsFor(parts, person, packId);
  if (!open.ok) return open;
  const viewer = await viewerOf(parts, person);
  const own = (await readPeople(query, [person.userId])).get(person.userId);
  const counts = await countOwn(query, person.userId, packId, await askedAbout(query, viewer.hidden));
  return {
    ok: true,
    info: {
      studentId: person.userId,
      nickname: own?.nickname ?? '',
      avatarUrlExt: own?.avatarUrl ?? '',
      ...counts,
      lastPackId: await lastAskedPack(query, person.userId, open.packIds),
    },
  };
}
