import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RowOutcome, RowQuestion } from '#content/question-row.ts';
import { FileRefused } from '#content/sheet.ts';
import { readSpreadsheet } from '#content/spreadsheet.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { raiseVersions, syncChapterPractice } from './import-exams-store.ts';
import { BATCH, type QuestionChanges, SHEET, syncCases, syncQuestions } from './import-questions-store.ts';
import { chapterFinder, syncPack } from './import-tree-store.ts';

/** A row that was not imported. */
export type RejectedRow = Extract<RowOutcome, { ok: false }>;

interface SpreadsheetImport {
  file: string;
  /** Slug of the pack that gets the questions. */
  pack: string;
  /** Slug of the course in it; may be left out when the pack has one course. */
  course?: string | undefined;
  /** Name under which the pack is made when there is none of that slug; left out: a missing pack is refused. */
  packName?: string | undefined;
  /** Import the good rows although there are bad ones. */
  keepGood?: boolean | undefined;
  /** Do everything and take it back. */
  dryRun?: boolean | undefined;
  /** Gets every rejected row, in order. */
  rejected?: (row: RejectedRow) => void;
  /** Gets how far it is: rows read in the first step, questions written in the second. */
  progress?: (step: 'read' | 'write', done: number, of: number | null) => void;
  /** Stops the import; nothing stays. */
  signal?: AbortSignal | undefined;
}

export interface SpreadsheetReport extends Omit<QuestionChanges, 'changedIds'> {
  good: number;
  bad: number;
  /** Sentences in Chinese worth saying: sheets and columns that were not read. */
  notes: string[];
  /** False when bad rows kept everything out. */
  imported: boolean;
}

/** Ends a dry run's transaction with what it would have done. */
class TakenBack extends Error {
  readonly changes: QuestionChanges;
  constructor(changes: QuestionChanges) {
    super('dry run');
    this.changes = changes;
  }
}

/**
 * Imports questions from xlsx or CSV (docs/guide/question-spreadsheet.md). The file is first read and checked as a
 * stream into a temporary file, then written in one transaction: bad rows are known before anything is locked, and the
 * lock is short. With bad rows nothing is imported, unless `keepGood`.
 * @throws FileRefused with a Chinese sentence: the file cannot be read, or the pack or course does not exist
 */
