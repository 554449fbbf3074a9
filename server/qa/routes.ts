import {
  AnswerHistory,
  AnswerQuestions,
  AssignQuestions,
  DeleteEntry,
  DeleteFlag,
  DeletePhrase,
  EditAnswer,
  FollowUp,
  HideEntry,
  HotKeys,
  ListPhrases,
  ListQuestions,
  NewestQuestions,
  QaQueue,
  QaStudentInfo,
  QaTeachers,
  QaWaiting,
  QuestionComments,
  QuestionDetails,
  RecommendReply,
  SaveFlag,
  SavePhrase,
  SaveQuestionComment,
  SearchQuestions,
  SearchTags,
  SubmitQuestion,
  TagQuestion,
  TaughtQuestion,
} from '#contract/qa.ts';
import { QA_MOST_PHRASES, QA_PHRASE_LONGEST } from '#contract/values/qa.ts';
import { platformOf } from '#rules/qa/platform.ts';
import { checkText } from '#rules/qa/text.ts';
import { type Ask, refuse, type SignedIn } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import { deleteEntry, flagEntry, followUp, saveComment, submitQuestion } from './ask.ts';
import { readHot, recommendReplies, searchQuestions, searchTags } from './find.ts';
import {
  listComments,
  listQuestions,
  newestQuestions,
  type Person,
  readDetails,
  readStudentInfo,
  viewerOf,
} from './look.ts';
import type { QaParts } from './parts.ts';
import { showChildren } from './show.ts';
import { findEntry } from './store.ts';
import {
  answerQuestions,
  assignQuestions,
  editAnswer,
  hideEntry,
  readAnswerHistory,
  readTaught,
  readTeachers,
  readTeachersQueue,
  readWaiting,
  tagQuestion,
} from './teach.ts';
import { addPhrase, changePhrase, deletePhrase, readPhrases } from './teach-store.ts';

type Said = Pick<Ask<{ platform?: number }, SignedIn>, 'input' | 'user' | 'arrivedAt' | 'ip' | 'userAgent'>;
const writingOf = ({ input, user, arrivedAt, ip, userAgent }: Said) => ({
  person: user,
  now: arrivedAt,
  ip,
  platform: platformOf(input.platform, userAgent),
});
const teachingOf = ({ user, arrivedAt }: Pick<Ask<unknown, SignedIn>, 'user' | 'arrivedAt'>) => ({
  teacherId: user.userId,
  now: arrivedAt,
});

/** Binds the calls of contract/qa.ts. */
export function qaRoutes(serve: Serve, parts: QaParts): void {
  studentRoutes(serve, parts);
  finderRoutes(serve, parts);
  teacherRoutes(serve, parts);
}

function studentRoutes(serve: Serve, parts: QaParts): void {
  const written = async (person: Person, threadId: number) => {
    const read = await readDetails(parts, person, threadId);
    return read.ok ? read.question : refuse(read.why);
  };
  serve(SubmitQuestion, async (ask) => {
    const submitted = await submitQuestion(parts, writingOf(ask), ask.input);
    return submitted.ok ? written(ask.user, submitted.threadId) : refuse(submitted.why, submitted.field);
  });
  serve(FollowUp, async (ask) => {
    const followed = await followUp(parts, writingOf(ask), ask.input);
    return followed.ok ? written(ask.user, followed.threadId) : refuse(followed.why, followed.field);
  });
  serve(DeleteEntry, async ({ input: { id }, user: { userId }, arrivedAt }) => {
    const deleted = await deleteEntry(parts, { userId, id, now: arrivedAt });
    return deleted.ok ? {} : refuse(deleted.why);
  });
  serve(ListQuestions, ({ input, user }) => listQuestions(parts, user, input));
  serve(NewestQuestions, async ({ input, user }) => {
    const read = await newestQuestions(parts, user, input);
    return read.ok ? read.page : refuse(read.why);
  });
  serve(QuestionDetails, async ({ input, user }) => {
    const read = await readDetails(parts, user, input.id);
    return read.ok ? read.question : refuse(read.why);
  });
  serve(QuestionComments, async ({ input, user }) => {
    const read = await listComments(parts, user, input);
    return read.ok ? read.page : refuse(read.why);
  });
  serve(SaveQuestionComment, async (ask) => {
    const saved = await saveComment(parts, writingOf(ask), ask.input);
    if (!saved.ok) return refuse(saved.why, saved.field);
    const entry = await findEntry(parts.db.query, saved.entryId);
    const [comment] = entry ? await showChildren(parts.db.query, [entry], await viewerOf(parts, ask.user)) : [];
    return comment ?? refuse('notFound');
  });
  serve(SaveFlag, async ({ input: { id }, user, arrivedAt }) => {
    const done = await flagEntry(parts, { person: user, now: arrivedAt }, { id, flag: true });
    return done.ok ? { flag: 1, flagCount: done.flagCount } : refuse(done.why);
  });
  serve(DeleteFlag, async ({ input: { id }, user, arrivedAt }) => {
    const done = await flagEntry(parts, { person: user, now: arrivedAt }, { id, flag: false });
    return done.ok ? { flag: 0, flagCount: done.flagCount } : refuse(done.why);
  });
  serve(QaStudentInfo, async ({ input, user }) => {
    const read = await readStudentInfo(parts, user, input.packId);
    return read.ok ? read.info : refuse(read.why);
  });
}

