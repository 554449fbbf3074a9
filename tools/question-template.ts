/**
 * Makes the template of the question spreadsheet, content/question/template/questions.xlsx and .csv, from the columns that the
 * import reads, and checks that the files that are shipped are that template. `--write` writes them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { fromBufferPromise } from 'yauzl';
import { PAPER_COLUMNS, type PaperColumn } from '#content/question/paper-columns.ts';
import { COLUMNS, type Column, EXPLAINING_SHEET } from '#content/question/question-columns.ts';

const folder = join(import.meta.dirname, '../content/question/template');

type Example = Partial<Record<Column, string | number>>;

/** One row of each kind; the template imports as it is. */
const EXAMPLES: readonly Example[] = [
  {
    题型: '判断',
    题干: '太阳从东方升起。',
    答案: '对',
    解析: '地球自西向东自转。',
    分值: 1,
    章节: '第一章/第一节',
    难度: 1,
    编号: 'DL-001',
  },
  {
    题型: '单选',
    题干: '方程 $x^2-4=0$ 的正根是（　）。',
    选项A: '1',
    选项B: '2',
    选项C: '3',
    选项D: '4',
    答案: 'B',
    解析: '$x^2=4$，所以 $x=\\pm 2$，正根是 2。',
    分值: 2,
    章节: '第一章/第一节',
    难度: 2,
    知识点: '一元二次方程的根',
    编号: 'DL-002',
  },
  {
    题型: '多选',
    题干: '下列属于直辖市的有（　）。',
    选项A: '北京',
    选项B: '上海',
    选项C: '广州',
    选项D: '重庆',
    答案: 'ABD',
    解析: '广州是省会城市。',
    分值: 2,
    章节: '第一章/第二节/城市',
    难度: 3,
  },
  {
    题型: '不定项',
    题干: '甲公司当年应计提的折旧为（　）万元。',
    选项A: '10',
    选项B: '12',
    选项C: '15',
    答案: 'A',
    解析: '100÷10＝10（万元）。',
    分值: 2,
    章节: '第二章',
    难度: 3,
    材料: '甲公司购入设备一台，原价 100 万元，预计使用 10 年，无残值，采用年限平均法计提折旧。',
  },
  {
    题型: '简答',
    题干: '简述供给与需求的关系。',
    答案: '价格上升时供给量增加、需求量减少，二者相等时市场均衡。',
    采点: '价格上升时【供给量】增加（2分）\n价格上升时【需求量】减少（2分）\n二者相等时市场【均衡】（1分）',
    分值: 5,
    章节: '第二章',
    难度: 4,
  },
  {
    题型: '自评简答',
    题干: '谈谈你对诚信的理解。',
    答案: '言之成理即可。要点：\n1. 诚实；\n2. 守信。',
    采点: '谈到【诚实|不欺骗】（5分）\n谈到【守信|信守承诺】（5分）',
    分值: 10,
    章节: '第二章',
    难度: 3,
  },
];

/** A paper of them; what is said of it as a whole stands in its first row. One question is named by its row. */
const PAPER: readonly Partial<Record<PaperColumn, string | number>>[] = [
  {
    试卷: '第一单元测验（示例）',
    类型: '模拟考试',
    时长: 30,
    总分: 10,
    及格分: 6,
    大题: '一、客观题',
    顺序: 1,
    编号: 'DL-001',
    分值: 2,
  },
  { 试卷: '第一单元测验（示例）', 大题: '一、客观题', 顺序: 2, 编号: 'DL-002', 分值: 3 },
  { 试卷: '第一单元测验（示例）', 大题: '二、简答题', 顺序: 3, 题目行号: 6, 分值: 5 },
];
const PAPER_SHEET = '试卷';

