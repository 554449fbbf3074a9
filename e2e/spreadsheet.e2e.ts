import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { ExamScreen } from './exam-screen.ts';
import { toGb18030 } from './gb18030.ts';
import { look } from './look.ts';
import { lixue, loadNasty, nasty } from './operator.ts';
import { findPack, newStudent } from './student.ts';

interface Row {
  type: string;
  topic: string;
  options?: string[];
  answer: string;
  analysis?: string;
  score?: string;
  chapter?: string;
  material?: string;
  /** What a student then sees: the topic's words, the words of the right options. */
  shows?: string;
  right?: string[];
}

const chapter = '第一章 绪论/第一节 数据与信息';

/** Rows as schools really have them: copied from Word, typed on a phone, exported from another system. */
const good: Row[] = [
  { type: '判断题', topic: '数据是信息的载体。', answer: '√', analysis: '数据经过解释才成为信息。', right: ['对'] },
  { type: '判断', topic: '1 KB 等于 1000 位。', answer: '×', right: ['错'] },
  { type: '判断', topic: '二进制只有两个数码。', answer: ' 对 ', right: ['对'] },
  {
    type: '单选题',
    topic: '下列设备中，属于输入设备的是（　）。',
    options: ['A. 键盘', 'B. 显示器', 'C. 打印机', 'D. 音箱'],
    answer: 'Ａ',
    right: ['键盘'],
  },
  {
    type: '单项选择题',
    topic: '若 a<b 且 b<c，则下列结论正确的是',
    options: ['a<c', 'a>c', 'a=c', '无法判断'],
    answer: '答案：A',
    right: ['a<c'],
  },
  {
    type: '单选',
    topic: '=SUM(A1:A3) 在单元格中的作用是',
    options: ['求和', '求平均', '计数', '-1'],
    answer: 'a',
    shows: '=SUM(A1:A3) 在单元格中的作用是',
    right: ['求和'],
  },
  {
    type: '多选题',
    topic: '下列属于系统软件的有',
    options: ['（A）操作系统', '（B）编译程序', '（C）文字处理软件', '（D）数据库管理系统'],
    answer: 'A,B、D',
    right: ['操作系统', '编译程序', '数据库管理系统'],
  },
  {
    type: '多选',
    topic: '<p>下列数中，等于 $2^{3}$ 的有<br/>（不止一个）</p>',
    options: ['8', '<b>1000</b>（二进制）', '6', '10（八进制）'],
    answer: ' D A B ',
    shows: '（不止一个）',
    right: ['8', '1000（二进制）', '10（八进制）'],
  },
  {
    type: '不定项',
    topic: '该公司下列做法中，符合规定的有',
    options: ['定期备份', '共用密码', '分级授权'],
    answer: '（AC）',
    material: '某公司的服务器上有客户资料。\n管理员每周备份一次，\n员工按岗位授权。',
    right: ['定期备份', '分级授权'],
  },
  {
    type: '不定项选择题',
    topic: '该公司还应当',
    options: ['记录日志', '关闭防火墙'],
    answer: 'A',
    material: '某公司的服务器上有客户资料。\n管理员每周备份一次，\n员工按岗位授权。',
    right: ['记录日志'],
  },
  {
    type: '名词解释',
    topic: '算法',
    answer: '解决问题的有限步骤：\n1. 有穷性；\n2. 确定性。',
    score: '5',
  },
];

const bad: Row[] = [
  { type: '单选', topic: '两个答案的单选题', options: ['甲', '乙'], answer: 'AB' },
  { type: '多选', topic: '没有选项 E 的题', options: ['甲', '乙', '丙', '丁'], answer: 'AE' },
  { type: '填空', topic: '不认识的题型', answer: '答案' },
  { type: '判断', topic: '', answer: '对' },
];

const header = [
  '题型*',
  '题 干（必填）',
  '选项A',
  '选项B',
  '选项Ｃ',
  '选项D',
  '正确答案',
  '答案解析',
  '分值',
  '所属章节',
  '难易度',
  '材料',
];

function csv(rows: readonly Row[]): string {
  const quote = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = rows.map((row) => [
    row.type,
    row.topic,
    ...[0, 1, 2, 3].map((at) => row.options?.[at] ?? ''),
    row.answer,
    row.analysis ?? '',
    row.score ?? '',
    chapter,
    '中',
    row.material ?? '',
  ]);
  return [['信息技术基础题库（2026 年整理）'], header, ...lines].map((line) => line.map(quote).join(',')).join('\r\n');
}

test('a dirty GB18030 file: refused with every bad row named, imported once mended, and sat', async ({
  page,
}, info) => {
  await loadNasty();
  const file = info.outputPath('题库.csv');
  const to = ['--pack', 'nasty', '--course', 'other'];
  writeFileSync(file, toGb18030(csv([...good, ...bad])));
  const refused = await lixue('import', 'questions', file, ...to);
  expect(refused.code).toBe(1);
  // The title is row 1, the header row 2; a cell with line breaks is still one row.
  for (const [index] of bad.entries()) expect(refused.said).toContain(`第 ${3 + good.length + index} 行：`);
  expect(refused.said).toContain('没有导入');
  writeFileSync(file, toGb18030(csv(good)));
  const imported = await lixue('import', 'questions', file, ...to);
  expect(imported.said).toMatch(new RegExp(`新增 ${good.length} 题|未变 ${good.length} 题`));
  expect(imported.code).toBe(0);

  await newStudent(page.request);
  const packId = await findPack(page.request, nasty);
  await page.goto(`/startExam/chaptExam?packId=${packId}&questionTypesId=0`);
  await page.getByRole('link', { name: '另一门课程' }).click();
  const fold = page.getByRole('button', { name: '第一章 绪论', exact: true });
  await expect(fold).toBeVisible();
  if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
  await page
    .getByRole('listitem')
    .filter({ hasText: '第一节 数据与信息' })
    .last()
    .getByRole('button', { name: '开始' })
    .click();

  const exam = new ExamScreen(page);
  await exam.isAt(1);
  await exam.autoAdvance(false);
  const answer = exam.answer();
  for (const [index, row] of good.entries()) {
    await exam.isAt(index + 1);
    const article = page.getByRole('article');
    await expect(article).toContainText(row.shows ?? row.topic);
    if (row.material !== undefined)
      await expect(page.getByRole('region', { name: '案例' })).toContainText('员工按岗位授权。');
    if (row.right) for (const words of row.right) await exam.options().filter({ hasText: words }).first().click();
    else await exam.written().fill('步骤');
    if (index === 7) await look(page, info, 'spreadsheet-formula');
    await page.getByRole('button', { name: '查看答案' }).click();
    await expect(answer).toBeVisible();
    if (row.right) await expect(answer.getByText('回答正确')).toBeVisible();
    else {
      await expect(answer).toContainText('有穷性');
      await look(page, info, 'spreadsheet-written', { whole: true });
    }
    if (index < good.length - 1) await exam.next();
  }
  await page.getByRole('button', { name: '交卷', exact: true }).click();
  await page.getByRole('dialog', { name: '确认交卷' }).getByRole('button', { name: '确认交卷' }).click();
  await expect(page.getByText('答对 10')).toBeVisible();
});