function finderRoutes(serve: Serve, parts: QaParts): void {
  serve(SearchQuestions, async ({ input, user, arrivedAt, isMeant }) => {
    const found = await searchQuestions(parts, user, { ...input, now: arrivedAt, isMeant });
    return found.ok ? found.page : refuse(found.why);
  });
  serve(RecommendReply, async ({ input, user }) => {
    const found = await recommendReplies(parts, user, input);
    return found.ok ? found.found : refuse(found.why);
  });
  serve(HotKeys, ({ user }) => readHot(parts, user));
  serve(SearchTags, async ({ input, user }) => {
    const found = await searchTags(parts, user, input);
    return found.ok ? found.found : refuse(found.why);
  });
}

function teacherRoutes(serve: Serve, parts: QaParts): void {
  const { query } = parts.db;
  serve(QaQueue, (ask) => readTeachersQueue(parts, teachingOf(ask), ask.input));
  serve(QaWaiting, (ask) => readWaiting(parts, teachingOf(ask)));
  serve(QaTeachers, () => readTeachers(parts));
  serve(
    TaughtQuestion,
    async (ask) => (await readTaught(parts, teachingOf(ask), ask.input)) ?? refuse('notFound', 'id'),
  );
  serve(AnswerQuestions, async (ask) => {
    const answered = await answerQuestions(parts, teachingOf(ask), ask.input);
    return answered.ok ? answered.details : refuse(answered.why, answered.field, answered.at);
  });
  serve(EditAnswer, async (ask) => {
    const edited = await editAnswer(parts, teachingOf(ask), ask.input);
    return edited.ok ? edited.details : refuse(edited.why, edited.field);
  });
  serve(AnswerHistory, async ({ input }) => (await readAnswerHistory(parts, input.id)) ?? refuse('notFound', 'id'));
  serve(AssignQuestions, async (ask) => {
    const { ids, teacherId } = ask.input;
    const count = await assignQuestions(parts, teachingOf(ask), { ids, teacherId: teacherId === 0 ? null : teacherId });
    return count === null ? refuse('notFound', 'teacherId') : { count };
  });
  serve(HideEntry, async (ask) => {
    const changed = await hideEntry(parts, teachingOf(ask), ask.input);
    return changed.ok ? changed.details : refuse(changed.why);
  });
  serve(TagQuestion, async (ask) => {
    const tagged = await tagQuestion(parts, teachingOf(ask), ask.input);
    return tagged.ok ? tagged.details : refuse(tagged.why, tagged.field);
  });
  serve(ListPhrases, async ({ user }) => ({ list: await readPhrases(query, user.userId) }));
  serve(SavePhrase, async ({ input: { id, phrase: typed }, user: { userId }, arrivedAt: now }) => {
    const checked = checkText(typed, QA_PHRASE_LONGEST);
    if (!checked.ok) return refuse(checked.why, 'phrase');
    const phrase = checked.text;
    if (id !== undefined) return (await changePhrase(query, { id, userId, phrase, now })) ?? refuse('notFound', 'id');
    const kept = await parts.db.transaction((trx) => addPhrase(trx, { userId, phrase, now, most: QA_MOST_PHRASES }), {
      idempotent: () => true,
    });
    return kept ?? refuse('phrasesFull');
  });
  serve(DeletePhrase, async ({ input: { id }, user: { userId } }) => {
    await deletePhrase(query, userId, id);
    return {};
  });
}
