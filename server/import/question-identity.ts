import type { FileHandle } from 'node:fs/promises';
import { nextKey } from '#content/question/content-key.ts';
import { placeOf, plainStart } from '#content/question/duplicates.ts';
import type { RejectedRow, SpooledQuestion, WarnedRow } from '#content/question/file-question.ts';
import { TYPE_NAMES } from '#content/question/question.ts';
import { readSpool } from '#content/question/question-spool.ts';
import { FileRefused } from '#content/sheet/sheet.ts';
import type { QuestionType } from '#rules/exam/answer.ts';
import { differenceOf, isWhollyOther, type QuestionPart, type ToldBy } from '#rules/exam/same-question.ts';
import type { Query, Trx } from '#server/db/open.ts';
import {
  findFolderKeys,
  findSheetQuestions,
  readSheetQuestions,
  type SheetQuestion,
} from '#server/exam/paper/sheet-question-store.ts';
import { type NearPair, NearRows } from './near-questions.ts';

/** What becomes of rows that are probably the correction of a stored question: they change it, or they are questions of their own. */
export const correctionAnswers = ['take', 'new'] as const;
export type CorrectionAnswer = (typeof correctionAnswers)[number];

/** What the operator says of such rows. */
export interface IdentityAnswer {
  /** null: nothing, so they are refused. */
  corrections: CorrectionAnswer | null;
  /** Rows for which the other answer holds: `5`, or `sheet!5`. */
  except: readonly string[];
}

/** A stored question that the file no longer has. */
export interface GoneQuestion {
  key: string;
  schoolKey: string | null;
  /** The beginning of its text. */
  topic: string;
}

/** Which stored question each row of a file is. */
export interface IdentityPlan {
  /** By the key of a row: the one under which it is stored, where that is another. */
  keys: ReadonlyMap<string, string>;
  /** By that key: what is stored there asks, so that a change meanwhile is noticed; null: nothing is stored there. */
  expected: ReadonlyMap<string, string | null>;
  /** By that key: the chapter in which what is stored there stands. */
  chapters: ReadonlyMap<string, number>;
  /** Rows that cannot be taken, by their keys. */
  left: ReadonlyMap<string, RejectedRow>;
  /** How many of them are probably the correction of a stored question, and wait for an answer. */
  undecided: number;
  warned: readonly WarnedRow[];
  /** Questions on offer of the course that stand in no row. */
  gone: readonly GoneQuestion[];
}

/** Less alike than this, a row beside the question that another row is, is another question and no forgotten correction. */
const WARNED = 0.85;

const PARTS: Readonly<Record<QuestionPart, string>> = {
  type: '题型',
  topic: '题干',
  options: '选项',
  material: '材料',
};

/** A row as far as everybody has to know it. */
interface Row {
  sheet: string;
  row: number;
  key: string;
  schoolKey: string | null;
  /** The beginning of its text. */
  topic: string;
}

type Light = Pick<SheetQuestion, 'id' | 'key' | 'asks' | 'schoolKey' | 'chapterId' | 'archived'>;
const light = ({ id, key, asks, schoolKey, chapterId, archived }: SheetQuestion): Light => ({
  ...{ id, key, asks },
  ...{ schoolKey, chapterId, archived },
});

/**
 * Finds which stored question each row of a checked file is (docs/decisions/068): by the school's key (编号), else by what it asks (type,
 * text, options, material). A row that is neither and differs in one part from a stored question that no row is, is probably its
 * correction: it changes that question, or becomes one of its own, as the operator says, and is refused where nothing is said. Writes
 * nothing; `stillStands` asks in the transaction whether it still holds.
 * @param ofCourse the chapters in which a question counts as gone
 */
