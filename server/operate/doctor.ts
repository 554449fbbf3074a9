import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { redisBus } from '#server/bus.ts';
import { isServed } from '#server/db/alone.ts';
import { type Environment, readEnvironment, WrongEnvironment } from '#server/environment.ts';
import { srsApi } from '#server/live/srs/api.ts';
import { type Ffmpeg, FfmpegSilent, findFfmpeg } from '#server/media/ffmpeg.ts';
import { examineDatabase } from './doctor-database.ts';
import { examineDisk } from './doctor-disk.ts';
import { bad, type Finding, fine, note, reasonOf } from './finding.ts';

type Env = Record<string, string | undefined>;
const root = join(import.meta.dirname, '..', '..');

/** Looks at everything an installation needs and changes none of it. What cannot be looked at is 坏, never an exception. */
export async function* examine(env: Env, now: number): AsyncGenerator<Finding> {
  const { environment, findings } = readSettings(env);
  yield* findings;
  yield node();
  yield web();
  const database = environment.databaseUrl;
  const target = database
    ? ({ kind: 'postgres', url: database } as const)
    : ({ kind: 'sqlite', path: join(environment.dataDir, 'lixue.db') } as const);
  const parts: [string, () => Promise<Finding[]>][] = [
    ['数据文件夹', () => examineDisk(environment.dataDir, database === null)],
    ['数据库', () => examineDatabase(target, now)],
    ['Redis', () => redis(environment.redisUrl)],
    ['服务', () => service(environment)],
    ['直播推流', () => streams(environment)],
    ['FFmpeg', () => ffmpeg(env.FFMPEG_PATH)],
  ];
  for (const [what, look] of parts) {
    try {
      yield* await look();
    } catch (error) {
      yield bad(what, `检查不了（${reasonOf(error)}）`, '请查看上一行的设置');
    }
  }
}

type Settings = Pick<Environment, 'dataDir' | 'databaseUrl' | 'redisUrl' | 'port' | 'host' | 'rtmpPort' | 'srs'>;

function readSettings(env: Env): { environment: Settings; findings: Finding[] } {
  const what = '设置';
  try {
    const environment = readEnvironment(env);
    const findings: Finding[] = [];
    if (environment.demo)
      findings.push(
        note(
          what,
          '演示模式：有公开的演示账号，登录页显示验证码',
          '正式使用请设 NODE_ENV=production；若服务已设，请带着服务的环境变量运行本命令',
        ),
      );
    if (!environment.demo && environment.publicUrl === null)
      findings.push(note(what, '没有 PUBLIC_URL', '设为学生打开的地址，例如 https://lixue.example.cn'));
    if (environment.publicUrl?.startsWith('https:') && environment.trustProxies === 0)
      findings.push(
        note(
          what,
          'PUBLIC_URL 是 https，而 TRUST_PROXIES 是 0',
          '前面有一层反向代理时设 TRUST_PROXIES=1，否则所有人的登录次数会算在一起',
        ),
      );
    return { environment, findings: findings.length > 0 ? findings : [fine(what, '没有发现问题')] };
  } catch (error) {
    if (!(error instanceof WrongEnvironment)) throw error;
    const findings = error.message.split('\n').map((sentence) => bad(what, sentence, '改正这个环境变量'));
    // The rest is looked at with what can be read: one wrong variable hides nothing else.
    const read = <T>(name: string, pick: (environment: Environment) => T): T => {
      try {
        return pick(readEnvironment({ [name]: env[name] }));
      } catch {
        return pick(readEnvironment({}));
      }
    };
    const environment = {
      dataDir: read('DATA_DIR', ({ dataDir }) => dataDir),
      databaseUrl: read('DATABASE_URL', ({ databaseUrl }) => databaseUrl),
      redisUrl: read('REDIS_URL', ({ redisUrl }) => redisUrl),
      port: read('PORT', ({ port }) => port),
      host: read('HOST', ({ host }) => host),
      rtmpPort: read('RTMP_PORT', ({ rtmpPort }) => rtmpPort),
      srs: null,
    };
    return { environment, findings };
  }
}

function node(): Finding {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: { node: string };
  };
  const wanted = Number(dependencies.node.split('.')[0]);
  const says = `Node ${process.versions.node}`;
  return Number(process.versions.node.split('.')[0]) >= wanted
    ? fine('Node', says)
    : bad('Node', `${says}，需要 ${wanted} 或更新`, '用 npm run lixue 和 npm start 启动，它们自带合适的版本');
}

function web(): Finding {
  return existsSync(join(root, 'dist', 'web', 'index.html'))
    ? fine('网页', '已生成')
    : bad('网页', '还没有生成，学生打不开页面', '运行 npm start（或 npm start -- --prepare）');
}

