import type { PaperReport } from './questions.ts';

/** Papers that one line names. */
const NAMED = 20;
/** As long as a name may be; one that is refused for its length may fill a screen. */
const NAME = 100;

const named = (names: readonly string[]) =>
  names
    .slice(0, NAMED)
    .map((name) => `“${name.length > NAME ? `${name.slice(0, NAME)}…` : name}”`)
    .join('、') + (names.length > NAMED ? ` 等 ${names.length} 份` : '');

/** What was done with papers, behind what was done with questions; '' where the file names none. */
export const paperSummary = ({ added, changed, unchanged, archived }: PaperReport): string =>
  added + changed + unchanged + archived > 0
    ? `；试卷新增 ${added} 份，更新 ${changed} 份，未变 ${unchanged} 份，停用 ${archived} 份`
    : '';

/**
 * What else is to be said of the papers of a file, a line each.
 * @param whole whether those that it does not name are taken out
 * @param will whether it is only tried
 */
export function sayPapers(
  { left, gone, otherwise }: PaperReport,
  { whole, will }: { whole: boolean; will: boolean },
): string[] {
  const lines: string[] = [];
  if (left.length > 0) lines.push(`${left.length} 份试卷有不合格的行，没有导入：${named(left)}`);
  for (const { name, filed, shown } of otherwise)
    lines.push(`试卷“${name}”：文件里共 ${filed} 分，学员看到的是 ${shown} 分（有停用、作废的题，或老师更正过分值）`);
  if (gone.length > 0) {
    const did = whole ? (will ? '将停用' : '已停用') : '没有动，要停用请用 --whole';
    lines.push(`这门课里有 ${gone.length} 份试卷是以前从表格导入而这份文件里没有的（${did}）：${named(gone)}`);
  }
  return lines;
}
