import type { Insertable, Selectable, Updateable } from 'kysely';
import { qaState, qaType } from '#contract/values/qa.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { QaEntries, QaThreads } from '#server/db/schema.ts';
import { countTagsOf } from './find-store.ts';

/** What somebody wrote, as it is stored. */
export type StoredEntry = Selectable<QaEntries>;
/** A question as it is stored: how it stands, and what its author wrote. */
export type StoredThread = Selectable<QaThreads>;

/** One entry that was not deleted. */
export async function findEntry(query: Query, id: number): Promise<StoredEntry | undefined> {
  return query
    .selectFrom('qa_entries')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** The entry that a person's browser has named so; undefined: none came yet. */
export async function findSent(query: Query, userId: number, clientId: string): Promise<StoredEntry | undefined> {
  return query
    .selectFrom('qa_entries')
    .selectAll()
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

/** One question that was not deleted. */
export async function findThread(query: Query, id: number): Promise<StoredThread | undefined> {
  return query.selectFrom('qa_threads').selectAll().where('id', '=', id).where('gone', '=', 0).executeTakeFirst();
}

/** As `findThread`, and nobody else changes it until this transaction ends. */
export async function lockThread(trx: Trx, id: number): Promise<StoredThread | undefined> {
  // An update of nothing holds the row on both databases.
  return trx
    .updateTable('qa_threads')
    .set(({ ref }) => ({ version: ref('version') }))
    .where('id', '=', id)
    .where('gone', '=', 0)
    .returningAll()
    .executeTakeFirst();
}

/** Questions by id, in the order asked for; those that are gone are left out. */
export async function readThreads(query: Query, ids: readonly number[]): Promise<StoredThread[]> {
  const found = new Map<number, StoredThread>();
  for (const some of inLists(ids))
    for (const row of await query
      .selectFrom('qa_threads')
      .selectAll()
      .where('id', 'in', some)
      .where('gone', '=', 0)
      .execute())
      found.set(row.id, row);
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Entries by id. */
export async function readEntries(query: Query, ids: readonly number[]): Promise<Map<number, StoredEntry>> {
  const found = new Map<number, StoredEntry>();
  for (const some of inLists(ids))
    for (const row of await query.selectFrom('qa_entries').selectAll().where('id', 'in', some).execute())
      found.set(row.id, row);
  return found;
}

/** Answers and follow-ups under questions, the oldest first. */
export async function readChildren(query: Query, threadIds: readonly number[]): Promise<StoredEntry[]> {
  const found: StoredEntry[] = [];
  for (const some of inLists(threadIds))
    found.push(
      ...(await query
        .selectFrom('qa_entries')
        .selectAll()
        .where('thread_id', 'in', some)
        .where('kind', 'in', ['answer', 'followUp'])
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .execute()),
    );
  return found;
}

/** Comments under a question, newest first. `viewerId`: who sees their own hidden ones; null: a teacher, who sees all. */
export async function readComments(
  query: Query,
  threadId: number,
  viewerId: number | null,
  { limit, offset, beforeId }: { limit: number; offset: number; beforeId: number | undefined },
): Promise<{ comments: StoredEntry[]; total: number; newestId: number | null }> {
  let rows = query
    .selectFrom('qa_entries')
    .where('thread_id', '=', threadId)
    .where('kind', '=', 'comment')
    .where('deleted_at', 'is', null);
  if (beforeId !== undefined) rows = rows.where('id', '<', beforeId);
  if (viewerId !== null) {
    rows = rows.where((is) =>
      is.or([is.and([is('hidden', '=', 0), is('held_words', '=', '')]), is('user_id', '=', viewerId)]),
    );
    for (const ids of inLists(await readBuried(query, threadId, viewerId))) rows = rows.where('id', 'not in', ids);
  }
  const { total, newest } = await rows
    .select(({ fn }) => [fn.countAll<number>().as('total'), fn.max('id').as('newest')])
    .executeTakeFirstOrThrow();
  const comments = await rows.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { comments, total: Number(total), newestId: newest === null ? null : Number(newest) };
}

/**
 * Ids of what was said in reply to comments that somebody does not see, and in reply to that: they would read it without what it is about.
 * Their own are not among them. @param viewerId 0: of those that others do not see, whoever they are
 */
export async function readBuried(query: Query, threadId: number, viewerId: number): Promise<number[]> {
  const ofOthers = query
    .selectFrom('qa_entries')
    .select(['id', 'hidden', 'held_words', 'deleted_at'])
    .where('thread_id', '=', threadId)
    .where('kind', '=', 'comment')
    .where('user_id', '<>', viewerId);
  const buried: number[] = [];
  // One that its author deletes after it was hidden brings nothing to light.
  let above = await ofOthers.where((is) => is.or([is('hidden', '=', 1), is('held_words', '<>', '')])).execute();
  while (above.length > 0) {
    const below: typeof above = [];
    for (const ids of inLists(above.map(({ id }) => id)))
      below.push(...(await ofOthers.where('parent_id', 'in', ids).execute()));
    buried.push(
      ...below
        .filter((one) => one.hidden === 0 && one.held_words === '' && one.deleted_at === null)
        .map(({ id }) => id),
    );
    above = below;
  }
  return [...new Set(buried)];
}

/** Comments under a question that wait for release, newest first. */
export async function readHeldComments(query: Query, threadId: number, most: number): Promise<StoredEntry[]> {
  return query
    .selectFrom('qa_entries')
    .selectAll()
    .where('thread_id', '=', threadId)
    .where('kind', '=', 'comment')
    .where('held_words', '<>', '')
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** Ids of what was said in reply to a comment. */
export async function readReplies(query: Query, commentId: number): Promise<number[]> {
  const thread = query.selectFrom('qa_entries').select('thread_id').where('id', '=', commentId);
  const rows = await query
    .selectFrom('qa_entries')
    .select('id')
    .where('thread_id', '=', thread)
    .where('kind', '=', 'comment')
    .where('parent_id', '=', commentId)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Stores an entry. @returns it, and whether it is new: of one `client_id` a person has one entry, however often it is sent.
 */
export async function addEntry(
  trx: Trx,
  entry: Insertable<QaEntries>,
): Promise<{ entry: StoredEntry; added: boolean }> {
  const added = await trx
    .insertInto('qa_entries')
    .values(entry)
    .onConflict((conflict) => conflict.columns(['user_id', 'client_id']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (added) return { entry: added, added: true };
  const before = await findSent(trx, entry.user_id, entry.client_id ?? '');
  if (!before) throw new Error('an entry was neither stored nor there');
  return { entry: before, added: false };
}

/** Stores how a new question stands. */
export async function addThread(trx: Trx, thread: Insertable<QaThreads>): Promise<void> {
  await trx.insertInto('qa_threads').values(thread).execute();
}

/** Changes what is stored of a question. */
export async function changeThread(trx: Trx, id: number, change: Updateable<QaThreads>): Promise<void> {
  await trx.updateTable('qa_threads').set(change).where('id', '=', id).execute();
}

/** Changes what is stored of an entry. */
export async function changeEntry(trx: Trx, id: number, change: Updateable<QaEntries>): Promise<void> {
  await trx.updateTable('qa_entries').set(change).where('id', '=', id).execute();
}

/**
 * Works out anew, from what stands under a question, what follows of it: whether a teacher owes an answer (the last that was said by
 * student or teacher is no answer that can be seen), the state by the last answer, and whether other students see it, with its tags.
 * @returns whether it became listed, or ceased to be; null: neither
 */
export async function restand(trx: Trx, thread: StoredThread): Promise<'listed' | 'unlisted' | null> {
  const own = await trx.selectFrom('qa_entries').selectAll().where('id', '=', thread.id).executeTakeFirstOrThrow();
  const said = await readChildren(trx, [thread.id]);
  const shown = said.filter(({ hidden }) => hidden === 0);
  const last = shown.at(-1);
  const answer = shown.findLast(({ kind }) => kind === 'answer');
  const counts = await trx
    .selectFrom('qa_entries')
    .select(({ fn, eb }) => [
      fn.sum<number>(eb.case().when('held_words', '<>', '').then(1).else(0).end()).as('held'),
      fn.sum<number>(eb.case().when('hidden', '=', 1).then(1).else(0).end()).as('hidden'),
      fn
        .sum<number>(
          eb
            .case()
            .when(eb.and([eb('kind', '=', 'comment'), eb('hidden', '=', 0), eb('held_words', '=', '')]))
            .then(1)
            .else(0)
            .end(),
        )
        .as('comments'),
    ])
    .where((is) => is.or([is('thread_id', '=', thread.id), is('id', '=', thread.id)]))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  const listed =
    thread.feedback_type === qaType.teaching && own.deleted_at === null && own.hidden === 0 && own.held_words === ''
      ? 1
      : 0;
  const gone = own.deleted_at === null ? 0 : 1;
  const buried = await readBuried(trx, thread.id, 0);
  await changeThread(trx, thread.id, {
    waiting: gone === 0 && last?.kind !== 'answer' ? 1 : 0,
    state: answer?.state ?? qaState.waiting,
    answered_by: answer?.user_id ?? null,
    held: Number(counts.held ?? 0),
    hidden: Number(counts.hidden ?? 0),
    comment_count: Number(counts.comments ?? 0) - buried.length,
    listed,
    gone,
  });
  if (listed === thread.listed) return null;
  await countTagsOf(trx, { threadId: thread.id, packId: thread.pack_id, by: listed === 1 ? 1 : -1 });
  return listed === 1 ? 'listed' : 'unlisted';
}

/** Raises the version of a question: something was said or decided. */
export async function raiseVersion(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('qa_threads')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

// ---- images ----

/** Stores the pictures of an entry, in their order. */
export async function saveImages(trx: Trx, entryId: number, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map((file, position) => ({ entry_id: entryId, position, file }));
  await trx.insertInto('qa_images').values(rows).execute();
}

/** Forgets the pictures of an entry. */
export async function forgetImages(trx: Trx, entryId: number): Promise<void> {
  await trx.deleteFrom('qa_images').where('entry_id', '=', entryId).execute();
}

/** The stored pictures of entries, in their order. */
export async function readImages(query: Query, entryIds: readonly number[]): Promise<Map<number, string[]>> {
  const images = new Map<number, string[]>();
  for (const some of inLists(entryIds)) {
    const rows = await query
      .selectFrom('qa_images')
      .select(['entry_id', 'file'])
      .where('entry_id', 'in', some)
      .orderBy('entry_id')
      .orderBy('position')
      .execute();
    for (const { entry_id: id, file } of rows) images.set(id, [...(images.get(id) ?? []), file]);
  }
  return images;
}

/** The entries that show a file. */
export async function entriesWithImage(query: Query, file: string): Promise<StoredEntry[]> {
  return query
    .selectFrom('qa_images')
    .innerJoin('qa_entries', 'qa_entries.id', 'qa_images.entry_id')
    .selectAll('qa_entries')
    .where('qa_images.file', '=', file)
    .where('qa_entries.deleted_at', 'is', null)
    .execute();
}

/** Which of these files are pictures of Q&A. */
export async function imagesAmong(query: Query, files: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const some of inLists(files)) {
    const rows = await query.selectFrom('qa_images').select('file').distinct().where('file', 'in', some).execute();
    found.push(...rows.map(({ file }) => file));
  }
  return found;
}

// ---- 同问 ----

/** Notes that somebody asks the same, or takes it back, once however often it is asked. @returns how many ask it */
export async function setFlag(
  trx: Trx,
  { threadId, userId, flag, now }: { threadId: number; userId: number; flag: boolean; now: number },
): Promise<number> {
  const changed = flag
    ? await trx
        .insertInto('qa_flags')
        .values({ thread_id: threadId, user_id: userId, created_at: now })
        .onConflict((conflict) => conflict.columns(['thread_id', 'user_id']).doNothing())
        .returning('thread_id')
        .execute()
    : await trx
        .deleteFrom('qa_flags')
        .where('thread_id', '=', threadId)
        .where('user_id', '=', userId)
        .returning('thread_id')
        .execute();
  const { flag_count } = await trx
    .updateTable('qa_threads')
    .set(({ eb }) => ({ flag_count: eb('flag_count', '+', changed.length * (flag ? 1 : -1)) }))
    .where('id', '=', threadId)
    .returning('flag_count')
    .executeTakeFirstOrThrow();
  return flag_count;
}

/** Those of these questions that somebody asks too. */
export async function readFlagged(query: Query, userId: number, threadIds: readonly number[]): Promise<Set<number>> {
  const flagged = new Set<number>();
  for (const some of inLists(threadIds)) {
    const rows = await query
      .selectFrom('qa_flags')
      .select('thread_id')
      .where('user_id', '=', userId)
      .where('thread_id', 'in', some)
      .execute();
    for (const { thread_id } of rows) flagged.add(thread_id);
  }
  return flagged;
}

/** Everybody who asks the same. */
export async function readFlaggers(query: Query, threadId: number): Promise<number[]> {
  const rows = await query.selectFrom('qa_flags').select('user_id').where('thread_id', '=', threadId).execute();
  return rows.map(({ user_id }) => user_id);
}

// ---- 有用 ----

/** Notes that somebody finds an answer useful, or takes it back, once however often it is asked. @returns how many find it useful */
export async function setUseful(
  trx: Trx,
  { entryId, userId, useful, now }: { entryId: number; userId: number; useful: boolean; now: number },
): Promise<number> {
  const changed = useful
    ? await trx
        .insertInto('qa_useful')
        .values({ entry_id: entryId, user_id: userId, created_at: now })
        .onConflict((conflict) => conflict.columns(['entry_id', 'user_id']).doNothing())
        .returning('entry_id')
        .execute()
    : await trx
        .deleteFrom('qa_useful')
        .where('entry_id', '=', entryId)
        .where('user_id', '=', userId)
        .returning('entry_id')
        .execute();
  const { useful_count } = await trx
    .updateTable('qa_entries')
    .set(({ eb }) => ({ useful_count: eb('useful_count', '+', changed.length * (useful ? 1 : -1)) }))
    .where('id', '=', entryId)
    .returning('useful_count')
    .executeTakeFirstOrThrow();
  return useful_count;
}

/** Those of these answers that somebody finds useful. */
export async function readUseful(query: Query, userId: number, entryIds: readonly number[]): Promise<Set<number>> {
  const useful = new Set<number>();
  for (const some of inLists(entryIds)) {
    const rows = await query
      .selectFrom('qa_useful')
      .select('entry_id')
      .where('user_id', '=', userId)
      .where('entry_id', 'in', some)
      .execute();
    for (const { entry_id } of rows) useful.add(entry_id);
  }
  return useful;
}

// ---- a student's own figures ----

/** How much somebody wrote and asks too, in a pack or in all; without questions about these exam questions. */
export async function countOwn(
  query: Query,
  userId: number,
  packId: number | undefined,
  notAbout: readonly number[],
): Promise<{ asked: number; waiting: number; flagged: number; comments: number }> {
  let own = query.selectFrom('qa_threads').where('user_id', '=', userId).where('gone', '=', 0);
  let flagged = query
    .selectFrom('qa_flags')
    .innerJoin('qa_threads', 'qa_threads.id', 'qa_flags.thread_id')
    .where('qa_flags.user_id', '=', userId)
    .where('qa_threads.listed', '=', 1);
  let comments = query
    .selectFrom('qa_entries')
    .where('qa_entries.user_id', '=', userId)
    .where('qa_entries.kind', '=', 'comment')
    .where('qa_entries.deleted_at', 'is', null);
  if (packId !== undefined) {
    own = own.where('pack_id', '=', packId);
    flagged = flagged.where('qa_threads.pack_id', '=', packId);
    comments = comments.where('qa_entries.thread_id', 'in', ({ selectFrom }) =>
      selectFrom('qa_threads').select('qa_threads.id').where('qa_threads.pack_id', '=', packId),
    );
  }
  for (const ids of inLists(notAbout))
    flagged = flagged.where((is) =>
      is.or([is('qa_threads.question_id', 'is', null), is('qa_threads.question_id', 'not in', ids)]),
    );
  const owned = await own
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('asked'),
      fn
        .sum<number>(
          eb
            .case()
            .when(
              notAbout.length === 0
                ? eb('waiting', '=', 1)
                : eb.and([
                    eb('waiting', '=', 1),
                    eb.or([eb('question_id', 'is', null), eb('question_id', 'not in', [...notAbout])]),
                  ]),
            )
            .then(1)
            .else(0)
            .end(),
        )
        .as('waiting'),
    ])
    .executeTakeFirstOrThrow();
  const [flags, said] = [
    await flagged.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    await comments.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ];
  return {
    asked: Number(owned.asked),
    waiting: Number(owned.waiting ?? 0),
    flagged: Number(flags.count),
    comments: Number(said.count),
  };
}

/** The pack of the newest own question of these packs; null: they have none. */
export async function lastAskedPack(query: Query, userId: number, packIds: readonly number[]): Promise<number | null> {
  let last: { id: number; pack_id: number } | undefined;
  for (const some of inLists(packIds)) {
    const row = await query
      .selectFrom('qa_threads')
      .select(['id', 'pack_id'])
      .where('user_id', '=', userId)
      .where('pack_id', 'in', some)
      .where('gone', '=', 0)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row && row.id > (last?.id ?? 0)) last = row;
  }
  return last?.pack_id ?? null;
}

/** Whether somebody wrote anything in Q&A before a time. */
export async function wroteBefore(query: Query, userId: number, time: number): Promise<boolean> {
  const row = await query
    .selectFrom('qa_entries')
    .select('id')
    .where('user_id', '=', userId)
    .where('created_at', '<', time)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Questions that are not gone and come after one, in the order of their numbers. */
export async function threadsAfter(query: Query, id: number, most: number): Promise<{ id: number; pack_id: number }[]> {
  return query
    .selectFrom('qa_threads')
    .select(['id', 'pack_id'])
    .where('id', '>', id)
    .where('gone', '=', 0)
    .orderBy('id')
    .limit(most)
    .execute();
}
