import type { FileHandle } from 'node:fs/promises';
import { materialKey, namedPaperKey, namedPaperKeyIn, schoolPaperKey } from '#content/question/content-key.ts';
import { placeOf } from '#content/question/duplicates.ts';
import type { CheckedPaperRow, FilePaperHead } from '#content/question/file-paper.ts';
import type { RejectedRow, WarnedRow } from '#content/question/file-question.ts';
import type { PaperColumn } from '#content/question/paper-columns.ts';
import { readSpool } from '#content/question/question-spool.ts';
import { RowReasons } from '#content/question/row-reasons.ts';
import type { SchoolScoredKind } from '#contract/values/exam.ts';
import {
  type ArrangeFault,
  agreed,
  arrangePaper,
  type HeadFault,
  headFaults,
  type SheetPaperRow,
  sumOf,
} from '#rules/exam/sheet-paper.ts';
import type { Query } from '#server/db/open.ts';
import { readPapers, type StoredPaper } from '#server/exam/paper/exam-store.ts';
import {
  findBySchoolKeys,
  findFolderKeys,
  findSchoolKeysElsewhere,
  type KeyedSheetQuestion,
  readCaseQuestions,
  readRetiredKeys,
} from '#server/exam/paper/sheet-question-store.ts';
import type { IdentityPlan } from './question-identity.ts';

/** A paper of a file, checked, with the keys under which its questions are stored. */
export interface PlannedPaper {
  key: string;
  /** The key that it has until now, where that is another. */
  formerKey: string | null;
  kind: SchoolScoredKind;
  name: string;
  year: number | null;
  minutes: number;
  partial: number | null;
  passScore: number | null;
  total: number;
  sections: { title: string; questions: { key: string; score: number }[] }[];
}

/** What the rows of papers of a file come to. */
export interface PaperPlan {
  papers: readonly PlannedPaper[];
  rejected: readonly RejectedRow[];
  warned: readonly WarnedRow[];
  /** Names of papers that have a row which cannot be taken. */
  left: readonly string[];
  /** Papers on offer of the course, from spreadsheets, that the file does not name; none where it names no paper at all. */
  gone: readonly { key: string; name: string }[];
}

/** A file that names no paper. */
const NO_PAPERS: PaperPlan = { papers: [], rejected: [], warned: [], left: [], gone: [] };

/** What was read of a file beside its questions. */
export interface FilePapers {
  rows: CheckedPaperRow[];
  /** Rows of papers that could not be read, with the name of the paper; '': they do not say it. */
  bad: { paper: string; sheet: string; row: number }[];
  /** Rows of questions that are none, as `sheet!row`. */
  badQuestions: Set<string>;
  /** Sheets with questions. */
  sheets: Set<string>;
}

/** A question of the file as far as papers need it. */
interface FileQuestion {
  key: string;
  score: number;
  caseKey: string | null;
}

/** The form in which names of papers are compared. */
export const nameForm = (name: string) => name.normalize('NFKC').toLowerCase();

/** The form in which names of sheets are compared. */
const sheetForm = (name: string) => name.normalize('NFKC').trim();

const KIND_NAMES: Readonly<Record<SchoolScoredKind, string>> = {
  mock: '模拟考试',
  past: '历年真题',
  timed: '限时测试',
};

const HEAD_COLUMNS: Readonly<Record<keyof FilePaperHead, PaperColumn>> = {
  paperKey: '试卷编号',
  kind: '类型',
  minutes: '时长',
  total: '总分',
  passScore: '及格分',
  year: '年份',
  partial: '部分得分',
};
const HEAD_FIELDS = Object.keys(HEAD_COLUMNS) as (keyof FilePaperHead)[];

/**
 * Makes papers of the rows of a file (docs/decisions/075): each finds the question that it names, in the file or in the pack, and the rows of one
 * paper are put in order. Every reason why a paper cannot be shown as the file shows it is a refused row. Writes nothing.
 * @param target null: the pack is made by this import
 */
