import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeXlsxStream } from 'hucre/xlsx';
import { report } from './measure.ts';

/** How many questions a large school brings at once, and what importing them may cost (seconds, megabytes). */
const QUESTIONS = 50_000;
const MOST_SECONDS = 60;
const MOST_MEGABYTES = 500;

/** One file imported into an empty database by the command an operator types. */
interface ImportFigure {
  file: string;
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
function* rows(): Generator<Row> {
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
    const analysis = `解析：由定义可知本题考查连续与可导的关系，编号 ${at}。\n先判断连续性，再判断可导性；若 a<b 则取左端点。`;
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
function* csvLines(): Generator<string> {
  for (const row of rows()) yield `${row.map(csvCell).join(',')}\r\n`;
}

/** Writes the file as spreadsheet programs do: xlsx with a table of shared texts. */
async function make(path: string): Promise<void> {
  const out = createWriteStream(path);
  if (path.endsWith('.csv')) await pipeline(Readable.from(csvLines()), out);
  else await writeXlsxStream(rows(), { name: '题库', inlineStrings: false }).pipeTo(Writable.toWeb(out));
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

async function measure(folder: string, file: string): Promise<ImportFigure> {
  const path = join(folder, file);
  await make(path);
  const cli = join(import.meta.dirname, '..', 'server', 'cli.ts');
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', WATCH, cli, 'import', 'questions', path, '--pack', 'bench', '--name', 'Bench'],
    {
      env: { ...process.env, DATA_DIR: join(folder, `data-${file}`), DATABASE_URL: '' },
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
  const [code] = await once(child, 'close');
  const seconds = (performance.now() - began) / 1000;
  if (code !== 0 || !out.includes(`新增 ${QUESTIONS} 题`))
    throw new Error(`the import failed (${code}): ${out}${shown}`);
  const peakMegabytes = Math.max(together(), peak / 1024);
  const progress = shown.includes(`${QUESTIONS}/${QUESTIONS}`);
  return {
    file,
    fileMegabytes: (await stat(path)).size / 1e6,
    seconds,
    peakMegabytes,
    progress,
    ok: seconds < MOST_SECONDS && peakMegabytes > 0 && peakMegabytes < MOST_MEGABYTES && progress,
  };
}

/** Imports 50,000 questions as xlsx and as CSV into empty SQLite databases and measures time and memory. */
async function importBench(): Promise<ImportFigure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lixue-bench-import-'));
  try {
    const figures: ImportFigure[] = [];
    for (const file of ['questions.xlsx', 'questions.csv']) figures.push(await measure(folder, file));
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

for (const { file, fileMegabytes, seconds, peakMegabytes, ok } of await importBench()) {
  const kind = file.split('.').at(-1);
  const detail = `${QUESTIONS} questions from ${file} (${fileMegabytes.toFixed(1)} MB)`;
  report({ name: `import_${kind}_seconds`, value: seconds, unit: 's', detail });
  report({
    name: `import_${kind}_memory`,
    value: peakMegabytes,
    unit: 'MB',
    detail: 'peak of the importing process and its reader together',
  });
  if (!ok) process.exitCode = 1;
}