export async function planIdentities(
  query: Query,
  packId: number,
  spool: FileHandle,
  { corrections, except }: IdentityAnswer,
  ofCourse: ReadonlySet<number>,
): Promise<IdentityPlan> {
  const rows = await readRows(spool);
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const bySchoolKey = new Map(rows.flatMap((row) => (row.schoolKey === null ? [] : [[row.schoolKey, row]])));
  const inFolder = await findFolderKeys(query, packId, [...bySchoolKey.keys()]);

  const keyed = new Map<string, Light>();
  const same = new Map<string, Light[]>();
  const held = new Set<string>();
  for await (const some of readSheetQuestions(query, packId))
    for (const stored of some) {
      if (byKey.has(stored.key)) held.add(stored.key);
      if (stored.schoolKey !== null && bySchoolKey.has(stored.schoolKey)) keyed.set(stored.schoolKey, light(stored));
      if (byKey.has(stored.asks)) same.set(stored.asks, [...(same.get(stored.asks) ?? []), light(stored)]);
    }

  const left = new Map<string, RejectedRow>();
  const reject = (row: Row | SpooledQuestion, why: string) =>
    left.set(row.key, { ok: false, sheet: row.sheet, row: row.row, why: [why], topic: plainStart(row.topic) });
  /** By the key of what is stored: the row that it is. */
  const claimed = new Map<string, Row>();
  const storedOf = new Map<string, Light>();
  const claim = (row: Row, stored: Light) => {
    claimed.set(stored.key, row);
    storedOf.set(row.key, stored);
  };
  for (const row of rows) {
    if (row.schoolKey === null) continue;
    if (inFolder.has(row.schoolKey))
      reject(row, `编号“${row.schoolKey}”是课程包文件夹里一道题的 key：请在文件夹里改它，或换一个编号`);
    const stored = keyed.get(row.schoolKey);
    if (stored) claim(row, stored);
  }
  for (const row of rows) {
    if (storedOf.has(row.key)) continue;
    // What is on offer before what was taken out.
    const free = (same.get(row.key) ?? [])
      .filter(({ key }) => !claimed.has(key))
      .sort((a, b) => Number(a.archived) - Number(b.archived));
    const stored = free.find(({ schoolKey }) => row.schoolKey === null || schoolKey === null) ?? free[0];
    if (!stored) continue;
    if (row.schoolKey !== null && stored.schoolKey !== null)
      reject(row, `这道题在题库里的编号是“${stored.schoolKey}”，这一行写的是“${row.schoolKey}”`);
    claim(row, stored);
  }
  const answers = new Answers(corrections, except);
  let undecided = 0;
  for (const row of rows) {
    const stored = storedOf.get(row.key);
    if (!stored || stored.asks === row.key) continue;
    const twins = (same.get(row.key) ?? []).filter(({ key, archived }) => key !== stored.key && !archived);
    const twin = twins.find(({ key }) => !claimed.has(key));
    if (twin) reject(row, `改成了与题库里另一道题一样${keyName(twin)}`);
    else if (twins[0] && answers.of(row) !== 'take') {
      // Keys that were numbered anew would put the records of each question under the text of another.
      if (answers.of(row) === null) undecided += 1;
      reject(
        row,
        `这道题在题库里的编号是“${twins[0].schoolKey ?? ''}”，这里写的“${row.schoolKey ?? ''}”在题库里是另一道题：编号像是重新排过，请改回原来的；若是改写，按更正处理`,
      );
    }
  }

  const near = new NearRows();
  const rewritten = new Map<string, SpooledQuestion>();
  for await (const some of readSpool(spool, ROWS_AT_ONCE))
    for (const row of some) {
      const stored = storedOf.get(row.key);
      if (!stored && !left.has(row.key)) near.add(row);
      else if (stored && stored.asks !== row.key) rewritten.set(stored.key, row);
    }

  const unclaimed: (GoneQuestion & { id: number; isGone: boolean })[] = [];
  const isEmpty = near.size === 0 && rewritten.size === 0;
  for await (const some of readSheetQuestions(query, packId))
    for (const stored of some) {
      const row = rewritten.get(stored.key);
      if (row && !left.has(row.key) && isWhollyOther(stored, row) && answers.of(row) !== 'take') {
        if (answers.of(row) === null) undecided += 1;
        reject(
          row,
          `编号“${row.schoolKey ?? ''}”在题库里是另一道题“${plainStart(stored.topic)}”：若是改写，按更正处理；若不是，请换一个编号`,
        );
      }
      if (!isEmpty && !(stored.archived && !claimed.has(stored.key))) near.pass(stored);
      if (claimed.has(stored.key)) continue;
      const { id, key, schoolKey, archived, topic, chapterId } = stored;
      unclaimed.push({ id, key, schoolKey, topic: plainStart(topic), isGone: !archived && ofCourse.has(chapterId) });
    }

  const warned = new Map<string, WarnedRow>();
  const pairs = near.found();
  const taken = new Set<string>();
  for (const pair of pairs) {
    const { row, stored } = pair;
    if (claimed.has(stored.key) || taken.has(row.key) || left.has(row.key)) continue;
    taken.add(row.key);
    const answer = answers.of(row);
    if (answer === 'new') continue;
    claim(row, light(stored));
    if (answer === 'take') continue;
    undecided += 1;
    reject(row, `可能是题库里“${plainStart(stored.topic)}”${keyName(stored)}的更正，${differing(pair)}`);
  }
  for (const { row, stored, match } of pairs) {
    const by = claimed.get(stored.key);
    if (!by || by.key === row.key || taken.has(row.key) || match.likeness < WARNED || match.onlyByRest) continue;
    taken.add(row.key);
    warned.set(row.key, {
      sheet: row.sheet,
      row: row.row,
      why: [`与${placeOf(by, row.sheet)}只有${PARTS[match.part]}不同，可能是它的更正；两题都会留在题库里`],
      topic: row.topic,
    });
  }
  // Of the same file again: what was answered the first time is stored as the row says it.
  answers.checkUsed(rows.filter((row) => storedOf.get(row.key)?.asks === row.key));

  const keys = new Map<string, string>();
  const expected = new Map<string, string | null>();
  const chapters = new Map<string, number>();
  for (const row of rows) {
    const stored = storedOf.get(row.key);
    let key = stored?.key ?? row.key;
    if (!stored) for (let turn = 1; held.has(key); turn += 1) key = nextKey(row.key, turn);
    if (key !== row.key) keys.set(row.key, key);
    expected.set(key, stored?.asks ?? null);
    if (stored) chapters.set(key, stored.chapterId);
  }
  const gone = unclaimed
    .filter(({ key, isGone }) => isGone && !claimed.has(key))
    .map(({ key, schoolKey, topic }) => ({ key, schoolKey, topic }));
  return {
    keys,
    expected,
    chapters,
    left: new Map(inOrder(rows, left)),
    undecided,
    warned: inOrder(rows, warned).map(([, row]) => row),
    gone,
  };
}

