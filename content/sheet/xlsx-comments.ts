import { FileRefused } from './sheet.ts';
import type { XlsxParts } from './xlsx-package.ts';

/** Comments of one sheet that are looked at. */
const MOST_COMMENTS = 200_000;

/** The cells of a sheet that have a comment (批注), as they are called: `B5`. New threads of comments are kept there for old programs too. */
export async function readCommented(parts: XlsxParts, sheet: string): Promise<ReadonlySet<string>> {
  const commented = new Set<string>();
  for (const { type, target, external } of (await parts.relations(sheet)).values()) {
    if (external || !type.endsWith('/comments')) continue;
    await parts.read(target, {
      open: (name, { ref = '' }) => {
        if (name === 'comment') commented.add(ref);
        if (commented.size > MOST_COMMENTS)
          throw new FileRefused(`批注太多，最多 ${MOST_COMMENTS} 条，请删除批注后再导入`);
      },
    });
  }
  return commented;
}
