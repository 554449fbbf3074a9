import { Refused } from '#server/command.ts';
import type { Query } from '#server/db/open.ts';
import type { FileRescore, RescoreAsked } from '#server/exam/quality/correct-from-file.ts';
import { findUserByPhone } from '#server/user/store.ts';

/** The options of both imports by which records that are over are graded again. */
export const RESCORE = { rescore: 'text', reason: 'text' } as const;
/** What `help` says of them. */
export const RESCORE_SAYS =
  '--rescore 以这名老师的名义，按新的答案、分值和部分得分重新评分已结束的答卷并通知学员，--reason 写明原因';

/** Questions that one line names. */
const NAMED = 20;

/**
 * Who asks for the re-scoring; null: nobody does.
 * @throws Refused where no teacher has that number
 */
export async function readRescore(
  query: Query,
  { rescore, reason = '' }: { rescore?: string | undefined; reason?: string | undefined },
): Promise<RescoreAsked | null> {
  if (rescore === undefined) {
    if (reason !== '') throw new Refused('--reason 要和 --rescore 一起用');
    return null;
  }
  const teacher = await findUserByPhone(query, rescore);
  if (teacher?.role !== 'teacher')
    throw new Refused(`没有手机号为 ${rescore} 的老师，请用 --rescore 写明由哪位老师更正`);
  return { teacherId: teacher.id, reason: reason.trim() || '题库更新时更正' };
}

/**
 * What the keys, the points and the rules of a file mean for records that are over, a line each; none where it changes none.
 * @param will whether it is only tried
 */
export function sayRescore({ questions, papers, records, refused, asked }: FileRescore, will: boolean): string[] {
  const lines: string[] = [];
  if (refused.length > 0) lines.push(`${refused.length} 题不能重新评分：${refused.slice(0, NAMED).join('、')}`);
  const changes = [
    ...(questions.length > 0 ? [`${questions.length} 题的答案或分值`] : []),
    ...(papers.length > 0 ? [`${papers.length} 份试卷的部分得分`] : []),
  ];
  if (changes.length === 0 || (records === 0 && !asked)) return lines;
  const changed = `${changes.join('、')}变了，${records} 份已结束的答卷`;
  if (!asked)
    lines.push(
      `${changed}${will ? '不会' : '没有'}重新评分。要重新评分，请${will ? '' : '先导入原来的文件，再'}加上 --rescore <老师手机号> 导入这一份`,
    );
  else lines.push(`${changed}${will ? '将' : '由运行中的服务'}重新评分，进行中的在交卷之后；成绩有变的学员会收到通知`);
  if (!asked && !will) return lines;
  for (const { name, preview } of questions) lines.push(...sayPreview(name, preview));
  for (const { name, rule, preview } of papers)
    lines.push(...sayPreview(`试卷“${name}”的部分得分 ${rule.map(sayShare).join(' → ')}`, preview));
  const more = [...questions, ...papers].filter(({ preview }) => preview === null).length;
  if (more > 0) lines.push(papers.length > 0 ? `  另有 ${more} 题（份）` : `  另有 ${more} 题`);
  return lines;
}

/** A share of the points as the column 部分得分 has it; 无: exact or nothing. */
const sayShare = (share: number | null) => (share === null ? '无' : `${Math.round(share * 10_000) / 100}%`);

/** Who gains and loses by a correction; nothing where that was not tried. */
function sayPreview(what: string, preview: FileRescore['papers'][number]['preview']): string[] {
  if (preview === null) return [];
  const { gaining, losing, passing, failing, papers } = preview;
  return [
    `  ${what}：${gaining} 人加分，${losing} 人减分，${passing} 人变为及格，${failing} 人变为不及格`,
    ...papers.map(
      ({ name, records, averageBefore, averageAfter, totalBefore, totalAfter }) =>
        `    ${name}：${records} 份，平均 ${averageBefore} → ${averageAfter} 分，满分 ${totalBefore} → ${totalAfter} 分`,
    ),
  ];
}
