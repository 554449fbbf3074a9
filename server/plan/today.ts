import { hash } from 'node:crypto';
import type { DataOf } from '#contract/call.ts';
import type { PlanToday } from '#contract/plan.ts';
import { PLAN_MOST } from '#contract/values/plan.ts';
import { isMadeWithout } from '#rules/exam/reveal.ts';
import { dateOf, dayFrom, dayOf, startOfDay } from '#rules/exam/schedule.ts';
import { moreMinutes, whatToLeave, without } from '#rules/plan/leave.ts';
import { fits, keyOf, makePlan } from '#rules/plan/plan.ts';
import type { PlanInput, PlanTask } from '#rules/plan/work.ts';
import { readChapterNames } from '#server/course/chapter-store.ts';
import { packsOpenTo, readExamDates } from '#server/course/store.ts';
import type { Query } from '#server/db/open.ts';
import { recordFinder } from '#server/exam/finding/count-store.ts';
import { listScoredPapers, readOpenRecords } from '#server/exam/finding/planned-store.ts';
import type { ExamParts } from '#server/exam/parts.ts';
import { isChapterPart } from '#server/exam/wrong/chapter-part.ts';
import { readAllSettings } from '#server/exam/wrong/study-settings-store.ts';
import { findLastOpened } from '#server/play/progress-store.ts';
import {
  findPlan,
  findSittingPlan,
  type LaidOut,
  type LeftOut,
  readLeftOut,
  readMinutes,
  type StoredPlan,
  type StoredTask,
  savePlan,
  saveSittingPlan,
} from './store.ts';
import { readTicks, type Tick } from './ticks.ts';
import { readWork, type StudentWork } from './work.ts';

type Today = DataOf<typeof PlanToday>;

/** In what steps more minutes a day are looked for. */
const STEP = 5;
/** Today, and so many days after it. */
const AHEAD = 6;

const minutesOf = (seconds: number) => Math.max(1, Math.round(seconds / 60));

/** A pack as the plan names it. */
interface NamedPack {
  packId: number;
  packName: string;
  examDate: string | null;
  ownExamDate: string | null;
  packExamDate: string | null;
}

/** What a plan is made of, as far as the student and the school decide it. */
interface Basis {
  minutes: number[];
  packs: NamedPack[];
  leftOut: LeftOut[];
}

/** Today's plan of a student: what was laid out this morning, with what of it is done; laid out now where it is not, or not any more. */
export async function readToday(exam: ExamParts, userId: number, now: number): Promise<Today> {
  const { query } = exam.db;
  const { chosen, ...basis } = await readBasis(query, userId);
  const { minutes, packs, leftOut } = basis;
  const { plan, ticks } = await findToday(exam, { userId, now, basis });
  const today = dayOf(now);
  const names = new Map(packs.map(({ packId, packName }) => [packId, packName]));
  const open = await readOpenRecords(query, userId);
  const about = (task: PlanTask & { name: string }) => ({
    kind: task.kind,
    packId: task.packId,
    packName: names.get(task.packId) ?? '',
    name: task.name,
    minutes: minutesOf(task.seconds),
    count: task.count,
  });
  return {
    date: dateOf(today),
    weekMinutes: minutes,
    chosen: chosen ? 1 : 0,
    begun: (await hasBegun(query, userId, packs)) ? 1 : 0,
    moved: plan.moved,
    tasks: plan.tasks.flatMap((task, at): Today['tasks'] => {
      const tick = ticks[at];
      if (!tick?.offered) return [];
      const record = open.findLast((of) => isOf(task, of, userId));
      return [
        {
          ...about(task),
          part: task.part ? 1 : 0,
          done: tick.done ? 1 : 0,
          doneCount: tick.doneCount,
          firstVideoId: task.kind === 'lesson' ? task.id : null,
          chapterId: task.kind === 'practice' ? task.id : null,
          examId: task.kind === 'paper' ? task.id : (record?.examId ?? null),
          recordId: record?.recordId ?? null,
        },
      ];
    }),
    week: plan.week.map(({ day, seconds, tasks }) => ({
      date: dateOf(day),
      off: seconds === 0 ? 1 : 0,
      minutes: Math.round(tasks.reduce((sum, task) => sum + task.seconds, 0) / 60),
      tasks: tasks.map(about),
      exams: packs.flatMap(({ examDate, packName }) => (examDate === dateOf(day) ? [packName] : [])),
    })),
    packs: packs.map(({ packId, packName, examDate, ownExamDate, packExamDate }) => {
      const examDay = dayFrom(examDate ?? '');
      const found = plan.packs.find((of) => of.packId === packId);
      return {
        ...{ packId, packName, examDate, ownExamDate, packExamDate },
        daysLeft: examDay === null ? null : examDay - today,
        planned: found ? 1 : 0,
        minutesLeft: Math.ceil((found?.secondsLeft ?? 0) / 60),
        finishDate: found?.finish == null ? null : dateOf(found.finish),
        lackingMinutes: Math.ceil((found?.lacking ?? 0) / 60),
      };
    }),
    lacking: plan.lacking && {
      ...plan.lacking,
      leave: plan.lacking.leave.map((leave) => ({ ...leave, packName: names.get(leave.packId) ?? '' })),
    },
    leftOut: await nameLeftOut(query, leftOut, names),
  };
}

