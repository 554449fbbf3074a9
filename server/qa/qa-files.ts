import type { FileOwner } from '#server/files.ts';
import { findVisible, type Person } from './look.ts';
import type { QaParts } from './parts.ts';
import { isWithheld } from './show.ts';
import { entriesWithImage, imagesAmong } from './store.ts';

/** The pictures of questions and of what stands under them: seen by whoever sees the words beside them. */
export function qaFiles(parts: QaParts): FileOwner {
  return {
    belongsTo: 'qa',
    sightOf: async (name, person) =>
      person !== null && (await maySee(parts, person, name)) ? { forEverybody: false, title: '' } : null,
    owned: (names) => imagesAmong(parts.db.query, names),
  };
}

async function maySee(parts: QaParts, person: Person, file: string): Promise<boolean> {
  for (const entry of await entriesWithImage(parts.db.query, file)) {
    if (person.role === 'teacher') return true;
    const found = await findVisible(parts, person, entry.thread_id ?? entry.id);
    if (!found.ok) continue;
    const own = entry.user_id === person.userId;
    // Of a withheld question the own pictures are shown, as its words are.
    if (own || (entry.hidden === 0 && entry.held_words === '' && !isWithheld(found.thread, found.viewer))) return true;
  }
  return false;
}