export async function importSpreadsheet(db: Db, task: SpreadsheetImport): Promise<SpreadsheetReport> {
  await findTarget(db.query, task);
  const folder = await mkdtemp(join(tmpdir(), 'lixue-import-'));
  try {
    const spool = join(folder, 'questions.ndjson');
    const report: SpreadsheetReport = {
      good: 0,
      bad: 0,
      added: 0,
      changed: 0,
      unchanged: 0,
      notes: [],
      imported: false,
    };
    await pipeline(
      Readable.from(checked(task, report), { objectMode: true, highWaterMark: 64 }),
      createWriteStream(spool),
    );
    task.progress?.('read', report.good + report.bad, report.good + report.bad);
    if (report.good === 0 && report.bad === 0) throw new FileRefused('表头下面没有任何试题');
    if (report.good === 0 || (report.bad > 0 && !task.keepGood)) return report;
    const { changedIds: _, ...changes } = await write(db, task, spool, report.good);
    return { ...report, ...changes, imported: !task.dryRun };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the file; good rows go on as lines of JSON, bad ones are told. */
async function* checked(task: SpreadsheetImport, report: SpreadsheetReport): AsyncGenerator<string> {
  let lines = '';
  for await (const outcome of readSpreadsheet(task.file, report.notes)) {
    if (outcome.ok) {
      report.good += 1;
      // U+2028 and U+2029 are line ends to the reader of these lines, and none in JSON.
      lines += `${JSON.stringify(outcome.question).replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`)}\n`;
    } else {
      report.bad += 1;
      task.rejected?.(outcome);
    }
    if ((report.good + report.bad) % 100 !== 0) continue;
    task.signal?.throwIfAborted();
    task.progress?.('read', report.good + report.bad, null);
    if (lines) yield lines;
    lines = '';
  }
  if (lines) yield lines;
}

async function write(db: Db, task: SpreadsheetImport, spool: string, total: number): Promise<QuestionChanges> {
  try {
    return await db.transaction(async (trx) => {
      const changes = await writeAll(trx, task, spool, total);
      if (task.dryRun) throw new TakenBack(changes);
      return changes;
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.changes;
    throw error;
  }
}

/** The spooled questions in batches. */
async function* spooled(spool: string): AsyncGenerator<RowQuestion[]> {
  let batch: RowQuestion[] = [];
  for await (const line of createInterface({ input: createReadStream(spool), crlfDelay: Number.POSITIVE_INFINITY })) {
    batch.push(JSON.parse(line) as RowQuestion);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const caseKey = (material: string) => SHEET + createHash('sha256').update(material).digest('hex').slice(0, 32);

async function writeAll(trx: Trx, task: SpreadsheetImport, spool: string, total: number): Promise<QuestionChanges> {
  const { packId, courseId } = await openTarget(trx, task);
  const chapterOf = await chapterFinder(trx, packId, courseId);
  const last = await trx
    .selectFrom('questions')
    .select((one) => one.fn.max('position').as('position'))
    .where('pack_id', '=', packId)
    .executeTakeFirst();
  let position = Number(last?.position ?? 0);
  const sum: QuestionChanges = { added: 0, changed: 0, unchanged: 0, changedIds: [] };
  let done = 0;
  for await (const batch of spooled(spool)) {
    task.signal?.throwIfAborted();
    const materials = new Map(
      batch.filter(({ material }) => material).map(({ material }) => [caseKey(material), material]),
    );
    const cases = await syncCases(
      trx,
      packId,
      [...materials].map(([key, text]) => ({ key, title: '材料', text })),
    );
    const placed = [];
    for (const question of batch) {
      const caseId = question.material ? (cases.ids.get(caseKey(question.material)) ?? null) : null;
      const chapterId = await chapterOf(question.chapter);
      placed.push({ ...question, place: { chapterId, caseId, material: question.material || null, position: null } });
    }
    const changes = await syncQuestions(trx, packId, placed, () => {
      position += 1;
      return position;
    });
    sum.added += changes.added;
    sum.changed += changes.changed;
    sum.unchanged += changes.unchanged;
    sum.changedIds.push(...changes.changedIds);
    done += batch.length;
    task.progress?.('write', done, total);
  }
  if (sum.added + sum.changed > 0) {
    await syncChapterPractice(trx, packId);
    await raiseVersions(trx, sum.changedIds, []);
  }
  return sum;
}

interface Target {
  packId: number;
  courseId: number;
}

/** Finds the pack and course; null: the pack does not exist and shall be made. */
async function findTarget(query: Query, { pack: slug, course, packName }: SpreadsheetImport): Promise<Target | null> {
  const pack = await query.selectFrom('packs').select('id').where('slug', '=', slug).executeTakeFirst();
  if (!pack) {
    if (!/^[a-z0-9-]{1,64}$/.test(slug))
      throw new FileRefused(`题库包名“${slug}”只能用小写字母、数字和连字符，最多 64 个`);
    if (packName) return null;
    const known = await query
      .selectFrom('packs')
      .select('slug')
      .where('archived', '=', 0)
      .orderBy('position')
      .execute();
    const list = known.length > 0 ? `现有：${known.map((one) => one.slug).join('、')}` : '现在还没有任何题库包';
    throw new FileRefused(`没有题库包“${slug}”（${list}）。要新建它，请加上 --name 名称`);
  }
  const courses = await query
    .selectFrom('courses')
    .select(['id', 'slug'])
    .where('pack_id', '=', pack.id)
    .where('archived', '=', 0)
    .orderBy('position')
    .execute();
  const [only] = courses;
  const found = course === undefined && courses.length === 1 ? only : courses.find((one) => one.slug === course);
  if (found) return { packId: pack.id, courseId: found.id };
  const list = courses.map((one) => one.slug).join('、') || '没有课程';
  throw new FileRefused(
    course === undefined
      ? `题库包“${slug}”有几门课程（${list}），请用 --course 指明一门`
      : `题库包“${slug}”里没有课程“${course}”（现有：${list}）`,
  );
}

/** Finds the pack and course inside the transaction, or makes them: a pack of its own begins closed to enrolment. */
async function openTarget(trx: Trx, task: SpreadsheetImport): Promise<Target> {
  const there = await findTarget(trx, task);
  if (there) {
    // Locks the row, so that two imports into one pack follow each other.
    await trx
      .updateTable('packs')
      .set((one) => ({ slug: one.ref('slug') }))
      .where('id', '=', there.packId)
      .execute();
    return there;
  }
  const name = task.packName ?? task.pack;
  const { id: packId } = await syncPack(trx, {
    slug: task.pack,
    name,
    summary: '',
    description: '',
    examDate: null,
    enrol: 'closed',
    unlock: 'free',
  });
  const course = { pack_id: packId, slug: task.course ?? task.pack, name, position: 1 };
  // Another import may have made pack and course since they were looked for.
  const { id } = await trx
    .insertInto('courses')
    .values(course)
    .onConflict((conflict) => conflict.columns(['pack_id', 'slug']).doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { packId, courseId: id };
}
