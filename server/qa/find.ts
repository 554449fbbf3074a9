import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { HotKeys, RecommendReply, SearchQuestions, SearchTags } from '#contract/qa.ts';
import { QA_MOST_HITS } from '#contract/values/qa.ts';
import type { Place } from '#rules/paging/place.ts';
import { highlightsOf, likeness, likenessTerms, matches, type Search, searchOf } from '#rules/qa/terms.ts';
import { wordsIn } from '#rules/qa/words.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import { listPacks } from '#server/course/pack-store.ts';
import type { Query } from '#server/db/open.ts';
import {
  findLike,
  findTagged,
  findWithAll,
  type NotedSearch,
  readFound,
  readHotKeys,
  readMostUsedTags,
} from './find-store.ts';
import { amongQueue, askedAbout, type QueueFilter } from './list-store.ts';
import { boundOf, findVisible, type Person, packsFor, viewerOf } from './look.ts';
import { heldWordList, type QaParts } from './parts.ts';
import { showThreads } from './show.ts';
import { readEntries, readThreads } from './store.ts';

type Refusal = { ok: false; why: Why };

/** What is shown as hot was looked for by so many people: fewer would tell of one of them. */
const HOT_FROM = 3;
const MOST_HOT = 10;
/** A text of which this share is another's is asked the same; and of so many the most alike are compared. */
const ALIKE = 0.18;
const COMPARED = 60;
const MOST_ALIKE = 5;
const MOST_TAGS = 20;
const TAGS_LOOKED_AT = 2000;

interface Looked {
  packIds: readonly number[];
  search: Search;
  tag: string;
  notAbout: number[];
  /** What was asked or answered from this id on is passed over. */
  beforeId: number | undefined;
}

/** Ids of the questions that have what is looked for, the best first; and the id of the newest that was looked at in them. */
async function findIds(
  query: Query,
  { packIds, search, tag, notAbout, beforeId }: Looked,
): Promise<{ ids: number[]; newestId: number | null }> {
  let ids: number[] = [];
  if (search.terms.length > 0)
    for (const packId of packIds) ids.push(...(await findWithAll(query, packId, search.terms)));
  if (tag !== '') {
    const tagged = await findTagged(query, packIds, tag, 10 * QA_MOST_HITS);
    const has = new Set(tagged);
    ids = search.terms.length > 0 ? ids.filter((id) => has.has(id)) : tagged;
  }
  // Among the newest: texts are read of so many at most.
  ids.sort((one, other) => other - one);
  const older = beforeId === undefined ? ids : ids.filter((id) => id < beforeId);
  const found = await readFound(query, older.slice(0, 2 * QA_MOST_HITS), notAbout, beforeId);
  const best = found
    .map((question) => ({ ...question, ...matchOf(question, search) }))
    .filter(({ has }) => has.found || search.terms.length === 0)
    .sort(
      (one, other) =>
        Number(other.asks) - Number(one.asks) ||
        Number(other.has.phrase) - Number(one.has.phrase) ||
        Number(other.answered) - Number(one.answered) ||
        other.id - one.id,
    )
    .slice(0, QA_MOST_HITS);
  return {
    ids: best.map(({ id }) => id),
    newestId: best.length === 0 ? null : Math.max(...best.map(({ newestId }) => newestId)),
  };
}

/** What of a question is looked for: it may stand partly in its answers; what is asked itself goes before. */
function matchOf({ text, answers }: { text: string; answers: string }, search: Search) {
  const own = matches(text, search);
  return own.found ? { asks: true, has: own } : { asks: false, has: matches(text + answers, search) };
}

/** What teachers look for by words, in the order of the queue. */
export async function findForTeachers(query: Query, filter: QueueFilter, search: Search): Promise<Place[]> {
  if (search.terms.length === 0) return [];
  const packIds = filter.packId === undefined ? (await listPacks(query)).map(({ packId }) => packId) : [filter.packId];
  const ids: number[] = [];
  for (const packId of packIds) ids.push(...(await findWithAll(query, packId, search.terms)));
  const shown = await amongQueue(query, filter, ids);
  const looked = shown.slice(0, 2 * QA_MOST_HITS).map(({ id }) => id);
  const found = await readFound(query, looked, null);
  const has = new Set(found.filter((question) => matchOf(question, search).has.found).map(({ id }) => id));
  return shown.filter(({ id }) => has.has(id)).slice(0, QA_MOST_HITS);
}

/** A page of what a search finds. */
export async function searchQuestions(
  parts: QaParts,
  person: Person,
  {
    packId,
    keyword: typed,
    tag: typedTag,
    pageNum,
    pageSize,
    beforeId,
    now,
    isMeant,
  }: InputOf<typeof SearchQuestions> & { now: number; isMeant: boolean },
): Promise<{ ok: true; page: DataOf<typeof SearchQuestions> } | Refusal> {
  const { query } = parts.db;
  const open = await packsFor(parts, person, packId);
  if (!open.ok) return open;
  const viewer = await viewerOf(parts, person);
  const [keyword, tag] = [tidyText(typed), tidyText(typedTag)];
  const search = searchOf(keyword);
  const nothing = search.terms.length === 0 && (keyword !== '' || tag === '');
  const notAbout = await askedAbout(query, viewer.hidden);
  const { ids, newestId } = nothing
    ? { ids: [], newestId: null }
    : await findIds(query, { packIds: open.packIds, search, tag, notAbout, beforeId });
  const shown = ids.slice((pageNum - 1) * pageSize, pageNum * pageSize);
  const questions = await showThreads(query, await readThreads(query, shown), viewer);
  // A link that somebody was led to looks for nothing: others would be shown what its writer chose.
  if (isMeant && ids.length > 0 && pageNum === 1 && !viewer.teacher)
    await noteSearch(parts, { keyword: search.phrase, userId: person.userId, now });
  return {
    ok: true,
    page: {
      list: questions.map((question) => ({
        ...question,
        highlights: highlightsOf(question.feedbackDesc, search),
        answerHighlights: question.childList.flatMap(({ id, kind, hidden, feedbackDesc }) => {
          const spans = kind === 'answer' && !hidden ? highlightsOf(feedbackDesc, search) : [];
          return spans.length === 0 ? [] : [{ id, spans }];
        }),
      })),
      total: ids.length,
      pages: Math.ceil(ids.length / pageSize),
      pageNum,
      beforeId: boundOf(beforeId, newestId),
    },
  };
}

