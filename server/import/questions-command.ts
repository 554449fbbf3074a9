import { type Command, Refused, readArgs, WrongUsage } from '#server/command.ts';
import { goneQuestions } from './gone-questions.ts';
import { type CorrectionAnswer, correctionAnswers, type IdentityAnswer } from './question-identity.ts';
import { importQuestions, type QuestionReport } from './questions.ts';
import { rejectedRows } from './rejected-rows.ts';
import { RESCORE, RESCORE_SAYS, readRescore, sayRescore } from './rescore-records.ts';
import { sayRetired } from './retired-questions.ts';
import { NONE_GOOD, NOT_IMPORTED, SOME_BAD, sayRows, untilImported } from './row-report.ts';
import { paperSummary, sayPapers } from './sheet-papers-said.ts';
import { sayTeachersWord } from './teachers-word.ts';
import { QUIET, QUIET_SAYS, sayTouched } from './touched-records.ts';

function summary(
  { added, changed, unchanged, archived, bad, warned, papers }: QuestionReport,
  dryRun: boolean,
): string {
  const did = `新增 ${added} 题，更新 ${changed} 题，未变 ${unchanged} 题，停用 ${archived} 题${paperSummary(papers)}；拒绝 ${bad} 行，提醒 ${warned} 行`;
  return dryRun ? `试运行，没有保存。将会：${did}` : `导入完成：${did}`;
}

/** @throws WrongUsage where the answer is none, or rows are named without one */
function readAnswer({
  corrections,
  except,
}: {
  corrections?: string | undefined;
  except?: string | undefined;
}): IdentityAnswer {
  if (corrections !== undefined && !isAnswer(corrections)) throw new WrongUsage('--corrections 要写 take 或 new');
  if (except !== undefined && corrections === undefined) throw new WrongUsage('--except 要和 --corrections 一起用');
  const named = (except ?? '').split(/[,，]/).map((name) => name.trim());
  return { corrections: corrections ?? null, except: named.filter((name) => name !== '') };
}

const isAnswer = (word: string): word is CorrectionAnswer => correctionAnswers.some((one) => one === word);

/** Brings in the questions of a file. */
export const questionsCommand: Command = {
  name: 'import questions',
  usage:
    '<文件.xlsx|.csv> --pack <课程包> [--course <课程>] [--name <新课程包的名称>] [--keep-good | --whole] [--corrections take|new [--except <行号,…>]] [--gone <文件.csv>] [--dry-run] [--errors <文件.csv>] [--quiet] [--rescore <老师手机号> [--reason <原因>]]',
  says: `从表格导入试题和试卷；有不合格的行时不导入，并逐行列出原因。--keep-good 只导入合格的行，--whole 表示文件里是这门课的全部表格试题，以前从表格导入而文件里没有的停用，--gone 把文件里没有的写进一个文件。可能是已有试题的更正的行：--corrections take 更正原来的试题，new 另存为新题，--except 列出相反的行，${QUIET_SAYS}，${RESCORE_SAYS}`,
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, {
      pack: 'text',
      course: 'text',
      name: 'text',
      'keep-good': 'flag',
      whole: 'flag',
      'dry-run': 'flag',
      errors: 'text',
      corrections: 'text',
      except: 'text',
      gone: 'text',
      [QUIET]: 'flag',
      ...RESCORE,
    });
    if (!options.pack) throw new Refused('请用 --pack 指明导入到哪个课程包');
    const whole = options.whole ?? false;
    if (whole && options['keep-good'])
      throw new Refused('--whole 和 --keep-good 不能一起用：不合格的行里的试题会被停用');
    const answer = readAnswer(options);
    const db = await context.openDb();
    const rescore = await readRescore(db.query, options);
    const rejected = rejectedRows(context, options.errors);
    const dryRun = options['dry-run'] ?? false;
    const quiet = options[QUIET] ?? false;
    const keepGood = options['keep-good'] ?? false;
    let isTold = false;
    const waiting = () => {
      if (!isTold) context.say('另一次导入正在写入，等它结束后接着导入（按 Ctrl-C 可以放弃）');
      isTold = true;
    };
    const report = await untilImported(
      context,
      importQuestions(db, {
        file: words[0] ?? '',
        files: context.files,
        pack: options.pack,
        course: options.course,
        packName: options.name,
        keepGood,
        whole,
        dryRun,
        noted: !quiet,
        rescore,
        answer,
        rejected: rejected.add,
        warned: rejected.warn,
        progress: (step, done, of) => context.progress.show(step === 'read' ? '检查' : '写入', done, of),
        signal: context.signal,
        waiting,
        finishing: (stored, of) => {
          context.progress.end();
          context.say(
            `${of} 题中题库里已有 ${stored} 题，正在把它们放进章节练习，请稍等。再按一次 Ctrl-C 立即停止：写入的题都在，章节练习下次导入时再更新`,
          );
        },
      }),
    );
    await rejected.end();
    sayRows(context, report);
    if (report.warned > 0) context.say(`${report.warned} 行有提醒，不影响导入，请看一看`);
    if (report.undecided > 0)
      context.say(
        `${report.undecided} 行可能是已有试题的更正，请决定：--corrections take 更正原来的试题，--corrections new 另存为新题；个别行相反的，用 --except 写明行号，如 --except 5,题库!9`,
      );
    const wasWritten =
      report.imported || (dryRun && report.good > 0 && !report.stopped && (report.bad === 0 || keepGood));
    if (wasWritten) {
      context.say(summary(report, dryRun));
      await goneQuestions(context, report.gone, { path: options.gone, whole, will: dryRun });
      for (const line of sayPapers(report.papers, { whole, will: dryRun })) context.say(line);
      for (const line of sayRetired(report.retired)) context.say(line);
      for (const line of sayTouched(report.touched, { quiet, will: dryRun })) context.say(line);
      for (const line of sayRescore(report.rescore, dryRun)) context.say(line);
      for (const line of sayTeachersWord(report.teachers)) context.say(line);
    } else context.say(report.good === 0 ? NONE_GOOD : report.stopped && keepGood ? NOT_IMPORTED : SOME_BAD);
    return wasWritten ? 0 : 1;
  },
};
