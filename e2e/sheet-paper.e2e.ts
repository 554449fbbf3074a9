import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { ExamScreen } from './exam-screen.ts';
import { look } from './look.ts';
import { lixue, loadNasty, nasty } from './operator.ts';
import { findPack, newStudent } from './student.ts';

const NAME = '第三单元测验（表格组卷）';
const TOPICS = ['海水是咸的。', '月球自己会发光。', '下列属于行星的是（　）。'] as const;
const BANK: CellValue[][] = [
  ['题型', '题干', '选项A', '选项B', '答案', '分值', '章节', '编号'],
  ['判断', TOPICS[0], null, null, '对', 1, '第三单元', 'DY-1'],
  ['判断', TOPICS[1], null, null, '错', 1, '第三单元', 'DY-2'],
  ['单选', TOPICS[2], '火星', '太阳', 'A', 1, '第三单元', 'DY-3'],
];
/** What the file says of the paper, and another total. */
const papers = (total: number): CellValue[][] => [
  ['试卷组卷表'],
  ['试卷名称', '试卷类型', '考试时长（分钟）', '满分', '大题', '题序', '试题编号', '本卷分值'],
  [NAME, '模拟卷', 30, total, '二、判断', 2, 'DY-1', 2.5],
  [NAME, null, null, null, '一、选择', 1, 'DY-3', 5],
  [NAME, null, null, null, '二、判断', 3, 'DY-2', 2.5],
];

test('a paper of a spreadsheet: refused while its points do not add up, then sat as the file has it', async ({
  page,
}, info) => {
  await loadNasty();
  const file = info.outputPath('题库和试卷.xlsx');
  const load = async (total: number) => {
    writeFileSync(
      file,
      await writeXlsx({
        sheets: [
          { name: '题库', rows: BANK },
          { name: '试卷', rows: papers(total) },
        ],
      }),
    );
    return lixue('import', 'questions', file, '--pack', 'nasty', '--course', 'other');
  };
  const refused = await load(12);
  expect(refused.code).toBe(1);
  expect(refused.said).toContain(`试卷 第 3 行：试卷“${NAME}”的总分写的是 12，各题分值合计 10，少 2 分`);
  const imported = await load(10);
  expect(imported.said).toMatch(/；试卷新增 1 份|；试卷新增 0 份，更新 0 份，未变 1 份/);
  expect(imported.code).toBe(0);

  await newStudent(page.request);
  const packId = await findPack(page.request, nasty);
  await page.goto(`/examCenter?packId=${packId}&kind=mock`);
  const row = page.getByRole('listitem').filter({ hasText: NAME });
  await expect(row).toContainText('满分 10');
  await look(page, info, 'sheet-paper-listed');
  await row.getByRole('button', { name: '开始' }).click();
  await page
    .getByRole('dialog', { name: `开始“${NAME}”？` })
    .getByRole('button', { name: '开始' })
    .click();
  const exam = new ExamScreen(page);
  await exam.isAt(1);
  await exam.autoAdvance(false);
  const shown = [
    { section: '一、选择', topic: TOPICS[2], points: '5 分' },
    { section: '二、判断', topic: TOPICS[0], points: '2.5 分' },
    { section: '二、判断', topic: TOPICS[1], points: '2.5 分' },
  ];
  for (const [index, { section, topic, points }] of shown.entries()) {
    await exam.isAt(index + 1);
    const article = page.getByRole('article');
    await expect(article).toContainText(section);
    await expect(article).toContainText(topic);
    await expect(article).toContainText(points);
    if (index === 1) await look(page, info, 'sheet-paper-question');
    await exam.option('A').click();
    if (index < shown.length - 1) await exam.next();
  }
  const card = await exam.card();
  await expect(card).toContainText('一、选择');
  await expect(card).toContainText('二、判断');
  if (!exam.wide) await page.keyboard.press('Escape');
  await exam.handIn();
  await expect(page.getByText('7.5').first()).toBeVisible();
});
