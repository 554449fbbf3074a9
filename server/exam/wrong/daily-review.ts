import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { DailyReview, DailyReviews, StartDailyReview } from '#contract/exam-wrong.ts';
import { SAME_PRESS } from '#contract/values/exam.ts';
import { isMadeWithout } from '#rules/exam/reveal.ts';
import {
  type Card,
  type CardGroup,
  dailyCount,
  dailySet,
  dateOf,
  dayFrom,
  dayOf,
  forecast,
  newCard,
  type ReviewDay,
  reviewedOn,
  startOfDay,
} from '#rules/exam/schedule.ts';
import { standInsOf } from '#rules/exam/stand-in.ts';
import { readExamDates } from '#server/course/store.ts';
import type { Query } from '#server/db/open.ts';
import type { StudiedGroup, StudiedQuestion } from '../grading/wrong-entry.ts';
import { readSiblings } from '../paper/bank-store.ts';
import { findOpenDaily, readDailies } from '../paper/own-paper-store.ts';
import { saveOwnPaper } from '../paper/save-own-paper.ts';
import { readQuestions } from '../paper/standing-question-store.ts';
import type { ExamParts } from '../parts.ts';
import { readAllSettings, readSettings, type StudySettings, usualSettings } from './study-settings-store.ts';

/** Days that the forecast shows at most. */
const FORECAST_DAYS = 14;

type Grades = ReturnType<ExamParts['gradesFor']>;
type Item = { questionId: number; card: Card };

/** The review of one pack on one day. */
interface PackReview {
  items: Item[];
  settings: StudySettings;
  examDay: number | null;
}

function itemsOf(studied: readonly StudiedQuestion[], examDay: number | null): Item[] {
  return studied.map(({ questionId, card, cameIn }) => ({
    questionId,
    card: card ?? newCard(cameIn.rating, cameIn.at, examDay),
  }));
}

/** Days to the exam as they are shown: negative once it is over. */
const daysTo = (examDay: number | null, now: number) => (examDay === null ? null : examDay - dayOf(now));

/** As `itemsOf`, of what is only counted. A day stands for its moments: nothing here asks for more. */
function cardGroups(studied: readonly StudiedGroup[], examDay: number | null): CardGroup[] {
  return studied.map(({ card, cameIn, count }) => ({
    count,
    card: card
      ? { due: startOfDay(card.dueDay), lastReviewAt: startOfDay(card.lastDay), reps: card.reviewed ? 1 : 0 }
      : newCard(cameIn.rating, startOfDay(cameIn.day), examDay),
  }));
}

const totalOf = (groups: readonly CardGroup[]) => groups.reduce((sum, { count }) => sum + count, 0);

/**
 * How many questions are left of today's review. Only where room is left on the way to an exam, for what is not due but worth it, are
 * the cards themselves looked at.
 */
async function countLeft(
  { db, gradesFor }: ExamParts,
  { userId, packId, groups, day }: { userId: number; packId: number; groups: readonly CardGroup[]; day: ReviewDay },
): Promise<number> {
  const counted = dailyCount(groups, day);
  if (counted !== null) return counted;
  const studied = await gradesFor(db.query, userId).studied(packId);
  return dailySet(itemsOf(studied, day.examDay), day).length;
}

/** What each pack of a student has to review today; packs without anything to review are left out. */
export async function readDailyReviews(
  exam: ExamParts,
  userId: number,
  now: number,
): Promise<DataOf<typeof DailyReviews>> {
  const { query } = exam.db;
  const byPack = Map.groupBy(await exam.gradesFor(query, userId).studiedGroups(), ({ packId }) => packId);
  const settings = await readAllSettings(query, userId);
  const dates = await readExamDates(query, userId, [...byPack.keys()]);
  const list: DataOf<typeof DailyReviews>['list'] = [];
  for (const [packId, studied] of byPack) {
    const pack = dates.get(packId);
    if (!pack) continue;
    const { dailySize, examDate } = settings.get(packId) ?? usualSettings;
    const examDay = dayFrom(examDate ?? pack.examDate ?? '');
    const groups = cardGroups(studied, examDay);
    list.push({
      packId,
      packName: pack.name,
      count: await countLeft(exam, { userId, packId, groups, day: { now, size: dailySize, examDay } }),
      done: reviewedOn(groups, dayOf(now)),
      total: totalOf(groups),
      daysLeft: daysTo(examDay, now),
    });
  }
  return { list: list.sort((a, b) => b.count - a.count || a.packId - b.packId) };
}

