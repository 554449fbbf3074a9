import type { DataOf } from '#contract/call.ts';
import type { WrongIndex, WrongOptions, WrongPacks, WrongTypes } from '#contract/exam-wrong.ts';
import { questionTypes, type WrongState } from '#contract/values/exam.ts';
import { countBelow } from '#rules/exam/wrong-tree.ts';
import { listChapters, readChapterNames } from '#server/course/chapter-store.ts';
import { listCourses, readExamDates, readPackNames } from '#server/course/store.ts';
import type { WrongFacet } from '../grading/wrong-entry.ts';
import { readExamNames } from '../paper/standing-question-store.ts';
import type { ExamParts } from '../parts.ts';
import { countCollected } from './collection-store.ts';
import { readSettings } from './study-settings-store.ts';

type ByType = DataOf<typeof WrongTypes>['list'];

/** A student's wrong questions by pack, the newest mistake first. */
export async function readErrorPacks(
  { db: { query }, gradesFor }: ExamParts,
  userId: number,
): Promise<DataOf<typeof WrongPacks>> {
  const grades = gradesFor(query, userId);
  const byPack = Map.groupBy(await grades.wrongPacks(), ({ packId }) => packId);
  // Of a pack that the student may not open any more, its own calls tell nothing either.
  const packs = await readExamDates(query, userId, [...byPack.keys()]);
  const list = [...byPack].flatMap(([packId, states]) => {
    const pack = packs.get(packId);
    if (!pack) return [];
    const countOf = (wanted: WrongState) => states.find(({ state }) => state === wanted)?.count ?? 0;
    return {
      packId,
      packName: pack.name,
      count: countOf('in'),
      leftCount: countOf('left'),
      removedCount: countOf('removed'),
      lastAt: Math.max(...states.map(({ lastAt }) => lastAt)),
    };
  });
  return { list: list.sort((a, b) => b.lastAt - a.lastAt), withheld: await grades.withholds() };
}

/** The wrong-question list of a pack at a glance. */
export async function readErrorIndex(
  { db: { query }, gradesFor }: ExamParts,
  userId: number,
  packId: number,
): Promise<DataOf<typeof WrongIndex>> {
  const grades = gradesFor(query, userId);
  const facets = await grades.wrongFacets(packId);
  const inList = facets.filter(({ state }) => state === 'in');
  const byChapter = countBy(inList, ({ chapterId }) => chapterId);
  const chapters = await listChapters(query, packId);
  const courses = (await listCourses(query, packId)).map(({ id: courseId, name }) => ({
    courseId,
    name,
    chapters: countBelow(
      chapters.filter((chapter) => chapter.courseId === courseId),
      byChapter,
    ),
  }));
  return {
    packId,
    packName: (await readPackNames(query, [packId])).get(packId) ?? '',
    count: sum(inList),
    guessedCount: sum(inList.filter(({ guessed }) => guessed)),
    leftCount: sum(facets.filter(({ state }) => state === 'left')),
    removedCount: sum(facets.filter(({ state }) => state === 'removed')),
    collectedCount: await countCollected(query, userId, packId),
    leaveAfter: (await readSettings(query, userId, packId)).leaveAfter,
    courses,
    withheld: await grades.withholds(),
  };
}

/** How many questions of each type stand in the list of a pack. */
export async function readErrorTypes(
  { db: { query }, gradesFor }: ExamParts,
  userId: number,
  packId: number,
): Promise<DataOf<typeof WrongTypes>> {
  const grades = gradesFor(query, userId);
  const facets = (await grades.wrongFacets(packId)).filter(({ state }) => state === 'in');
  return { list: byType(facets), withheld: await grades.withholds() };
}

/** What the list of a pack can be narrowed by. */
export async function readErrorOptions(
  { db: { query }, gradesFor }: ExamParts,
  userId: number,
  { packId, state: wanted = 'in' }: { packId: number; state?: WrongState | undefined },
): Promise<DataOf<typeof WrongOptions>> {
  const grades = gradesFor(query, userId);
  const facets = (await grades.wrongFacets(packId)).filter(({ state }) => state === wanted);
  const byChapter = countBy(facets, ({ chapterId }) => chapterId);
  const byExam = countBy(facets, ({ examId }) => examId);
  const chapterNames = await readChapterNames(query, [...byChapter.keys()]);
  const examNames = await readExamNames(
    query,
    [...byExam.keys()].filter((id) => id !== null),
  );
  return {
    types: byType(facets),
    chapters: [...byChapter].map(([chapterId, count]) => ({
      chapterId,
      name: chapterNames.get(chapterId) ?? '',
      count,
    })),
    exams: [...byExam].flatMap(([examId, count]) =>
      examId === null ? [] : [{ examId, examName: examNames.get(examId) ?? '', count }],
    ),
    timesWrong: [2, 3].map((timesWrong) => ({
      timesWrong,
      count: sum(facets.filter((facet) => facet.timesWrong >= timesWrong)),
    })),
    guessedCount: sum(facets.filter(({ guessed }) => guessed)),
    withheld: await grades.withholds(),
  };
}

function byType(facets: readonly WrongFacet[]): ByType {
  const counts = countBy(facets, ({ questionTypesId }) => questionTypesId);
  return questionTypes.flatMap((questionTypesId) => {
    const count = counts.get(questionTypesId) ?? 0;
    return count === 0 ? [] : [{ questionTypesId, count }];
  });
}

const sum = (facets: readonly WrongFacet[]) => facets.reduce((total, { count }) => total + count, 0);

function countBy<K>(facets: readonly WrongFacet[], keyOf: (facet: WrongFacet) => K): Map<K, number> {
  return new Map([...Map.groupBy(facets, keyOf)].map(([key, alike]) => [key, sum(alike)]));
}
