import { join } from 'node:path';
import { spelledOut } from '#content/visible-text.ts';
import { agreementCommands } from './agreement/agreement-command.ts';
import { type Command, Refused, StoredInPart, WrongUsage } from './command.ts';
import { enrolCommands } from './course/enrol-command.ts';
import { NewerDatabase } from './db/migrate.ts';
import { type Db, NotDurable, openDb } from './db/open.ts';
import { readEnvironment, WrongEnvironment } from './environment.ts';
import { examCommands } from './exam/exam-command.ts';
import { questionCommands } from './exam/question-command.ts';
import { importCommands, universityCommands } from './import/import-command.ts';
import { jobCommands } from './job/job-command.ts';
import { mediaCommands } from './media/media-command.ts';
import { noticeCommands } from './notice/notice-command.ts';
import { openFiles } from './open-files.ts';
import { operateCommands } from './operate/operate-command.ts';
import { orderCommands } from './order/order-command.ts';
import { progressBar } from './progress.ts';
import { qaCommands } from './qa/qa-command.ts';
import { workdaysCommands } from './qa/workdays-command.ts';
import { userCommands } from './user/user-command.ts';

/** Every command; a feature brings its own list. */
const commands: readonly Command[] = [
  ...importCommands,
  ...enrolCommands,
  ...universityCommands,
  ...userCommands,
  ...agreementCommands,
  ...examCommands,
  ...questionCommands,
  ...mediaCommands(process.env),
  ...noticeCommands,
  ...qaCommands,
  ...orderCommands(process.env),
  ...jobCommands,
  ...workdaysCommands,
  ...operateCommands(process.env),
];

/** How long a statement waits for the server's write lock on SQLite: nobody else is served by this process. */
const BUSY_MS = 10_000;
/** Settings that commands need; the others are the server's, and may be wrong here. */
const NEEDED = /^(DATA_DIR|DATABASE_URL|S3_\w+)$/;
/** Signals this close together (milliseconds) are one Ctrl-C. */
const SAME_SIGNAL = 500;

const usageOf = ({ name, usage }: Command) => `npm run lixue -- ${name} ${usage}`.trim();

function help(): string {
  return [
    '砺学 Lixue 管理命令：',
    '',
    ...commands.flatMap((command) => [`  ${usageOf(command)}`, `      ${command.says}`]),
    '',
    '  npm run lixue -- help',
  ].join('\n');
}

/** The command that the words begin with, longest name first, and the words behind it. */
function find(words: readonly string[]): { command: Command; args: readonly string[] } | null {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, length).join(' '));
    if (command) return { command, args: words.slice(length) };
  }
  return null;
}

const NOTHING = '，没有保存任何内容';

/** The sentence for an error that is not the program's own fault; null: it is. @param nothing what is said where nothing was stored */
function sentence(error: unknown, nothing = NOTHING): string | null {
  if (error instanceof StoredInPart)
    return `${error.why ?? sentence(error.cause, '') ?? unexpected(error.cause, '')}。${error.message}`;
  if (error instanceof Refused) return error.message;
  if (error instanceof WrongEnvironment || error instanceof NotDurable) return `设置不正确：${error.message}`;
  if (error instanceof NewerDatabase) return '这个数据库已被更新版本的砺学使用过，请先升级程序';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof Error && error.name === 'AbortError') return `已中断${nothing}`;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code.startsWith('28') || code === '3D000')
    return '连不上数据库，请检查 DATABASE_URL';
  if (code === 'EACCES' || code === 'EPERM') return '没有读写文件的权限';
  if (code === 'ENOSPC') return `磁盘空间不足${nothing}`;
  if (code === 'EROFS') return '磁盘是只读的';
  if ('errcode' in (error as object)) {
    const { errcode } = error as { errcode: unknown };
    if (errcode === 5 || errcode === 517 || errcode === 261) return '数据库正忙，请稍后重试';
    if (errcode === 14) return '打不开数据库文件，请检查 DATA_DIR';
    if (errcode === 13) return `磁盘空间不足${nothing}`;
    if (errcode === 26 || errcode === 11) return '数据库文件已损坏';
  }
  return null;
}

const unexpected = (error: unknown, nothing: string) =>
  `出现了意外的错误${nothing}：${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;

/** Runs one command line. @returns the exit code: 0 done, 1 refused or failed, 2 typed wrongly */
async function main(words: readonly string[]): Promise<number> {
  // Lines quote the files of strangers and their names: a terminal must not obey what stands in them.
  const say = (line: string) => void process.stdout.write(`${spelledOut(line)}\n`);
  const complain = (line: string) => void process.stderr.write(`${spelledOut(line)}\n`);
  if (words.length === 0 || words[0] === 'help' || words[0] === '--help') {
    (words.length === 0 ? complain : say)(help());
    return words.length === 0 ? 2 : 0;
  }
  const found = find(words);
  if (!found) {
    complain(`没有命令“${words.slice(0, 2).join(' ')}”。npm run lixue -- help 列出全部命令`);
    return 2;
  }
  const stop = new AbortController();
  let stopped = 0;
  process.on('SIGINT', () => {
    // A second Ctrl-C does not wait: an open transaction dies with the process. One Ctrl-C comes from the terminal and
    // again from npm, so what follows at once is the first.
    if (stop.signal.aborted && performance.now() - stopped > SAME_SIGNAL) process.exit(130);
    if (!stop.signal.aborted) stopped = performance.now();
    stop.abort();
  });
  // Stopped in a transaction it would hold what it has locked, SQLite's whole file, until somebody remembers it.
  process.on('SIGTSTP', () => complain('这个命令不能暂停：它可能正占用数据库，学生会无法保存。按 Ctrl-C 可以中止'));
  const progress = progressBar(process.stderr);
  let db: Db | null = null;
  try {
    // Read when they are needed: a wrong setting is for `doctor` to tell.
    const settings = () => {
      const needed = Object.entries(process.env).filter(([name]) => NEEDED.test(name));
      return readEnvironment(Object.fromEntries(needed));
    };
    return await found.command.run(found.args, {
      openDb: async () => {
        const { dataDir, databaseUrl } = settings();
        db ??= await openDb(
          databaseUrl
            ? { kind: 'postgres', url: databaseUrl }
            : { kind: 'sqlite', path: join(dataDir, 'lixue.db'), busyMs: BUSY_MS },
          Date.now(),
        );
        return db;
      },
      get files() {
        return openFiles(settings());
      },
      say,
      progress,
      signal: stop.signal,
    });
  } catch (error) {
    progress.end();
    if (error instanceof WrongUsage) {
      complain(`${error.message}。用法：${usageOf(found.command)}`);
      return 2;
    }
    const known = sentence(error);
    complain(known ?? unexpected(error, NOTHING));
    if (known === null && process.env.DEBUG) console.error(error);
    return 1;
  } finally {
    await (db as Db | null)?.close();
  }
}

// Whoever reads the output may have had enough (`| head`): the work goes on, nobody hears of it.
for (const out of [process.stdout, process.stderr]) out.on('error', () => undefined);
process.exitCode = await main(process.argv.slice(2));
