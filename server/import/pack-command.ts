import { describeMistake } from '#content/pack/mistake.ts';
import { type Command, readArgs } from '#server/command.ts';
import type { ExamChanges } from '#server/exam/paper/exam-store.ts';
import { importPack } from './pack.ts';
import { RESCORE, RESCORE_SAYS, readRescore, sayRescore } from './rescore-records.ts';
import { sayRetired } from './retired-questions.ts';
import { sayTeachersWord } from './teachers-word.ts';
import { QUIET, QUIET_SAYS, sayTouched } from './touched-records.ts';
import { waitForMedia } from './wait-for-media.ts';

/** Waits until the media of the pack are converted. */
const WAIT = 'wait';
/** Does everything and takes it back. */
const DRY_RUN = 'dry-run';

/** Warnings that are listed. */
const WARNINGS_SHOWN = 200;

/** @param unit how the things are counted */
const changesOf = ({ added, changed, unchanged, archived }: ExamChanges, unit: string) =>
  `新增 ${added} ${unit}，更新 ${changed} ${unit}，未变 ${unchanged} ${unit}，停用 ${archived} ${unit}`;

/** Said only where a pack has, or had, some. */
const changesOfSome = (what: string, changes: ExamChanges) =>
  changes.added + changes.changed + changes.unchanged + changes.archived > 0
    ? `；${what}${changesOf(changes, '个')}`
    : '';

/** Brings in a content pack. */
export const packCommand: Command = {
  name: 'import pack',
  usage: `<文件夹> [--${WAIT}] [--${QUIET}] [--rescore <老师手机号> [--reason <原因>]] [--${DRY_RUN}]`,
  says: `检查并导入一个课程包；有任何错误都不导入，并列出全部错误。课时的视频和音频由运行中的服务在后台转换，--${WAIT} 等到转换结束。${QUIET_SAYS}，${RESCORE_SAYS}。--${DRY_RUN} 试运行，不保存`,
  run: async (args, context) => {
    const { words, options } = readArgs(args, 1, { [QUIET]: 'flag', [WAIT]: 'flag', [DRY_RUN]: 'flag', ...RESCORE });
    const [folder = ''] = words;
    const quiet = options[QUIET] ?? false;
    const dryRun = options[DRY_RUN] ?? false;
    const db = await context.openDb();
    const rescore = await readRescore(db.query, options);
    const progress = (read: number, all: number) =>
      context.progress.show('读取视频和音频', Math.round(read / 1e6), Math.round(all / 1e6), 'MB');
    const done = await importPack(db, context.files, folder, { noted: !quiet, progress, rescore, dryRun });
    context.progress.end();
    if (!done.ok) {
      for (const mistake of done.mistakes) context.say(describeMistake(mistake));
      context.say(`共 ${done.mistakes.length} 处错误，没有导入`);
      return 1;
    }
    const {
      name,
      unchanged,
      papers,
      lessons,
      media,
      files,
      different,
      touched,
      retired,
      teachers,
      rescore: graded,
      warnings,
    } = done.report;
    for (const warning of warnings.slice(0, WARNINGS_SHOWN)) context.say(`提醒：${describeMistake(warning)}`);
    if (warnings.length > 0) context.say(`${warnings.length} 处提醒，不影响导入，请看一看`);
    context.say(
      different
        ? `${dryRun ? '试运行，没有保存。将会导入' : '已导入'}“${name}”：${changesOf(done.report, '题')}；试卷${changesOf(papers, '份')}${changesOfSome('课时', lessons)}${changesOfSome('资料和课件', files)}`
        : `“${name}”没有变化（${unchanged} 题，${papers.unchanged} 份试卷）`,
    );
    for (const line of sayRetired(retired)) context.say(line);
    for (const line of sayTouched(touched, { quiet, will: dryRun })) context.say(line);
    for (const line of sayRescore(graded, dryRun)) context.say(line);
    for (const line of sayTeachersWord(teachers)) context.say(line);
    if (dryRun) return 0;
    return waitForMedia(db, media, { ...context, wait: options[WAIT] ?? false });
  },
};
