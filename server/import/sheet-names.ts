import type { Mistake } from '#content/pack/mistake.ts';
import type { CheckedPack } from '#content/pack/pack.ts';
import { askedBy, sumMistakes } from '#content/pack/papers.ts';
import type { PackPaper, SheetName } from '#content/pack/reader.ts';
import { questionKey } from '#content/question/content-key.ts';
import type { QuestionType } from '#rules/exam/answer.ts';
import { addPoints } from '#rules/exam/scoring.ts';
import { readCourseSlugs } from '#server/course/chapter-sync-store.ts';
import type { Query } from '#server/db/open.ts';
import { readPapers } from '#server/exam/paper/exam-store.ts';
import { findBySchoolKeys, type KeyedSheetQuestion } from '#server/exam/paper/sheet-question-store.ts';
import { nameForm } from './sheet-papers.ts';

/** A paper of a folder, all of its questions by the keys under which they are stored. */
export interface NamedPaper extends Omit<PackPaper, 'sections'> {
  sections: { title: string; questions: { key: string; score: number }[] }[];
}

/** Mistakes of a pack that the database knows, and its folder does not. */
export class PackMistaken extends Error {
  readonly mistakes: Mistake[];
  constructor(mistakes: Mistake[]) {
    super('the pack does not fit what is stored');
    this.mistakes = mistakes;
  }
}

const isSheetName = (question: { key: string } | SheetName): question is SheetName => 'schoolKey' in question;

/**
 * Finds the questions of spreadsheets that the papers of a folder name (docs/decisions/075), keys of the folder that are 编号 of such ones, and papers that are called as one of a spreadsheet in their course.
 * @param packId null: nothing of the pack is stored yet
 * @throws PackMistaken with every mistake
 */
export async function nameSheetQuestions(
  query: Query,
  packId: number | null,
  pack: CheckedPack,
): Promise<NamedPaper[]> {
  const mistakes: Mistake[] = [];
  const names = pack.papers.flatMap(({ sections }) =>
    sections.flatMap(({ questions }) => questions.filter(isSheetName).map(({ schoolKey }) => schoolKey)),
  );
  const find = async (keys: readonly string[]) =>
    packId === null ? new Map<string, KeyedSheetQuestion>() : findBySchoolKeys(query, packId, [...new Set(keys)]);
  const taken = await find(pack.questions.map(({ key }) => key));
  for (const { key, at } of pack.questions)
    if (taken.get(key)?.archived === false)
      mistakes.push({ ...at, reason: `试题 ${key} 的 key 是表格里一道题的编号，请换一个 key，或在表格里换一个编号` });

  if (packId !== null) mistakes.push(...(await namesakes(query, packId, pack)));

  const found = await find(names);
  const practised = names.length > 0 ? practisedOf(pack) : new Map<string, string>();
  const papers = pack.papers.map((paper): NamedPaper => {
    let isWhole = true;
    const questionOf = (question: { key: string; score: number } | SheetName): { key: string; score: number }[] => {
      if (!isSheetName(question)) return [question];
      const { schoolKey, at } = question;
      const stored = found.get(schoolKey);
      const no = (reason: string) => {
        isWhole = false;
        mistakes.push({ ...at, reason });
        return [];
      };
      if (!stored)
        return no(
          packId === null
            ? `没有编号是“${schoolKey}”的试题，课程包也还没有：先不带这份试卷的文件导入文件夹（表格才找得到它的课程和章节），再用 import questions 导入表格，最后带上它再导入一次`
            : `没有编号是“${schoolKey}”的试题：要先用 import questions 把它从表格导入这个课程包`,
        );
      if (stored.archived) return no(`编号“${schoolKey}”的试题已停用（以前导入的表格里不再有它）`);
      const same = paper.reserved ? practised.get(asksOf(stored)) : undefined;
      if (same !== undefined)
        return no(`保留的试题（编号“${schoolKey}”）与试题 ${same} 的题干、选项和材料相同，而 ${same} 会出现在练习里`);
      return [{ key: stored.key, score: question.score ?? stored.score }];
    };
    const sections = paper.sections.map(({ title, questions }) => ({
      title,
      questions: questions.flatMap(questionOf),
    }));
    const all = paper.sections.flatMap(({ questions }) => questions);
    // What gives all its points in the folder was added up there.
    if (isWhole && all.some(({ score }) => score === null))
      mistakes.push(
        ...sumMistakes(paper, addPoints(sections.flatMap(({ questions }) => questions.map(({ score }) => score)))),
      );
    return { ...paper, sections };
  });
  if (mistakes.length > 0) throw new PackMistaken(mistakes);
  return papers;
}

/** Papers of the folder that students would see twice by one name, and of which a spreadsheet could not change its own any more. */
async function namesakes(query: Query, packId: number, { papers }: CheckedPack): Promise<Mistake[]> {
  const slugs = new Map((await readCourseSlugs(query, packId)).map(({ id, slug }) => [id, slug]));
  const courses = new Map<string, string[]>();
  for (const { name, courseId, archived, ofSheet } of await readPapers(query, packId)) {
    const slug = slugs.get(courseId ?? 0);
    // What stands in a course that is archived is seen by nobody.
    if (!ofSheet || archived || slug === undefined) continue;
    const form = nameForm(name);
    courses.set(form, [...(courses.get(form) ?? []), slug]);
  }
  return papers
    .filter(({ name, course }) => courses.get(nameForm(name))?.some((slug) => course === null || slug === course))
    .map(({ name, at }) => ({
      ...at.name,
      reason: `这门课里已有一份从表格导入的试卷叫“${name}”：请改名，或用 import questions --whole 导入不再有它的表格`,
    }));
}

const asksOf = ({ type, topic, options, material }: KeyedSheetQuestion) =>
  questionKey(type as QuestionType, topic, options, material);

/** What the questions of a folder ask that no paper reserves, each with its key. */
function practisedOf({ papers, questions, cases }: CheckedPack): Map<string, string> {
  const reserved = new Set(
    papers.flatMap((paper) =>
      paper.reserved
        ? paper.sections.flatMap((section) => section.questions.flatMap((one) => ('key' in one ? one.key : [])))
        : [],
    ),
  );
  const texts = new Map(cases.map((one) => [one.key, one]));
  return new Map(
    questions.filter(({ key }) => !reserved.has(key)).map((question) => [askedBy(question, texts), question.key]),
  );
}
