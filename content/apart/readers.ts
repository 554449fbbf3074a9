import { type CheckedPack, readPack } from '#content/pack/pack.ts';
import { readSpreadsheet } from '#content/question/spreadsheet.ts';
import { readUniversities } from '#content/university/universities.ts';
import type { PackPart, ReadApart } from './message.ts';

/** A reader of what comes from strangers. @param at is told which file is read now, where there are several */
type Reader<Result> = (path: string, notes: string[], at: (file: string) => Promise<void>) => AsyncGenerator<Result>;

/** What the reading process can read. */
export const readers: { readonly [K in keyof ReadApart]: Reader<ReadApart[K]> } = {
  questions: readSpreadsheet,
  universities: readUniversities,
  pack: packParts,
};

async function* packParts(
  folder: string,
  _notes: string[],
  at: (file: string) => Promise<void>,
): AsyncGenerator<PackPart> {
  const read = await readPack(folder, at);
  if (!read.ok) {
    yield { mistakes: read.mistakes };
    return;
  }
  const { cases, questions, papers, media, ...head } = read.pack;
  yield { head };
  for (const [part, values] of Object.entries({ cases, questions, papers, media })) {
    for (const value of values) yield { part, value } as Extract<PackPart, { part: keyof CheckedPack }>;
  }
}
