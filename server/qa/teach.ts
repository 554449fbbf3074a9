import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type {
  AnswerHistory,
  AnswerQuestions,
  EditAnswer,
  HideEntry,
  QaQueue,
  QaWaiting,
  TaughtQuestion,
} from '#contract/qa.ts';
import { imageOpt } from '#contract/values/image.ts';
import type { NoticeKind } from '#contract/values/notice.ts';
import { QA_ANSWER_LONGEST, type QaState, type QaType, qaState, qaType } from '#contract/values/qa.ts';
import { pagesFrom, placeOf, placeText } from '#rules/paging/place.ts';
import { decideQaAnswer } from '#rules/qa/answer.ts';
import { searchOf, termsOf } from '#rules/qa/terms.ts';
import { checkText } from '#rules/qa/text.ts';
import { beginningOf } from '#rules/wording/beginning.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { asShownWithKey } from '#server/exam/paper/content.ts';
import { readCaseMaterial, readQuestions } from '#server/exam/paper/standing-question-store.ts';
import { readSeenQuestion } from '#server/exam/record/seen-question.ts';
import { namedImages, takeImages } from '#server/image/take.ts';
import { deleteNoticesAbout, type Notice, saveNotices } from '#server/notice/store.ts';
import { listTeachers, readPeople } from '#server/user/store.ts';
import { followedUp, orImageNotYours, repliedTo, replyEvent, visibilityEvent } from './ask.ts';
import { findAlike, findForTeachers } from './find.ts';
import { addTerms, setTags } from './find-store.ts';
import { countAssigned, countWaiting, newestThread, nextWaiting, pageOfPlaces, readQueue } from './list-store.ts';
import { boundOf } from './look.ts';
import { type QaParts, takenForEntry } from './parts.ts';
import { showChildren, showTaught } from './show.ts';
import {
  addEntry,
  changeEntry,
  changeThread,
  findEntry,
  findSent,
  findThread,
  lockThread,
  raiseVersion,
  readComments,
  readEntries,
  readFlaggers,
  readHeldComments,
  readThreads,
  restand,
  type StoredEntry,
  type StoredThread,
  saveImages,
} from './store.ts';
import { addRevision, readRevisions } from './teach-store.ts';

type Refusal = { ok: false; why: Why; field?: string; at?: number };
type Details = DataOf<typeof TaughtQuestion>;

/** A teacher at a moment. */
interface Teaching {
  teacherId: number;
  now: number;
}

/** A page of the queue. */
export async function readTeachersQueue(
  { db: { query } }: QaParts,
  teaching: Teaching,
  {
    show = 'waiting',
    packId,
    feedbackType,
    mine,
    keyword: typed,
    pageNum,
    pageSize,
    beforeId,
    after: from,
  }: InputOf<typeof QaQueue>,
): Promise<DataOf<typeof QaQueue>> {
  const filter = { show, beforeId, ...narrowedTo(teaching, { packId, feedbackType, mine }) };
  const after = from === undefined ? null : placeOf(from);
  const bounds = { limit: pageSize, offset: after === null ? (pageNum - 1) * pageSize : 0 };
  const search = searchOf(tidyText(typed));
  const { ids, total, next } =
    search.phrase === ''
      ? await readQueue(query, filter, bounds, after)
      : pageOfPlaces(await findForTeachers(query, filter, search), bounds, after);
  const list = await showTaught(query, await readThreads(query, ids), teaching);
  const begun = boundOf(beforeId, await newestThread(query));
  const pages = after === null ? Math.ceil(total / pageSize) : pagesFrom(pageNum, total, pageSize);
  return { list, total, pages, pageNum, beforeId: begun, next: next && placeText(next) };
}

/** The queue as its teacher narrows it, but for words. */
const narrowedTo = (
  { teacherId }: Teaching,
  { packId, feedbackType, mine }: Pick<InputOf<typeof QaQueue>, 'packId' | 'feedbackType' | 'mine'>,
) => ({ packId, feedbackType, teacherId: mine === 1 ? teacherId : undefined });

/** What waits for teachers. */
export async function readWaiting({ db: { query } }: QaParts, teaching: Teaching): Promise<DataOf<typeof QaWaiting>> {
  return countWaiting(query, teaching);
}

