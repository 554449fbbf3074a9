import { stat } from 'node:fs/promises';
import { yearUnknownWithin } from '#rules/qa/promise.ts';
import { type DbTarget, type Look, lookAt } from '#server/db/open.ts';
import { KNOWN_AHEAD } from '#server/qa/promise.ts';
import { readWorkingDays } from '#server/qa/working-days.ts';
import { bad, type Finding, fine, note, reasonOf } from './finding.ts';
import { countOverdue, databaseTime, newestTime } from './whole-database-store.ts';

const MINUTE = 60_000;
/** The database's clock and ours may differ by this much (milliseconds). */
const CLOCKS_APART = 2000;

/** Looks into the database without changing it. */
export async function examineDatabase(target: DbTarget, now: number): Promise<Finding[]> {
  const what = '数据库';
  if (target.kind === 'sqlite' && !(await stat(target.path).catch(() => null)))
    return [note(what, `还没有 ${target.path}`, '第一次启动时会建立；如果学校已在使用，请检查 DATA_DIR')];
  const kind = target.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  let look: Look;
  try {
    look = await lookAt(target);
  } catch (error) {
    const todo = target.kind === 'sqlite' ? '检查文件权限；如已损坏，请从备份恢复' : '检查 DATABASE_URL 和数据库服务';
    return [bad(what, `打不开 ${kind}（${reasonOf(error)}）`, todo)];
  }
  try {
    const { waiting, unknown } = look.migrations;
    const found: Finding[] = [
      look.notDurable === null
        ? fine(what, `${kind} 能打开，提交会落盘`)
        : bad(what, look.notDurable, '打开这项设置，否则断电会丢失已保存的答案'),
    ];
    if (unknown.length > 0)
      found.push(bad('数据表', `被更新版本的砺学使用过（${unknown.join('、')}）`, '升级程序后再启动'));
    else if (waiting.length > 0) found.push(note('数据表', `待升级：${waiting.join('、')}`, '下次启动时自动升级'));
    else found.push(fine('数据表', '是最新的'));
    // Tables of another shape cannot be asked.
    if (unknown.length === 0 && !waiting.some((name) => name.startsWith('001'))) {
      const time = await timeOf(look, target, now);
      found.push(await clock(look, target, time), await overdue(look, time.now), await workingDays(look, time.now));
    }
    return found;
  } finally {
    await look.close();
  }
}

/** The time by which exams are held, and how far this machine's clock is from it (milliseconds). */
interface Time {
  now: number;
  apart: number;
}

/** Whether answers to questions can be promised in the weeks to come. */
async function workingDays({ query }: Look, now: number): Promise<Finding> {
  const what = '答疑时间';
  const year = yearUnknownWithin(now, KNOWN_AHEAD, await readWorkingDays(query));
  if (year === null) return fine(what, '近期的工作日和节假日已知');
  const todo = `按国务院的放假通知运行 workdays set ${year}，或升级程序`;
  return bad(what, `没有 ${year} 年的放假安排，提问时不会承诺回复时间`, todo);
}

/** On PostgreSQL the time is the database's, for all servers (docs/decisions/008-one-clock.md). */
async function timeOf(look: Look, target: DbTarget, own: number): Promise<Time> {
  if (target.kind === 'sqlite') return { now: own, apart: 0 };
  const began = Date.now();
  const now = await databaseTime(look.query);
  return { now, apart: Math.abs(now - (began + Date.now()) / 2) };
}

/** Times already written down that still lie ahead: the clock that exams go by has been set back. */
async function clock(look: Look, target: DbTarget, { now, apart }: Time): Promise<Finding> {
  const what = '时钟';
  const shared = target.kind === 'postgres';
  const whose = shared ? '数据库的时间' : '';
  const todo = shared
    ? '在数据库服务器和这台机器上打开自动对时（chrony 或 systemd-timesyncd）：考试按数据库的时间计时'
    : '打开自动对时（chrony 或 systemd-timesyncd）：考试按这台机器的时间计时';
  const ahead = (await newestTime(look.query)) - now;
  if (ahead > MINUTE) return bad(what, `${whose}比最近的记录慢 ${Math.round(ahead / MINUTE)} 分钟，可能被调回过`, todo);
  if (apart > CLOCKS_APART) return note(what, `这台机器与数据库的时间相差 ${(apart / 1000).toFixed(1)} 秒`, todo);
  return fine(what, `${whose}${shared ? ' ' : ''}${new Date(now).toISOString()}（UTC），晚于全部记录`);
}

async function overdue({ query }: Look, now: number): Promise<Finding> {
  const count = await countOverdue(query, now - MINUTE);
  return count === 0
    ? fine('到时收卷', '没有过了时间还未收的试卷')
    : bad(
        '到时收卷',
        `${count} 份试卷已过时间一分钟以上还未收`,
        '启动服务；如已在运行，请查看日志里的“record cannot be graded”和“chore failed”',
      );
}