/** The task of a chapter's practice that is laid out for today and not done, and the questions that it knows nothing of; null: there is none. */
export async function findPracticeTask(
  exam: ExamParts,
  { userId, packId, chapterId, now }: { userId: number; packId: number; chapterId: number; now: number },
): Promise<{ count: number; day: number; sat: readonly number[] } | null> {
  const { query } = exam.db;
  const sat = await readSat(exam, userId);
  // Begun from a page of before an exam began: what is laid out now stands for what that page showed.
  if (sat.length > 0) await findToday(exam, { userId, now, basis: await readBasis(query, userId) });
  const found = await findStored(query, userId, sat);
  if (!found || found.day !== dayOf(now)) return null;
  const of = found.plan.tasks.filter(
    (task) => task.kind === 'practice' && task.packId === packId && task.id === chapterId,
  );
  const ticks = await readTicks(exam, userId, of, now);
  const left = of.reduce((sum, { count }, at) => sum + Math.max(0, count - (ticks[at]?.doneCount ?? 0)), 0);
  return left > 0 ? { count: left, day: found.day, sat } : null;
}

/** Whether an open record is of a task: of its paper, its chapter, or a part of its chapter, also one that was begun on an earlier day. */
function isOf(task: StoredTask, record: Awaited<ReturnType<typeof readOpenRecords>>[number], userId: number): boolean {
  if (task.kind === 'paper') return record.examId === task.id;
  if (task.kind !== 'practice') return false;
  if (record.kind === 'chapter') return record.chapterId === task.id;
  return isChapterPart(record.slug, { userId, chapterId: task.id });
}

/** Whether a student has done anything yet: opened a lesson, or begun a practice or paper of these packs. */
async function hasBegun(query: Query, userId: number, packs: readonly NamedPack[]): Promise<boolean> {
  const packIds = packs.map(({ packId }) => packId);
  return (await findLastOpened(query, userId)) !== null || recordFinder(query)(userId, packIds);
}

async function readNamedPacks(query: Query, userId: number): Promise<NamedPack[]> {
  const packIds = await packsOpenTo(query, userId);
  const dates = await readExamDates(query, userId, packIds);
  const settings = await readAllSettings(query, userId);
  const named = [...dates].map(([packId, { name, examDate }]) => {
    const ownExamDate = settings.get(packId)?.examDate ?? null;
    return { packId, packName: name, examDate: ownExamDate ?? examDate, ownExamDate, packExamDate: examDate };
  });
  // The nearest exam first; without a date last.
  const at = ({ examDate }: NamedPack) => dayFrom(examDate ?? '') ?? Number.MAX_SAFE_INTEGER;
  return named.sort((a, b) => at(a) - at(b) || a.packId - b.packId);
}

