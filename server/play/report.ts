import type { DataOf } from '#contract/call.ts';
import type { ReportDuration } from '#contract/play.ts';
import { nodeState } from '#contract/values/play.ts';
import { isOpen, lessonsAhead, waitsFor } from '#rules/play/directory.ts';
import {
  lastSaid,
  NOTHING_SEEN,
  nodeStateOf,
  type Report,
  type Seen,
  saidAt,
  shareOf,
  takePosition,
  takeReport,
} from '#rules/play/report.ts';
import { type Begun, paysFrom, spentAfter } from '#rules/play/study-clock.ts';
import type { PackAccess } from '#server/course/access.ts';
import type { EnrolmentStore } from '#server/course/enrolment-store.ts';
import { readSequentialPacks } from '#server/course/pack-store.ts';
import { grouped } from '#server/db/group.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { listLessons } from './lesson-store.ts';
import { keyOf, type LessonPlace, type ProgressStore, type ReportFacts } from './progress-store.ts';

/** Something that a player says of a lesson, on its way to the disk. */
interface Told extends LessonPlace {
  /** A report of what was played, or the place alone. */
  report: Report | Pick<Report, 'position' | 'ended'>;
  /** When it reached the server. */
  arrivedAt: number;
}

type Progress = DataOf<typeof ReportDuration>;
type Outcome =
  | { ok: true; progress: Progress }
  | { ok: false; why: 'notFound' | 'notEnrolled' | 'lessonLocked' | 'beyondEnd' };

/** Noting that a student studied in a pack again this soon is not worth a write (milliseconds). */
const NOTED_EVERY = 10 * 60_000;

interface ReporterParts {
  db: Db;
  access: Pick<PackAccess, 'askAll'>;
  progress: ProgressStore;
  enrolments: Pick<EnrolmentStore, 'noteStudied'>;
  /** The share of a lesson's media that has to be seen, 0 to 1. */
  lessonShare: number;
  /** Since when rights to play are noted. */
  notedSince: number;
}

/**
 * Makes what takes reports. Those of one moment share a transaction, as saves of answers do (server/db/group.ts); what one
 * person sends is taken in the order in which it came, from all of their windows, since they share one clock.
 */
export function reportTaker(parts: ReporterParts): (told: Told) => Promise<Outcome> {
  return grouped<Told, Outcome>(
    parts.db,
    ({ userId }) => userId,
    // A group whose connection was lost is written again. A report without a number then counts again; the clock bounds it.
    (trx, all) => takeAll(parts, trx, all),
  );
}