/** The teachers to whom a question can be given. */
export async function readTeachers({ db: { query } }: QaParts) {
  const waiting = await countAssigned(query);
  const list = await listTeachers(query);
  return { list: list.map(({ id, nickname }) => ({ teacherId: id, nickname, waiting: waiting.get(id) ?? 0 })) };
}

const MOST_COMMENTS = 50;
const MOST_SIMILAR = 5;

/** The question that is due first of those that wait in the queue as it is narrowed, but for one; null: none does. */
async function nextOf(
  query: Query,
  teaching: Teaching,
  without: number,
  { keyword, ...asked }: Omit<InputOf<typeof TaughtQuestion>, 'id'>,
): Promise<number | null> {
  const filter = { show: 'waiting' as const, ...narrowedTo(teaching, asked) };
  const search = searchOf(tidyText(keyword));
  if (search.phrase === '') return nextWaiting(query, filter, without);
  return (await findForTeachers(query, filter, search)).find(({ id }) => id !== without)?.id ?? null;
}

/** One question for teachers, by its id or that of anything under it; null: there is none. */
export async function readTaught(
  parts: QaParts,
  teaching: Teaching,
  { id, ...narrowing }: InputOf<typeof TaughtQuestion>,
): Promise<Details | null> {
  const { query } = parts.db;
  const entry = await findEntry(query, id);
  const thread = entry && (await findThread(query, entry.thread_id ?? entry.id));
  if (!thread) return null;
  const [shown] = await showTaught(query, [thread], teaching);
  if (!shown) return null;
  const { comments } = await readComments(query, thread.id, null, {
    limit: MOST_COMMENTS,
    offset: 0,
    beforeId: undefined,
  });
  // What waits is there however much was said since.
  const oldest = comments.at(-1)?.id ?? 0;
  const waits = thread.held === 0 ? [] : await readHeldComments(query, thread.id, MOST_COMMENTS);
  comments.push(...waits.filter((comment) => comment.id < oldest));
  const viewer = { userId: teaching.teacherId, teacher: true, hidden: new Set<number>() };
  const teaches = thread.feedback_type === qaType.teaching;
  const alike = await findAlike(query, [thread.pack_id], shown.feedbackDesc, teaches ? [] : null);
  // Of its own kind: one answer says to all of them the same, and what becomes of a correction is said of no question.
  const similar = (await readThreads(query, alike))
    .filter((other) => other.id !== thread.id && other.waiting === 1 && other.feedback_type === thread.feedback_type)
    .slice(0, MOST_SIMILAR);
  return {
    ...shown,
    comments: await showChildren(query, comments, viewer),
    ...(await examQuestionOf(parts, thread)),
    similar: await showTaught(query, similar, teaching),
    nextId: await nextOf(query, teaching, thread.id, narrowing),
  };
}

/** The exam question with its key, as the student saw it where that is known, and as it stands now where that differs. */
async function examQuestionOf(
  parts: QaParts,
  { question_id: questionId, record_id: recordId, user_id: userId }: StoredThread,
): Promise<Pick<Details, 'examName' | 'questionNumber' | 'question' | 'now' | 'cases'>> {
  const { query } = parts.db;
  const none = { examName: null, questionNumber: null, question: null, now: null, cases: [] };
  const standing = questionId === null ? undefined : (await readQuestions(query, [questionId])).get(questionId);
  if (questionId === null || standing === undefined) return none;
  const seen = recordId === null ? null : await readSeenQuestion(parts, { userId, recordId, questionId });
  if (seen === null) {
    const cases = await readCaseMaterial(query, standing.caseId === null ? [] : [standing.caseId]);
    return { ...none, question: asShownWithKey(standing, null, null), cases };
  }
  const { question, layout } = seen;
  const before = asShownWithKey(question, layout, null);
  const now = { ...asShownWithKey(standing, layout, null), score: before.score };
  return {
    examName: seen.examName,
    questionNumber: seen.number,
    question: before,
    now: JSON.stringify(now) === JSON.stringify(before) ? null : now,
    cases: seen.cases.filter((material) => material.id === question.caseId),
  };
}