async function readBasis(query: Query, userId: number): Promise<Basis & { chosen: boolean }> {
  const { minutes, chosen } = await readMinutes(query, userId);
  return { minutes, chosen, packs: await readNamedPacks(query, userId), leftOut: await readLeftOut(query, userId) };
}

/**
 * The plan of today, laid out where it is not. What was laid out with the answers to a question knows whether they were right, so while the question is
 * sat nothing of it is told or gone on from (decision 062); once it is handed in, the plan of that morning is told again.
 */
async function findToday(
  exam: ExamParts,
  { userId, now, basis }: { userId: number; now: number; basis: Basis },
): Promise<{ plan: StoredPlan; ticks: Tick[] }> {
  const { query } = exam.db;
  const today = dayOf(now);
  const { minutes, packs, leftOut } = basis;
  const sat = await readSat(exam, userId);
  const named = hash(
    'sha256',
    JSON.stringify([minutes, packs.map(({ packId, examDate }) => [packId, examDate]), leftOut, ...sat]),
  );
  const stored = await findStored(query, userId, sat);
  // A plan of an earlier day is asked as that day ended: the reviews of today are not its own.
  const asOf = stored ? Math.min(now, startOfDay(stored.day + 1) - 1) : now;
  const ticks = stored ? await readTicks(exam, userId, stored.plan.tasks, asOf) : [];
  if (stored?.day === today && stored.basis === named) return { plan: stored.plan, ticks };
  const before = stored && {
    today: stored.day === today,
    moved: stored.plan.moved,
    tasks: stored.plan.tasks.map((task, at) => ({ task, tick: ticks[at] ?? null })),
  };
  const { plan, kept } = await layOut(exam, { userId, now, basis, before });
  // An exam that ended meanwhile: this plan may know its answers, and would be kept as one that does not.
  if ((await readSat(exam, userId)).join() !== sat.join()) return findToday(exam, { userId, now, basis });
  const laid = { day: today, basis: named, plan };
  if (sat.length === 0) await savePlan(query, userId, laid);
  else await saveSittingPlan(query, userId, { ...laid, sat });
  // Of what was laid out this moment nothing is done: that need not be asked.
  const open = plan.tasks.slice(kept.length).map((): Tick => ({ offered: true, done: false, doneCount: 0 }));
  return { plan, ticks: [...kept, ...open] };
}

/** The questions that a student sits in open scored exams now, by id. */
async function readSat(exam: ExamParts, userId: number): Promise<number[]> {
  return [...(await exam.gradesFor(exam.db.query, userId).hidden())].sort((a, b) => a - b);
}

/** The newest plan that may be told, or gone on from, while these questions are sat; null: there is none. */
async function findStored(query: Query, userId: number, sat: readonly number[]): Promise<LaidOut | null> {
  const sitting = await findSittingPlan(query, userId);
  if (sat.length > 0) return isMadeWithout(sat, sitting?.sat ?? []) ? sitting : null;
  const usual = await findPlan(query, userId);
  return sitting && (!usual || sitting.day > usual.day) ? sitting : usual;
}

interface Before {
  /** It was laid out today already, of another basis. */
  today: boolean;
  moved: number;
  tasks: { task: StoredTask; tick: Tick | null }[];
}

/**
 * Lays out what is left, from today on. What was planned for today already and is done stays, and its time is used.
 * @returns the plan, and what became of the tasks at its head that stay
 */