export async function planPapers(
  query: Query,
  target: { packId: number; courseId: number } | null,
  { rows, bad, badQuestions, sheets }: FilePapers,
  spool: FileHandle,
  identity: Pick<IdentityPlan, 'keys' | 'left'>,
): Promise<PaperPlan> {
  if (rows.length === 0 && bad.length === 0) return NO_PAPERS;
  const file = await readFile(spool, identity);
  const finder = await questionFinder(query, target?.packId ?? null, rows, { file, badQuestions, sheets });
  const stored = target === null ? [] : await readPapers(query, target.packId);
  const retired = target === null ? new Set<string>() : await readRetiredKeys(query, target.packId);
  const told = new Told();

  const groups = new Map<string, { row: CheckedPaperRow; question: FileQuestion | null }[]>();
  for (const row of rows) {
    const form = nameForm(row.standing.paper);
    const found = finder(row);
    if (!found.ok) told.refuse(row, found.why, namingColumn(row));
    const group = groups.get(form);
    const member = { row, question: found.ok ? found.value : null };
    if (group) group.push(member);
    else groups.set(form, [member]);
  }
  const badNames = new Set(bad.map(({ paper }) => nameForm(paper)));
  const unsure = unsurePapers(rows, bad);

  const cases = new Map<string, Set<string>>();
  const named = [...groups.values()].flat().flatMap(({ question }) => (question?.caseKey ? [question.caseKey] : []));
  if (target !== null)
    for (const [key, keys] of await readCaseQuestions(query, target.packId, [...new Set(named)]))
      cases.set(key, new Set(keys));
  for (const { key, caseKey } of file.byKey.values())
    if (caseKey !== null) cases.set(caseKey, (cases.get(caseKey) ?? new Set()).add(key));

  const heads = new Map([...groups].map(([form, members]) => [form, agreedHead(members.map(({ row }) => row))]));
  const courseId = target?.courseId ?? null;
  const identities = identify(heads, stored, courseId);
  // One that another paper of this file is, gets its name from there.
  const others = new Set([...identities.values()].map(({ key, formerKey }) => formerKey ?? key));
  const namesakes = byForm(stored.filter((paper) => !paper.archived && !others.has(paper.key)));
  const storedAt = new Map(stored.map((paper) => [paper.key, paper]));

  const papers: PlannedPaper[] = [];
  const claimed = new Map<string, CheckedPaperRow>();
  for (const [form, members] of groups) {
    const [first] = members;
    const [head, identified] = [heads.get(form), identities.get(form)];
    if (!first || !head || !identified) continue;
    for (const { row, field, first: before } of head.differing)
      told.refuse(
        row,
        `“${HEAD_COLUMNS[field]}”和${placeOf(before, row.sheet)}写的不一样，同一份试卷只能有一个（写一次就够了）`,
        HEAD_COLUMNS[field],
      );
    const { name, keyed } = { name: first.row.standing.paper, keyed: head.value.paperKey };
    for (const { row } of members)
      if (row.standing.paper !== name)
        told.refuse(
          row,
          `试卷名称“${row.standing.paper}”和${placeOf(first.row, row.sheet)}的“${name}”只有大小写或全角半角不同，请写成一样`,
          '试卷',
        );
    const twin = claimed.get(identified.key);
    if (twin)
      told.refuse(
        first.row,
        `试卷编号“${keyed ?? ''}”在${placeOf(twin, first.row.sheet)}已经给了试卷“${twin.standing.paper}”`,
        '试卷编号',
      );
    claimed.set(identified.key, first.row);
    const known = storedAt.get(identified.key);
    if (known && known.courseId !== courseId)
      told.refuse(
        first.row,
        `试卷编号“${keyed ?? ''}”是这个课程包另一门课里的试卷“${known.name}”的：那门课的试卷请用 --course 导入，这里请换一个试卷编号`,
        '试卷编号',
      );
    // A paper of the folder that names no course stands in each of them.
    const same = namesakes.get(form)?.find((paper) => paper.courseId === null || paper.courseId === courseId);
    if (same)
      told.refuse(
        first.row,
        same.ofSheet
          ? `课程包里已有另一份试卷叫“${name}”，它的试卷编号不是这一个：请改名，或写原来的试卷编号`
          : `课程包的文件夹里已有一份试卷叫“${name}”，请在文件夹里改它，或改名`,
        '试卷',
      );
    const standing = members.flatMap(
      ({ row, question }): (SheetPaperRow & { at: CheckedPaperRow; found: FileQuestion })[] =>
        question === null
          ? []
          : [
              {
                question: question.key,
                section: row.standing.section,
                order: row.standing.order,
                score: row.standing.score ?? question.score,
                at: row,
                found: question,
              },
            ],
    );
    // Where a total is written the sum tells whether a row is missing.
    const isUnsure = unsure.has(form) && head.value.total === null;
    const isWhole = standing.length === members.length && !badNames.has(form) && !isUnsure;
    const arranged = arrangePaper(standing);
    for (const fault of arranged.faults) {
      const [at, other] = [standing[fault.row]?.at, standing[fault.other]?.at];
      if (at && other) told.refuse(at, arrangeSentence(fault, at, other), ARRANGED_BY[fault.why] ?? namingColumn(at));
    }
    const sum = sumOf(standing);
    for (const fault of headFaults(head.value, sum)) {
      // What depends on rows that are refused themselves would only lead astray.
      if (!isWhole && (fault.why === 'total' || fault.why === 'passAbove')) continue;
      const at =
        fault.why === 'total' ? head.rowOf('total') : fault.why === 'passAbove' ? head.rowOf('passScore') : first.row;
      told.refuse(at, headSentence(fault, name, head.value, sum), SAID_IN[fault.why]);
    }
    if (standing.length > 0 && standing.every(({ question }) => retired.has(question)))
      told.refuse(
        first.row,
        `试卷“${name}”的题都是人工停用的，学员什么也看不到（恢复用 question restore）`,
        namingColumn(first.row),
      );
    if (isWhole) {
      if (arranged.skipped.length > 0)
        told.warn(first.row, `试卷“${name}”的顺序里没有 ${arranged.skipped.join('、')}，是不是漏了题`, '顺序');
      for (const { question, at, score } of standing)
        if (retired.has(question))
          told.warn(
            at,
            `这道题是人工停用的，试卷里不出现，学员看到的总分少 ${score} 分（恢复用 question restore）`,
            namingColumn(at),
          );
      const [only, other] = arranged.sections;
      if (only && !other && only.title !== '')
        told.warn(first.row, `试卷“${name}”只有一个大题，学员不会看到大题的名称“${only.title}”`, '大题');
      const inPaper = new Set(standing.map(({ question }) => question));
      for (const { at, missing } of brokenCases(standing, inPaper, cases))
        told.warn(at, `这道题的材料还有 ${missing} 题没有放进试卷“${name}”`, namingColumn(at));
    }
    if (
      !isWhole ||
      members.some(({ row }) => told.isRefused(row)) ||
      head.value.kind === null ||
      head.value.minutes === null
    )
      continue;
    papers.push({
      ...identified,
      kind: head.value.kind,
      name,
      year: head.value.year,
      minutes: head.value.minutes,
      partial: head.value.partial,
      passScore: head.value.passScore,
      total: sum,
      sections: arranged.sections.map(({ title, rows: own }) => ({
        title,
        questions: own.flatMap((at) => {
          const row = standing[at];
          return row ? [{ key: row.question, score: row.score }] : [];
        }),
      })),
    });
  }
  const taken = new Set(papers.map(({ name }) => nameForm(name)));
  const names = [...groups.values()].flatMap(([first]) => (first ? [first.row.standing.paper] : []));
  const keys = new Set([...identities.values()].flatMap(({ key, formerKey }) => [key, formerKey]));
  return {
    papers,
    rejected: told.rejected(),
    warned: told.warned(),
    left: [...new Set([...names, ...bad.flatMap(({ paper }) => paper || [])])].filter(
      (name) => !taken.has(nameForm(name)),
    ),
    gone: stored.filter(
      (paper) =>
        paper.ofSheet &&
        !paper.archived &&
        paper.courseId === target?.courseId &&
        !keys.has(paper.key) &&
        !badNames.has(nameForm(paper.name)),
    ),
  };
}

