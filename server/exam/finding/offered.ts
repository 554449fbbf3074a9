import type { Query } from '#server/db/open.ts';
import type { Content } from '../paper/content.ts';
import { type ReadContent, VersionGone } from '../paper/content-store.ts';
import { findPaper } from './store.ts';

type Paper = NonNullable<Awaited<ReturnType<typeof findPaper>>>;

/** How often a paper is looked for anew: imports of large files raise versions many times in a row. */
const MOST_LOOKS = 20;

/**
 * A paper of the school as it is on offer, with its content. No record holds that version, so what a correction replaces between two
 * reads is gone: then it is looked for anew.
 */
export async function readOffered(
  query: Query,
  readContent: ReadContent,
  examId: number,
  found: Paper,
): Promise<{ paper: Paper; content: Content }> {
  let paper = found;
  for (let look = 1; ; look += 1) {
    try {
      return { paper, content: await readContent(query, examId, paper.version) };
    } catch (error) {
      const now = error instanceof VersionGone && look < MOST_LOOKS ? await findPaper(query, examId) : null;
      if (now === null || now.version === paper.version) throw error;
      paper = now;
    }
  }
}
