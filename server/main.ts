import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { demoStudent } from '#rules/user/demo.ts';
import { loadSampleAgreements } from './agreement/sample.ts';
import { createApp } from './app.ts';
import { type Bus, localBus, redisBus } from './bus.ts';
import { runChores } from './chores.ts';
import { enrolInOpenPacks } from './course/enrolment-store.ts';
import { serveAlone, startingAlone } from './db/alone.ts';
import { sharedClock } from './db/clock.ts';
import type { LogLost } from './db/flush.ts';
import { NewerDatabase } from './db/migrate.ts';
import { NotDurable, openDb } from './db/open.ts';
import { type Environment, readEnvironment, WrongEnvironment } from './environment.ts';
import { loadDrawing } from './http/drawn-pages.ts';
import { loadDemo } from './import/demo.ts';
import { loadUniversities } from './import/universities.ts';
import { openFiles, rtmpOf, workFolderOf } from './open-files.ts';
import { prepareDemoOrders } from './order/demo.ts';
import { openPayments, WrongPaymentKey } from './order/open-payments.ts';
import type { Parts } from './parts.ts';
import { aliyunCaptcha } from './user/captcha-aliyun.ts';
import { createDemoAccounts, demoPeopleIds, demoStudentIds } from './user/demo-accounts.ts';
import { isSecretOf, openIdentitySecret } from './user/identity-secret.ts';
import { consoleSms, type SmsSender } from './user/sms.ts';
import { aliyunSms } from './user/sms-aliyun.ts';

/** How long what is under way may take at the end (milliseconds); a service manager kills later. */
const PATIENCE = 4500;
/** A second signal counts only this long after the first: Ctrl-C reaches the server from the terminal and from npm. */
const SAME_SIGNAL = 500;

/** Says a sentence to the operator and ends: a wrong setting is no stack trace. */
function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

function environmentOrStop(): Environment {
  try {
    return readEnvironment(process.env);
  } catch (error) {
    if (error instanceof WrongEnvironment) stop(`Lixue does not start, a setting is wrong:\n${error.message}`);
    throw error;
  }
}

// Many streams that live at once, as at a first start, teach V8 to make the streams of all later requests in old memory, where
// each keeps its whole request until a full collection (084). Set before the first of them.
setFlagsFromString('--no-allocation-site-pretenuring');

const environment = environmentOrStop();
const log = pino({ level: environment.logLevel });
const say = (line: string) => process.stdout.write(`${line}\n`);

const reasonOf = (error: unknown) => (error instanceof Error && error.message ? error.message : String(error));
const folder = environment.dataDir;

/** The folder of files is needed with either database, at the first upload at the latest. */
function checkFolder(): void {
  try {
    mkdirSync(join(folder, 'files'), { recursive: true });
    for (const needed of [folder, join(folder, 'files')]) accessSync(needed, constants.W_OK | constants.X_OK);
  } catch (error) {
    stop(`Lixue does not start: DATA_DIR ${folder} cannot be written (${reasonOf(error)})`);
  }
}

checkFolder();
if (!environment.databaseUrl && (await serveAlone(folder)) === null) {
  stop(
    `Lixue does not start: another Lixue server is running on ${folder}. Stop it first, or give this one a DATA_DIR ` +
      'of its own. Several servers together need PostgreSQL and Redis (DATABASE_URL, REDIS_URL).',
  );
}

/**
 * The log could not be brought to the disk. Ends at once, without a word to those who wait for an answer: their browsers
 * keep theirs and send them to the next process, which begins from what the disk holds (decision 002).
 */
function stopForLogLost(error: LogLost): never {
  process.stderr.write(
    `Lixue stops: ${error.message}. Nothing more was acknowledged. Look at the disk, then start Lixue again.\n`,
  );
  process.exit(1);
}

const db = await openDb(
  environment.databaseUrl
    ? { kind: 'postgres', url: environment.databaseUrl }
    : { kind: 'sqlite', path: join(folder, 'lixue.db'), alone: true, onLogLost: stopForLogLost },
  Date.now(),
).catch((error: unknown) => {
  if (error instanceof NotDurable) stop(`Lixue does not start: ${error.message}`);
  if (error instanceof NewerDatabase)
    stop(`Lixue does not start: ${error.message}. Start that version or a newer one.`);
  stop(`Lixue does not start: the database cannot be opened (${reasonOf(error)})`);
});

async function openBus(): Promise<Bus> {
  if (!environment.redisUrl) return localBus();
  return redisBus(environment.redisUrl, (error) => log.error({ err: error }, 'redis')).catch((error: unknown) =>
    stop(`Lixue does not start: REDIS_URL cannot be reached (${reasonOf(error)})`),
  );
}

function smsSender(): SmsSender {
  return environment.sms.provider === 'aliyun' ? aliyunSms(environment.sms) : consoleSms(say);
}

function paymentsOrStop(): Parts['payments'] {
  try {
    return openPayments(environment);
  } catch (error) {
    if (error instanceof WrongPaymentKey) stop(`Lixue does not start: ${error.message}`);
    throw error;
  }
}