/**
 * The papers, by the form of their name, of which a row may be one that does not say its paper: those of the rows next to it, or, where papers of
 * the sheet are mixed, all of the sheet.
 */
function unsurePapers(rows: readonly CheckedPaperRow[], bad: FilePapers['bad']): Set<string> {
  const unsure = new Set<string>();
  const nameless = new Set(bad.flatMap(({ paper, sheet }) => (paper === '' ? [sheet] : [])));
  for (const sheet of nameless) {
    const names = [
      ...rows.map((row) => ({ row: row.row, sheet: row.sheet, form: nameForm(row.standing.paper) })),
      ...bad.map((row) => ({ row: row.row, sheet: row.sheet, form: nameForm(row.paper) })),
    ]
      .filter((one) => one.sheet === sheet)
      .sort((a, b) => a.row - b.row)
      .map(({ form }) => form);
    const said = names.filter((form) => form !== '');
    const runs = said.filter((form, at) => form !== said[at - 1]);
    const isMixed = new Set(runs).size < runs.length;
    for (const [at, form] of names.entries())
      if (form !== '' && (isMixed || names[at - 1] === '' || names[at + 1] === '')) unsure.add(form);
  }
  return unsure;
}

/** Papers by the form of their name. */
function byForm(papers: readonly StoredPaper[]): Map<string, StoredPaper[]> {
  const found = new Map<string, StoredPaper[]>();
  for (const paper of papers) {
    const form = nameForm(paper.name);
    const same = found.get(form);
    if (same) same.push(paper);
    else found.set(form, [paper]);
  }
  return found;
}