/** What is known of rows, in their order. */
const inOrder = <T>(rows: readonly Row[], of: ReadonlyMap<string, T>): [string, T][] =>
  rows.flatMap(({ key }) => {
    const known = of.get(key);
    return known === undefined ? [] : [[key, known]];
  });

/** Rows of the spool that are held at once. */
const ROWS_AT_ONCE = 500;

async function readRows(spool: FileHandle): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const some of readSpool(spool, ROWS_AT_ONCE))
    for (const { sheet, row, key, schoolKey, topic } of some)
      rows.push({ sheet, row, key, schoolKey, topic: plainStart(topic) });
  return rows;
}

const keyName = ({ schoolKey }: Pick<SheetQuestion, 'schoolKey'>) =>
  schoolKey === null ? '' : `（编号“${schoolKey}”）`;

/** In what a row differs from the stored question that it probably is. */
function differing({ row, stored, match: { part } }: NearPair): string {
  const shown: Readonly<Record<QuestionPart, (of: ToldBy) => string>> = {
    type: ({ type }) => TYPE_NAMES[type as QuestionType],
    topic: ({ topic }) => topic,
    options: ({ options }) =>
      Object.entries(options)
        .map(([letter, text]) => `${letter} ${text}`)
        .join(' '),
    material: ({ material }) => material,
  };
  const [before, after] = differenceOf(shown[part](stored), shown[part](row));
  return `只有${PARTS[part]}不同：原为“${before}”，现为“${after}”`;
}

/** What the operator said, row by row. */
class Answers {
  readonly #corrections: CorrectionAnswer | null;
  readonly #except: ReadonlySet<string>;
  /** Named rows that were asked about, by the name. */
  readonly #used = new Map<string, string>();

  constructor(corrections: CorrectionAnswer | null, except: readonly string[]) {
    this.#corrections = corrections;
    this.#except = new Set(except);
  }

  of({ sheet, row }: { sheet: string; row: number }): CorrectionAnswer | null {
    const name = [`${sheet}!${row}`, String(row)].find((one) => this.#except.has(one));
    if (name === undefined || this.#corrections === null) return this.#corrections;
    const before = this.#used.get(name);
    if (before !== undefined && before !== sheet)
      throw new FileRefused(`--except 里的 ${row} 在几张工作表里都有，请写成 ${sheet}!${row}`);
    this.#used.set(name, sheet);
    return this.#corrections === 'take' ? 'new' : 'take';
  }

  /**
   * @param stored rows that are stored as they stand: they may have been asked about by the import that stored them
   * @throws FileRefused where another row was named that nobody had to ask about: it is a slip of the pen
   */
  checkUsed(stored: readonly Row[]): void {
    const answered = new Set(stored.flatMap(({ sheet, row }) => [`${sheet}!${row}`, String(row)]));
    const idle = [...this.#except].find((name) => !this.#used.has(name) && !answered.has(name));
    if (idle !== undefined) throw new FileRefused(`--except 里的 ${idle} 不是可能的更正，没有导入`);
  }
}

/** Another import was faster. */
export class ChangedMeanwhile extends FileRefused {
  constructor() {
    super('题库在检查这份文件时被别的导入改动了，没有导入，请再试一次');
  }
}

/**
 * Asks, in the transaction that writes, whether what was planned still holds of these questions.
 * @throws ChangedMeanwhile
 */
export async function stillStands(
  trx: Trx,
  packId: number,
  keys: readonly string[],
  { expected }: Pick<IdentityPlan, 'expected'>,
): Promise<void> {
  const stored = new Map((await findSheetQuestions(trx, packId, keys)).map((one) => [one.key, one.asks]));
  if (keys.some((key) => (stored.get(key) ?? null) !== (expected.get(key) ?? null))) throw new ChangedMeanwhile();
}