/** Remembers for the hot keys what somebody found something with; nothing with a word that is held. */
async function noteSearch({ db, searches }: QaParts, search: NotedSearch): Promise<void> {
  const length = [...search.keyword].length;
  if (length < 2 || length > 20 || wordsIn(search.keyword, await heldWordList(db.query)).length > 0) return;
  searches.add(search);
}

/** What several people looked for lately. Who sits a scored exam is told nothing that others type meanwhile. */
export async function readHot(parts: QaParts, person: Person): Promise<DataOf<typeof HotKeys>> {
  const viewer = await viewerOf(parts, person);
  if (viewer.hidden.size > 0) return { list: [] };
  const list = await readHotKeys(parts.db.query, { people: HOT_FROM, most: MOST_HOT });
  const words = await heldWordList(parts.db.query);
  return { list: list.filter(({ keyword }) => wordsIn(keyword, words).length === 0) };
}

/** Tags of questions that a person may see, by what is typed, else the most used ones. */
export async function searchTags(
  parts: QaParts,
  person: Person,
  { packId, keyword: typed }: InputOf<typeof SearchTags>,
): Promise<{ ok: true; found: DataOf<typeof SearchTags> } | Refusal> {
  const seen = await tagsSeenBy(parts, person, packId);
  if (!seen.ok) return seen;
  const search = searchOf(tidyText(typed));
  const { tags } = seen;
  const list = search.phrase === '' ? tags : tags.filter(({ tag }) => searchOf(tag).phrase.includes(search.phrase));
  return { ok: true, found: { list: list.slice(0, MOST_TAGS) } };
}

/** The tags of questions that a person may see now, the most used first: of a school that has some hundreds all of them. */
export async function tagsSeenBy(
  parts: QaParts,
  person: Person,
  packId: number | undefined,
): Promise<{ ok: true; tags: { id: number; tag: string; count: number }[] } | Refusal> {
  const { query } = parts.db;
  const open = await packsFor(parts, person, packId);
  if (!open.ok) return open;
  const viewer = await viewerOf(parts, person);
  const tags = await readMostUsedTags(query, {
    packIds: viewer.teacher && packId === undefined ? null : open.packIds,
    notAbout: await askedAbout(query, viewer.hidden),
    most: TAGS_LOOKED_AT,
  });
  return { ok: true, tags };
}

/** Questions like one that is being typed, or like one that was asked. */
export async function recommendReplies(
  parts: QaParts,
  person: Person,
  { packId, id, feedbackDesc: typed }: InputOf<typeof RecommendReply>,
): Promise<{ ok: true; found: DataOf<typeof RecommendReply> } | Refusal> {
  const { query } = parts.db;
  let [text, asked] = [tidyText(typed), packId];
  if (id !== undefined) {
    const found = await findVisible(parts, person, id);
    if (!found.ok) return found;
    text = (await readEntries(query, [id])).get(id)?.feedback_desc ?? '';
    asked ??= found.thread.pack_id;
  }
  const open = await packsFor(parts, person, asked);
  if (!open.ok) return open;
  const viewer = await viewerOf(parts, person);
  const alike = await findAlike(query, open.packIds, text, await askedAbout(query, viewer.hidden));
  const ids = alike.filter((other) => other !== id).slice(0, MOST_ALIKE);
  const search = { ...searchOf(text), phrase: '' };
  const list = await showThreads(query, await readThreads(query, ids), viewer);
  return {
    ok: true,
    found: {
      list: list.map(({ childList, ...question }) => {
        const answer = childList
          .filter(({ kind, hidden }) => kind === 'answer' && !hidden)
          .sort((one, other) => other.flagCount - one.flagCount || other.id - one.id)[0];
        return {
          id: question.id,
          feedbackDesc: question.feedbackDesc,
          highlights: highlightsOf(question.feedbackDesc, search),
          answer: answer?.feedbackDesc ?? '',
          userName: answer?.userName ?? '',
          createTime: question.createTime,
          flag: question.flag,
          flagCount: question.flagCount,
        };
      }),
    },
  };
}

/** Listed questions that ask much the same as a text, the most alike first. @param notAbout null: also those that teachers alone see */
export async function findAlike(
  query: Query,
  packIds: readonly number[],
  text: string,
  notAbout: readonly number[] | null,
): Promise<number[]> {
  const terms = likenessTerms(text);
  if (terms.length < 2) return [];
  const near: { id: number; weight: number }[] = [];
  for (const packId of packIds) near.push(...(await findLike(query, packId, terms, COMPARED)));
  near.sort((one, other) => other.weight - one.weight || other.id - one.id);
  const found = await readFound(
    query,
    near.slice(0, COMPARED).map(({ id }) => id),
    notAbout,
  );
  return found
    .map((question) => ({ ...question, alike: likeness(terms, likenessTerms(question.text)) }))
    .filter(({ alike }) => alike >= ALIKE)
    .sort((one, other) => other.alike - one.alike || Number(other.answered) - Number(one.answered) || other.id - one.id)
    .map(({ id }) => id);
}
