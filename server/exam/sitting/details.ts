import type { DataOf } from '#contract/call.ts';
import { ExamDetails } from '#contract/exam.ts';
import type { Layout } from '#rules/exam/shuffle.ts';
import type { ReadyJson } from '#server/http/answer.ts';
import { KeptText } from '#server/http/kept-text.ts';
import { jsonOf } from '#server/http/serialize.ts';
import { asShown, type Content, inOrder, sectionsInOrder } from '../paper/content.ts';
import { textsOf } from '../paper/question-texts.ts';
import type { ExamParts } from '../parts.ts';

/** Bytes of set formulas in memory at most, of some dozen papers full of them. */
const MOST_SET = 32 * 1024 * 1024;

interface DetailsReader {
  read(asked: { userId: number; recordId: number }): Promise<ReadyJson | null>;
  /** Begins to set the formulas of a paper that somebody starts: its details are asked for next. */
  prepare(examId: number, version: number): Promise<void>;
}

/**
 * Makes the reader of a record's paper. Whoever sees the paper in its own order gets the same bytes, so these are made
 * once for each version of a paper; only the record's id differs. Making them anew for each student is what a start
 * costs most: bench/exam-details.ts measures what this buys. Its formulas come set, for every order the same (decision 074).
 */
export function detailsReader({
  db,
  records,
  readContent,
  setFormulas,
}: Pick<ExamParts, 'db' | 'records' | 'readContent' | 'setFormulas'>): DetailsReader {
  const serialize = jsonOf<DataOf<typeof ExamDetails>>(ExamDetails.data);
  const head = '{"recordId":0,';
  /** Live as long as the paper they were made of is in its cache. */
  const rests = new WeakMap<Content, KeptText>();
  /** The formulas of papers, many times as long as their texts: of the papers that were asked for last. */
  const sets = new Map<Content, { set: Promise<KeptText>; bytes: number }>();
  let bytes = 0;

  function forget(content: Content): void {
    bytes -= sets.get(content)?.bytes ?? 0;
    sets.delete(content);
  }
  /** Counts what was set, where it is still wanted; past the bound the longest unused goes. */
  function weigh(content: Content, length: number): void {
    const kept = sets.get(content);
    if (!kept) return;
    kept.bytes = length;
    bytes += length;
    for (const oldest of sets.keys()) {
      if (bytes <= MOST_SET || oldest === content) break;
      forget(oldest);
    }
  }

  /** All of the answer between its beginning, where the record is named, and its formulas. */
  function restOf(content: Content, layout: Layout | null): KeptText {
    const json = serialize({
      recordId: 0,
      sections: sectionsInOrder(content, layout),
      questions: inOrder(content, layout).map((question) => asShown(question, layout)),
      cases: [...content.cases],
      ...(content.similar.length > 0 && { similar: [...content.similar] }),
    });
    if (!json.startsWith(head)) throw new Error('details do not begin with their record');
    return new KeptText(json.slice(head.length, -1));
  }

  /** The end of the answer. What was not set in time is set for the next who asks. */
  function formulasOf(content: Content): Promise<KeptText> {
    const known = sets.get(content);
    if (known !== undefined) {
      sets.delete(content);
      sets.set(content, known);
      return known.set;
    }
    const shown = content.questions.map((question) => asShown(question, null));
    const set = setFormulas(textsOf(shown, content.cases)).then(({ formulas, whole }) => {
      const text = new KeptText(formulas === undefined ? '}' : `,"formulas":${JSON.stringify(formulas)}}`);
      if (whole) weigh(content, text.bytes.length);
      else forget(content);
      return text;
    });
    sets.set(content, { set, bytes: 0 });
    set.catch(() => forget(content));
    return set;
  }

  async function read({ userId, recordId }: { userId: number; recordId: number }): Promise<ReadyJson | null> {
    const record = await records.find(userId, recordId);
    if (!record) return null;
    const content = await readContent(db.query, record.examId, record.version);
    const layout = await records.layout(db.query, record);
    let rest = layout === null ? rests.get(content) : undefined;
    if (rest === undefined) {
      rest = restOf(content, layout);
      if (layout === null) rests.set(content, rest);
    }
    return { json: [Buffer.from(`{"recordId":${recordId},`), rest, await formulasOf(content)] };
  }

  return {
    read,
    async prepare(examId, version) {
      await formulasOf(await readContent(db.query, examId, version));
    },
  };
}
