import type { TeachersWord } from '#server/exam/paper/question-store.ts';

/** Keys that one line names. */
const NAMED = 20;

const named = (keys: readonly string[]) =>
  keys.slice(0, NAMED).join('、') + (keys.length > NAMED ? ` 等 ${keys.length} 题` : '');

/** What an import does to what teachers corrected in questions, a line each; none when it touches none. */
export function sayTeachersWord({ kept, overruled }: TeachersWord): string[] {
  const lines: string[] = [];
  if (kept.length > 0)
    lines.push(`${kept.length} 题保留了老师更正过的内容，文件里还是更正前的（请改文件）：${named(kept)}`);
  if (overruled.length > 0)
    lines.push(`${overruled.length} 题老师更正过，文件里又有新的内容，已按文件更新：${named(overruled)}`);
  return lines;
}