async function takeAll(
  { access, progress, enrolments, lessonShare, notedSince }: ReporterParts,
  trx: Trx,
  all: readonly Told[],
): Promise<Outcome[]> {
  const asked = await access.askAll(
    trx,
    all.map(({ userId, packId }) => ({ userId, packId, archived: false })),
  );
  const entitled = all.filter((_told, at) => asked[at]?.open.ok);
  // Who may not open the pack gets no clock of it either.
  await progress.lockClocks(
    trx,
    entitled.map(({ userId }) => userId),
  );
  const facts = await progress.read(trx, entitled);
  const sequential = await readSequentialPacks(
    trx,
    entitled.filter((told) => facts.get(keyOf(told))?.afterId != null).map(({ packId }) => packId),
  );
  const held = await passUnready(progress, trx, { told: entitled, facts, sequential });
  const clocks = new Map<number, number>();
  const changed = new Map<string, Told>();
  const studied: Told[] = [];
  const outcomes = all.map((told, at): Outcome => {
    const { open } = asked[at] ?? {};
    if (open?.ok === false) return open;
    const known = facts.get(keyOf(told));
    if (!known || known.archived) return { ok: false, why: 'notFound' };
    const passed = held.get(keyOf(told));
    const afterId = passed === undefined ? known.afterId : passed;
    // A report of this group that finished the lesson before it has opened this one.
    const last = afterId === null ? undefined : facts.get(keyOf({ ...told, lessonId: afterId }));
    const beforeFinished = afterId === null || known.beforeFinished || last?.seen?.finished === true;
    if (!mayPlay({ ...known, beforeFinished }, sequential.has(told.packId))) return { ok: false, why: 'lessonLocked' };
    const { report, arrivedAt, userId } = told;
    const before = known.seen ?? NOTHING_SEEN;
    const lastAt = lastSaid(known.lastAt, arrivedAt);
    const spentUntil = clocks.get(userId) ?? known.spentUntil;
    const lesson = { ...known, share: lessonShare };
    const begun: Begun = { rightAt: known.rightAt, firstAt: known.firstAt, notedSince };
    const taken =
      'duration' in report
        ? takeReport(lesson, { seen: before, lastAt }, report, paysFrom(spentUntil, begun, arrivedAt), arrivedAt)
        : { ...takePosition(lesson, before, report), believed: 0, spentUntil: null };
    if (!taken.ok) return { ok: false, why: taken.why };
    if (taken.spentUntil !== null) clocks.set(userId, spentAfter(spentUntil, taken.spentUntil, arrivedAt));
    if (lastAt === null || arrivedAt - lastAt > NOTED_EVERY) studied.push(told);
    // What a browser kept is of when it was said: those of one browser come in their order, and none of them overtakes the next.
    const said = saidAt('ago' in report ? report.ago : null, arrivedAt);
    // Of two reports in a group the second meets the first as if it had been written.
    facts.set(keyOf(told), {
      ...known,
      seen: taken.seen,
      firstAt: known.firstAt ?? arrivedAt,
      lastAt: Math.max(lastAt ?? 0, said),
      finishedAt: taken.seen.finished ? (known.finishedAt ?? arrivedAt) : null,
    });
    changed.set(keyOf(told), told);
    return { ok: true, progress: progressOf(known, taken.seen, taken.believed) };
  });
  await progress.write(
    trx,
    [...changed].flatMap(([key, { userId, packId, lessonId, arrivedAt }]) => {
      const { seen = null, firstAt = null, lastAt = null, finishedAt = null } = facts.get(key) ?? {};
      if (seen === null) return [];
      return [
        { userId, packId, lessonId, seen, firstAt: firstAt ?? arrivedAt, lastAt: lastAt ?? arrivedAt, finishedAt },
      ];
    }),
  );
  await progress.writeClocks(trx, clocks);
  const [{ arrivedAt: now } = { arrivedAt: 0 }] = studied;
  if (studied.length > 0) await enrolments.noteStudied(trx, studied, now);
  return outcomes;
}

function mayPlay(facts: ReportFacts, sequential: boolean): boolean {
  return isOpen(
    facts,
    { enrolled: true, sequential },
    {
      own: nodeStateOf(facts.seen),
      before: facts.beforeFinished ? nodeState.finished : nodeState.notStarted,
    },
  );
}

/**
 * Which lesson holds up each of these that stand behind one that nobody can finish yet, by `keyOf`; null: none does. What is known of
 * those lessons is put into `facts`. There are few, so that their packs are read only then.
 */
async function passUnready(
  progress: ProgressStore,
  trx: Trx,
  {
    told,
    facts,
    sequential,
  }: { told: readonly Told[]; facts: Map<string, ReportFacts>; sequential: ReadonlySet<number> },
): Promise<Map<string, number | null>> {
  const behind = told.filter((one) => {
    const known = facts.get(keyOf(one));
    return known?.beforeUnready && !known.beforeFinished && known.seen === null && sequential.has(one.packId);
  });
  const held = new Map<string, number | null>();
  for (const packId of new Set(behind.map((one) => one.packId))) {
    const lessons = new Map((await listLessons(trx, packId)).map((lesson) => [lesson.id, lesson]));
    const here = behind.filter((one) => one.packId === packId);
    const places = here.flatMap(({ userId, lessonId }) => {
      const lesson = lessons.get(lessonId);
      return lesson ? lessonsAhead(lesson, lessons).map((ahead) => ({ userId, packId, lessonId: ahead })) : [];
    });
    for (const [key, known] of await progress.read(trx, places)) if (!facts.has(key)) facts.set(key, known);
    for (const one of here) {
      const isFinished = (lessonId: number) => facts.get(keyOf({ ...one, lessonId }))?.seen?.finished === true;
      const lesson = lessons.get(one.lessonId);
      held.set(keyOf(one), lesson ? waitsFor(lesson, lessons, isFinished) : null);
    }
  }
  return held;
}

const progressOf = (lesson: Pick<ReportFacts, 'length'>, seen: Seen, believed: number): Progress => ({
  nodeState: nodeStateOf(seen),
  position: seen.position / 1000,
  share: shareOf(lesson, seen),
  believed: believed / 1000,
});
