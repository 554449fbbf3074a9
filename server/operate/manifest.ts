import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refused } from '#server/command.ts';
import type { Counts } from './counts.ts';
import { isPartName, type RecordedPart } from './recordings.ts';

/** The names in a backup beside the stored files, which lie under `files/`, and the parts of recordings under `live/`. */
export const MANIFEST = 'backup.json';
export const DATABASE = { sqlite: 'lixue.db', postgres: 'lixue.dump' } as const;
export const FILES = 'files/';
export const RECORDINGS = 'live/';

/** What a backup says of itself, as `backup.json`. */
export interface Manifest {
  /** 2: the text ends with a sum of itself; 1: an earlier version wrote none. */
  format: 1 | 2;
  /** When it was made, ISO 8601 in UTC. */
  madeAt: string;
  /** The program's version. */
  version: string;
  database: 'sqlite' | 'postgres';
  /** SHA-256 of the database file, in hex. */
  databaseHash: string;
  /** Rows by table in the database file. */
  counts: Counts;
  files: { count: number; bytes: number };
  /** What was recorded of lessons whose replay was not made yet; earlier versions wrote none. */
  recordings?: RecordedPart[];
}

/** Bytes of its text at most: a stream whose encoder jumps has thousands of parts in an hour, of which each is named. */
export const LONGEST_MANIFEST = 64 * 1024 * 1024;

/** The version of this program. */
export function programVersion(): string {
  const path = join(import.meta.dirname, '..', '..', 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

/** What is said of anything that is no whole backup. */
export const NO_BACKUP = '这不是砺学的备份，或者备份不完整';

const sumOf = (manifest: object) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** The text of a manifest, with its own SHA-256 at the end. */
export function writeManifest(manifest: Manifest): string {
  return JSON.stringify({ ...manifest, hash: sumOf(manifest) }, null, 2);
}

/** @throws Refused with a sentence when this is no manifest, one of a newer program, or not as it was written. */
export function readManifest(text: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refused(`${NO_BACKUP}（${MANIFEST} 无法读取）`);
  }
  if (typeof json !== 'object' || json === null || !('format' in json)) throw new Refused(NO_BACKUP);
  if (json.format !== 1 && json.format !== 2) throw new Refused('这个备份来自更新版本的砺学，请先升级程序');
  const { hash, ...manifest } = json as Partial<Manifest> & { hash?: unknown };
  if (json.format === 2 && hash !== sumOf(manifest)) throw new Refused(`${NO_BACKUP}（${MANIFEST} 已被改动或损坏）`);
  const { database, databaseHash, counts, files, madeAt, version, recordings = [] } = manifest;
  const known =
    (database === 'sqlite' || database === 'postgres') &&
    typeof databaseHash === 'string' &&
    typeof madeAt === 'string' &&
    typeof version === 'string' &&
    typeof counts === 'object' &&
    counts !== null &&
    Object.values(counts).every((n) => Number.isSafeInteger(n)) &&
    Number.isSafeInteger(files?.count) &&
    Number.isSafeInteger(files?.bytes) &&
    Array.isArray(recordings) &&
    recordings.every(isPart);
  if (!known) throw new Refused(NO_BACKUP);
  return manifest as Manifest;
}

const isPart = (part: Partial<RecordedPart> | null) =>
  typeof part?.name === 'string' &&
  isPartName(part.name) &&
  Number.isSafeInteger(part.size) &&
  typeof part.hash === 'string';
