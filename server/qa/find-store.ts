import { batches, inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';

/** Of one term so many postings are looked at, the newest: what is looked for by common signs alone is found among these. */
const MOST_POSTINGS = 2000;
/** So many tell which terms are rare. */
const FIRST_POSTINGS = 400;
/** Terms by which a search is narrowed in the database; the text itself decides on the rest. */
const MOST_TERMS = 6;
/** Of each term of a text whose like is looked for. */
const MOST_LIKE = 300;
const MOST_LIKE_TERMS = 12;

/** Makes a question findable by these numbers (rules/qa/terms.ts). */
export async function addTerms(trx: Trx, packId: number, threadId: number, terms: readonly number[]): Promise<void> {
  for (const some of batches(terms.map((term) => ({ pack_id: packId, term, thread_id: threadId }))))
    await trx
      .insertInto('qa_terms')
      .values(some)
      .onConflict((conflict) => conflict.columns(['pack_id', 'term', 'thread_id']).doNothing())
      .execute();
}

/** Makes a question unfindable. */
export async function deleteTerms(trx: Trx, packId: number, threadId: number, terms: readonly number[]): Promise<void> {
  for (const some of inLists(terms))
    await trx
      .deleteFrom('qa_terms')
      .where('pack_id', '=', packId)
      .where('term', 'in', some)
      .where('thread_id', '=', threadId)
      .execute();
}

async function postings(query: Query, packId: number, term: number, most: number): Promise<number[]> {
  const rows = await query
    .selectFrom('qa_terms')
    .select('thread_id')
    .where('pack_id', '=', packId)
    .where('term', '=', term)
    .orderBy('thread_id', 'desc')
    .limit(most)
    .execute();
  return rows.map(({ thread_id }) => thread_id);
}

/**
 * Questions of a pack that may have all of these terms, newest first; the text decides. It begins with the rarest term, so that what is
 * rare is found among millions; of terms that are all common only the newest questions are looked at.
 */
export async function findWithAll(query: Query, packId: number, terms: readonly number[]): Promise<number[]> {
  const asked: { term: number; newest: number[] }[] = [];
  for (const term of terms.slice(0, MOST_TERMS))
    asked.push({ term, newest: await postings(query, packId, term, FIRST_POSTINGS) });
  const rare = asked.filter(({ newest }) => newest.length < FIRST_POSTINGS);
  // All questions of a rare term are known.
  rare.sort((one, other) => one.newest.length - other.newest.length);
  const [rarest, ...others] = rare;
  if (rarest) {
    const known = others.map(({ newest }) => new Set(newest));
    return rarest.newest.filter((id) => known.every((ids) => ids.has(id)));
  }
  // The newest of a term that is less common reach back further.
  asked.sort((one, other) => (one.newest.at(-1) ?? 0) - (other.newest.at(-1) ?? 0));
  const [first, ...rest] = asked;
  if (!first) return [];
  return postingsWith(
    query,
    packId,
    first.term,
    rest.map(({ term }) => term),
  );
}

/** Of the newest questions with a term those that have the others too, newest first. */
async function postingsWith(query: Query, packId: number, term: number, others: readonly number[]): Promise<number[]> {
  let rows = query
    .selectFrom(
      query
        .selectFrom('qa_terms')
        .select('thread_id')
        .where('pack_id', '=', packId)
        .where('term', '=', term)
        .orderBy('thread_id', 'desc')
        .limit(MOST_POSTINGS)
        .as('newest'),
    )
    .select('newest.thread_id');
  for (const other of others)
    rows = rows.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('qa_terms')
          .select('qa_terms.term')
          .where('qa_terms.pack_id', '=', packId)
          .where('qa_terms.term', '=', other)
          .whereRef('qa_terms.thread_id', '=', 'newest.thread_id'),
      ),
    );
  return (await rows.orderBy('newest.thread_id', 'desc').execute()).map(({ thread_id }) => thread_id);
}

