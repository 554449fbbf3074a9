import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { JobRefused, JobTrouble, JobWaits } from '#server/job/worker.ts';
import { type Clips, clipMaker, film, H264 } from './clips.test-kit.ts';
import { findFfmpeg, runFfmpeg } from './ffmpeg.ts';
import { measure, needFfmpeg, probe } from './probe.ts';
import { ffmpegFinder } from './transcode-job.ts';

let clips: Clips;
beforeAll(async () => {
  clips = await clipMaker();
});
afterAll(() => clips.remove());

/** Whether a process is there that was started with this word. */
function isThere(word: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false; // It has just ended.
    }
  });
}

const endless = (output: string) => [
  '-re',
  '-f',
  'lavfi',
  '-i',
  'testsrc=s=64x64:r=5',
  '-c:v',
  'mpeg4',
  '-f',
  'matroska',
  '-y',
  output,
];

describe('FFmpeg', () => {
  it('that says much is quoted with its beginning and its end', async () => {
    const talks = join(clips.folder, 'talks');
    writeFileSync(talks, '#!/bin/sh\n{ echo first; seq 1 20000; echo last; } >&2\n', { mode: 0o755 });
    const { said } = await runFfmpeg(talks, []);
    expect([said.slice(0, 6), said.slice(-5)]).toEqual(['first\n', 'last\n']);
    expect(said.length).toBeLessThan(40_000);
  });

  it('that lists what it can in many pieces is read to the end of its list', async () => {
    const inPieces = join(clips.folder, 'in-pieces');
    const list =
      'seq -f "filter %g" 1 300 | while read -r line; do echo "$line"; done; echo " .. tpad "; echo " .. tonemap "; echo " .. zscale "';
    const script = `case "$*" in *-filters*) ${list};; *) exec ${clips.ffmpeg.path} "$@";; esac`;
    writeFileSync(inPieces, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    expect(await findFfmpeg(inPieces)).toMatchObject({ path: inPieces, toneMaps: true, holds: true });
  });

  it('that hangs, or is stopped, is ended by our own clock', async () => {
    // It reports for ever that nothing moves.
    const hangs = join(clips.folder, 'hangs');
    writeFileSync(
      hangs,
      '#!/bin/sh\nwhile :; do printf "frame=0\\nout_time=00:00:01.000000\\nprogress=continue\\n"; sleep 0.05; done\n',
      {
        mode: 0o755,
      },
    );
    const { ended, code } = await runFfmpeg(hangs, [], { stalledAfter: 300, progress: () => undefined });
    expect([ended, code]).toEqual(['stalled', null]);
    const stopped = join(clips.folder, 'stopped');
    writeFileSync(stopped, '#!/bin/sh\nkill -STOP $$\n', { mode: 0o755 });
    expect((await runFfmpeg(stopped, [], { stalledAfter: 300 })).ended).toBe('stalled');
    await expect.poll(() => isThere(stopped) || isThere(hangs)).toBe(false);
  });

  it('that somebody else killed, as a system without memory does, is no fault of its file: it is tried again', async () => {
    const dies = join(clips.folder, 'dies');
    for (const [last, ended] of [
      ['kill -KILL $$', 'killed'],
      ['kill -TERM $$', 'killed'],
      ['exit 255', 'killed'],
      ['echo moov atom not found >&2; exit 1', null],
      ['echo Operation not permitted >&2; exit 255', null],
      // It fell over its file.
      ['kill -SEGV $$', null],
    ] as const) {
      writeFileSync(dies, `#!/bin/sh\n${last}\n`, { mode: 0o755 });
      expect((await runFfmpeg(dies, [])).ended, last).toBe(ended);
      const kind = ended === null ? JobRefused : JobTrouble;
      await expect(needFfmpeg(dies, [], {}), last).rejects.toBeInstanceOf(kind);
    }
  });

  it('ends with the job that it belongs to, and takes no longer than it may', async () => {
    const cancelled = new AbortController();
    const output = join(clips.folder, 'cancelled.mkv');
    const run = runFfmpeg(clips.ffmpeg.path, endless(output), {
      signal: cancelled.signal,
      progress: () => cancelled.abort(),
    });
    expect((await run).ended).toBe('aborted');
    const late = join(clips.folder, 'late.mkv');
    expect((await runFfmpeg(clips.ffmpeg.path, endless(late), { longest: 300 })).ended).toBe('tooLong');
    await expect.poll(() => isThere(output) || isThere(late)).toBe(false);
  });

  it('dies with the server that is killed', async () => {
    const output = join(clips.folder, 'orphan.mkv');
    const server = spawn(
      process.execPath,
      [join(import.meta.dirname, 'ffmpeg-process.test-kit.ts'), clips.ffmpeg.path, output],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(server.stdout, 'data');
    expect(isThere(output)).toBe(true);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await expect.poll(() => isThere(output), { timeout: 10_000 }).toBe(false);
  });

  it('is nice, is told none of our settings, and has bounds', async () => {
    const script = join(clips.folder, 'bounds');
    writeFileSync(script, '#!/bin/sh\nnice; ulimit -v; ulimit -f; env\n', { mode: 0o755 });
    process.env.LIXUE_PROBE_SECRET = 'x';
    const { out } = await runFfmpeg(script, [], { memoryKb: 3_000_000 });
    delete process.env.LIXUE_PROBE_SECRET;
    const [nice, memory, file, ...environment] = out.toString().trim().split('\n');
    expect([Number(nice) >= 15, Number(memory), Number(file)]).toEqual([true, 3_000_000, 1024 * 1024]);
    expect(environment.join()).not.toMatch(/SECRET|DATABASE/);
  });

  it('that needs more memory than it may have ends with an error, not with the machine', async () => {
    const args = ['-f', 'lavfi', '-i', 'testsrc=s=4096x4096:d=1', '-c:v', 'libx264', '-f', 'null', '-'];
    const { code, said } = await runFfmpeg(clips.ffmpeg.path, args, { memoryKb: 400_000 });
    expect(code).not.toBe(0);
    expect(said).toMatch(/Cannot allocate memory|malloc|Error|error/);
  });

  it('is found by the setting, which is meant, else on the machine', async () => {
    expect(await findFfmpeg('/no/such/ffmpeg')).toBeNull();
    expect(await findFfmpeg('/bin/true')).toBeNull();
    expect(await findFfmpeg(clips.ffmpeg.path)).toMatchObject({ from: 'setting' });
  });

  it('that takes its time to answer, as on a busy machine, is there all the same', async () => {
    const slow = join(clips.folder, 'slow');
    writeFileSync(slow, `#!/bin/sh\nsleep 11\nexec ${clips.ffmpeg.path} "$@"\n`, { mode: 0o755 });
    expect(await findFfmpeg(slow)).toMatchObject({ from: 'setting' });
  }, 30_000);

  it('that is killed while it is asked, or has no room to start, is not taken for missing', async () => {
    const script = join(clips.folder, 'shaky');
    writeFileSync(script, `#!/bin/sh\n. '${script}-does'\n`, { mode: 0o755 });
    const says = (what: string) => writeFileSync(`${script}-does`, `${what}\n`);
    for (const shaky of ['kill -KILL $$', 'kill -TERM $$', 'echo "sh: 0: Cannot fork" >&2; exit 2']) {
      says(shaky);
      await expect(findFfmpeg(script)).rejects.toThrow('服务器太忙，FFmpeg 没有回答');
    }
    const find = ffmpegFinder(script);
    await expect(find()).rejects.toBeInstanceOf(JobWaits);
    // It is asked again when some seconds are over.
    says(`exec ${clips.ffmpeg.path} "$@"`);
    await expect(find()).rejects.toBeInstanceOf(JobWaits);
    const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
    onTestFinished(() => later.mockRestore());
    expect(await find()).toMatchObject({ path: script });
    // Once it was there, it is not gone for a look that went wrong.
    says('kill -KILL $$');
    later.mockReturnValue(performance.now() + 2 * 60 * 60_000);
    expect(await find()).toMatchObject({ path: script });
  });

  it('that this machine cannot start at its work is waited for: the file is not told to be wrong', async () => {
    const script = join(clips.folder, 'crowded');
    writeFileSync(script, '#!/bin/sh\necho "sh: 5: Cannot fork" >&2; exit 2\n', { mode: 0o755 });
    const path = await clips.make('crowded.mp4', ...film('96x64', 1), ...H264);
    const ffmpeg = { ...clips.ffmpeg, path: script };
    await expect(probe(ffmpeg, path, {})).rejects.toBeInstanceOf(JobWaits);
    const source = { ...(await probe(clips.ffmpeg, path, {})), duration: null };
    await expect(measure(ffmpeg, source, [0], {})).rejects.toBeInstanceOf(JobWaits);
  });

  it('is looked for once by all who ask at once, also where there is none', async () => {
    for (const [name, speaks] of [
      ['none', 'exit 1'],
      ['some', 'echo "ffmpeg version 7 x"; echo " libx264 "; echo " aac "'],
    ] as const) {
      const [path, looks] = [join(clips.folder, name), join(clips.folder, `${name}-looks`)];
      writeFileSync(path, `#!/bin/sh\necho x >> '${looks}'\nsleep 0.2\n${speaks}\n`, { mode: 0o755 });
      const find = ffmpegFinder(path);
      const found = await Promise.all(Array.from({ length: 20 }, find));
      expect(found.map((each) => each?.path)).toEqual(Array(20).fill(name === 'some' ? path : undefined));
      await find();
      // Its version, encoders, filters and options.
      expect(readFileSync(looks, 'utf8')).toBe('x\n'.repeat(4));
    }
  });

  it('that cannot be started since no more files may be open fails alone, not with its server', () => {
    const script = `
      import { openSync } from 'node:fs';
      const { runFfmpeg } = await import(${JSON.stringify(join(import.meta.dirname, 'ffmpeg.ts'))});
      try { for (;;) openSync('/dev/null'); } catch {}
      const why = await runFfmpeg('/bin/true', []).then(() => 'none', ({ code }) => code);
      setTimeout(() => process.stdout.write('lives on after ' + why), 50);`;
    const words = ['-c', 'ulimit -n 100; exec "$0" --input-type=module -e "$1"', process.execPath, script];
    expect(execFileSync('/bin/sh', words, { encoding: 'utf8' })).toBe('lives on after EMFILE');
  });
});
