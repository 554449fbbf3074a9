import { type CDPSession, chromium, type Page } from '@playwright/test';
import { startServer } from '#server/test-process.ts';
import { findBrowser } from '../tools/browser.mjs';
import { makeSchool } from './measure.ts';

/** CPU slow-down of the benches on the screen: which phone that is depends on the machine that measures (`slow-down.ts`). */
export const SLOWER = 4;

interface Options {
  questions: number;
  width: number;
  height: number;
  /** HTML of every topic, behind its number; each `#` in it is a number that no other question has. */
  topic?: string;
}

/** A browser that a student has just opened, before the true server with the built web app. */
interface WebExam {
  page: Page;
  client: CDPSession;
  /** Address of the paper; opening it starts or resumes a record. */
  address: string;
}

/**
 * Runs `work` in a school with one paper and a student who is signed in; nothing of the web app has been fetched yet. What
 * was started is ended again whatever happens. The web app has to be built (bench/run.ts does it).
 */
export async function withWebExam<T>(options: Options, work: (exam: WebExam) => Promise<T>): Promise<T> {
  const { questions, width, height, topic } = options;
  const school = await makeSchool({ students: 1, questions, ...(topic === undefined ? {} : { topic }) });
  const server = await startServer({ dataDir: school.dataDir });
  const browser = await chromium.launch({
    executablePath: findBrowser({ mayInstall: false }) ?? '',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const origin = `http://127.0.0.1:${server.port}`;
    const context = await browser.newContext({ viewport: { width, height }, locale: 'zh-CN' });
    await context.addCookies([
      { name: 'lixue_session', value: school.students[0]?.token ?? '', url: origin, httpOnly: true, sameSite: 'Lax' },
    ]);
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    return await work({ page, client, address: `${origin}/exam/${school.examId}` });
  } finally {
    await browser.close();
    await server.stop();
    await school.close();
  }
}

/** One task of the page's main thread, in milliseconds: by the clock, and of the processor's time alone. */
export interface Task {
  wall: number;
  cpu: number;
}

interface TraceEvent {
  name: string;
  cat: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
}

/**
 * The tasks of the main thread while `act` runs. Their processor time is what a bench can compare: the time by the clock
 * grows with whatever else the machine does.
 */
export async function tasksOf({ page, client }: WebExam, act: () => Promise<void>): Promise<Task[]> {
  const events: TraceEvent[] = [];
  const take = ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[]));
  client.on('Tracing.dataCollected', take);
  await client.send('Tracing.start', { categories: 'toplevel,blink.user_timing', transferMode: 'ReportEvents' });
  // The mark says which of the traced threads is the page's.
  await page.evaluate(() => performance.mark('lixue-bench'));
  await act();
  // A task that began is traced when it has ended.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  const complete = new Promise((done) => client.once('Tracing.tracingComplete', done));
  await client.send('Tracing.end');
  await complete;
  client.off('Tracing.dataCollected', take);
  const main = events.find(({ name, cat }) => name === 'lixue-bench' && cat.includes('user_timing'));
  if (!main) throw new Error('the trace has no main thread');
  return events
    .filter(({ name, pid, tid }) => pid === main.pid && tid === main.tid && name === 'ThreadControllerImpl::RunTask')
    .map(({ dur = 0, tdur = 0 }) => ({ wall: dur / 1000, cpu: tdur / 1000 }));
}

/** The value below which this share of the figures lies. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