/** Questions of a pack that share most with a text: by the terms of it that are rare there. */
export async function findLike(
  query: Query,
  packId: number,
  terms: readonly number[],
  most: number,
): Promise<{ id: number; weight: number }[]> {
  const weights = new Map<number, number>();
  const asked: number[][] = [];
  // Of a long text parts from all over it.
  const step = Math.max(1, Math.floor(terms.length / MOST_LIKE_TERMS));
  for (let at = 0; at < terms.length && asked.length < MOST_LIKE_TERMS; at += step)
    asked.push(await postings(query, packId, terms[at] ?? 0, MOST_LIKE));
  for (const ids of asked)
    for (const id of ids) weights.set(id, (weights.get(id) ?? 0) + 1 / Math.log2(2 + ids.length));
  return [...weights]
    .map(([id, weight]) => ({ id, weight }))
    .sort((one, other) => other.weight - one.weight || other.id - one.id)
    .slice(0, most);
}

/** A question that may be what is looked for, with what decides that and its place. */
interface Found {
  id: number;
  text: string;
  /** What teachers answered and others may see, one under the other. */
  answers: string;
  answered: boolean;
  /** Of it and of these answers. */
  newestId: number;
}

/**
 * Of these questions those that are there, with what teachers answered.
 * @param listedBut for students: those that others may see, and that are about none of these exam questions; null: for teachers
 * @param beforeId what was asked or answered from this id on is passed over
 */
export async function readFound(
  query: Query,
  ids: readonly number[],
  listedBut: readonly number[] | null,
  beforeId: number = Number.MAX_SAFE_INTEGER,
): Promise<Found[]> {
  const without = new Set(listedBut);
  const found = new Map<number, Found>();
  for (const some of inLists(ids)) {
    const rows = await query
      .selectFrom('qa_threads')
      .innerJoin('qa_entries', 'qa_entries.id', 'qa_threads.id')
      .select(['qa_threads.id', 'qa_threads.question_id', 'qa_entries.feedback_desc'])
      .where('qa_threads.id', 'in', some)
      .where('qa_threads.id', '<', beforeId)
      .where(listedBut === null ? 'qa_threads.gone' : 'qa_threads.listed', '=', listedBut === null ? 0 : 1)
      .execute();
    for (const { id, question_id: about, feedback_desc: text } of rows)
      if (about === null || !without.has(about))
        found.set(id, { id, text, answers: '', answered: false, newestId: id });
    const answers = await query
      .selectFrom('qa_entries')
      .select(['id', 'thread_id', 'feedback_desc'])
      .where('thread_id', 'in', some)
      .where('id', '<', beforeId)
      .where('kind', '=', 'answer')
      .where('hidden', '=', 0)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute();
    for (const { id, thread_id: threadId, feedback_desc: text } of answers) {
      const question = found.get(threadId ?? 0);
      if (question === undefined) continue;
      question.answers += `\n${text}`;
      question.answered = true;
      question.newestId = id;
    }
  }
  return [...found.values()];
}

// ---- tags ----

/** The tags of questions, in the order of the alphabet of their signs. */
export async function readTags(query: Query, threadIds: readonly number[]): Promise<Map<number, string[]>> {
  const tags = new Map<number, string[]>();
  for (const some of inLists(threadIds)) {
    const rows = await query
      .selectFrom('qa_thread_tags')
      .innerJoin('qa_tags', 'qa_tags.id', 'qa_thread_tags.tag_id')
      .select(['qa_thread_tags.thread_id', 'qa_tags.tag'])
      .where('qa_thread_tags.thread_id', 'in', some)
      .orderBy('qa_tags.id')
      .execute();
    for (const { thread_id: id, tag } of rows) tags.set(id, [...(tags.get(id) ?? []), tag]);
  }
  return tags;
}

/** Those of these tags that there are, by name. */
async function findTags(query: Query, names: readonly string[]): Promise<Map<string, number>> {
  const tags = new Map<string, number>();
  for (const some of inLists(names))
    for (const { id, tag } of await query
      .selectFrom('qa_tags')
      .select(['id', 'tag'])
      .where('tag', 'in', some)
      .execute())
      tags.set(tag, id);
  return tags;
}

