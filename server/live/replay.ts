import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Why } from '#contract/envelope.ts';
import { byPartName, PART } from '#rules/live/part-name.ts';
import { CLOCKS_APART, recordedFrom, trialOf } from '#rules/live/recorded.ts';
import { type ReplayClock, type ReplayPart, replayClock } from '#rules/live/replay-clock.ts';
import type { Chore } from '#server/chores.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { addJob } from '#server/job/store.ts';
import { type JobKind, JobRefused, JobTrouble, JobWaits } from '#server/job/worker.ts';
import { addSource, storeSource } from '#server/media/bring-in.ts';
import type { LessonsOfMedia, UsesOfMedia } from '#server/media/lessons-of-media.ts';
import { readReady } from '#server/media/store.ts';
import type { Parts } from '#server/parts.ts';
import { joinParts, lengthOfPart } from './join-parts.ts';
import { mayEnter } from './live.ts';
import { changeLive, findLive } from './store.ts';
import {
  changeStream,
  findStream,
  readDoneStreams,
  readLivesOfMedia,
  readReplayMedia,
  readReplays,
} from './stream-store.ts';

/** The job that makes media of what was recorded. */
const REPLAY_JOB = 'live.replay';
/** How long after the end it begins: the last part is being closed. */
const SETTLES = 2000;
const HOUR = 60 * 60_000;
/** Free bytes that are needed, times the size of the recording: joined, stored, and its qualities. */
const ROOM = 3;
const GB = 1024 ** 3;

interface ReplayInput {
  liveId: number;
}

/** When a part began, as its name says it (epoch milliseconds). */
const beganAt = (name: string) => Number(/-(\d+)\./.exec(name)?.[1] ?? 0);

/** What SRS still writes has this behind its name; what it wrote when it was killed keeps it. */
const WRITING = '.tmp';
const WRITTEN_WITHIN = 60_000;

/** The parts of a recording, in their order. */
async function partsIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!PART.test(name.endsWith(WRITING) ? name.slice(0, -WRITING.length) : name)) continue;
    if (name.endsWith(WRITING) && Date.now() - (await stat(join(folder, name))).mtimeMs < WRITTEN_WITHIN)
      throw new JobTrouble('录制还没有写完');
    names.push(name);
  }
  return names.sort(byPartName);
}

interface LessonPart {
  name: string;
  path: string;
  /** Milliseconds of its beginning that were a trial. */
  trial: number;
}

/** The parts of a recording that belong to its lesson, in their order. */
async function partsOf(
  recorded: string,
  lesson: { startTime: number; startedAt: number },
  firstPart: string,
): Promise<LessonPart[]> {
  const begins = recordedFrom(lesson);
  const parts: LessonPart[] = [];
  for (const name of await partsIn(recorded)) {
    const path = join(recorded, name);
    const from = beganAt(name);
    // How long it is counts only where it began before the lesson, or nearly so.
    const length = from < begins + CLOCKS_APART ? await lengthOfPart(path) : 0;
    const trial = trialOf({ name, from, length }, { firstPart, begins });
    if (trial !== null) parts.push({ name, path, trial });
  }
  return parts;
}

/** Asks for the replay of a lesson that has ended. */
export async function askForReplay(trx: Trx, liveId: number, now: number): Promise<void> {
  await changeStream(trx, liveId, { replay_fault: '' });
  const input: ReplayInput = { liveId };
  await addJob(trx, { kind: REPLAY_JOB, key: String(liveId), input, after: SETTLES }, now);
}

/**
 * The job that joins the parts of a recording and brings them in as media, which its own job makes playable. It runs where the recordings
 * are. Parts stay until their replay can be played; it can be asked for again.
 * @param folder where recordings are, a folder for each stream
 * @param isSending whether a stream still comes
 */