const detailsOf = async (
  parts: QaParts,
  teaching: Teaching,
  id: number,
): Promise<{ ok: true; details: Details } | Refusal> => {
  const details = await readTaught(parts, teaching, { id });
  return details === null ? { ok: false, why: 'notFound' } : { ok: true, details };
};

/** Answers one question, or several with the same words: all of them or none. Their authors and who asks the same are told with it. */
export async function answerQuestions(
  parts: QaParts,
  { teacherId, now }: Teaching,
  asked: InputOf<typeof AnswerQuestions>,
): Promise<{ ok: true; details: Details } | Refusal> {
  const { ids, versions, clientId } = asked;
  if (versions.length !== ids.length || new Set(ids).size !== ids.length)
    return { ok: false, why: 'badInput', field: 'versions' };
  const checked = checkText(asked.feedbackDesc, QA_ANSWER_LONGEST, true);
  if (!checked.ok) return { ...checked, field: 'feedbackDesc' };
  const fileNames = namedImages(asked);
  const nameOf = (id: number) => (clientId === undefined ? null : `${clientId}.${id}`);
  const first = ids[0] ?? 0;
  // The answer was lost on its way, and is asked for again.
  const before = clientId === undefined ? undefined : await findSent(parts.db.query, teacherId, `${clientId}.${first}`);
  if (before) return detailsOf(parts, { teacherId, now }, first);
  const teacher = (await readPeople(parts.db.query, [teacherId])).get(teacherId)?.nickname ?? '老师';
  const outcome = await orImageNotYours(() =>
    parts.db.transaction(async (trx): Promise<Refusal | null> => {
      let files: string[] | null = null;
      // In the same order everywhere, so that two teachers do not wait for each other.
      for (const id of [...ids].sort((one, other) => one - other)) {
        const at = ids.indexOf(id);
        const thread = await lockThread(trx, id);
        if (!thread) throw new Refused({ ok: false, why: 'notFound', field: 'ids', at });
        const decided = decideQaAnswer({
          ...{ type: thread.feedback_type, state: thread.state, version: thread.version },
          wanted: { version: versions[at] ?? -1, state: asked.state, text: checked.text, images: fileNames.length },
        });
        if (!decided.ok) throw new Refused({ ok: false, why: decided.why, field: 'ids', at });
        const { entry, added } = await addEntry(trx, {
          ...{ thread_id: id, parent_id: id, kind: 'answer', user_id: teacherId, feedback_desc: checked.text },
          ...{ platform: 2, state: decided.state, created_at: now, edited_at: null, deleted_at: null, by_teacher: 1 },
          client_id: nameOf(id),
        });
        if (!added) continue;
        // The first one takes them, the others show the same.
        files ??= await takeImages(trx, {
          userId: teacherId,
          opt: imageOpt.qa,
          fileNames,
          takenFor: takenForEntry(entry.id),
        });
        await saveImages(trx, entry.id, files);
        await addTerms(trx, thread.pack_id, id, termsOf(checked.text));
        await raiseVersion(trx, id);
        await restand(trx, thread);
        await tellAnswered(parts, trx, { thread, entry, teacher, now });
      }
      return null;
    }),
  ).catch((error: unknown) => {
    if (error instanceof Refused) return error.refusal;
    throw error;
  });
  if (outcome !== null) return outcome;
  return detailsOf(parts, { teacherId, now }, first);
}

/** Takes the whole transaction back. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.why);
    this.refusal = refusal;
  }
}

/** Tells of an answer to who asked, and where others see the question to who asks the same. */
async function tellAnswered(
  parts: QaParts,
  trx: Trx,
  { thread, entry, teacher, now }: { thread: StoredThread; entry: StoredEntry; teacher: string; now: number },
): Promise<void> {
  const text = (await readEntries(trx, [thread.id])).get(thread.id)?.feedback_desc ?? '';
  const kind = kindOfAnswer(thread.feedback_type, entry.state);
  const common = {
    event: eventOf(entry),
    words: { teacher, question: beginningOf(text) },
    qaId: thread.id,
    // Nothing of it reaches who sits the exam question now.
    ...(thread.question_id === null ? {} : { questionId: thread.question_id }),
  };
  const told: Notice[] = [{ ...common, userId: thread.user_id, kind }];
  if (thread.listed === 1) {
    const asking = (await readFlaggers(trx, thread.id)).filter((userId) => userId !== thread.user_id);
    // Words of a pack go to nobody who may not open it any more.
    const asks = asking.map((userId) => ({ userId, packId: thread.pack_id, archived: false }));
    for (const { ask, open } of await parts.access.askAll(trx, asks))
      if (open.ok) told.push({ ...common, userId: ask.userId, kind: 'qaSameAnswered' });
  }
  await saveNotices(trx, parts.random, now, told);
}