/** Today's review of a pack, and the load of the days to come. */
export async function readDailyReview(
  exam: ExamParts,
  userId: number,
  { packId, now }: { packId: number; now: number },
): Promise<DataOf<typeof DailyReview>> {
  const { query } = exam.db;
  const grades = exam.gradesFor(query, userId);
  const settings = await readSettings(query, userId, packId);
  const packDate = (await readExamDates(query, userId, [packId])).get(packId)?.examDate ?? null;
  const examDay = dayFrom(settings.examDate ?? packDate ?? '');
  const groups = cardGroups(await grades.studiedGroups(packId), examDay);
  const day = { now, size: settings.dailySize, examDay };
  return {
    packId,
    examDate: settings.examDate ?? packDate,
    ownExamDate: settings.examDate,
    packExamDate: packDate,
    daysLeft: daysTo(examDay, now),
    dailySize: settings.dailySize,
    count: await countLeft(exam, { userId, packId, groups, day }),
    done: reviewedOn(groups, dayOf(now)),
    total: totalOf(groups),
    open: await findOpenDaily(query, userId, packId, startOfDay(dayOf(now))),
    forecast: forecast(groups, { ...day, days: FORECAST_DAYS }).map(({ day: number, ...load }) => ({
      date: dateOf(number),
      ...load,
    })),
    withheld: await grades.withholds(),
  };
}

/** What of reviewing a pack takes time: today's set, and what comes due on days after it. */
export interface ReviewLoad {
  /** Left of today's set. */
  count: number;
  done: number;
  dailySize: number;
  examDate: string | null;
  ownExamDate: string | null;
  /** By China day number, in a number of days. */
  due: Map<number, number>;
}

/** The load of reviewing each of these packs for some days. */
export async function readReviewLoads(
  exam: ExamParts,
  { userId, packIds, now, days }: { userId: number; packIds: readonly number[]; now: number; days: number },
): Promise<Map<number, ReviewLoad>> {
  const { query } = exam.db;
  const byPack = Map.groupBy(await exam.gradesFor(query, userId).studiedGroups(), ({ packId }) => packId);
  const settings = await readAllSettings(query, userId);
  const dates = await readExamDates(query, userId, packIds);
  const loads = new Map<number, ReviewLoad>();
  for (const packId of packIds) {
    const { dailySize, examDate: ownExamDate } = settings.get(packId) ?? usualSettings;
    const examDate = ownExamDate ?? dates.get(packId)?.examDate ?? null;
    const examDay = dayFrom(examDate ?? '');
    const groups = cardGroups(byPack.get(packId) ?? [], examDay);
    const day = { now, size: dailySize, examDay };
    const today = dayOf(now);
    loads.set(packId, {
      count: groups.length === 0 ? 0 : await countLeft(exam, { userId, packId, groups, day }),
      done: reviewedOn(groups, today),
      dailySize,
      examDate,
      ownExamDate,
      due: new Map(forecast(groups, { ...day, days }).flatMap((of) => (of.day > today ? [[of.day, of.due]] : []))),
    });
  }
  return loads;
}

