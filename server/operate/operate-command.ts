import { join } from 'node:path';
import { type Command, readArgs, WrongUsage } from '#server/command.ts';
import type { DbTarget } from '#server/db/open.ts';
import { readEnvironment } from '#server/environment.ts';
import { backUp } from './backup.ts';
import { examine } from './doctor.ts';
import type { Manifest } from './manifest.ts';
import { restore } from './restore.ts';

type Env = Record<string, string | undefined>;

const MB = 1024 ** 2;

/** The commands for whoever keeps the installation running. They look at the environment itself, and open what it names. */
export function operateCommands(env: Env): readonly Command[] {
  return [doctor(env), backup(env), restorer(env)];
}

function doctor(env: Env): Command {
  return {
    name: 'doctor',
    usage: '',
    says: '检查设置、磁盘、数据库、Redis 和服务；逐项说明 好、注意、坏 和该做什么。有“坏”时退出码为 1',
    run: async (args, context) => {
      readArgs(args, 0, {});
      let sick = false;
      for await (const { verdict, what, says, todo } of examine(env, Date.now())) {
        sick ||= verdict === '坏';
        context.say(`${verdict}  ${what}：${says}${todo ? ` → ${todo}` : ''}`);
      }
      return sick ? 1 : 0;
    },
  };
}

const contents = ({ database, counts, files, recordings = [] }: Manifest) =>
  `${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}，${counts.users ?? 0} 个账号，${counts.exam_records ?? 0} 份试卷，` +
  `${counts.exam_answers ?? 0} 个答案，${files.count} 个文件` +
  (recordings.length > 0 ? `，${recordings.length} 段直播录像` : '');

function backup(env: Env): Command {
  return {
    name: 'backup',
    usage: '<文件.tar.gz|文件夹>',
    says: '备份数据库和文件，服务可以照常运行；写完后会读回核对。已有的文件不会被覆盖',
    run: async (args, context) => {
      const [to = ''] = readArgs(args, 1, {}).words;
      const { dataDir, databaseUrl } = readEnvironment({ DATA_DIR: env.DATA_DIR, DATABASE_URL: env.DATABASE_URL });
      const target: DbTarget = databaseUrl
        ? { kind: 'postgres', url: databaseUrl }
        : { kind: 'sqlite', path: join(dataDir, 'lixue.db'), busyMs: 10_000 };
      const report = await backUp(
        { target, filesFolder: join(dataDir, 'files'), recordingsFolder: join(dataDir, 'live') },
        to,
        {
          now: Date.now(),
          signal: context.signal,
          progress: (step, done, of) => context.progress.show(step === 'files' ? '文件' : '核对', done, of, '个'),
        },
      );
      context.progress.end();
      context.say(`已备份到 ${to}（${(report.bytes / MB).toFixed(1)} MB）：${contents(report.manifest)}`);
      for (const name of report.damaged) context.say(`注意：文件在磁盘上已损坏，请从以前的备份取回：${name}`);
      return report.damaged.length > 0 ? 1 : 0;
    },
  };
}

function restorer(env: Env): Command {
  return {
    name: 'restore',
    usage: '<备份> --data-dir <空文件夹>',
    says: '把备份恢复到一个空文件夹（PostgreSQL 的备份还要 DATABASE_URL 指向空的数据库）；核对无误后才放到位',
    run: async (args, context) => {
      const { words, options } = readArgs(args, 1, { 'data-dir': 'text' });
      const dataDir = options['data-dir']?.trim();
      if (!dataDir) throw new WrongUsage('请用 --data-dir 指明一个空文件夹');
      const { databaseUrl } = readEnvironment({ DATABASE_URL: env.DATABASE_URL });
      const { manifest, damaged } = await restore(words[0] ?? '', dataDir, {
        databaseUrl,
        signal: context.signal,
        progress: (done, of) => context.progress.show('文件', done, of, '个'),
      });
      context.progress.end();
      context.say(`已恢复 ${manifest.madeAt} 的备份：${contents(manifest)}`);
      for (const name of damaged) context.say(`注意：备份里的这个文件已损坏：${name}`);
      context.say(`启动时请设 DATA_DIR=${dataDir}，并确认服务的账号可以读写这个文件夹`);
      return 0;
    },
  };
}
