import type { Checked } from '#content/checked.ts';
import { coveredText } from '#content/sheet/merged-cells.ts';
import type { Cell, SheetRow } from '#content/sheet/sheet.ts';
import { squeezed } from '#content/sheet/squeezed.ts';
import { visibleText } from '#content/visible-text.ts';
import type { SchoolScoredKind } from '#contract/values/exam.ts';
import type { CheckedPaperRow, FilePaperRow } from './file-paper.ts';
import type { RejectedRow } from './file-question.ts';
import type { PaperColumn, PaperHeader } from './paper-columns.ts';
import { readSchoolKey, readScore } from './question.ts';
import { HIDDEN_ROW, RowReasons, refuseLooks, refuseSurplus } from './row-reasons.ts';

/** Names of papers and of their sections, as long as in a pack. */
const LONGEST_NAME = 100;
const LONGEST_SECTION = 200;
/** More questions than any paper has. */
const LAST_ORDER = 9999;
const LAST_ROW = 1_048_576;

const KINDS = new Map<string, SchoolScoredKind>(
  Object.entries({
    模拟考试: 'mock',
    模拟: 'mock',
    模拟卷: 'mock',
    模拟试卷: 'mock',
    模考: 'mock',
    MOCK: 'mock',
    历年真题: 'past',
    真题: 'past',
    真题卷: 'past',
    历年: 'past',
    PAST: 'past',
    限时测试: 'timed',
    限时: 'timed',
    限时专项: 'timed',
    专项测试: 'timed',
    TIMED: 'timed',
  } as const),
);

function readKind(text: string): Checked<SchoolScoredKind> {
  const word = squeezed(text).toUpperCase();
  const value = KINDS.get(word);
  if (value) return { ok: true, value };
  return {
    ok: false,
    why: /^(课后练习|课后|练习|AFTERCLASS)$/.test(word)
      ? '课后练习请写在课程包的 papers 文件夹里，表格里的试卷可用：模拟考试、历年真题、限时测试'
      : `不认识的类型“${text.slice(0, 20)}”，可用：模拟考试、历年真题、限时测试`,
  };
}

/** A number as it is written by hand: no exponents, no 0x10. */
function readNumber(
  column: PaperColumn,
  text: string,
  { unit, min, max, step }: { unit: RegExp; min: number; max: number; step: number },
): Checked<number> {
  const digits = squeezed(text).replace(unit, '');
  const value = /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : Number.NaN;
  if (value >= min && value <= max && Number.isInteger(value / step)) return { ok: true, value };
  return {
    ok: false,
    why: `“${column}”写的“${text.slice(0, 20)}”不正确，须为 ${min} 到 ${max} 之间${step === 1 ? '的整数' : `、以 ${step} 为单位的数`}`,
  };
}

/** A share from 0 to 1, or in percent. */
function readShare(text: string): Checked<number> {
  const word = squeezed(text);
  const [, percent] = /^(\d{1,3}(?:\.\d+)?)%$/.exec(word) ?? [];
  const value =
    percent !== undefined
      ? Number(percent) / 100
      : /^(?:0(?:\.\d{1,4})?|1(?:\.0+)?)$/.test(word)
        ? Number(word)
        : Number.NaN;
  if (value >= 0 && value <= 1) return { ok: true, value: Math.round(value * 10_000) / 10_000 };
  return { ok: false, why: `“部分得分”写的“${text.slice(0, 20)}”不正确，须为 0 到 1，或 0% 到 100%` };
}

/** `5`, `第5行`, or `题库!5`. */
function readRowName(text: string): Checked<{ sheet: string | null; row: number }> {
  // The name of the sheet as it is written: whether 题库(一) is 题库（一） is decided where the sheets are known.
  const [, sheet, place = ''] = /^(?:(.+)[!！])?([^!！]*)$/s.exec(text.trim()) ?? [];
  const [, digits = ''] = /^(?:第\s*)?(\d{1,7})\s*行?$/.exec(place.normalize('NFKC').trim()) ?? [];
  const row = Number(digits);
  if (digits !== '' && row >= 1 && row <= LAST_ROW)
    return { ok: true, value: { sheet: sheet?.trim().replace(/^'|'$/g, '') ?? null, row } };
  return { ok: false, why: `“题目行号”写的“${text.slice(0, 20)}”不正确，写法如 5，或 题库!5` };
}

/** One line, blanks as one. */
const oneLine = (text: string) => visibleText(text).replace(/\s+/g, ' ').trim();

/** Rows of one group may merge these cells. */
const SHARED: readonly PaperColumn[] = [
  '试卷',
  '类型',
  '时长',
  '总分',
  '及格分',
  '年份',
  '大题',
  '分值',
  '部分得分',
  '试卷编号',
];

