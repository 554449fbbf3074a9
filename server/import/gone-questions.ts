import { writeFile } from 'node:fs/promises';
import { inertCsvLine } from '#content/sheet/csv-line.ts';
import { spelledOut } from '#content/visible-text.ts';
import type { CommandContext } from '#server/command.ts';
import type { GoneQuestion } from './question-identity.ts';

/** Questions shown on the screen. */
const SHOWN = 20;

const nameOf = ({ key, schoolKey }: GoneQuestion) => schoolKey ?? key;

/**
 * Says which questions on offer a file no longer has: how many, and where they were taken out or a list is asked for, which.
 * @param path where a CSV file of all of them goes; undefined: none is asked for
 * @param whole whether they are taken out
 * @param will whether it is only tried
 */
export async function goneQuestions(
  context: CommandContext,
  gone: readonly GoneQuestion[],
  { path, whole, will }: { path: string | undefined; whole: boolean; will: boolean },
): Promise<void> {
  if (path !== undefined) {
    const lines = gone.map((one) => inertCsvLine([nameOf(one), one.topic].map(spelledOut)));
    try {
      await writeFile(path, `\ufeff编号,题干\r\n${lines.join('')}`);
      context.say(`文件里没有的 ${gone.length} 题已写入 ${path}`);
    } catch (error) {
      context.say(`写不了文件 ${path}：${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (gone.length === 0) return;
  const did = whole ? (will ? '将停用' : '已停用') : '没有动，要停用请用 --whole';
  context.say(`这门课里有 ${gone.length} 题是以前从表格导入而这份文件里没有的（${did}）`);
  if (!whole && path === undefined) return;
  for (const one of gone.slice(0, SHOWN)) context.say(`  ${nameOf(one)}：${spelledOut(one.topic)}`);
  if (gone.length > SHOWN) context.say(`  另有 ${gone.length - SHOWN} 题`);
}
