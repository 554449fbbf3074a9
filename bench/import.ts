import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { writeXlsxStream } from 'hucre/xlsx';
import { startServer } from '#server/test-process.ts';
import { makeSchool, report, type School } from './measure.ts';

/** How many questions a large school brings at once, and what importing them may cost (seconds, megabytes). */
const QUESTIONS = 50_000;
const MOST_SECONDS = 60;
const MOST_MEGABYTES = 500;

/** What a student's save may wait while 50,000 questions are imported (milliseconds). */
const LONGEST_WAIT = 300;
/** Between two saves of the student who saves meanwhile (milliseconds). */
const SAVE_EVERY = 20;
/** For how long saves are measured without an import (milliseconds). */
const QUIET = 10_000;

/** How the file is against what is stored: nothing of it is, every question has another 解析, or all of it is. */
const STATES = ['first', 'changed', 'unchanged'] as const;
type State = (typeof STATES)[number];

/** What saves took, from the request to the answer (milliseconds). */
interface Saves {
  longest: number;
  /** When that was, in seconds from the first. */
  at: number;
  /** 99 of 100 took no longer. */
  most: number;
  count: number;
}

/** One file imported by the command an operator types, beside a server on which a student saves. */
interface ImportFigure {
  file: string;
  state: State;
  saves: Saves;
  fileMegabytes: number;
  seconds: number;
  /** Peak resident memory of the importing process and the one that reads the file, together. */
  peakMegabytes: number;
  /** Whether progress was shown while it ran. */
  progress: boolean;
  ok: boolean;
}

const HEADER = [
  '题型',
  '题干',
  '选项A',
  '选项B',
  '选项C',
  '选项D',
  '选项E',
  '答案',
  '解析',
  '分值',
  '章节',
  '难度',
  '材料',
];
type Row = (string | number | null)[];

/** Questions like those of real files: all types, 240 chapters on three levels, formulas, HTML, letters in front of options. */
function* rows(changed: boolean): Generator<Row> {
  yield HEADER;
  for (let at = 0; at < QUESTIONS; at += 1) {
    const chapter = `第${(at % 6) + 1}章 函数与极限/第${(at % 30) + 1}节 极限的概念/知识点 ${(at % 240) + 1}`;
    const stem = `${at} 设函数在点处连续，下列关于该函数及其导函数的说法中，结合教材第 ${at % 300} 页的定义判断，正确的是（　）。`;
    const topic =
      at % 5 === 0
        ? `${stem}已知 $f(x)=x^2-${at}x+1<0$，且 $$\\lim_{x\\to ${at}} \\frac{a}{b} = c$$`
        : at % 10 === 1
          ? `<p>${stem}<b>注意</b></p>\n<p>第二段 ${at}</p>`
          : stem;
    const analysis = `${changed ? '更正后的' : ''}解析：由定义可知本题考查连续与可导的关系，编号 ${at}。\n先判断连续性，再判断可导性；若 a<b 则取左端点。`;
    const options = ['甲', '乙', '丙', '丁'].map(
      (word, letter) => `${'ABCD'[letter]}. ${word}的说法 ${at * 7 + letter} 在任意情形下成立`,
    );
    const rest = [analysis, (at % 4) + 1, chapter, (at % 5) + 1];
    switch (at % 10) {
      case 0:
      case 1:
        yield ['判断', topic, null, null, null, null, null, at % 3 ? '√' : '错', ...rest, null];
        break;
      case 2:
        yield ['简答', topic, null, null, null, null, null, `要点：${analysis}`, ...rest, null];
        break;
      case 3:
        yield [
          '不定项',
          topic,
          ...options,
          null,
          'A,C',
          ...rest,
          `材料 ${Math.floor(at / 50)}：甲公司为增值税一般纳税人，本年发生下列业务。`.repeat(4),
        ];
        break;
      case 4:
      case 5:
      case 6:
        yield ['多选', topic, ...options, `E. 以上都不对 ${at}`, 'ＡＢ D', ...rest, null];
        break;
      default:
        yield ['单选', topic, ...options, null, 'b', ...rest, null];
    }
  }
}

