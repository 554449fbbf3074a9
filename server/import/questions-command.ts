import { type Command, Refused, readArgs } from '#server/command.ts';
import { importQuestions, type QuestionReport } from './questions.ts';
import { rejectedRows } from './rejected-rows.ts';
import { RESCORE, RESCORE_SAYS, readRescore, sayRescore } from './rescore-records.ts';
import { NONE_GOOD, SOME_BAD, sayRows, untilImported } from './row-report.ts';
import { sayTeachersWord } from './teachers-word.ts';
import { QUIET, QUIET_SAYS, sayTouched } from './touched-records.ts';

function summary({ added, changed, unchanged, archived }: QuestionReport, dryRun: boolean, whole: boolean): string {
  const did = `新增 ${added} 题，更新 ${changed} 题，未变 ${unchanged} 题${whole ? `，停用 ${archived} 题` : ''}`;
  return dryRun ? `试运行，没有保存。将会：${did}` : `导入完成：${did}`;
}

/** Brings in the questions of a file. */
export const questionsCommand: Command = {
  name: 'import questions',
  usage:
    '<文件.xlsx|.csv> --pack <题库包> [--course <课程>] [--name <新题库包的名称>] [--keep-good | --whole] [--dry-run] [--errors <文件.csv>] [--quiet] [--rescore <老师手机号> [--reason <原因>]]',
  says: `从表格导入试题；有不合格的行时不导入，并逐行列出原因。--keep-good 只导入合格的行，--whole 表示文件里是这门课的全部表格试题，以前从表格导入而文件里没有的停用，${QUIET_SAYS}，${RESCORE_SAYS}`,
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, {
      pack: 'text',
      course: 'text',
      name: 'text',
      'keep-good': 'flag',
      whole: 'flag',
      'dry-run': 'flag',
      errors: 'text',
      [QUIET]: 'flag',
      ...RESCORE,
    });
    if (!options.pack) throw new Refused('请用 --pack 指明导入到哪个题库包');
    const whole = options.whole ?? false;
    if (whole && options['keep-good'])
      throw new Refused('--whole 和 --keep-good 不能一起用：不合格的行里的试题会被停用');
    const db = await context.openDb();
    const rescore = await readRescore(db.query, options);
    const rejected = rejectedRows(context, options.errors);
    const dryRun = options['dry-run'] ?? false;
    const quiet = options[QUIET] ?? false;
    const keepGood = options['keep-good'] ?? false;
    const report = await untilImported(
      context,
      importQuestions(db, {
        file: words[0] ?? '',
        pack: options.pack,
        course: options.course,
        packName: options.name,
        keepGood,
        whole,
        dryRun,
        noted: !quiet,
        rescore,
        rejected: rejected.add,
        progress: (step, done, of) => context.progress.show(step === 'read' ? '检查' : '写入', done, of),
        signal: context.signal,
      }),
    );
    await rejected.end();
    sayRows(context, report);
    const wasWritten = report.imported || (dryRun && report.good > 0 && (report.bad === 0 || keepGood));
    if (wasWritten) {
      context.say(summary(report, dryRun, whole));
      for (const line of sayTouched(report.touched, { quiet, will: dryRun })) context.say(line);
      for (const line of sayRescore(report.rescore, dryRun)) context.say(line);
      for (const line of sayTeachersWord(report.teachers)) context.say(line);
    } else context.say(report.good > 0 ? SOME_BAD : NONE_GOOD);
    return wasWritten ? 0 : 1;
  },
};