/** Reads one row of a sheet of papers that is not empty, or every reason why it cannot be read. */
export function readPaperRow(
  { sheet, row, cells, drawn, hidden }: SheetRow,
  header: PaperHeader,
): CheckedPaperRow | RejectedRow {
  const why = new RowReasons(header.at);
  const warnings = new RowReasons(header.at);
  if (hidden) warnings.add(HIDDEN_ROW);
  if (drawn) why.add(drawn);
  refuseSurplus(why, { sheet, cells }, header.width);
  const covered = new Map<PaperColumn, string>();
  const cellOf = (column: PaperColumn): Cell | undefined => {
    const at = header.at.get(column);
    const cell = at === undefined ? undefined : cells[at];
    if (cell?.covered) covered.set(column, cell.covered);
    return cell?.merged && !SHARED.includes(column) ? undefined : cell;
  };
  const text = (column: PaperColumn): string => {
    const cell = cellOf(column);
    if (cell?.fault) why.add(`“${column}”${cell.fault}`, column);
    refuseLooks(why, column, cell);
    for (const remark of cell?.remarks ?? []) warnings.add(`“${column}”${remark}`, column);
    const own = visibleText(cell?.text ?? '').trim();
    const others = header.again.get(column) ?? [];
    const says = (at: number) =>
      cells[at]?.merged && !SHARED.includes(column) ? '' : visibleText(cells[at]?.text ?? '').trim();
    const said = own === '' ? (others.map(says).find((one) => one !== '') ?? '') : own;
    for (const at of others)
      if (says(at) !== '' && squeezed(says(at)) !== squeezed(said))
        why.add(`有两列都是“${column}”，写的不一样，请只留一列`, column, at);
    return said;
  };
  const read = <T>(column: PaperColumn, reader: (text: string) => Checked<T>): T | null => {
    const written = text(column);
    if (written === '') return null;
    const checked = reader(written);
    if (!checked.ok) why.add(checked.why, column);
    return checked.ok ? checked.value : null;
  };
  const number = (column: PaperColumn, rule: Parameters<typeof readNumber>[2]) =>
    read(column, (written) => readNumber(column, written, rule));
  const name = (column: PaperColumn, most: number): string => {
    const written = oneLine(text(column));
    if (written.length > most) why.add(`“${column}”太长（${written.length} 个字），最多 ${most} 个`, column);
    return written;
  };

  const paper = name('试卷', LONGEST_NAME);
  if (paper === '' && !cellOf('试卷')?.fault)
    why.add('没有写试卷名称：每一行都要写，或把同一份试卷的“试卷”单元格合并', '试卷');
  const kind = read('类型', readKind);
  const head = {
    paperKey: read('试卷编号', (written) => readSchoolKey(visibleText(written))) || null,
    kind,
    minutes: number('时长', { unit: /分钟?$|MINUTES?$|MIN$/i, min: 1, max: 1440, step: 1 }),
    total: number('总分', { unit: /分$/, min: 0.5, max: 100_000, step: 0.5 }),
    passScore: number('及格分', { unit: /分$/, min: 0, max: 10_000, step: 0.5 }),
    year: number('年份', { unit: /年$/, min: 1977, max: 2100, step: 1 }),
    partial: read('部分得分', readShare),
  };
  const section = name('大题', LONGEST_SECTION);
  const order = number('顺序', { unit: /[.、]$/, min: 1, max: LAST_ORDER, step: 1 });
  const schoolKey = read('编号', (written) => readSchoolKey(visibleText(written))) || null;
  const rowName = read('题目行号', readRowName);
  const score = read('分值', readScore);
  if (schoolKey !== null && rowName !== null) why.add('编号和题目行号都写了，请只写一个', '编号', '题目行号');
  const names: FilePaperRow['names'] | null = schoolKey !== null ? { schoolKey } : rowName;
  if (names === null && !why.names('编号') && !why.names('题目行号'))
    why.add('没有写这是哪道题：请写编号，或写题目行号', '编号', '题目行号');
  const refused = names === null || why.size > 0;
  for (const [column, text] of covered) (refused ? why : warnings).add(`“${column}”${coveredText(text)}`, column);
  if (refused)
    return { ok: false, sheet, row, why: why.sentences, columns: why.columns, topic: paper.slice(0, 60), paper };
  return {
    ...{ ok: true, sheet, row, standing: { paper, head, section, order, names, score }, at: header.at },
    ...{ warnings: warnings.sentences, columns: warnings.columns },
  };
}