/** Gives a question these tags and no others; with `make` new ones come to be, else they are passed over. */
export async function setTags(trx: Trx, threadId: number, names: readonly string[], make: boolean): Promise<void> {
  const wanted = [...new Set(names)].sort();
  if (make)
    for (const tag of wanted)
      await trx
        .insertInto('qa_tags')
        .values({ tag })
        .onConflict((conflict) => conflict.column('tag').doNothing())
        .execute();
  const ids = new Set((await findTags(trx, wanted)).values());
  const had = new Set(await readTagIds(trx, threadId));
  const { pack_id: packId, listed } = await trx
    .selectFrom('qa_threads')
    .select(['pack_id', 'listed'])
    .where('id', '=', threadId)
    .executeTakeFirstOrThrow();
  const gone = [...had].filter((id) => !ids.has(id));
  const come = [...ids].filter((id) => !had.has(id));
  for (const some of inLists(gone))
    await trx.deleteFrom('qa_thread_tags').where('thread_id', '=', threadId).where('tag_id', 'in', some).execute();
  for (const some of batches(come.map((id) => ({ thread_id: threadId, tag_id: id }))))
    await trx.insertInto('qa_thread_tags').values(some).execute();
  if (listed === 1)
    await countTags(trx, packId, [...gone.map((id) => ({ id, by: -1 })), ...come.map((id) => ({ id, by: 1 }))]);
}

/** Counts the tags of a question that has become listed, or ceased to be. */
export async function countTagsOf(
  trx: Trx,
  { threadId, packId, by }: { threadId: number; packId: number; by: 1 | -1 },
): Promise<void> {
  const ids = await readTagIds(trx, threadId);
  await countTags(
    trx,
    packId,
    ids.map((id) => ({ id, by })),
  );
}

async function readTagIds(query: Query, threadId: number): Promise<number[]> {
  const rows = await query.selectFrom('qa_thread_tags').select('tag_id').where('thread_id', '=', threadId).execute();
  return rows.map(({ tag_id }) => tag_id);
}

/** Counts tags of listed questions, in the pack and over all. Who calls it holds the question, so that each change is counted once. */
async function countTags(trx: Trx, packId: number, changes: readonly { id: number; by: number }[]): Promise<void> {
  // In one order, as whoever counts beside it takes them too.
  for (const { id, by } of [...changes].sort((one, other) => one.id - other.id)) {
    await trx
      .updateTable('qa_tags')
      .set(({ eb }) => ({ count: eb('count', '+', by) }))
      .where('id', '=', id)
      .execute();
    await trx
      .insertInto('qa_pack_tags')
      .values({ pack_id: packId, tag_id: id, count: by })
      .onConflict((conflict) =>
        conflict
          .columns(['pack_id', 'tag_id'])
          .doUpdateSet(({ eb, ref }) => ({ count: eb('qa_pack_tags.count', '+', ref('excluded.count')) })),
      )
      .execute();
  }
}

/**
 * The most used tags of listed questions, at most so many.
 * @param packIds of questions in these packs; null: in all of them
 * @param notAbout questions about these exam questions do not count
 */
export async function readMostUsedTags(
  query: Query,
  { packIds, notAbout, most }: { packIds: readonly number[] | null; notAbout: readonly number[]; most: number },
): Promise<{ id: number; tag: string; count: number }[]> {
  if (packIds === null)
    return query
      .selectFrom('qa_tags')
      .select(['id', 'tag', 'count'])
      .where('count', '>', 0)
      .orderBy('count', 'desc')
      .orderBy('id')
      .limit(most)
      .execute();
  const counts = new Map<number, number>();
  const packs = new Set(packIds);
  // Each pack is read along its index alone.
  for (const packId of packs)
    for (const { tag_id: id, count } of await query
      .selectFrom('qa_pack_tags')
      .select(['tag_id', 'count'])
      .where('pack_id', '=', packId)
      .where('count', '>', 0)
      .orderBy('count', 'desc')
      .orderBy('tag_id', 'desc')
      .limit(most)
      .execute())
      counts.set(id, (counts.get(id) ?? 0) + count);
  for (const some of inLists(notAbout))
    for (const { tag_id: id, pack_id: packId, count } of await query
      .selectFrom('qa_threads')
      .innerJoin('qa_thread_tags', 'qa_thread_tags.thread_id', 'qa_threads.id')
      .select(({ fn }) => ['qa_thread_tags.tag_id', 'qa_threads.pack_id', fn.countAll<number>().as('count')])
      .where('qa_threads.question_id', 'in', some)
      .where('qa_threads.listed', '=', 1)
      .groupBy(['qa_thread_tags.tag_id', 'qa_threads.pack_id'])
      .execute())
      if (packs.has(packId) && counts.has(id)) counts.set(id, (counts.get(id) ?? 0) - Number(count));
  const used = [...counts]
    .filter(([, count]) => count > 0)
    .sort(([one, many], [other, more]) => more - many || one - other)
    .slice(0, most);
  const names = new Map<number, string>();
  for (const some of inLists(used.map(([id]) => id)))
    for (const { id, tag } of await query.selectFrom('qa_tags').select(['id', 'tag']).where('id', 'in', some).execute())
      names.set(id, tag);
  return used.flatMap(([id, count]) => {
    const tag = names.get(id);
    return tag === undefined ? [] : { id, tag, count };
  });
}