const csvCell = (value: string | number | null) => {
  const text = value === null ? '' : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
function* csvLines(changed: boolean): Generator<string> {
  for (const row of rows(changed)) yield `${row.map(csvCell).join(',')}\r\n`;
}

/** Writes the file as spreadsheet programs do: xlsx with a table of shared texts. */
async function make(path: string, changed: boolean): Promise<void> {
  const out = createWriteStream(path);
  if (path.endsWith('.csv')) await pipeline(Readable.from(csvLines(changed)), out);
  else await writeXlsxStream(rows(changed), { name: '题库', inlineStrings: false }).pipeTo(Writable.toWeb(out));
}

/**
 * Memory (MB) of the importing process and those it starts together, as long as they run: the file is read in a process of
 * its own. Linux only; elsewhere 0, and the importing process alone counts.
 */
function watchTogether(pid: number): () => number {
  let peak = 0;
  const memoryOf = (of: string) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${of}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  const timer = setInterval(() => {
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
      peak = Math.max(
        peak,
        [String(pid), ...children].map(memoryOf).reduce((sum, one) => sum + one, 0),
      );
    } catch {
      // One of them has just ended.
    }
  }, 20);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

/** Loaded into the measured process: says its peak memory (kilobytes) as it ends. */
const WATCH = `data:text/javascript,${encodeURIComponent("process.on('exit', () => process.send?.(process.resourceUsage().maxRSS))")}`;

/** A student who saves an answer again and again, until told to stop. @returns what the slowest save took, of how many */
async function saver({ port }: { port: number }, school: School) {
  const token = school.students[0]?.token ?? '';
  const ask = async (path: string, body?: unknown) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text.slice(0, 200)}`);
    return JSON.parse(text) as { data: { recordId: number } };
  };
  const { examId, questionIds } = school;
  const windowId = 'window-bench';
  const { recordId } = (await ask(`/app/exam/test_start?examId=${examId}&windowId=${windowId}`)).data;
  let seq = 0;
  const save = async () => {
    seq += 1;
    const began = performance.now();
    const questionId = questionIds[seq % questionIds.length];
    const answer = 'AB'[seq % 2];
    await ask('/api/exam/save_question', { examId, recordId, questionId, answer, totalTime: 1, seq, windowId });
    return performance.now() - began;
  };
  return async (until: () => boolean): Promise<Saves> => {
    const began = performance.now();
    const took: number[] = [];
    let longest = { took: 0, at: 0 };
    while (!until()) {
      const one = { took: await save(), at: (performance.now() - began) / 1000 };
      took.push(one.took);
      if (one.took > longest.took) longest = one;
      await pause(SAVE_EVERY);
    }
    took.sort((a, b) => a - b);
    return {
      longest: longest.took,
      at: longest.at,
      most: took[Math.floor(took.length * 0.99)] ?? 0,
      count: took.length,
    };
  };
}

async function measure(
  { folder, file, state }: { folder: string; file: string; state: State },
  dataDir: string,
  saver: (until: () => boolean) => Promise<Saves>,
): Promise<ImportFigure> {
  const path = join(folder, file);
  await make(path, state !== 'first');
  const cli = join(import.meta.dirname, '..', 'server', 'cli.ts');
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', WATCH, cli, 'import', 'questions', path, '--pack', 'imported', '--name', 'Imported'],
    {
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const together = watchTogether(child.pid ?? 0);
  let peak = 0;
  let out = '';
  let shown = '';
  child.on('message', (kilobytes) => {
    peak = Number(kilobytes);
  });
  child.stdout?.on('data', (text) => {
    out += text;
  });
  child.stderr?.on('data', (text) => {
    shown += text;
  });
  let ended = false;
  const saving = saver(() => ended);
  const [code] = await once(child, 'close');
  ended = true;
  const seconds = (performance.now() - began) / 1000;
  const did = { first: '新增', unchanged: '未变', changed: '更新' }[state];
  if (code !== 0 || !out.includes(`${did} ${QUESTIONS} 题`))
    throw new Error(`the import failed (${code}): ${out}${shown}`);
  const peakMegabytes = Math.max(together(), peak / 1024);
  const saves = await saving;
  const progress = shown.includes(`${QUESTIONS}/${QUESTIONS}`);
  return {
    file,
    state,
    saves,
    fileMegabytes: (await stat(path)).size / 1e6,
    seconds,
    peakMegabytes,
    progress,
    ok:
      seconds < MOST_SECONDS &&
      peakMegabytes > 0 &&
      peakMegabytes < MOST_MEGABYTES &&
      progress &&
      saves.longest < LONGEST_WAIT,
  };
}

function say({ file, state, fileMegabytes, seconds, peakMegabytes, saves, ok }: ImportFigure, without: Saves) {
  const name = `import_${file.split('.').at(-1)}${state === 'first' ? '' : `_${state}`}`;
  const detail = `${QUESTIONS} questions from ${file} (${fileMegabytes.toFixed(1)} MB), ${state}`;
  report({ name: `${name}_seconds`, value: seconds, unit: 's', detail });
  const processes = 'peak of the importing process and its reader together';
  report({ name: `${name}_memory`, value: peakMegabytes, unit: 'MB', detail: processes });
  const said = ({ count, most }: Saves) => `${count} saves, 99 of 100 within ${most.toFixed(0)} ms`;
  const longest = `the longest, in second ${saves.at.toFixed(0)}, of ${said(saves)}; without an import ${without.longest.toFixed(0)} ms, of ${said(without)}`;
  report({ name: `${name}_save`, value: saves.longest, unit: 'ms', detail: longest });
  if (!ok) process.exitCode = 1;
}

// 50,000 questions as xlsx and as CSV into SQLite databases of running servers, and what a save takes without that.
const folder = await mkdtemp(join(tmpdir(), 'lixue-bench-import-'));
try {
  for (const file of ['questions.xlsx', 'questions.csv']) {
    const school = await makeSchool({ students: 1, questions: 200 });
    const server = await startServer({ dataDir: school.dataDir });
    const saves = await saver(server, school);
    const until = performance.now() + QUIET;
    const quiet = await saves(() => performance.now() > until);
    // Of the second file the first import alone: what comes after reading is the same.
    for (const state of file.endsWith('.xlsx') ? STATES : STATES.slice(0, 1))
      say(await measure({ folder, file, state }, school.dataDir, saves), quiet);
    await server.stop();
    await school.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
