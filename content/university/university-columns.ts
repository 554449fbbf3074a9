import type { Cell } from '#content/sheet/sheet.ts';
import { squeezed } from '#content/sheet/squeezed.ts';

/** The columns of a university list, as content/universities/README.md describes them. */
const UNIVERSITY_COLUMNS = [
  'name',
  'prov',
  'city',
  'is985',
  'is211',
  'isDfc',
  'affiliation',
  'relationship',
  'officialWeb',
  'tel',
  'schoolLocation',
  'tags',
  'aliases',
  'historicalContinuation',
  'education',
  'laboratorySituation',
  'subjectReview',
  'specialty',
  'keyInformationPoints',
  'logo',
] as const;
export type UniversityColumn = (typeof UNIVERSITY_COLUMNS)[number];

/** How each column is called in messages, and the other words people write over it. */
const WORDS: Readonly<Record<UniversityColumn, readonly [string, ...string[]]>> = {
  name: ['院校名称', '学校名称', '院校', '学校', '校名', '名称', '高校名称', '大学名称', '大学'],
  prov: ['省份', '省', '所在省份', '所在省', '所在地省份', '省市', '所在省市', '地区'],
  city: ['城市', '市', '所在城市', '所在市', '所在地'],
  is985: ['985', '是否985', '985工程', '985院校', '985高校'],
  is211: ['211', '是否211', '211工程', '211院校', '211高校'],
  isDfc: ['双一流', '是否双一流', '双一流高校', '双一流院校', '双一流建设高校'],
  affiliation: ['主管部门', '主管单位', '隶属单位', '所属部门'],
  relationship: ['隶属关系', '隶属', '隶属标签', '办学隶属'],
  officialWeb: ['官网', '学校官网', '官方网站', '网址', '学校网址', '网站', '主页'],
  tel: ['电话', '联系电话', '招生电话', '咨询电话', '官方电话', '学校电话'],
  schoolLocation: ['地址', '学校地址', '校址', '通讯地址', '详细地址'],
  tags: ['类型', '标签', '院校类型', '学校类型', '办学类型', '类别'],
  aliases: ['简称', '别名', '学校简称', '院校简称', '曾用名'],
  historicalContinuation: ['历史沿革', '校史', '学校历史'],
  education: ['教育教学', '教学'],
  laboratorySituation: ['实验室情况', '实验室', '科研平台'],
  subjectReview: ['学科评估', '学科评估结果'],
  specialty: ['专业设置', '专业', '开设专业', '双一流学科'],
  keyInformationPoints: ['重点信息', '要点', '重要信息'],
  logo: ['校徽', '校徽文件', 'logo文件', '标志'],
};

/** Without these a new university cannot be stored. */
const REQUIRED: readonly UniversityColumn[] = ['name', 'prov', 'city'];

const headerWord = (text: string) =>
  squeezed(text)
    .toLowerCase()
    .replace(/\([^)]*\)|\[[^\]]*\]|【[^】]*】/g, '')
    .replace(/[*:"“”_-]/g, '');

const KNOWN = new Map<string, UniversityColumn>(
  UNIVERSITY_COLUMNS.flatMap((column) => [column, ...WORDS[column]].map((word) => [headerWord(word), column] as const)),
);

/** A column as messages call it. */
export const columnWord = (column: UniversityColumn): string => WORDS[column][0];

/** Where each column of a file is. */
export interface UniversityHeader {
  at: Map<UniversityColumn, number>;
  /** Words that name no column: their cells are not read. */
  unused: string[];
  /** Sentences in Chinese; any of them makes the file unreadable. */
  mistakes: string[];
}

/** Reads a row as the header; null when it has fewer than two known columns (a title above the table). */
export function readUniversityHeader(cells: readonly (Cell | undefined)[]): UniversityHeader | null {
  const header: UniversityHeader = { at: new Map(), unused: [], mistakes: [] };
  cells.forEach((cell, index) => {
    const word = headerWord(cell?.text ?? '');
    if (word === '') return;
    const column = KNOWN.get(word);
    if (!column) header.unused.push((cell?.text ?? '').trim().slice(0, 40));
    else if (header.at.has(column)) header.mistakes.push(`表头里有两列都是“${columnWord(column)}”`);
    else header.at.set(column, index);
  });
  if (header.at.size < 2) return null;
  const missing = REQUIRED.filter((column) => !header.at.has(column));
  if (missing.length > 0) {
    header.mistakes.push(`表头缺少列：${missing.map((column) => `${columnWord(column)}（${column}）`).join('、')}`);
  }
  return header;
}
