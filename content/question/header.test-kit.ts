/** The header of the spreadsheets of tests. */
export const HEADER = [
  '题型',
  '题干',
  '选项A',
  '选项B',
  '选项C',
  '选项D',
  '答案',
  '解析',
  '分值',
  '章节',
  '难度',
  '材料',
];