const EXPLANATIONS: readonly [string, string][] = [
  ['列', '怎么填'],
  ['题型', '必填：判断、单选、多选、不定项、简答、自评简答'],
  [
    '题干',
    '必填。公式写在两个 $ 之间，如 $x^2$；单独成行的公式写在 $$ 之间。单元格内可以换行，图片直接插入单元格或放在单元格上（选项、解析、材料也一样）',
  ],
  ['选项A…选项H', '单选、多选、不定项填两到八个，从 A 起连续；判断和简答不填'],
  ['答案', '必填。单选写 B，多选写 ABD，判断写 对 或 错，简答写参考答案'],
  ['解析', '可不填'],
  ['分值', '0.5 到 100，以 0.5 为单位；不填为 1 分'],
  [
    '章节',
    '如 第一章/第一节/极限，最多三级，没有的章节会自动建立；不填则放入“未分章节”。名称里本来就有的 / 写成 \\/，如 TCP\\/IP协议',
  ],
  ['难度', '1 到 5，或 易、较易、中、较难、难；可不填'],
  ['材料', '案例材料。同一材料的几道题写同样的文字，或合并单元格'],
  ['知识点', '这道题考什么，可不填。写同样知识点的题，在复习时互相替换，不总是出同一道'],
  [
    '编号',
    '学校自己给这道题的编号，可不填，同一个课程包里不能重复。以后题干、选项改了，写着同一编号的行就更正原来那道题；不要写每个文件都从 1 数起的序号',
  ],
  [
    '采点',
    '只用于简答和自评简答，可不填。一行一个采点（单元格内换行），行末写分值，如：指出【坏账准备】应转销（2分）。各采点分值之和不超过本题分值。【】里是关键词，会在学员的答案里标出来，只作提示；同一个词的另一种写法用 | 隔开，如【坏账准备|坏账】',
  ],
  ['“试卷”表', '不组卷就删掉这张表，或删掉里面的行。一行是一份试卷里的一道题，同一道题可以放进几份试卷'],
  ['试卷', '必填，每一行都写试卷的名称（或把同一份试卷的单元格合并）'],
  [
    '类型、时长、总分、及格分、年份、部分得分',
    '说的是整份试卷，写在其中一行就够了。类型：模拟考试、历年真题、限时测试，必填；时长（分钟）必填；写了总分就核对各题分值是否正好合计为总分；历年真题写年份；部分得分是多选和不定项漏选时的得分比例，如 0.5，不填为不得分',
  ],
  ['大题', '这道题在哪一部分，可不填；一份试卷里要么都写，要么都不写'],
  ['顺序', '全卷连续编号，或每个大题从 1 编起；不填按行的先后'],
  [
    '编号、题目行号',
    '这一行是哪道题，写一个：题目的编号（这份文件里的，或以前从表格导入的），或它在“题库”表里的行号，如 6，有几张题库表时写 题库!6',
  ],
  ['分值（试卷表）', '这道题在这份试卷里的分值；不填用题目自己的分值'],
  ['试卷编号', '学校自己给这份试卷的编号，可不填。写了它，以后试卷改名也还是同一份试卷'],
];

const WIDTHS: Partial<Record<Column, number>> = { 题干: 50, 答案: 16, 解析: 40, 章节: 24, 材料: 40, 采点: 40 };

const PAPER_WIDTHS: Partial<Record<PaperColumn, number>> = { 试卷: 24, 类型: 12, 大题: 18, 编号: 14 };

const rows = (): CellValue[][] => [
  [...COLUMNS],
  ...EXAMPLES.map((example) => COLUMNS.map((column) => example[column] ?? null)),
];

const csvCell = (value: CellValue) => {
  const cell = value === null ? '' : String(value);
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
};

/** UTF-8 with a byte order mark, by which Excel knows it. */
const csv = Buffer.from(
  `\ufeff${rows()
    .map((row) => row.map(csvCell).join(','))
    .join('\r\n')}\r\n`,
);

/** The examples, with a choice list for 题型, a sheet with a paper of them, and one that explains the columns. */
const xlsx = await writeXlsx({
  // The same file whenever it is made.
  properties: { modified: new Date('2026-11-21T00:00:00Z') },
  sheets: [
    {
      name: '题库',
      columns: COLUMNS.map((column) => ({ width: WIDTHS[column] ?? 12 })),
      rows: rows(),
      freezePane: { rows: 1 },
      dataValidations: [
        { type: 'list', range: 'A2:A5000', values: ['判断', '单选', '多选', '不定项', '简答', '自评简答'] },
      ],
    },
    {
      name: PAPER_SHEET,
      columns: PAPER_COLUMNS.map((column) => ({ width: PAPER_WIDTHS[column] ?? 10 })),
      rows: [[...PAPER_COLUMNS], ...PAPER.map((row) => PAPER_COLUMNS.map((column): CellValue => row[column] ?? null))],
      freezePane: { rows: 1 },
      dataValidations: [{ type: 'list', range: 'B2:B5000', values: ['模拟考试', '历年真题', '限时测试'] }],
    },
    { name: EXPLAINING_SHEET, columns: [{ width: 16 }, { width: 90 }], rows: EXPLANATIONS.map((row) => [...row]) },
  ],
});

/** The unpacked parts of a workbook by name: how they are packed differs from machine to machine. */
async function partsOf(workbook: Uint8Array): Promise<string> {
  const zip = await fromBufferPromise(Buffer.from(workbook));
  const parts: [string, string][] = [];
  for await (const entry of zip.eachEntry())
    parts.push([entry.fileName, await text(await zip.openReadStreamPromise(entry))]);
  return JSON.stringify(parts);
}

const shipped = (name: string) => {
  try {
    return readFileSync(join(folder, name));
  } catch {
    return null;
  }
};

async function isFresh(): Promise<boolean> {
  const [oldXlsx, oldCsv] = [shipped('questions.xlsx'), shipped('questions.csv')];
  return oldXlsx !== null && oldCsv?.equals(csv) === true && (await partsOf(oldXlsx)) === (await partsOf(xlsx));
}

if (process.argv.includes('--write') && !(await isFresh())) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'questions.xlsx'), xlsx);
  writeFileSync(join(folder, 'questions.csv'), csv);
}
if (!(await isFresh())) {
  console.error('content/question/template is not what the columns say: npm run check -- --fix');
  process.exit(1);
}
console.log(
  `a template of ${COLUMNS.length} columns and ${EXAMPLES.length} examples, and a paper of ${PAPER.length} rows, fresh`,
);
