import type { Mistake } from '#content/pack/mistake.ts';
import type { CheckedPack } from '#content/pack/pack.ts';
import type { CheckedPaperRow } from '#content/question/file-paper.ts';
import type { CheckedRow, LaterWarning } from '#content/question/file-question.ts';
import type { StorefrontPart } from '#content/storefront/storefront.ts';
import type { CheckedUniversityRow } from '#content/university/university-row.ts';

/** A part of a pack: it is handed on in parts, so that neither process holds it twice. */
export type PackPart =
  | { mistakes: Mistake[] }
  | { head: Omit<CheckedPack, 'cases' | 'questions' | 'papers' | 'lessons' | 'files' | 'media'> }
  | {
      [K in 'cases' | 'questions' | 'papers' | 'lessons' | 'files' | 'media']: {
        part: K;
        value: CheckedPack[K][number];
      };
    }['cases' | 'questions' | 'papers' | 'lessons' | 'files' | 'media'];

/** What can be read apart, and what each gives. */
export interface ReadApart {
  questions: CheckedRow | CheckedPaperRow | LaterWarning;
  universities: CheckedUniversityRow;
  pack: PackPart;
  storefront: StorefrontPart;
}

/** What the reading process says. Each is answered by `more`, so that nothing piles up between the two. */
export type Message =
  | { says: 'at'; file: string }
  | { says: 'results'; results: unknown[]; notes: string[] }
  | { says: 'end' }
  /** A `FileRefused`. */
  | { says: 'refused'; why: string }
  /** An error of the program or of the disk. */
  | { says: 'failed'; message: string; code: string | undefined };
