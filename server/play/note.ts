import type { DataOf, InputOf } from '#contract/call.ts';
import type { ListNotes, SaveNote } from '#contract/play.ts';
import { isBeyond } from '#rules/play/report.ts';
import { tidyText } from '#rules/wording/tidy.ts';
import type { Db } from '#server/db/open.ts';
import { countEvent, oneAtATime } from '#server/user/rate-limit.ts';
import { type LessonParts, readLesson } from './lesson.ts';
import { findLesson } from './lesson-store.ts';
import { addNote, changeNote, countNotes, findNote, findSentNote, readNotes, type StoredNote } from './note-store.ts';

/** Notes of one student in one pack: more than anyone writes by hand. */
const MOST_NOTES = 2000;
const LIMIT = [{ most: 300, within: 60 * 60 * 1000 }];

const onTheWire = ({ lessonId, lessonName, ...note }: StoredNote) => ({
  ...note,
  firstVideoId: lessonId,
  firstVideoName: lessonName,
});

/** A page of a student's own notes. */
export async function listNotes(
  { query }: Db,
  userId: number,
  { packId, firstVideoId, keyword, pageNum, pageSize }: InputOf<typeof ListNotes>,
): Promise<DataOf<typeof ListNotes>> {
  const filter = { userId, packId, lessonId: firstVideoId, keyword: tidyText(keyword) };
  const { notes, total } = await readNotes(query, filter, { limit: pageSize, offset: (pageNum - 1) * pageSize });
  return { list: notes.map(onTheWire), total, pages: Math.ceil(total / pageSize), pageNum };
}

/** Both in seconds. */
const isBehindEnd = (duration: number, position: number) => isBeyond({ length: duration * 1000 }, position * 1000);

type NoteSaved =
  | { ok: true; note: DataOf<typeof SaveNote> }
  | {
      ok: false;
      why: 'notFound' | 'notEnrolled' | 'lessonLocked' | 'beyondEnd' | 'notesFull' | 'tooMany' | 'badInput';
    };

type SentNote = InputOf<typeof SaveNote> & { userId: number; now: number };

/**
 * Writes a note, or changes an own one. One that is sent again under its name is the one that is there. New ones of one student are written one after
 * the other by one server: at once all would be counted before any of them is there. Of several servers each may pass the bound by one.
 */
export async function saveNote(parts: LessonParts, note: SentNote): Promise<NoteSaved> {
  const write = () => writeNote(parts, note);
  return note.id === undefined ? oneAtATime(`note ${note.userId}`, write) : write();
}

async function writeNote(parts: LessonParts, { userId, now, ...asked }: SentNote): Promise<NoteSaved> {
  const { query } = parts.db;
  const { packId, firstVideoId: lessonId, position } = asked;
  const note = tidyText(asked.note);
  if (note === '') return { ok: false, why: 'badInput' };
  const saved = async (id: number): Promise<NoteSaved> => {
    const stored = await findNote(query, { userId, packId, id });
    return stored ? { ok: true, note: onTheWire(stored) } : { ok: false, why: 'notFound' };
  };
  const { id, clientId } = asked;
  if (id !== undefined) {
    const before = await findNote(query, { userId, packId, id });
    if (!before) return { ok: false, why: 'notFound' };
    // Where it stands already it may stay: its film may have been replaced by a shorter one.
    if (before.position !== position) {
      const { duration = 0 } = (await findLesson(query, packId, before.lessonId)) ?? {};
      if (isBehindEnd(duration, position)) return { ok: false, why: 'beyondEnd' };
    }
    const changed = await changeNote(query, { id, userId, packId, position, note, now });
    return changed ? saved(id) : { ok: false, why: 'notFound' };
  }
  const sent = clientId === undefined ? undefined : await findSentNote(query, userId, clientId);
  if (sent !== undefined) return saved(sent);
  const lesson = await readLesson(parts, { userId }, { packId, firstVideoId: lessonId });
  if (!lesson.ok) return lesson;
  if (isBehindEnd(lesson.lesson.duration, position)) return { ok: false, why: 'beyondEnd' };
  if ((await countNotes(query, userId, packId)) >= MOST_NOTES) return { ok: false, why: 'notesFull' };
  const counted = await countEvent(query, `note:${userId}`, LIMIT, now);
  if (!counted.ok) return { ok: false, why: 'tooMany' };
  const added = await addNote(query, { userId, packId, lessonId, position, note, clientId: clientId ?? null, now });
  if (added !== null) return saved(added);
  // The same one came twice at once.
  await counted.undo();
  return saved((await findSentNote(query, userId, clientId ?? '')) ?? 0);
}
