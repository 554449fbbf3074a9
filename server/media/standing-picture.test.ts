import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clips, clipMaker, film, H264, tone } from './clips.test-kit.ts';
import { findFfmpeg, packaged } from './ffmpeg.ts';
import { made, packetsOfSound } from './transcode.test-kit.ts';

let clips: Clips;
beforeAll(async () => {
  clips = await clipMaker();
});
afterAll(() => clips.remove());

describe('a picture that stands still for long', () => {
  it('between two parts that move has the sound of each segment in that segment', async () => {
    const gap = ['-vf', "select='lt(t,5)+gte(t,20)'", '-vsync', 'vfr'];
    const path = await clips.make('gap.mp4', ...film('64x36', 25, 10), ...tone(25), ...gap, ...H264, '-c:a', 'aac');
    const { made: result, segments } = await made(clips, path);
    const [first] = result.renditions;
    const sounds = await Promise.all((first ? await segments(first) : []).map((ts) => packetsOfSound(clips, ts)));
    expect(sounds).toHaveLength(9);
    // 3 s are 141 packets of 1024 samples.
    for (const count of sounds.slice(0, -1)) expect(Math.abs(count - 141)).toBeLessThan(15);
  });

  it('from its beginning, while its sound goes on, is named by its parameter set, wherever that lies', async () => {
    const path = await clips.make('still.mp4', ...film('64x36', 60, 0.1), ...tone(60), ...H264, '-c:a', 'aac');
    const { made: result } = await made(clips, path);
    expect(result.renditions.map(({ codecs }) => codecs)).toEqual([expect.stringMatching(/^avc1\.[0-9a-f]{6},mp4a/)]);
  });

  it('takes no more memory than one that moves', async () => {
    const still = ['-vf', "setpts='if(gte(N,30),PTS+150/TB,PTS)'", '-vsync', 'vfr'];
    const path = await clips.make('stands.mp4', ...film('640x360', 2, 30), ...still, ...H264);
    const { made: result } = await made(clips, path, { memoryKb: 1_500_000 });
    expect(Math.abs(result.duration - 152_000)).toBeLessThan(300);
  }, 60_000);

  it('at its end stands as long as the sound goes on, and none of that is lost', async () => {
    const path = await clips.make('speaks-on.mp4', ...film('64x36', 2, 10), ...tone(9), ...H264, '-c:a', 'aac');
    const { made: result, segments } = await made(clips, path);
    const [first] = result.renditions;
    expect(first?.segments.map(([length]) => length)).toEqual([3000, 3000, 3000]);
    const sounds = await Promise.all((first ? await segments(first) : []).map((ts) => packetsOfSound(clips, ts)));
    for (const count of sounds) expect(Math.abs(count - 141)).toBeLessThan(15);
  });

  it('since nothing of it can be read any more is none that stands: the film is refused', async () => {
    const whole = [...film('320x180', 12, 30), ...tone(13), ...H264, '-g', '30', '-c:a', 'aac'];
    const path = await clips.make('worn.mp4', ...whole, '-movflags', '+faststart');
    const bytes = readFileSync(path);
    // Its index, which stands before, still names all packets.
    const packets = bytes.indexOf('mdat');
    bytes.fill(0, packets + Math.floor((bytes.length - packets) / 2));
    writeFileSync(path, bytes);
    await expect(made(clips, path)).rejects.toThrow(/文件不完整：应有 13\.\d 秒，只能读到/);
  });

  it('stands for no sound that says to be days away, whatever the file says of its length', async () => {
    const far = ['-af', "asetpts='if(gt(N,100),PTS+100000*SR,PTS)'"];
    const path = await clips.make('far.mkv', ...film('64x36', 5), ...tone(5), ...far, ...H264, '-c:a', 'libopus');
    const bytes = readFileSync(path);
    // `Duration` of the file, a float of eight bytes, in milliseconds.
    const at = bytes.indexOf(Buffer.from('448988', 'hex'));
    expect(at).toBeGreaterThan(0);
    bytes.writeDoubleBE(5000, at + 3);
    writeFileSync(path, bytes);
    await expect(made(clips, path)).rejects.toThrow(/超过 24 小时/);
  });

  it('at its end is refused, with what to do, where FFmpeg cannot hold it', async () => {
    const path = await clips.make('too-old.mp4', ...film('64x36', 2, 10), ...tone(9), ...H264);
    await expect(made(clips, path, {}, { holds: false })).rejects.toThrow(
      /声音比画面长 7\.\d 秒，服务器的 FFmpeg 太旧/,
    );
  });
});

it.each([
  ['ends with its picture', 12, true],
  ['ends long before it: all of the rest would wait for a sound, and the run seem to hang', 1, false],
])('sound that %s', async (_what, seconds, waits) => {
  const asked = join(clips.folder, `asked-${seconds}`);
  const notes = join(clips.folder, `ffmpeg-notes-${seconds}`);
  const script = `case "$*" in *.m3u8*) echo "$*" > '${asked}';; esac\nexec ${clips.ffmpeg.path} "$@"`;
  writeFileSync(notes, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const path = await clips.make(`mute-${seconds}.mp4`, ...film('64x36', 12), ...tone(seconds), ...H264, '-c:a', 'aac');
  const { made: result } = await made(clips, path, {}, { path: notes });
  expect(Math.abs(result.duration - 12_000)).toBeLessThan(300);
  expect(readFileSync(asked, 'utf8').includes('-max_interleave_delta 0')).toBe(waits);
});

describe('the FFmpeg of the npm package, which is of 2018', () => {
  const old = async () => {
    const found = await findFfmpeg(packaged());
    if (!found) throw new Error('npm install without --omit=optional');
    return found;
  };

  it('takes a picture that stood for no gap behind it', async () => {
    const still = ['-vf', "setpts='if(gte(N,10),PTS+20/TB,PTS)'", '-vsync', 'vfr'];
    const path = await clips.make('stood.mp4', ...film('64x36', 2, 10), ...tone(22), ...still, ...H264, '-c:a', 'aac');
    const { made: result } = await made(clips, path, {}, await old());
    expect(Math.abs(result.duration - 22_000)).toBeLessThan(300);
  });

  it('knows a cover from a film', async () => {
    const cover = await clips.make('old-cover.png', ...film('64x64', 1, 1), '-frames:v', '1');
    const args = ['-i', cover, '-map', '0', '-map', '1', '-c:v', 'copy', '-disposition:v:0', 'attached_pic'];
    const path = await clips.make('old-cover.mp3', ...tone(4), ...args, '-id3v2_version', '3');
    const { made: result } = await made(clips, path, {}, await old());
    expect(result.kind).toBe('audio');
  });
});
