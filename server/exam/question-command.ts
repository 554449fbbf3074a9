import { spelledOut } from '#content/visible-text.ts';
import { RETIRE_REASON_LONGEST } from '#contract/values/exam.ts';
import { type Command, type CommandContext, Refused, readArgs, WrongUsage } from '#server/command.ts';
import { findPackBySlug } from '#server/course/store.ts';
import { timeNow } from '#server/db/clock.ts';
import type { Db } from '#server/db/open.ts';
import { type RetiredOrRestored, restoreQuestion, retireQuestion } from './paper/retire-question.ts';
import { listNamed, type NamedQuestion } from './paper/retired-store.ts';
import { whoIAm } from './who-i-am.ts';

/** Questions that a list shows. */
const SHOWN = 50;

const shownTopic = ({ topic }: NamedQuestion) => spelledOut(topic.replace(/<[^>]*>/g, '').slice(0, 40));
const shownName = ({ schoolKey, key }: NamedQuestion) => schoolKey ?? key;

async function packOf(db: Db, slug: string | undefined): Promise<number> {
  if (!slug) throw new WrongUsage('请用 --pack 写明课程包的代号');
  const id = (await findPackBySlug(db.query, slug))?.id;
  if (id === undefined) throw new Refused(`没有代号为“${slug}”的课程包`);
  return id;
}

const notFound = (name: string) => new Refused(`这个课程包里没有“${name}”这道题（写编号、key，或 #题目号）`);

function sayDone({ say }: CommandContext, { papers, touched: { open } }: RetiredOrRestored): void {
  for (const { name, totalQuestion, totalScore, passScore } of papers) {
    say(`  试卷“${name}”现在 ${totalQuestion} 题，满分 ${totalScore} 分`);
    if (passScore !== null && passScore > totalScore) say(`  注意：它的及格分 ${passScore} 高于满分`);
  }
  if (open > 0) say(`  ${open} 份进行中的答卷继续使用开始时的试卷，也按它评分`);
}

const retireOne: Command = {
  name: 'question retire',
  usage: '<编号> --pack <课程包代号> --reason <原因>',
  says: '停用一道题：新的考试、练习、复习和随机组卷都不再出它，已有的答卷、解析和错题记录不变，再导入也不会恢复。编号是表格里的 编号、课程包里的 key，或 #题目号',
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, { pack: 'text', reason: 'text' });
    const reason = options.reason?.trim() ?? '';
    if (reason === '' || [...reason].length > RETIRE_REASON_LONGEST)
      throw new WrongUsage(`请用 --reason 写明原因（最多 ${RETIRE_REASON_LONGEST} 字）`);
    const db = await context.openDb();
    const packId = await packOf(db, options.pack);
    const which = { packId, name: words[0] ?? '', now: await timeNow(db) };
    const done = await retireQuestion(db, which, { by: whoIAm(), reason });
    if (!done.ok)
      switch (done.why) {
        case 'notFound':
          throw notFound(which.name);
        case 'retiredAlready':
          throw new Refused(`“${which.name}”已经停用了（${done.retirement.reason}）`);
        case 'onlyQuestion':
          throw new Refused(`试卷“${done.papers.join('”“')}”只有这一道题，请先从课程包里去掉那份试卷`);
      }
    context.say(`已停用“${shownName(done.question)}”：${shownTopic(done.question)}`);
    sayDone(context, done);
    return 0;
  },
};

const restoreOne: Command = {
  name: 'question restore',
  usage: '<编号> --pack <课程包代号>',
  says: '恢复一道停用的题，它回到原来的试卷和练习里',
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, { pack: 'text' });
    const db = await context.openDb();
    const packId = await packOf(db, options.pack);
    const which = { packId, name: words[0] ?? '', now: await timeNow(db) };
    const done = await restoreQuestion(db, which);
    if (!done.ok && done.why === 'notFound') throw notFound(which.name);
    if (!done.ok)
      throw new Refused(
        `“${shownName(done.question)}”没有停用${done.question.archived ? '过，是导入的文件里不再有它：把它写进文件再导入' : ''}`,
      );
    context.say(`已恢复“${shownName(done.question)}”：${shownTopic(done.question)}`);
    sayDone(context, done);
    return 0;
  },
};

const find: Command = {
  name: 'question find',
  usage: '--pack <课程包代号> [--text <题干里的文字>] [--retired]',
  says: `列出题干里有这些字的题，或停用的题，每题一行：题目号、编号、状态、题干；最多 ${SHOWN} 题`,
  run: async (args, context) => {
    const { options } = readArgs(args, 0, { pack: 'text', text: 'text', retired: 'flag' });
    const [text, retired] = [options.text?.trim() ?? '', options.retired ?? false];
    if (text === '' && !retired) throw new WrongUsage('请用 --text 写题干里的文字，或用 --retired 列出停用的题');
    const db = await context.openDb();
    const packId = await packOf(db, options.pack);
    const found = await listNamed(db.query, packId, { words: text, retired, most: SHOWN + 1 });
    for (const question of found.slice(0, SHOWN)) {
      const { retirement, archived } = question;
      const state = retirement ? `停用（${spelledOut(retirement.reason)}）` : archived ? '文件里不再有' : '在用';
      context.say(`#${question.id} ${spelledOut(shownName(question))} ${state} ${shownTopic(question)}`);
    }
    if (found.length > SHOWN) context.say(`还有更多，请把文字写长一些`);
    if (found.length === 0) context.say('没有找到');
    return 0;
  },
};

/** The operator's commands about single questions. */
export const questionCommands: readonly Command[] = [find, retireOne, restoreOne];
