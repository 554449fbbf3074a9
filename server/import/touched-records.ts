import type { TouchedRecords } from '#server/exam/paper/correction-store.ts';

/** The option of both imports that answers what records that are over say of a correction. */
export const QUIET = 'quiet';
/** What `help` says of it. */
export const QUIET_SAYS = '--quiet 已结束的答卷不注明更正';

/**
 * What an import means for records that began before it, a line each; none when it touches none.
 * @param will whether it is only tried
 */
export function sayTouched(
  { open, over }: TouchedRecords,
  { quiet, will }: { quiet: boolean; will: boolean },
): string[] {
  const lines: string[] = [];
  const tense = will ? '将' : '';
  if (open > 0) lines.push(`${open} 份进行中的答卷${tense}继续使用开始时的试卷，也按它评分；之后开始的使用新的试卷`);
  if (over > 0) {
    const note = quiet
      ? '不注明更正'
      : `解析处${tense}注明“本题已更正”（不想注明，请${will ? '' : '下次'}加上 --${QUIET}）`;
    lines.push(`${over} 份已结束的答卷是按更正前的试卷评分的：成绩和所示试卷不变，${note}`);
  }
  return lines;
}
