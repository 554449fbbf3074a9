import type { Query, Trx } from '#server/db/open.ts';

/** A note with its lesson, for its writer. */
export interface StoredNote {
  id: number;
  lessonId: number;
  lessonName: string;
  position: number;
  note: string;
  createdAt: number;
  updatedAt: number;
}

interface NoteFilter {
  userId: number;
  packId: number;
  lessonId?: number | undefined;
  /** Stands in the note or in the name of its lesson. */
  keyword?: string | undefined;
}

const notes = (query: Query) =>
  query.selectFrom('lesson_notes').innerJoin('lessons', 'lessons.id', 'lesson_notes.lesson_id');

const columns = [
  'lesson_notes.id',
  'lesson_notes.lesson_id as lessonId',
  'lessons.name as lessonName',
  'lesson_notes.position',
  'lesson_notes.note',
  'lesson_notes.created_at as createdAt',
  'lesson_notes.updated_at as updatedAt',
] as const;

/** A page of a student's notes: of one lesson by their place in it, else the newest first. */
export async function readNotes(
  query: Query,
  { userId, packId, lessonId, keyword }: NoteFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ notes: StoredNote[]; total: number }> {
  let own = notes(query).where('lesson_notes.user_id', '=', userId).where('lesson_notes.pack_id', '=', packId);
  if (lessonId !== undefined) own = own.where('lesson_notes.lesson_id', '=', lessonId);
  if (keyword) {
    const text = keyword.toLowerCase();
    // A text that changes without the keyword has it; `like` would read signs of its own in it.
    own = own.where(({ eb, fn, val }) =>
      eb.or(
        (['lesson_notes.note', 'lessons.name'] as const).map((column) => {
          const lower = fn<string>('lower', [column]);
          return eb(fn<string>('replace', [lower, val(text), val('')]), '<>', lower);
        }),
      ),
    );
  }
  const { total } = await own.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const ordered =
    lessonId === undefined
      ? own.orderBy('lesson_notes.id', 'desc')
      : own.orderBy('lesson_notes.position').orderBy('lesson_notes.id');
  return { notes: await ordered.select(columns).limit(limit).offset(offset).execute(), total: Number(total) };
}

/** One note of a student in a pack; undefined: it is not theirs, or is not. */
export async function findNote(
  query: Query,
  { userId, packId, id }: { userId: number; packId: number; id: number },
): Promise<StoredNote | undefined> {
  return notes(query)
    .select(columns)
    .where('lesson_notes.id', '=', id)
    .where('lesson_notes.user_id', '=', userId)
    .where('lesson_notes.pack_id', '=', packId)
    .executeTakeFirst();
}

/** How many notes a student has in a pack. */
export async function countNotes(query: Query, userId: number, packId: number): Promise<number> {
  const { count } = await query
    .selectFrom('lesson_notes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The note that a student has sent under this name; undefined: none, or it is deleted. */
export async function findSentNote(query: Query, userId: number, clientId: string): Promise<number | undefined> {
  const sent = await query
    .selectFrom('lesson_notes')
    .select('id')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return sent?.id;
}

interface NewNote {
  userId: number;
  packId: number;
  lessonId: number;
  position: number;
  note: string;
  clientId: string | null;
  now: number;
}

/** Writes a new note. @returns its id; null: there is one of this student's with the same name */
export async function addNote(query: Query, note: NewNote): Promise<number | null> {
  const added = await query
    .insertInto('lesson_notes')
    .values({
      user_id: note.userId,
      pack_id: note.packId,
      lesson_id: note.lessonId,
      position: note.position,
      note: note.note,
      created_at: note.now,
      updated_at: note.now,
      client_id: note.clientId,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'client_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id ?? null;
}

/** Changes a note of a student. @returns whether it is theirs */
export async function changeNote(
  query: Query | Trx,
  {
    id,
    userId,
    packId,
    position,
    note,
    now,
  }: { id: number; userId: number; packId: number; position: number; note: string; now: number },
): Promise<boolean> {
  const changed = await query
    .updateTable('lesson_notes')
    .set({ position, note, updated_at: now })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Deletes a note of a student; of nobody else's it leaves every one. */
export async function deleteNote(
  query: Query,
  { id, userId, packId }: { id: number; userId: number; packId: number },
): Promise<void> {
  await query
    .deleteFrom('lesson_notes')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .execute();
}