async function layOut(
  exam: ExamParts,
  { userId, now, basis, before }: { userId: number; now: number; basis: Basis; before: Before | null },
): Promise<{ plan: StoredPlan; kept: Tick[] }> {
  const { minutes, packs, leftOut } = basis;
  const packIds = packs.map(({ packId }) => packId);
  const work = await readWork(exam, { userId, packIds, leftOut, now });
  const offered = (before?.tasks ?? []).filter(({ tick }) => tick?.offered);
  const done = before?.today ? offered.flatMap(({ task, tick }) => (tick?.done ? [{ task, tick }] : [])) : [];
  const kept = done.map(({ task }) => task);
  const partly = before?.today ? offered.filter(({ tick }) => !tick?.done) : [];
  const spent =
    kept.reduce((sum, { seconds }) => sum + seconds, 0) +
    partly.reduce((sum, { task, tick }) => sum + (task.seconds * (tick?.doneCount ?? 0)) / Math.max(1, task.count), 0);
  const input: PlanInput = { today: dayOf(now), minutes, spent: Math.round(spent), packs: work.packs };
  const plan = makePlan(input);
  const named = (task: PlanTask) => ({ ...task, name: work.names.get(keyOf(task)) ?? '' });
  const [first, ...later] = plan.days;
  // What is planned no more has not moved on: its exam is over, its pack was left out, or it was done since.
  const planned = new Set(plan.days.flatMap(({ tasks }) => tasks.map(keyOf)));
  const missed = offered.filter(({ task, tick }) => !tick?.done && planned.has(keyOf(task)));
  const laid: StoredPlan = {
    tasks: [...kept, ...(first?.tasks ?? []).map((task) => ({ ...named(task), since: now, goal: goalOf(task, work) }))],
    moved: before?.today ? Math.min(before.moved, planned.size) : missed.length,
    week: later.slice(0, AHEAD).map(({ day, seconds, tasks }) => ({ day, seconds, tasks: tasks.map(named) })),
    packs: work.packs.map(({ packId, steps, papers, questionSeconds }) => ({
      packId,
      secondsLeft:
        steps.reduce((sum, { seconds, count }) => sum + seconds + count * questionSeconds, 0) +
        papers.reduce((sum, { seconds, taken }) => sum + (taken ? 0 : seconds), 0),
      finish: plan.finish.get(packId) ?? null,
      lacking: plan.lacking.find((of) => of.packId === packId)?.seconds ?? 0,
    })),
    lacking: plan.lacking.length === 0 ? null : waysOut(input, plan, work),
  };
  return { plan: laid, kept: done.map(({ tick }) => tick) };
}

function goalOf({ kind, packId, id, seconds, count }: PlanTask, { loads, seenSeconds }: StudentWork): number {
  if (kind === 'lesson') return (seenSeconds.get(id) ?? 0) + seconds;
  return kind === 'review' ? (loads.get(packId)?.done ?? 0) + count : count;
}

function waysOut(
  input: PlanInput,
  plan: Pick<ReturnType<typeof makePlan>, 'lacking'>,
  { names, chapterNames }: StudentWork,
): NonNullable<StoredPlan['lacking']> {
  const leave = whatToLeave(input, plan);
  return {
    minutes: Math.ceil(plan.lacking.reduce((sum, { seconds }) => sum + seconds, 0) / 60),
    moreMinutes: moreMinutes(input, { step: STEP, most: PLAN_MOST }),
    leave: leave.map(({ packId, kind, id, seconds }) => ({
      ...{ packId, kind, id },
      name: (kind === 'chapter' ? chapterNames.get(id) : names.get(keyOf({ kind: 'paper', packId, id }))) ?? '',
      minutes: minutesOf(seconds),
    })),
    enough: fits(without(input, leave)) ? 1 : 0,
  };
}

async function nameLeftOut(
  query: Query,
  leftOut: readonly LeftOut[],
  packNames: ReadonlyMap<number, string>,
): Promise<Today['leftOut']> {
  const ours = leftOut.filter(({ packId }) => packNames.has(packId));
  const chapters = await readChapterNames(
    query,
    ours.flatMap(({ kind, id }) => (kind === 'chapter' ? [id] : [])),
  );
  const papers = new Map<number, string>();
  for (const packId of new Set(ours.flatMap((one) => (one.kind === 'paper' ? [one.packId] : []))))
    for (const { id, name } of await listScoredPapers(query, packId)) papers.set(id, name);
  return ours.flatMap(({ packId, kind, id }) => {
    const packName = packNames.get(packId) ?? '';
    const name = kind === 'pack' ? packName : kind === 'chapter' ? chapters.get(id) : papers.get(id);
    return name === undefined ? [] : [{ packId, packName, kind, id, name }];
  });
}