/** How many questions today's review of a pack has. */
export async function countDailyReview(
  exam: ExamParts,
  userId: number,
  { packId, now }: { packId: number; now: number },
): Promise<number> {
  const { query } = exam.db;
  const { settings, examDay } = await readPlan(query, userId, packId);
  const groups = cardGroups(await exam.gradesFor(query, userId).studiedGroups(packId), examDay);
  return countLeft(exam, { userId, packId, groups, day: { now, size: settings.dailySize, examDay } });
}

/** Makes a practice of today's review, or gives the one that is open. */
export async function startDailyReview(
  exam: ExamParts,
  { userId, packId, name, now }: { userId: number; packId: number; name: string; now: number },
): Promise<{ ok: true; started: DataOf<typeof StartDailyReview> } | { ok: false; why: Why }> {
  const { query } = exam.db;
  const open = await findOpenDaily(query, userId, packId, startOfDay(dayOf(now)));
  if (open) return { ok: true, started: { examId: open.examId } };
  const grades = exam.gradesFor(query, userId);
  const sat = [...(await grades.hidden())];
  const { items, settings, examDay } = await readPack(exam, grades, { userId, packId });
  const set = dailySet(items, { now, size: settings.dailySize, examDay });
  const standIns = await readStandIns(exam, grades, { userId, packId, now, set, items, examDay });
  const asked = set.map(({ questionId }) => standIns.get(questionId) ?? questionId);
  const found = await readQuestions(query, asked);
  const questions = asked.flatMap((questionId): [number, number][] => {
    const question = found.get(questionId);
    return question ? [[questionId, question.score]] : [];
  });
  // Made before and not begun: a second press, or a student who went back. What has changed since is made anew, and so is what was made before an exam
  // that is sat began: it tells what was wrong (decision 062).
  const today = dayOf(now);
  const { count, waiting } = await readDailies(query, userId, packId, startOfDay(today));
  const same = waiting?.questionIds.join() === questions.map(([id]) => id).join();
  if (waiting && isMadeWithout(sat, waiting.sat) && (same || now - waiting.madeAt < SAME_PRESS))
    return { ok: true, started: { examId: waiting.examId } };
  const daily = { kind: 'own', purpose: 'daily', examTime: null } as const;
  const press = `daily:${today}:${count}`;
  const saved = await saveOwnPaper(exam, { ...daily, userId, packId, name, questions, standIns, sat, now, press });
  return saved.ok ? { ok: true, started: { examId: saved.paper.examId } } : saved;
}

/** Which questions of the set another one of the same knowledge point stands for, by the former. */
async function readStandIns(
  { db: { query } }: ExamParts,
  grades: Grades,
  day: {
    userId: number;
    packId: number;
    now: number;
    set: readonly Item[];
    items: readonly Item[];
    examDay: number | null;
  },
): Promise<Map<number, number>> {
  const { userId, packId, set, items } = day;
  // What is under review has a card of its own, and of what is hidden nothing may show whether it has.
  const without = new Set(items.map(({ questionId }) => questionId));
  for (const id of [...(await grades.hidden()), ...(await grades.undrawable(packId))]) without.add(id);
  const questionIds = set.map(({ questionId }) => questionId);
  const siblings = await readSiblings(query, { userId, packId, questionIds, without });
  return standInsOf(set, (questionId) => siblings.get(questionId) ?? [], day);
}

async function readPack(
  { db: { query } }: ExamParts,
  grades: Grades,
  { userId, packId }: { userId: number; packId: number },
): Promise<PackReview> {
  const studied = await grades.studied(packId);
  const plan = await readPlan(query, userId, packId);
  return { items: itemsOf(studied, plan.examDay), ...plan };
}

/** What a student chose for reviewing a pack, and the day of its exam. */
async function readPlan(query: Query, userId: number, packId: number): Promise<Omit<PackReview, 'items'>> {
  const settings = await readSettings(query, userId, packId);
  const dates = await readExamDates(query, userId, [packId]);
  return { settings, examDay: dayFrom(settings.examDate ?? dates.get(packId)?.examDate ?? '') };
}
