import { spelledOut } from '#content/visible-text.ts';
import { type Command, type CommandContext, Refused, readArgs, WrongUsage } from '#server/command.ts';
import { listChapters } from '#server/course/chapter-store.ts';
import { lockPack } from '#server/course/pack-store.ts';
import { findPackBySlug } from '#server/course/store.ts';
import { timeNow } from '#server/db/clock.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { Correction, type TouchedRecords } from './paper/correction-store.ts';
import { syncChapterPractice } from './paper/exam-store.ts';
import {
  findNamed,
  listNamed,
  type NamedQuestion,
  onlyQuestionOf,
  type PaperOfRetired,
  retire,
  takeBack,
} from './paper/retired-store.ts';
import { findCorrectable } from './paper/teacher-correction-store.ts';
import { whoIAm } from './who-i-am.ts';

/** The longest reason, in characters. */
const LONGEST_REASON = 200;
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

/** What one of both commands did. */
interface Done {
  question: NamedQuestion;
  papers: PaperOfRetired[];
  touched: TouchedRecords;
}

/** Changes a question on offer as an import does: locked, with what it replaces kept, and the practices of chapters brought up to date. */
async function change(
  db: Db,
  packId: number,
  name: string,
  work: (trx: Trx, correction: Correction, question: NamedQuestion, now: number) => Promise<PaperOfRetired[]>,
): Promise<Done> {
  const now = await timeNow(db);
  return db.transaction(async (trx) => {
    await lockPack(trx, packId);
    const question = await findNamed(trx, packId, name);
    if (!question) throw new Refused(`这个课程包里没有“${name}”这道题（写编号、key，或 #题目号）`);
    const correction = new Correction(db, trx, { packId, now, noted: true });
    await correction.lockPapers();
    const papers = await work(trx, correction, question, now);
    await syncChapterPractice(trx, packId, await listChapters(trx, packId), correction);
    return { question, papers, touched: await correction.done() };
  });
}

function sayDone({ say }: CommandContext, { papers, touched: { open } }: Done): void {
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
    if (reason === '' || [...reason].length > LONGEST_REASON)
      throw new WrongUsage(`请用 --reason 写明原因（最多 ${LONGEST_REASON} 字）`);
    const db = await context.openDb();
    const packId = await packOf(db, options.pack);
    const done = await change(db, packId, words[0] ?? '', async (trx, correction, question, now) => {
      if (question.retirement) throw new Refused(`“${shownName(question)}”已经停用了（${question.retirement.reason}）`);
      const only = await onlyQuestionOf(trx, question.id);
      if (only.length > 0) throw new Refused(`试卷“${only.join('”“')}”只有这一道题，请先从课程包里去掉那份试卷`);
      const { row } = (await findCorrectable(trx, question.id)) ?? {};
      if (!row) throw new Error(`question ${question.id} was there a moment ago`);
      return retire(trx, correction, row, { at: now, by: whoIAm(), reason });
    });
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
    const done = await change(db, packId, words[0] ?? '', async (trx, correction, question) => {
      if (!question.retirement)
        throw new Refused(
          `“${shownName(question)}”没有停用${question.archived ? '过，是导入的文件里不再有它：把它写进文件再导入' : ''}`,
        );
      const { row } = (await findCorrectable(trx, question.id)) ?? {};
      if (!row) throw new Error(`question ${question.id} was there a moment ago`);
      return takeBack(trx, correction, row);
    });
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