async function redis(url: string | null): Promise<Finding[]> {
  if (url === null) return [];
  const todo = '检查 REDIS_URL 和 Redis 服务；没有它，多个进程之间的提醒会丢失';
  let bus: Awaited<ReturnType<typeof redisBus>>;
  try {
    bus = await redisBus(url, () => undefined);
  } catch (error) {
    return [bad('Redis', `连不上（${reasonOf(error)}）`, todo)];
  }
  const topic = `doctor:${process.pid}:${Date.now()}`;
  try {
    const heard = await new Promise<boolean>((resolve) => {
      const late = setTimeout(() => resolve(false), 2000);
      void bus
        .subscribe(topic, () => {
          clearTimeout(late);
          resolve(true);
        })
        .then(() => bus.publish(topic, 'heard'));
    });
    return [heard ? fine('Redis', '收发消息正常') : bad('Redis', '连上了，但两秒内收不到自己发的消息', todo)];
  } finally {
    await bus.close();
  }
}

/** What an encoder says first, and the version that an ingest answers with (RTMP §5.2). */
const RTMP_VERSION = 3;
const HANDSHAKE = Buffer.concat([Buffer.of(RTMP_VERSION), Buffer.alloc(1536)]);

/** Speaks to the port of live streams as an encoder would begin to. */
async function streams({ rtmpPort, host, srs }: Settings): Promise<Finding[]> {
  const what = '直播推流';
  if (srs !== null)
    return (await srsApi(srs.api).streams()) === null
      ? [bad(what, 'SRS 的 API 没有正确回答：直播不能用', '检查 SRS_API 的地址、账号密码和 SRS 是否运行')]
      : [fine(what, 'SRS 的 API 正常，由它接收推流')];
  if (rtmpPort === null) return [fine(what, '没有开启（RTMP_PORT=0）：本站直播间不能用，其他平台的直播照常')];
  const name = hereOf(host);
  const heard = await new Promise<'nobody' | 'other' | 'rtmp'>((resolve) => {
    const socket = connect({ host: name, port: rtmpPort });
    socket.setTimeout(2000, () => socket.destroy());
    let said: 'nobody' | 'other' | 'rtmp' = 'nobody';
    socket.once('connect', () => {
      said = 'other';
      socket.write(HANDSHAKE);
    });
    socket.once('data', (bytes) => {
      if (bytes[0] === RTMP_VERSION) said = 'rtmp';
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(said));
  });
  if (heard === 'rtmp') return [fine(what, `端口 ${rtmpPort} 在等老师推流`)];
  if (heard === 'other')
    return [bad(what, `端口 ${rtmpPort} 被别的程序占用，老师推不了流`, '停止那个程序，或把 RTMP_PORT 设为别的端口')];
  return [note(what, `端口 ${rtmpPort} 没有回答`, '服务没有运行时是这样；在运行时请看日志，并查看防火墙')];
}

/** Where this machine reaches what listens on this host. */
const hereOf = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);

/** Asks the server itself, at the port that this environment names. */
async function service({ port, host, dataDir, databaseUrl }: Settings): Promise<Finding[]> {
  const served = databaseUrl === null && isServed(dataDir);
  const name = hereOf(host);
  const address = `http://${name.includes(':') ? `[${name}]` : name}:${port}/readyz`;
  const { status, body } = await fetch(address, { signal: AbortSignal.timeout(3000) }).then(
    async (answer) => ({ status: answer.status, body: await answer.text().catch(() => '') }),
    () => ({ status: null, body: '' }),
  );
  if (status === 200) {
    const running = fine('服务', `正在运行（${address}）`);
    if (!body.includes('"clock":"uncertain"')) return [running];
    const says = '服务刚启动，或时钟刚被调动过：时间还未确认，收卷和清理先等着，保存照常';
    return [running, note('服务的时间', says, '半分钟后再看；一直如此时请检查自动对时（chrony 或 systemd-timesyncd）')];
  }
  if (status !== null)
    return [bad('服务', `${address} 回答 ${status}`, '查看服务的日志；也可能是别的程序占用了这个端口')];
  if (served)
    return [
      note('服务', `有一个服务在使用 ${dataDir}，但 ${address} 没有回答`, '服务可能正在启动，或用了别的 PORT、HOST'),
    ];
  return [note('服务', `没有在运行（${address} 没有回答）`, '需要时启动：npm start，或 systemctl start lixue')];
}

/** Without it no video is converted; everything else works. */
async function ffmpeg(path: string | undefined): Promise<Finding[]> {
  const setting = path?.trim() || null;
  let found: Ffmpeg | null;
  try {
    found = await findFfmpeg(setting);
  } catch (error) {
    if (!(error instanceof FfmpegSilent)) throw error;
    return [note('FFmpeg', error.message, '等服务器空闲时再检查一次；内存不足时请增加内存')];
  }
  const todo = '安装 FFmpeg（例如 apt install ffmpeg），需带 libx264；装在别处时设 FFMPEG_PATH';
  if (!found) return [note('FFmpeg', setting ? `${setting} 不能用` : '没有：不能转换视频和音频，其他功能照常', todo)];
  if (found.from === 'package')
    return [note('FFmpeg', `${found.version}：随 npm 包安装的是 2018 年的版本，较旧`, todo)];
  const lacks = [
    ...(found.toneMaps ? [] : ['不能转换 HDR 的颜色']),
    ...(found.holds ? [] : ['声音比画面长的视频会被拒绝']),
  ];
  return [fine('FFmpeg', `${found.version}${lacks.length > 0 ? `（${lacks.join('，')}）` : ''}`)];
}
