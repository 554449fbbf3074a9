/** Questions that one line names. */
const NAMED = 20;

/** That a file has questions which a person has taken out, as a line; none when it has none. @param names by 编号 or key */
export function sayRetired(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const named = names.slice(0, NAMED).join('、') + (names.length > NAMED ? ' 等' : '');
  return [`${names.length} 题是人工停用的，内容按文件更新，仍然停用（恢复用 question restore）：${named}`];
}
