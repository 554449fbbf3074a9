import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { refusals, type Why } from '#contract/envelope.ts';
import { LARGEST_UPLOAD, LONGEST_FILE_NAME, UPLOAD_KEPT, type UploadPurpose } from '#contract/values/upload.ts';
import { isHeld, KEPT_FREE, mayBegin } from '#rules/upload/room.ts';
import { type Refused, refuse } from '#server/http/answer.ts';
import type { Piece, UploadKeeper } from '#server/http/serve-resumable.ts';
import { addJob } from '#server/job/store.ts';
import type { JobKind, RunningJob } from '#server/job/worker.ts';
import type { Parts } from '#server/parts.ts';
import {
  addUpload,
  deleteUpload,
  endUpload,
  findUpload,
  markWhole,
  noteReceived,
  readUnfinished,
  releaseUpload,
  type StoredUpload,
  takeUpload,
} from './store.ts';

/** A file whose bytes are all here. */
interface WholeFile {
  /** On this machine; it may be linked or read, not changed. */
  path: string;
  fileName: string;
  userId: number;
}

/** What one feature takes in. */
export interface UploadKind {
  purpose: UploadPurpose;
  /** So many first bytes are shown to `refuses`. */
  headBytes: number;
  /** What it says of a file that it does not take. */
  wrong: readonly Why[];
  /** Looks at the first bytes as soon as they are here, or at all of a smaller file. @returns one of `wrong`, or null */
  refuses(head: Uint8Array): Why | null;
  /**
   * Looks at the whole file and stores it; may be done again, after a killed process.
   * @returns what notes it, in the transaction that ends the upload
   * @throws JobRefused, JobTrouble with a sentence for the person who brought it
   */
  takeIn(file: WholeFile, job: RunningJob): ReturnType<JobKind['run']>;
}

export const TAKE_IN = 'upload.take-in';
/** What its job needs to know. */
export interface TakeInInput {
  uploadId: number;
}

/** How often what came is brought to the disk and noted, and after how many bytes at the latest. */
const NOTE_EVERY = 1000;
const NOTE_AFTER = 64 * 1024 * 1024;
/** A writer of this process that is sent nothing for so long (milliseconds) makes room for who asks. */
const SILENT_AFTER = 2000;
/** How long the one who takes over waits for the other one's end (milliseconds). */
const END_WITHIN = 5000;
/** How long what ended is told to its browser. */
export const ENDED_KEPT = { done: 24 * 60 * 60_000, refused: 7 * 24 * 60 * 60_000 } as const;

/** Where the bytes stand until they are taken in. */
export const uploadFolder = ({ workFolder }: Pick<Parts, 'workFolder'>) => join(workFolder, 'uploads');
export const uploadPath = (parts: Pick<Parts, 'workFolder'>, address: string) => join(uploadFolder(parts), address);

/** Free bytes of the disk of a folder. */
type FreeBytes = (folder: string) => Promise<number>;
const freeBytes: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

interface Options {
  free?: FreeBytes;
  silentAfter?: number;
}

/** Somebody who writes in this process. */
interface Writer {
  /** When it was sent something last (monotonic). */
  lastPiece: number;
  /** It waits for the disk or the database, and is not silent. */
  busy: boolean;
  cut(): void;
  ended: Promise<void>;
}

/** The line broke, or was cut: what came by it counts. */
class LineBroke extends Error {}
class DiskFull extends Error {}

const isDiskFull = (error: unknown) =>
  error instanceof DiskFull ||
  (error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code)));

async function* untilItBreaks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await pieces.next().catch((error: unknown) => {
        throw new LineBroke('the line broke', { cause: error });
      });
      if (done) return;
      yield value;
    }
  } finally {
    // What is left is somebody else's to read: a browser hears no answer before it has sent all.
    await pieces.return?.();
  }
}

/** A name as its browser said it, without what breaks lines or turns them around. */
const nameOf = (text: string) =>
  Array.from(
    text
      .normalize('NFC')
      .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
      .trim(),
  )
    .slice(0, LONGEST_FILE_NAME)
    .join('');

/**
 * Keeps uploads (contract/upload.ts): a row says how many bytes are safely on the disk, a file of the work folder holds them. One writes at a time,
 * whichever process they came to; who was cut off, or killed, holds nobody up for longer than seconds.
 */