/**
 * Which stored paper each paper of the file is, by the form of its name: by 试卷编号, else by that name. Each course has names of its own:
 * two of them may have a 期中考试.
 */
function identify(
  heads: ReadonlyMap<string, { value: FilePaperHead }>,
  stored: readonly StoredPaper[],
  courseId: number | null,
): Map<string, { key: string; formerKey: string | null }> {
  const courseOf = new Map(stored.map((paper) => [paper.key, paper.courseId]));
  const isOwn = (key: string) => courseOf.get(key) === courseId;
  const nameKey = (form: string): string => {
    const key = namedPaperKey(form);
    if (courseId === null) return key;
    const inCourse = namedPaperKeyIn(courseId, form);
    return courseOf.has(inCourse) || (courseOf.has(key) && !isOwn(key)) ? inCourse : key;
  };
  const onOffer = byForm(stored.filter((paper) => paper.ofSheet && !paper.archived && paper.courseId === courseId));
  const found = new Map<string, { key: string; formerKey: string | null }>();
  const taken = new Set<string>();
  for (const [form, { value }] of heads) {
    if (value.paperKey === null) continue;
    const [key, byName] = [schoolPaperKey(value.paperKey), nameKey(form)];
    found.set(form, { key, formerKey: !courseOf.has(key) && isOwn(byName) ? byName : null });
    taken.add(key);
  }
  for (const [form, { value }] of heads) {
    if (value.paperKey !== null) continue;
    // A file that leaves out 试卷编号 means the paper that has this name.
    const named = onOffer.get(form)?.find((paper) => !taken.has(paper.key));
    found.set(form, { key: named?.key ?? nameKey(form), formerKey: null });
  }
  return found;
}