export function replayJob(
  { db, files, workFolder, clock }: Pick<Parts, 'db' | 'files' | 'workFolder' | 'clock'>,
  folder: string,
  isSending: (stream: string) => boolean,
): JobKind<ReplayInput> {
  return {
    kind: REPLAY_JOB,
    mostAttempts: 6,
    run: async ({ liveId }, job) => {
      const lesson = await findLive(db.query, liveId);
      const stream = await findStream(db.query, liveId);
      if (!lesson || !stream) throw new JobRefused('这场直播不见了');
      if (isSending(stream.stream)) throw new JobTrouble('推流还没有停止');
      const recorded = join(folder, stream.stream);
      const startedAt = lesson.started_at ?? lesson.starts_at;
      const parts = await partsOf(recorded, { startTime: lesson.starts_at, startedAt }, stream.first_part);
      if (parts.length === 0) throw new JobRefused('这场直播没有录到内容');
      let bytes = 0;
      for (const { path } of parts) bytes += (await stat(path)).size;
      await mkdir(workFolder, { recursive: true });
      const mine = `live-${liveId}-`;
      for (const left of await readdir(workFolder))
        if (left.startsWith(mine)) await rm(join(workFolder, left), { force: true });
      const { bavail, bsize } = await statfs(workFolder);
      if (bavail * bsize < bytes * ROOM)
        throw new JobWaits(
          `服务器磁盘空间不足：生成回放需要 ${((bytes * ROOM) / GB).toFixed(1)} GB 空闲，请管理员清理`,
        );
      const path = join(workFolder, `${mine}${job.fence}.flv`);
      try {
        const shown: ReplayPart[] = [];
        const took = ({ length, left }: { length: number; left: number }) => {
          shown.push({ from: beganAt(parts[shown.length]?.name ?? '') + left, length });
        };
        await pipeline(Readable.from(joinParts(parts, took)), createWriteStream(path), { signal: job.signal });
        const title = `${lesson.title}（直播回放）`;
        const source = await storeSource({ query: db.query, files }, { path, title });
        return async (trx) => {
          const { id } = await addSource(trx, { ...source, broughtBy: lesson.teacher_id }, clock());
          await changeLive(trx, liveId, { replay_media_id: id });
          await changeStream(trx, liveId, { replay_fault: '', replay_parts: JSON.stringify(shown) });
        };
      } finally {
        await rm(path, { force: true });
      }
    },
    givenUp: (trx, { liveId }, reason) => changeStream(trx, liveId, { replay_fault: reason }),
  };
}

/** Removes recordings whose replay can be played, or whose lesson was called off. */
export function forgetRecordings({ db }: Pick<Parts, 'db'>, folder: string): Chore {
  return {
    name: 'live: forget recordings',
    every: HOUR,
    run: async () => {
      const done = await readDoneStreams(db.query, await readdir(folder).catch(() => []));
      const ready = await readReady(
        db.query,
        done.flatMap(({ mediaId }) => (mediaId === null ? [] : [mediaId])),
      );
      for (const { stream, mediaId, cancelledAt } of done)
        if (cancelledAt !== null || (mediaId !== null && ready.has(mediaId)))
          await rm(join(folder, stream), { recursive: true, force: true });
    },
  };
}

/** Whether somebody may watch a media as the replay of a lesson; null: it is none. @param userId null: a visitor */
export async function mayWatchReplay(
  query: Query,
  userId: number | null,
  mediaId: number,
): Promise<{ ok: true } | { ok: false; why: Why } | null> {
  const lessons = await readLivesOfMedia(query, mediaId);
  let said: { ok: false; why: Why } | null = null;
  for (const lesson of lessons) {
    const access = await mayEnter(query, lesson, userId === null ? null : { userId, role: 'student' });
    if (access.ok) return access;
    // What somebody could do about it says more than that there is none.
    if (said === null || said.why === 'notFound') said = access;
  }
  return said;
}

/** The media that lessons use, replays of live lessons among them: what is one is not unused, and no chore forgets it. */
export const withReplays = (lessons: LessonsOfMedia): UsesOfMedia => ({
  ...lessons,
  replays: readReplays,
  used: async (query, archived) =>
    new Set([...(await lessons.used(query, archived)), ...(await readReplayMedia(query))]),
});

/** The clock of the replay of a lesson; null: it has none yet. */
export async function readReplayClock(query: Query, liveId: number): Promise<ReplayClock | null> {
  const stream = await findStream(query, liveId);
  const parts = JSON.parse(stream?.replay_parts ?? '[]') as ReplayPart[];
  return parts.length === 0 ? null : replayClock(parts);
}