export function uploadKeeper(
  parts: Pick<Parts, 'db' | 'workFolder' | 'random' | 'clock' | 'log'>,
  kinds: readonly UploadKind[],
  { free = freeBytes, silentAfter = SILENT_AFTER }: Options = {},
): UploadKeeper {
  const { db, random, clock } = parts;
  const folder = uploadFolder(parts);
  const writers = new Map<number, Writer>();
  const times = () => ({ now: clock(), expiresAt: clock() + UPLOAD_KEPT });
  const kindOf = (purpose: string) => kinds.find((kind) => kind.purpose === purpose);

  const standing = ({ received, bytes, state, expires_at }: StoredUpload) => ({
    ...{ received, bytes, expiresAt: state === 'receiving' ? expires_at : null },
  });

  /** Makes a writer of this process that is sent nothing more end, so that what it got counts. @returns false: it still gets something */
  async function makeRoom(id: number): Promise<boolean> {
    const writer = writers.get(id);
    if (!writer) return true;
    if (writer.busy || performance.now() - writer.lastPiece < silentAfter) return false;
    writer.cut();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, END_WITHIN);
    await Promise.race([writer.ended, late.promise]);
    clearTimeout(timer);
    return true;
  }

  /** The upload where nobody writes to it; else why it cannot be asked for. */
  async function findFree(userId: number, address: string): Promise<StoredUpload | Refused> {
    const found = await findUpload(db.query, address, userId);
    if (!found) return refuse('uploadGone');
    if (found.state === 'refused') return refuse('uploadGone');
    if (found.state !== 'receiving') return found;
    const free = await makeRoom(found.id);
    const row = await findUpload(db.query, address, userId);
    if (!row) return refuse('uploadGone');
    if (!free || isHeld(row.heard_at, clock())) return refuse('uploadHeld');
    if (row.writer !== null) await releaseUpload(db.query, row.id, clock());
    return row;
  }

  return {
    largest: LARGEST_UPLOAD,

    begin: async ({ user: { userId }, now }, { bytes, metadata }) => {
      const text = (key: string) => Buffer.from(metadata.get(key) ?? '', 'base64').toString('utf8');
      const kind = kindOf(text('purpose'));
      const fileName = nameOf(text('filename'));
      if (!kind || fileName === '') return refuse('badInput');
      await mkdir(folder, { recursive: true });
      const may = mayBegin(bytes, await readUnfinished(db.query, userId, null), await free(folder));
      if (!may.ok) return refuse(may.why);
      const address = random(24).toString('base64url');
      const fingerprint = /^[\w-]{1,100}$/.exec(text('fingerprint'))?.[0] ?? '';
      const expiresAt = now + UPLOAD_KEPT;
      await (await open(uploadPath(parts, address), 'wx')).close();
      await addUpload(
        db.query,
        { address, userId, purpose: kind.purpose, fileName, fingerprint, bytes, expiresAt },
        now,
      );
      // Written first and counted again, so that of those that begin at once more may be refused than had to be, never fewer.
      const still = mayBegin(bytes, await readUnfinished(db.query, userId, address), await free(folder));
      if (still.ok) return { address, expiresAt };
      const begun = await findUpload(db.query, address, userId);
      if (begun) await deleteUpload(db.query, begun.id);
      await rm(uploadPath(parts, address), { force: true });
      return refuse(still.why);
    },

    find: async ({ user }, address) => {
      const found = await findFree(user.userId, address);
      return 'refused' in found ? found : standing(found);
    },

    end: async ({ user }, address) => {
      const found = await findUpload(db.query, address, user.userId);
      if (!found) return refuse('uploadGone');
      if (!(await deleteUpload(db.query, found.id))) return refuse('uploadHeld');
      writers.get(found.id)?.cut();
      await rm(uploadPath(parts, address), { force: true });
      return null;
    },

    write: async ({ user }, address, piece) => {
      const found = await findFree(user.userId, address);
      if ('refused' in found) return found;
      const { id } = found;
      if (piece.offset !== found.received) return refuse('uploadMoved');
      // The last piece said again.
      if (found.state !== 'receiving') return standing(found);
      const kind = kindOf(found.purpose);
      if (!kind) return refuse('uploadGone');
      const me = random(12).toString('base64url');
      if (writers.has(id)) return refuse('uploadHeld');
      const ended = Promise.withResolvers<void>();
      const writer: Writer = { lastPiece: performance.now(), busy: true, cut: piece.cut, ended: ended.promise };
      writers.set(id, writer);
      try {
        if (!(await takeUpload(db.query, { id, writer: me, offset: piece.offset }, clock()))) {
          const now = await findUpload(db.query, address, user.userId);
          return refuse(!now ? 'uploadGone' : now.received !== piece.offset ? 'uploadMoved' : 'uploadHeld');
        }
        const said = await writeHeld(found, kind, { writer, me }, piece);
        if (said) return said;
        const now = await findUpload(db.query, address, user.userId);
        return now ? standing(now) : refuse('uploadGone');
      } finally {
        writers.delete(id);
        ended.resolve();
      }
    },
  };

  /** Writes a piece for one who holds the upload, and lets go of it. @returns null: all of it that came is here */
  async function writeHeld(
    { id, address, bytes }: StoredUpload,
    kind: UploadKind,
    { writer, me }: { writer: Writer; me: string },
    piece: Piece,
  ): Promise<Refused | null> {
    const file = await open(uploadPath(parts, address), 'r+').catch(() => null);
    /** What is safely there: of a piece with a digest nothing, before it was held against that. */
    let kept = piece.offset;
    let why: Why | null = file ? null : 'uploadGone';
    if (file) {
      const written = await writePiece(file, { id, bytes, kind, me, writer, piece });
      [kept, why] = [written.kept, written.why];
      await file.close();
    }
    if (why === 'uploadHeld') return refuse(why);
    if (why !== null && kind.wrong.includes(why)) {
      const until = clock() + ENDED_KEPT.refused;
      await endUpload(db.query, id, { state: 'refused', reason: refusals[why].msg, until });
    } else if (kept === bytes) await takeOn(id, me);
    else await noteReceived(db.query, { id, writer: me, received: kept, done: true }, times());
    return why === null ? null : refuse(why);
  }

  /** @returns how far it is safely on the disk, and why that is not all */
  async function writePiece(
    file: FileHandle,
    upload: { id: number; bytes: number; kind: UploadKind; me: string; writer: Writer; piece: Piece },
  ): Promise<{ kept: number; why: Why | null }> {
    const { id, bytes, kind, me, writer, piece } = upload;
    const hash = piece.checksum && createHash(piece.checksum.algorithm);
    let at = piece.offset;
    let kept = piece.offset;
    let noted = { time: performance.now(), at };
    let headSeen = piece.offset >= kind.headBytes;
    const needRoom = async () => {
      if ((await free(folder)) < KEPT_FREE / 2) throw new DiskFull('the disk is nearly full');
    };
    const keep = async () => {
      if (hash || at === kept) return;
      await file.datasync();
      kept = at;
    };
    try {
      await needRoom();
      writer.busy = false;
      for await (const data of untilItBreaks(piece.body)) {
        writer.busy = true;
        if (at + data.byteLength > bytes) return { kept, why: 'badInput' };
        for (let done = 0; done < data.byteLength; )
          done += (await file.write(data, done, data.byteLength - done, at + done)).bytesWritten;
        hash?.update(data);
        at += data.byteLength;
        if (!headSeen && at >= Math.min(kind.headBytes, bytes)) {
          headSeen = true;
          const head = Buffer.alloc(Math.min(kind.headBytes, bytes));
          await file.read(head, 0, head.length, 0);
          const wrong = kind.refuses(head);
          if (wrong) return { kept, why: wrong };
        }
        const due = performance.now() - noted.time > NOTE_EVERY || at - noted.at > NOTE_AFTER;
        // The end is noted with the job that follows from it.
        if (due && at < bytes) {
          await needRoom();
          await keep();
          if (!(await noteReceived(db.query, { id, writer: me, received: kept, done: false }, times())))
            return { kept, why: 'uploadHeld' };
          noted = { time: performance.now(), at };
        }
        writer.lastPiece = performance.now();
        writer.busy = false;
      }
      writer.busy = true;
      if (hash && hash.digest('base64') !== piece.checksum?.digest) return { kept, why: 'uploadDamaged' };
      if (at > kept) await file.datasync();
      return { kept: at, why: null };
    } catch (error) {
      const full = isDiskFull(error);
      if (!full && !(error instanceof LineBroke)) throw error;
      await keep().catch(() => undefined);
      return { kept, why: full ? 'diskFull' : null };
    }
  }

  /** Asks for the job that takes in what is whole. */
  async function takeOn(id: number, writer: string): Promise<void> {
    await db.transaction(async (trx) => {
      if (!(await markWhole(trx, id, writer))) return;
      await addJob(trx, { kind: TAKE_IN, key: String(id), input: { uploadId: id } satisfies TakeInInput }, clock());
    });
  }
}