/** What the rows of a paper say of it together, and the rows that say something else than an earlier one. */
interface AgreedHead {
  value: FilePaperHead;
  differing: { row: CheckedPaperRow; field: keyof FilePaperHead; first: CheckedPaperRow }[];
  /** The row that says a field. */
  rowOf: (field: keyof FilePaperHead) => CheckedPaperRow;
}

function agreedHead(rows: readonly CheckedPaperRow[]): AgreedHead {
  const differing: { row: CheckedPaperRow; field: keyof FilePaperHead; first: CheckedPaperRow }[] = [];
  const places = new Map<keyof FilePaperHead, CheckedPaperRow>();
  const value = Object.fromEntries(
    HEAD_FIELDS.map((field) => {
      const said = agreed<string | number>(rows.map(({ standing }) => standing.head[field]));
      const first = rows[said.row];
      if (first) {
        places.set(field, first);
        for (const other of said.others) {
          const row = rows[other];
          if (row) differing.push({ row, field, first });
        }
      }
      return [field, said.value];
    }),
  ) as unknown as FilePaperHead;
  return {
    value,
    differing,
    rowOf: (field) => {
      const row = places.get(field);
      if (!row) throw new Error(`no row says ${field}`);
      return row;
    },
  };
}

/** The first question of each case of which the paper leaves some out, and how many. */
function brokenCases(
  standing: readonly { at: CheckedPaperRow; found: FileQuestion }[],
  inPaper: ReadonlySet<string>,
  cases: ReadonlyMap<string, ReadonlySet<string>>,
): { at: CheckedPaperRow; missing: number }[] {
  const seen = new Set<string>();
  return standing.flatMap(({ at, found: { caseKey } }) => {
    if (caseKey === null || seen.has(caseKey)) return [];
    seen.add(caseKey);
    const missing = [...(cases.get(caseKey) ?? [])].filter((key) => !inPaper.has(key)).length;
    return missing > 0 ? [{ at, missing }] : [];
  });
}

function arrangeSentence(fault: ArrangeFault, at: CheckedPaperRow, other: CheckedPaperRow): string {
  const there = placeOf(other, at.sheet);
  const { section, order, paper } = at.standing;
  switch (fault.why) {
    case 'questionTwice':
      return `这道题在${there}已经放进试卷“${paper}”，一份试卷里一道题只能出现一次`;
    case 'sectionMissing':
      return `没有写大题，而这份试卷的${there}写了“${other.standing.section}”：要么都写，要么都不写`;
    case 'orderMissing':
      return `没有写顺序，而这份试卷的${there}写了 ${other.standing.order ?? ''}：要么都写，要么都不写`;
    case 'orderTwice':
      return `顺序 ${order ?? ''} 在${there}已经用过`;
    case 'sectionAgain':
      return `大题“${section}”在${there}（“${other.standing.section}”）之前已经结束：同一大题的题要放在一起`;
  }
}

function headSentence(fault: HeadFault, name: string, head: FilePaperHead, sum: number): string {
  switch (fault.why) {
    case 'kindMissing':
      return `试卷“${name}”没有写类型，可用：${Object.values(KIND_NAMES).join('、')}`;
    case 'minutesMissing':
      return `试卷“${name}”没有写时长（分钟）`;
    case 'yearMissing':
      return `试卷“${name}”是历年真题，没有写年份`;
    case 'yearUnneeded':
      return `试卷“${name}”写了年份，只有历年真题写年份（现在的类型是${head.kind === null ? '空的' : KIND_NAMES[head.kind]}）`;
    case 'total':
      return `试卷“${name}”的总分写的是 ${head.total ?? ''}，各题分值合计 ${sum}，${fault.difference > 0 ? '多' : '少'} ${Math.abs(fault.difference)} 分`;
    case 'passAbove':
      return `试卷“${name}”的及格分 ${head.passScore ?? ''} 高于各题分值合计 ${sum}`;
  }
}