/** Another secret would find nobody by their identity number: better no server than two that differ. */
async function identitySecretOrStop(): Promise<Buffer> {
  const secret = ((): Buffer => {
    try {
      return openIdentitySecret(environment);
    } catch (error) {
      return stop(`Lixue does not start: the secret of identity numbers cannot be read (${reasonOf(error)})`);
    }
  })();
  if (await isSecretOf(db, secret)) return secret;
  stop(
    'Lixue does not start: identity numbers in this database were sealed with another secret. Bring back the old IDENTITY_SECRET, or the ' +
      'file identity.key of the old DATA_DIR; several servers need the same. If it is lost: lixue user forget-identities, and everybody ' +
      'gives theirs anew.',
  );
}

const clock = await sharedClock(db, log);

const parts: Parts = {
  db,
  files: openFiles(environment),
  workFolder: workFolderOf(environment),
  rtmp: rtmpOf(environment),
  srs: environment.srs,
  ffmpegPath: environment.ffmpegPath,
  lessonShare: environment.lessonShare,
  sms: smsSender(),
  smsBudget: environment.smsBudget,
  identitySecret: await identitySecretOrStop(),
  captcha: environment.captcha && aliyunCaptcha(environment.captcha),
  payments: paymentsOrStop(),
  sandboxPay: environment.sandboxPay,
  bus: await openBus(),
  clock: clock.now,
  sureTime: clock.sureTime,
  onClockSetBack: clock.onSetBack,
  random: randomBytes,
  log,
  metrics: new Registry(),
  demo: environment.demo,
  publicUrl: environment.publicUrl,
};

await startingAlone(db, async () => {
  if (environment.demo) {
    await createDemoAccounts(db, parts.clock());
    await loadDemo(db, parts.files, say);
    await prepareDemoOrders(db, parts.clock());
    await enrolInOpenPacks(db.query, await demoStudentIds(db), parts.clock());
    await loadSampleAgreements(db, await demoPeopleIds(db), parts.clock());
  }
  await loadUniversities(db, parts.files, say);
});

const webFolder = join(import.meta.dirname, '..', 'dist', 'web');
const { site, trustProxies, apiDocs, metrics } = environment;
// Without it pages come a little later, and all the same.
const drawing = await loadDrawing(join(webFolder, '..', 'draw')).catch((error: unknown) => {
  log.error({ err: error }, 'pages are not drawn here');
  return null;
});
const app = await createApp(parts, { webFolder, drawing, site, trustProxies, apiDocs, metrics });
const port = await app.listen(environment.port, environment.host).catch((error: unknown) => {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE') stop(`Lixue does not start: port ${environment.port} is in use. Set PORT to a free one.`);
  if (code === 'EACCES') stop(`Lixue does not start: port ${environment.port} needs more rights. Set PORT above 1023.`);
  stop(`Lixue does not start: it cannot listen on ${environment.host}, port ${environment.port} (${reasonOf(error)})`);
});
app.warm();
const { troubles } = db;
const chores = [
  runChores(app.chores, { sureTime: () => clock.sureTime(db.query), log, troubles }),
  // What finds out whether the time is sure does not wait for it.
  runChores(clock.chores, { sureTime: async () => clock.now(), log, troubles }),
];

/**
 * Ends cleanly: answers what is under way, then closes the parts. What takes too long is left: every acknowledged answer
 * is on disk, the browser sends the others again. A second signal ends at once.
 */
async function end(): Promise<void> {
  const late = setTimeout(() => {
    log.warn('ended before everything under way was done');
    process.exit(0);
  }, PATIENCE);
  const all = async (...partings: Promise<void>[]) => {
    for (const parting of await Promise.allSettled(partings))
      if (parting.status === 'rejected') log.error({ err: parting.reason }, 'ending');
  };
  await all(...chores.map((each) => each.stop()), app.close());
  await all(parts.bus.close(), db.close());
  clearTimeout(late);
  process.exit(0);
}

let asked: number | null = null;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (asked === null) {
      asked = performance.now();
      void end();
    } else if (performance.now() - asked > SAME_SIGNAL) process.exit(1);
  });
}

say(`砺学 Lixue is open: ${environment.publicUrl ?? `http://localhost:${port}`}`);
if (environment.databaseUrl && !environment.redisUrl) {
  say(
    'Without REDIS_URL this has to be the only server on its database: servers tell each other of a take-over by it.',
  );
}
if (!existsSync(webFolder)) say('The web app is not built: run npm start, or npm run dev for work on it.');
if (environment.demo) {
  say('Demo accounts (password lixue-demo): students 13800000001 and 13800000002, teacher 13900000001');
}
say(
  'Your own first course: write the template, fill it in, make a course of it, let a student in by phone number.\n' +
    '  npm run lixue -- import template questions.xlsx\n' +
    '  npm run lixue -- import questions questions.xlsx --pack my-course --name "My course"\n' +
    // Only the demo students have an account already.
    (environment.demo ? '' : '  npm run lixue -- user add PHONE\n') +
    `  npm run lixue -- enrol add ${environment.demo ? demoStudent.phone : 'PHONE'} --pack my-course`,
);
