import type { CheckedPack } from '#content/pack/pack.ts';
import type { PackPart, ReadApart } from './message.ts';

/** A reader of what comes from strangers. @param at is told which file is read now, where there are several */
type Reader<Result> = (path: string, notes: string[], at: (file: string) => Promise<void>) => AsyncGenerator<Result>;

/** What the reading process can read. Only what is read is loaded: each start costs. */
export const readers: { readonly [K in keyof ReadApart]: Reader<ReadApart[K]> } = {
  async *questions(path, notes) {
    const { readSpreadsheet } = await import('#content/question/spreadsheet.ts');
    yield* readSpreadsheet(path, notes);
  },
  async *universities(path, notes) {
    const { readUniversities } = await import('#content/university/universities.ts');
    yield* readUniversities(path, notes);
  },
  pack: packParts,
  async *storefront(folder, _notes, at) {
    const { storefrontParts } = await import('#content/storefront/storefront.ts');
    yield* storefrontParts(folder, at);
  },
};

async function* packParts(
  folder: string,
  _notes: string[],
  at: (file: string) => Promise<void>,
): AsyncGenerator<PackPart> {
  const { readPack } = await import('#content/pack/pack.ts');
  const read = await readPack(folder, at);
  if (!read.ok) {
    yield { mistakes: read.mistakes };
    return;
  }
  const { cases, questions, papers, lessons, files, media, ...head } = read.pack;
  yield { head };
  for (const [part, values] of Object.entries({ cases, questions, papers, lessons, files, media })) {
    for (const value of values) yield { part, value } as Extract<PackPart, { part: keyof CheckedPack }>;
  }
}
