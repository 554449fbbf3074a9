import { columnLetters } from '#content/sheet/column-letters.ts';
import type { Cell } from '#content/sheet/sheet.ts';
import { squeezed } from '#content/sheet/squeezed.ts';
import { visibleText } from '#content/visible-text.ts';
import { LETTERS } from './question.ts';

/** The sheet of the template that explains it: it has no questions, and an import says nothing of it. */
export const EXPLAINING_SHEET = '填写说明';

/** The columns of the template (docs/guide/question-spreadsheet.md), in its order. */
export const COLUMNS = [
  '题型',
  '题干',
  ...LETTERS.map((letter) => `选项${letter}` as const),
  '答案',
  '解析',
  '分值',
  '章节',
  '难度',
  '材料',
  '知识点',
  '采点',
  '编号',
] as const;
export type Column = (typeof COLUMNS)[number];

/** Without these a row cannot be a question. */
const REQUIRED: readonly Column[] = ['题型', '题干', '答案'];

const SYNONYMS = new Map<string, Column>(
  Object.entries({
    题型: ['试题类型', '题目类型', '类型', '题目题型'],
    题干: ['题目', '试题', '题目内容', '试题内容', '试题题干', '题目题干', '问题'],
    答案: ['正确答案', '参考答案', '标准答案', '试题答案'],
    解析: ['答案解析', '试题解析', '题目解析', '解答', '答案说明'],
    分值: ['分数', '题目分值', '每题分值'],
    章节: ['所属章节', '章节路径', '章节名称'],
    难度: ['难易度', '难易程度', '难度等级'],
    知识点: ['考点', '知识点名称', '所属知识点'],
    采点: ['采分点', '得分点', '给分点', '评分点', '评分要点'],
    // Not 题号 or 序号: those count the rows of a file, and the next file counts from 1 again.
    编号: ['试题编号', '题目编号', '试题ID', '题目ID', 'ID', '试题编码', '题目编码'],
    材料: ['案例', '案例材料', '背景材料', '共用题干', '材料内容', '公共题干'],
  } satisfies Partial<Record<Column, string[]>>).flatMap(([column, words]) =>
    words.map((word) => [word, column as Column]),
  ),
);
for (const column of COLUMNS) SYNONYMS.set(column, column);

/** What stands in a header cell without blanks, marks of duty (`*`) and remarks in brackets: `答 案（必填）*`. The letter of `选项（A）` is no remark. */
export const headerWord = (text: string): string =>
  squeezed(text)
    .toUpperCase()
    .replace(/^(备?选项|答案选项|OPTION)?[[(【]([A-Z])[\])】]/, '$1$2')
    .replace(/\([^)]*\)|\[[^\]]*\]|【[^】]*】/g, '')
    .replace(/[*:]/g, '');

/** Whether a word of a header names what a question says: no sheet of papers has such a column. */
export const namesQuestions = (word: string): boolean => ['题干', '答案'].includes(SYNONYMS.get(word) ?? '');

/** The letter of an option column: 选项A, A选项, 备选项A, A, Option A; also letters that are too many. */
const optionLetter = (word: string) => /^(?:备?选项|答案选项|OPTION)?([A-Z])(?:选项|项)?$/.exec(word)?.[1];

/** 选项1, 选项二: the letter in that place. */
const numberedLetter = (word: string) => {
  const [, digit = '', sign = ''] = /^(?:备?选项|答案选项|OPTION)(?:([1-9])|([一二三四五六七八九]))$/.exec(word) ?? [];
  const at = digit ? Number(digit) : '一二三四五六七八九'.indexOf(sign || ' ') + 1;
  return at > 0 ? 'ABCDEFGHI'[at - 1] : undefined;
};

/** Where each column of a sheet is. */
export interface Header {
  at: Map<Column, number>;
  /** Columns of a ninth option and beyond, whose cells must be empty. */
  surplus: number[];
  /** Words of the header that name no column: their cells are not read. */
  unused: string[];
  /** Columns that have a word. */
  named: Set<number>;
  /** How many cells it has. */
  width: number;
  /** Columns that are hidden in the file, and read all the same. */
  hidden: Column[];
  /** Sentences in Chinese; any of them makes the sheet unreadable. */
  mistakes: string[];
}

/** Reads a row as the header, tolerant in spelling and order; null when it has fewer than three known columns. */
export function readHeader(cells: readonly (Cell | undefined)[]): Header | null {
  const header: Header = {
    ...{ at: new Map(), surplus: [], unused: [], hidden: [], mistakes: [] },
    ...{ named: new Set(), width: cells.length },
  };
  cells.forEach((cell, index) => {
    if (visibleText(cell?.text ?? '').trim() !== '') header.named.add(index);
    const word = headerWord(cell?.text ?? '');
    if (word === '') return;
    const letter = optionLetter(word) ?? numberedLetter(word);
    const column =
      SYNONYMS.get(word) ?? LETTERS.filter((known) => known === letter).map((known) => `选项${known}` as const)[0];
    const first = column && header.at.get(column);
    if (first !== undefined)
      header.mistakes.push(
        `表头里有两列都是“${column}”（${[first, index].map((at) => `${columnLetters(at)} 列“${cells[at]?.text.trim() ?? ''}”`).join('、')}），请留一列，另一列改名或删去`,
      );
    else if (column) {
      header.at.set(column, index);
      if (cell?.hidden) header.hidden.push(column);
    } else if (letter) header.surplus.push(index);
    else header.unused.push((cell?.text ?? '').trim());
  });
  if (header.at.size < 3) return null;
  const missing = REQUIRED.filter((column) => !header.at.has(column));
  const found = cells.flatMap((cell) => cell?.text.trim().slice(0, 20) || []).slice(0, 20);
  if (missing.length > 0)
    header.mistakes.push(`表头缺少列：${missing.join('、')}（这一行写的是：${found.join('、')}）`);
  return header;
}

/** In which columns a row that is a header as well differs from the one above, as in tables pasted below each other; null: it is none, or the same. */
export function otherHeader(cells: readonly (Cell | undefined)[], header: Header): string | null {
  const again = readHeader(cells);
  if (again === null || again.mistakes.length > 0) return null;
  const columns = COLUMNS.filter((column) => again.at.has(column) && again.at.get(column) !== header.at.get(column));
  return columns.length === 0 ? null : columns.join('、');
}

/** Whether a row repeats the header, as files pasted together do. */
export function isHeaderAgain(cells: readonly (Cell | undefined)[], header: Header): boolean {
  return REQUIRED.every((column) => {
    const at = header.at.get(column);
    return at !== undefined && SYNONYMS.get(headerWord(cells[at]?.text ?? '')) === column;
  });
}