/** That a teacher answered, or replied to a comment. */
const eventOf = ({ id, kind }: StoredEntry) => (kind === 'answer' ? `qaAnswer:${id}` : replyEvent(id));

/** Tells of what a teacher wrote that was out of sight: nobody knows of it any more. */
async function tellAgain(
  parts: QaParts,
  trx: Trx,
  { thread, entry, now }: { thread: StoredThread; entry: StoredEntry; now: number },
): Promise<void> {
  if (entry.kind === 'answer') {
    const teacher = (await readPeople(trx, [entry.user_id])).get(entry.user_id)?.nickname ?? '老师';
    return tellAnswered(parts, trx, { thread, entry, teacher, now });
  }
  if (thread.listed === 0) return;
  const replied = entry.parent_id === null ? undefined : await findEntry(trx, entry.parent_id);
  if (replied?.kind === 'comment' && replied.user_id !== entry.user_id)
    await saveNotices(trx, parts.random, now, [await repliedTo(trx, { entry, replied, thread })]);
}

/** What its author is told of: an answer, or what became of what they reported. */
function kindOfAnswer(type: QaType, state: QaState | null): NoticeKind {
  if (type === qaType.teaching) return 'qaAnswered';
  if (state !== qaState.mended) return 'qaHandled';
  return type === qaType.suggestion ? 'qaAdopted' : 'qaMended';
}

/** Changes the words of an own answer. Of two changes at once the second is told. */
export async function editAnswer(
  parts: QaParts,
  { teacherId, now }: Teaching,
  { id, revision, feedbackDesc }: InputOf<typeof EditAnswer>,
): Promise<{ ok: true; details: Details } | Refusal> {
  const checked = checkText(feedbackDesc, QA_ANSWER_LONGEST);
  if (!checked.ok) return { ...checked, field: 'feedbackDesc' };
  const why = await parts.db.transaction(async (trx): Promise<Why | null> => {
    const found = await findEntry(trx, id);
    if (found?.kind !== 'answer' || found.thread_id === null) return 'notFound';
    if (found.user_id !== teacherId) return 'notAllowed';
    const thread = await lockThread(trx, found.thread_id);
    const entry = await findEntry(trx, id);
    if (!thread || !entry) return 'notFound';
    // The same again: its reply was lost.
    if (entry.feedback_desc === checked.text) return null;
    if (entry.revision !== revision) return 'answeredMeanwhile';
    await addRevision(trx, {
      entryId: id,
      revision,
      text: entry.feedback_desc,
      savedAt: entry.edited_at ?? entry.created_at,
    });
    await changeEntry(trx, id, { feedback_desc: checked.text, revision: revision + 1, edited_at: now });
    // What it said before still leads to it, and is passed over: the text as it stands decides.
    await addTerms(trx, thread.pack_id, thread.id, termsOf(checked.text));
    await raiseVersion(trx, found.thread_id);
    return null;
  });
  return why === null ? detailsOf(parts, { teacherId, now }, id) : { ok: false, why };
}

/** What an answer said before. */
export async function readAnswerHistory(
  { db: { query } }: QaParts,
  id: number,
): Promise<DataOf<typeof AnswerHistory> | null> {
  const entry = await findEntry(query, id);
  if (entry?.kind !== 'answer') return null;
  return { revision: entry.revision, list: await readRevisions(query, id) };
}

