import type { Cell } from '#content/sheet/sheet.ts';
import { visibleText } from '#content/visible-text.ts';
import { headerWord, namesQuestions } from './question-columns.ts';

/** The columns of a sheet of papers (docs/guide/question-spreadsheet.md), in the order of the template. */
export const PAPER_COLUMNS = [
  '试卷',
  '类型',
  '时长',
  '总分',
  '及格分',
  '年份',
  '大题',
  '顺序',
  '编号',
  '题目行号',
  '分值',
  '部分得分',
  '试卷编号',
] as const;
export type PaperColumn = (typeof PAPER_COLUMNS)[number];

/** Each with its other names; blanks do not matter, nor small letters. */
const SYNONYMS = new Map<string, PaperColumn>(
  Object.entries({
    试卷: ['试卷名称', '试卷名', '卷名', 'PAPER', 'PAPERNAME'],
    类型: ['试卷类型', '考试类型', '卷型', 'KIND', 'PAPERKIND', 'TYPE', 'PAPERTYPE'],
    时长: ['考试时长', '考试时间', '答题时间', '限时', 'MINUTES', 'DURATION'],
    总分: ['卷面总分', '试卷总分', '满分', 'TOTAL', 'TOTALPOINTS', 'TOTALSCORE'],
    及格分: ['及格线', '及格分数', 'PASS', 'PASSSCORE', 'PASSPOINTS'],
    年份: ['年度', 'YEAR'],
    大题: ['大题名称', '部分', '题组', 'SECTION'],
    顺序: ['题序', '题号', '序号', '题目顺序', 'ORDER'],
    编号: [
      '试题编号',
      '题目编号',
      '试题ID',
      '题目ID',
      'ID',
      '试题编码',
      '题目编码',
      'QUESTION',
      'QUESTIONKEY',
      'QUESTIONID',
    ],
    题目行号: ['试题行号', '题目所在行', '所在行', '行号', 'ROW', 'QUESTIONROW'],
    分值: ['本卷分值', '本题分值', '题目分值', '每题分值', '分数', 'POINTS', 'SCORE'],
    部分得分: ['漏选得分', '少选得分', '漏选给分', '少选给分', 'PARTIAL'],
    试卷编号: ['试卷ID', '试卷编码', 'PAPERKEY', 'PAPERID'],
  } satisfies Record<PaperColumn, string[]>).flatMap(([column, words]) =>
    [column, ...words].map((word) => [word, column as PaperColumn]),
  ),
);

/** Where each column of a sheet of papers is. */
export interface PaperHeader {
  at: Map<PaperColumn, number>;
  /** Further columns that mean the same (总分 and 满分): what they say has to agree. */
  again: Map<PaperColumn, number[]>;
  /** Words of the header that name no column: their cells are not read. */
  unused: string[];
  /** Columns that have a word. */
  named: Set<number>;
  /** How many cells it has. */
  width: number;
  /** No column says which question a row is: a list of papers, of marks, or a title above a bank, unless it was forgotten. */
  namesNone: boolean;
}

/** What is said of a sheet whose header names no question. */
export const NAMES_NONE = '这张表写的是试卷，表头还缺少列：编号 或 题目行号（说明每一行是哪道题）';

/**
 * Reads a row as the header of a sheet of papers; null when it is none: it needs 试卷 and two more columns, and names no texts of questions.
 * In a bank a column 试卷 says where a question came from, and puts it nowhere.
 */
export function readPaperHeader(cells: readonly (Cell | undefined)[]): PaperHeader | null {
  const words = cells.map((cell) => headerWord(cell?.text ?? ''));
  if (words.some(namesQuestions)) return null;
  const header: PaperHeader = {
    ...{ at: new Map(), again: new Map(), unused: [], namesNone: false },
    ...{ named: new Set(), width: cells.length },
  };
  for (const [index, word] of words.entries()) {
    if (visibleText(cells[index]?.text ?? '').trim() !== '') header.named.add(index);
    if (word === '') continue;
    const column = SYNONYMS.get(word);
    if (column === undefined) header.unused.push((cells[index]?.text ?? '').trim());
    else if (header.at.has(column)) header.again.set(column, [...(header.again.get(column) ?? []), index]);
    else header.at.set(column, index);
  }
  if (!header.at.has('试卷') || header.at.size < 3) return null;
  header.namesNone = !header.at.has('编号') && !header.at.has('题目行号');
  return header;
}

/** Whether a sheet may as well be a list of papers, each with a number of its own: nothing in it is said of a question but 编号. */
export const mayBeList = ({ at }: PaperHeader): boolean =>
  (['大题', '题目行号', '分值'] as const).every((column) => !at.has(column));

/** What is said of a sheet that lists papers. */
export const LISTS_PAPERS =
  '这张表每份试卷只有一行，像是试卷的清单，它的“编号”是试卷的编号；要组卷请每道题写一行（真的只有一题的试卷请加上“分值”列）';

/** Whether a row repeats the header. */
export const isPaperHeaderAgain = (cells: readonly (Cell | undefined)[], { at }: PaperHeader): boolean =>
  (['试卷', '编号', '题目行号'] as const).every((column) => {
    const index = at.get(column);
    return index === undefined || SYNONYMS.get(headerWord(cells[index]?.text ?? '')) === column;
  });
