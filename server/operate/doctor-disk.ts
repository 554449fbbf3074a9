import { randomBytes } from 'node:crypto';
import { access, constants, open, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bad, type Finding, fine, note, reasonOf } from './finding.ts';

const GB = 1024 ** 3;
/** Below this much free space a day of exams can fill the disk; below the first, the next save may fail. */
const SPACE_BAD = 0.5 * GB;
const SPACE_NOTE = 5 * GB;
/** Milliseconds for one small write to be on disk. Slower than this, a class handing in at once has to wait. */
const SLOW_WRITE = 50;
const WRITES = 15;

/** File systems as Linux numbers them (statfs). */
const IN_MEMORY = new Set([0x01021994, 0x858458f6]);
const OVER_NETWORK = new Set([0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x01021997]);
const IN_CONTAINER = 0x794c7630;

/** Looks at the folder of database and files: is it there, kept, large enough, fast enough, ours to write? */
export async function examineDisk(dataDir: string, sqlite: boolean): Promise<Finding[]> {
  const there = await stat(dataDir).catch(() => null);
  if (!there?.isDirectory()) {
    return [
      there
        ? bad('数据文件夹', `${dataDir} 不是文件夹`, '改正 DATA_DIR')
        : note('数据文件夹', `还没有 ${dataDir}`, '第一次启动时会建立；如果学校已在使用，请检查 DATA_DIR'),
    ];
  }
  return [
    await kindOf(dataDir, sqlite),
    await space(dataDir),
    await writeSpeed(dataDir),
    await owner(dataDir, there.uid),
    await filesFolder(join(dataDir, 'files')),
  ];
}

async function kindOf(dataDir: string, sqlite: boolean): Promise<Finding> {
  const what = '数据文件夹';
  const { type } = await statfs(dataDir);
  if (process.platform !== 'linux') return fine(what, dataDir);
  if (IN_MEMORY.has(type)) return bad(what, `${dataDir} 在内存里，重启后就没有了`, '把 DATA_DIR 放到硬盘上');
  if (OVER_NETWORK.has(type) && sqlite)
    return bad(
      what,
      `${dataDir} 在网络文件系统上，SQLite 在那里可能损坏`,
      '把 DATA_DIR 放到本机硬盘上，或改用 PostgreSQL',
    );
  if (type === IN_CONTAINER)
    return note(what, `${dataDir} 在容器自己的一层里，删除容器就没有了`, '把 DATA_DIR 放到卷（volume）上');
  return fine(what, dataDir);
}

async function space(dataDir: string): Promise<Finding> {
  const { bavail, bsize, files, ffree } = await statfs(dataDir);
  const free = bavail * bsize;
  const says = `剩余 ${(free / GB).toFixed(1)} GB`;
  const todo = '清理磁盘或扩容';
  if (free < SPACE_BAD) return bad('磁盘空间', says, todo);
  if (files > 0 && ffree < files / 100) return bad('磁盘空间', '文件数（inode）快用完了', todo);
  return free < SPACE_NOTE ? note('磁盘空间', says, todo) : fine('磁盘空间', says);
}

async function writeSpeed(dataDir: string): Promise<Finding> {
  const what = '写入磁盘';
  const path = join(dataDir, `doctor-${randomBytes(4).toString('hex')}`);
  const block = randomBytes(4096);
  const took: number[] = [];
  try {
    const file = await open(path, 'wx');
    try {
      for (let at = 0; at < WRITES; at += 1) {
        const began = performance.now();
        await file.write(block, 0, block.length, at * block.length);
        await file.datasync();
        took.push(performance.now() - began);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    return bad(what, `写不了 ${dataDir}（${reasonOf(error)}）`, '检查文件夹的权限和磁盘');
  } finally {
    await rm(path, { force: true });
  }
  took.sort((a, b) => a - b);
  const middle = took[Math.floor(took.length / 2)] ?? 0;
  const says = `一次落盘 ${middle.toFixed(1)} 毫秒，最慢 ${(took.at(-1) ?? 0).toFixed(1)} 毫秒`;
  return middle > SLOW_WRITE ? note(what, says, '磁盘很慢，交卷高峰时会等待；建议换固态硬盘') : fine(what, says);
}

/** What root writes here, the service's own account cannot change any more. */
async function owner(dataDir: string, uid: number): Promise<Finding> {
  const me = process.getuid?.();
  if (me === undefined || me === uid) return fine('账号', '与数据文件夹的所有者相同');
  return note('账号', `${dataDir} 属于另一个账号（uid ${uid}）`, '请用服务的账号运行命令，例如 sudo -u lixue');
}

async function filesFolder(path: string): Promise<Finding> {
  const what = '文件存放';
  try {
    await access(path, constants.W_OK | constants.X_OK);
    const probe = join(path, `doctor-${randomBytes(4).toString('hex')}`);
    await writeFile(probe, '');
    await rm(probe);
    return fine(what, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return note(what, `还没有 ${path}`, '启动时会建立');
    return bad(what, `写不了 ${path}（${reasonOf(error)}）`, '检查文件夹的权限');
  }
}