/** Gives questions to a teacher, who is told; null: to nobody. @returns how many there were, null: no such teacher */
export async function assignQuestions(
  { db, random }: QaParts,
  { teacherId: by, now }: Teaching,
  { ids, teacherId }: { ids: readonly number[]; teacherId: number | null },
): Promise<number | null> {
  if (teacherId !== null && !(await isTeacher(db.query, teacherId))) return null;
  return db.transaction(
    async (trx) => {
      let count = 0;
      const given: number[] = [];
      for (const id of [...new Set(ids)].sort((one, other) => one - other)) {
        const thread = await lockThread(trx, id);
        if (!thread) continue;
        count += 1;
        if (thread.teacher_id === teacherId) continue;
        await changeThread(trx, id, { teacher_id: teacherId });
        if (teacherId !== null && teacherId !== by) given.push(id);
      }
      if (teacherId !== null) {
        const texts = await readEntries(trx, given);
        const told = given.map((id) => ({
          userId: teacherId,
          event: `qaAssigned:${id}:${now}`,
          kind: 'qaAssigned' as const,
          words: { question: beginningOf(texts.get(id)?.feedback_desc ?? '') },
          qaId: id,
        }));
        await saveNotices(trx, random, now, told);
      }
      return count;
    },
    { idempotent: () => true },
  );
}

const isTeacher = async (query: Query, id: number) => (await listTeachers(query)).some((teacher) => teacher.id === id);

/** Takes an entry out of sight, or shows it again, which also releases what is held. Its author, if a student, is told. */
export async function hideEntry(
  parts: QaParts,
  teaching: Teaching,
  { id, hidden, reason }: InputOf<typeof HideEntry>,
): Promise<{ ok: true; details: Details } | Refusal> {
  const { now } = teaching;
  const done = await parts.db.transaction(async (trx): Promise<boolean> => {
    const found = await findEntry(trx, id);
    const thread = found && (await lockThread(trx, found.thread_id ?? found.id));
    const entry = thread && (await findEntry(trx, id));
    if (!entry) return false;
    const changes = hidden === 1 ? entry.hidden === 0 : entry.hidden === 1 || entry.held_words !== '';
    if (!changes) return true;
    await changeEntry(trx, id, hidden === 1 ? { hidden: 1 } : { hidden: 0, held_words: '' });
    await raiseVersion(trx, thread.id);
    const listing = await restand(trx, thread);
    // What others were told of it goes with it.
    if (listing === 'unlisted') await deleteNoticesAbout(trx, thread.id, { but: thread.user_id });
    if (entry.by_teacher === 1) {
      if (hidden === 1) await deleteNoticesAbout(trx, thread.id, { event: eventOf(entry) });
      else await tellAgain(parts, trx, { thread, entry, now });
      return true;
    }
    const question = beginningOf(entry.feedback_desc);
    const why = tidyText(reason);
    const told: Notice[] = [
      {
        userId: entry.user_id,
        event: visibilityEvent(id, hidden === 1, now),
        ...(hidden === 1
          ? why === ''
            ? { kind: 'qaHiddenUnsaid', words: { question } }
            : { kind: 'qaHidden', words: { question, reason: why } }
          : { kind: 'qaReleased', words: { question } }),
        qaId: thread.id,
      },
    ];
    const followed = thread.teacher_id ?? thread.answered_by;
    // Nobody was told of it while it was held.
    if (entry.kind === 'followUp' && hidden === 0 && followed !== null && followed !== teaching.teacherId)
      told.push(await followedUp(trx, entry.id, followed, thread.id));
    await saveNotices(trx, parts.random, now, told);
    return true;
  });
  return done ? detailsOf(parts, teaching, id) : { ok: false, why: 'notFound' };
}

/** Gives a question these tags and no others. */
export async function tagQuestion(
  parts: QaParts,
  teaching: Teaching,
  { id, tags: typed }: { id: number; tags: readonly string[] },
): Promise<{ ok: true; details: Details } | Refusal> {
  const tags = typed.map((tag) => tidyText(tag).replace(/\s+/g, ' '));
  if (tags.includes('')) return { ok: false, why: 'badInput', field: 'tags' };
  const done = await parts.db.transaction(
    async (trx) => {
      if (!(await lockThread(trx, id))) return false;
      await setTags(trx, id, tags, true);
      return true;
    },
    { idempotent: () => true },
  );
  return done ? detailsOf(parts, teaching, id) : { ok: false, why: 'notFound' };
}
