import type { GradeMode, LookReason } from '#contract/values/exam.ts';
import { msg } from '#web/lib/t.ts';

/** Why a question needs a look, as a sentence. */
export const reasonWords: Readonly<Record<LookReason, string>> = {
  keyBeaten: msg('成绩好的学员更多选了别的答案，答案可能有误'),
  negative: msg('成绩差的学员反而更容易答对'),
  reported: msg('有学员反馈'),
  weak: msg('区分不出成绩好坏'),
};

/** How a question is graded. */
export const gradeModeWords: Readonly<Record<GradeMode, string>> = {
  key: msg('按答案评分'),
  all: msg('全员得分'),
  void: msg('本题作废'),
};

/** What a change of a question is about. */
export const fieldWords: Readonly<Record<string, string>> = {
  right: msg('正确答案'),
  analysis: msg('解析'),
  gradeMode: msg('计分方式'),
  score: msg('分值'),
  partial: msg('少选的得分规则'),
  topic: msg('题干'),
  options: msg('选项'),
  questionTypesId: msg('题型'),
  chapter: msg('所属章节'),
  material: msg('案例材料'),
};