/** The newest listed questions of packs with a tag. */
export async function findTagged(
  query: Query,
  packIds: readonly number[],
  tag: string,
  most: number,
): Promise<number[]> {
  const found: number[] = [];
  for (const some of inLists(packIds)) {
    const rows = await query
      .selectFrom('qa_tags')
      .innerJoin('qa_thread_tags', 'qa_thread_tags.tag_id', 'qa_tags.id')
      .innerJoin('qa_threads', 'qa_threads.id', 'qa_thread_tags.thread_id')
      .select('qa_threads.id')
      .where('qa_tags.tag', '=', tag)
      .where('qa_threads.listed', '=', 1)
      .where('qa_threads.pack_id', 'in', some)
      .orderBy('qa_threads.id', 'desc')
      .limit(most)
      .execute();
    found.push(...rows.map(({ id }) => id));
  }
  return found.sort((one, other) => other - one).slice(0, most);
}

// ---- hot keys ----

/** That somebody looked for a keyword and found something. */
export interface NotedSearch {
  keyword: string;
  userId: number;
  now: number;
}

/** Counts searches for the hot keys: each person once for each keyword. */
export async function noteSearches(trx: Trx, searches: readonly NotedSearch[]): Promise<void> {
  const people = new Map<string, number>();
  // In one order, as other processes take them too.
  const rows = searches
    .map(({ keyword, userId, now }) => ({ keyword, user_id: userId, searched_at: now }))
    .sort((one, other) =>
      one.keyword < other.keyword ? -1 : one.keyword > other.keyword ? 1 : one.user_id - other.user_id,
    );
  for (const some of batches(rows))
    for (const { keyword } of await trx
      .insertInto('qa_key_people')
      .values(some)
      .onConflict((conflict) => conflict.columns(['keyword', 'user_id']).doNothing())
      .returning('keyword')
      .execute())
      people.set(keyword, (people.get(keyword) ?? 0) + 1);
  for (const [keyword, count] of [...people].sort(([one], [other]) => (one < other ? -1 : 1)))
    await trx
      .insertInto('qa_keys')
      .values({ keyword, people: count })
      .onConflict((conflict) =>
        conflict
          .column('keyword')
          .doUpdateSet(({ eb, ref }) => ({ people: eb('qa_keys.people', '+', ref('excluded.people')) })),
      )
      .execute();
}

/** What at least so many people looked for, the most often first. */
export async function readHotKeys(
  query: Query,
  { people, most }: { people: number; most: number },
): Promise<{ keyword: string; count: number }[]> {
  const rows = await query
    .selectFrom('qa_keys')
    .select(['keyword', 'people as count'])
    .where('people', '>=', people)
    .orderBy('people', 'desc')
    .orderBy('keyword')
    .limit(most)
    .execute();
  return rows;
}

/** Forgets searches from before a time, so that what is hot is what is looked for now. */
export async function forgetSearches(trx: Trx, before: number, most: number): Promise<number> {
  const old = await trx
    .selectFrom('qa_key_people')
    .select(['keyword', 'user_id'])
    .where('searched_at', '<', before)
    .orderBy('searched_at')
    .limit(most)
    .execute();
  const people = new Map<string, number>();
  for (const { keyword, user_id } of old) {
    const gone = await trx
      .deleteFrom('qa_key_people')
      .where('keyword', '=', keyword)
      .where('user_id', '=', user_id)
      .returning('keyword')
      .execute();
    if (gone.length > 0) people.set(keyword, (people.get(keyword) ?? 0) + 1);
  }
  for (const [keyword, count] of [...people].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await trx
      .updateTable('qa_keys')
      .set(({ eb }) => ({ people: eb('people', '-', count) }))
      .where('keyword', '=', keyword)
      .execute();
    await trx.deleteFrom('qa_keys').where('keyword', '=', keyword).where('people', '<=', 0).execute();
  }
  return old.length;
}