/** The column in which a row says which question it is. */
const namingColumn = ({ standing: { names } }: CheckedPaperRow): PaperColumn =>
  'schoolKey' in names ? '编号' : '题目行号';

/** The column that a fault in the order of a paper is about; left out: the one that names the question. */
const ARRANGED_BY: Readonly<Partial<Record<ArrangeFault['why'], PaperColumn>>> = {
  sectionMissing: '大题',
  sectionAgain: '大题',
  orderMissing: '顺序',
  orderTwice: '顺序',
};

const SAID_IN: Readonly<Record<HeadFault['why'], PaperColumn>> = {
  kindMissing: '类型',
  minutesMissing: '时长',
  yearMissing: '年份',
  yearUnneeded: '年份',
  total: '总分',
  passAbove: '及格分',
};

type Reasons = Map<CheckedPaperRow, RowReasons<PaperColumn>>;

/** Collects what is said of rows, each row once, each sentence with the letters of its columns. */
class Told {
  readonly #refused: Reasons = new Map();
  readonly #warned: Reasons = new Map();

  refuse(row: CheckedPaperRow, why: string, about: PaperColumn): void {
    reasonsOf(this.#refused, row).add(why, about);
  }
  warn(row: CheckedPaperRow, why: string, about: PaperColumn): void {
    reasonsOf(this.#warned, row).add(why, about);
  }
  isRefused(row: CheckedPaperRow): boolean {
    return this.#refused.has(row);
  }
  rejected(): RejectedRow[] {
    return inRows(this.#refused).map(([row, why]) => ({ ok: false, ...said(row, why), paper: row.standing.paper }));
  }
  warned(): WarnedRow[] {
    return inRows(this.#warned).map(([row, why]) => said(row, why));
  }
}

function reasonsOf(reasons: Reasons, row: CheckedPaperRow): RowReasons<PaperColumn> {
  const known = reasons.get(row) ?? new RowReasons(row.at);
  reasons.set(row, known);
  return known;
}

const said = ({ sheet, row, standing }: CheckedPaperRow, why: RowReasons<PaperColumn>): WarnedRow => ({
  ...{ sheet, row, why: why.sentences, columns: why.columns, topic: standing.paper },
});

/** In the order of the file, as far as a paper's rows stand together. */
const inRows = (told: Reasons) => [...told].sort(([a], [b]) => (a.sheet === b.sheet ? a.row - b.row : 0));

/** Rows of the spool that are held at once. */
const ROWS_AT_ONCE = 500;

/** The questions of the file, under the keys by which they are stored. */
async function readFile(
  spool: FileHandle,
  { keys, left }: Pick<IdentityPlan, 'keys' | 'left'>,
): Promise<{
  byKey: Map<string, FileQuestion>;
  byRow: Map<string, FileQuestion>;
  bySchoolKey: Map<string, FileQuestion>;
  left: { rows: Set<string>; schoolKeys: Set<string> };
}> {
  const file = {
    byKey: new Map<string, FileQuestion>(),
    byRow: new Map<string, FileQuestion>(),
    bySchoolKey: new Map<string, FileQuestion>(),
    left: { rows: new Set<string>(), schoolKeys: new Set<string>() },
  };
  for await (const some of readSpool(spool, ROWS_AT_ONCE))
    for (const { key: written, sheet, row, schoolKey, score, material } of some) {
      if (left.has(written)) {
        file.left.rows.add(`${sheet}!${row}`);
        if (schoolKey !== null) file.left.schoolKeys.add(schoolKey);
        continue;
      }
      const key = keys.get(written) ?? written;
      const question = { key, score, caseKey: material === '' ? null : materialKey(material) };
      file.byKey.set(key, question);
      file.byRow.set(`${sheet}!${row}`, question);
      if (schoolKey !== null) file.bySchoolKey.set(schoolKey, question);
    }
  return file;
}

type Found = { ok: true; value: FileQuestion } | { ok: false; why: string };

/** Makes what finds the question that a row of a paper names, or says why there is none. */
async function questionFinder(
  query: Query,
  packId: number | null,
  rows: readonly CheckedPaperRow[],
  {
    file,
    badQuestions,
    sheets,
  }: { file: Awaited<ReturnType<typeof readFile>> } & Pick<FilePapers, 'badQuestions' | 'sheets'>,
): Promise<(row: CheckedPaperRow) => Found> {
  const schoolKeys = [
    ...new Set(
      rows.flatMap(({ standing: { names } }) =>
        'schoolKey' in names && !file.bySchoolKey.has(names.schoolKey) ? [names.schoolKey] : [],
      ),
    ),
  ];
  const stored =
    packId === null ? new Map<string, KeyedSheetQuestion>() : await findBySchoolKeys(query, packId, schoolKeys);
  const unknown = schoolKeys.filter((key) => !stored.has(key));
  const inFolder = packId === null ? new Set<string>() : await findFolderKeys(query, packId, unknown);
  const elsewhere = await findSchoolKeysElsewhere(query, packId, unknown);
  const no = (why: string): Found => ({ ok: false, why });

  const byKey = (schoolKey: string): Found => {
    const inFile = file.bySchoolKey.get(schoolKey);
    if (inFile) return { ok: true, value: inFile };
    if (file.left.schoolKeys.has(schoolKey)) return no(`编号“${schoolKey}”的题在这份文件里，但它那一行不合格`);
    const known = stored.get(schoolKey);
    if (known) {
      // It may stand in the file by what it asks, without its 编号.
      const { key, score, caseKey } = file.byKey.get(known.key) ?? known;
      if (known.archived && !file.byKey.has(known.key))
        return no(`编号“${schoolKey}”的题已停用（以前导入的文件里不再有它），要用它请把它写进文件`);
      return { ok: true, value: { key, score, caseKey } };
    }
    if (inFolder.has(schoolKey))
      return no(
        `“${schoolKey}”是课程包文件夹里一道题的 key：表格里的试卷只能用表格里的题，请在文件夹的 papers 里写这份试卷，那里两种题都可以用`,
      );
    if (elsewhere.has(schoolKey)) return no(`编号“${schoolKey}”是另一个课程包的题，试卷只能用本课程包的题`);
    return no(`没有编号是“${schoolKey}”的题：这份文件合格的行里没有，题库里从表格导入的题里也没有`);
  };
  /** As it is written, or else in other widths of the same signs, which many type. */
  const sheetCalled = (name: string): string | undefined => {
    if (sheets.has(name)) return name;
    const alike = [...sheets].filter((sheet) => sheetForm(sheet) === sheetForm(name));
    return alike.length === 1 ? alike[0] : undefined;
  };
  const byRow = (named: string | null, row: number): Found => {
    const [only] = sheets;
    if (sheets.size === 0) return no(`这份文件里没有试题，题目行号 ${row} 不知道是哪一行，请改写编号`);
    if (named === null && sheets.size > 1)
      return no(`这份文件有几张试题表（${[...sheets].join('、')}），题目行号请写成 ${only ?? ''}!${row}`);
    const sheet = named === null ? only : sheetCalled(named);
    if (sheet === undefined)
      return no(`没有写着试题的工作表“${(named ?? '').slice(0, 40)}”（有：${[...sheets].join('、')}）`);
    const place = `${sheet}!${row}`;
    const found = file.byRow.get(place);
    if (found) return { ok: true, value: found };
    return no(
      badQuestions.has(place) || file.left.rows.has(place)
        ? `${sheet} 第 ${row} 行的题不合格`
        : `${sheet} 第 ${row} 行没有试题`,
    );
  };
  return ({ standing: { names } }) => ('schoolKey' in names ? byKey(names.schoolKey) : byRow(names.sheet, names.row));
}
