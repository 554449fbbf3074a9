import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Page } from '@playwright/test';
import { findFfmpeg } from '#server/media/ffmpeg.ts';

const RATE = 25;
const BITS = 16;
const WIDTH = 320;
const STRIPE = WIDTH / BITS;

/** A real encoder as a teacher has one. Its picture is a clock: stripes, black and white, are the bits of the frame's number. */
interface Encoder {
  /** Seconds of its own clock that have been sent by now. */
  sent(): number;
  /** Its machine stands still, or goes on: what it has to send meanwhile comes at once then. */
  hold(held: boolean): void;
  stop(): Promise<void>;
}

/** Pushes to the ingest of a server with this key, until it is stopped. @param rate pictures a second; their numbers begin again after 65,536 */
export async function startEncoder(port: number, key: string, rate = RATE): Promise<Encoder> {
  const ffmpeg = await findFfmpeg(process.env.FFMPEG_PATH || null);
  if (ffmpeg === null) throw new Error('no FFmpeg on this machine, not even the one that npm brings');
  const stripes = `geq=lum='16+219*mod(floor(floor(T*${rate}+0.5)/pow(2,floor(X/${STRIPE / 2}))),2)':cb=128:cr=128`;
  const args = [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-progress', 'pipe:1'],
    // The FFmpeg of npm is of 2018: it says twice a second where it is, and nothing else.
    ...(ffmpeg.from === 'package' ? [] : ['-stats_period', '0.1']),
    '-re',
    ...['-f', 'lavfi', '-i', `color=c=gray:s=${WIDTH / 2}x16:r=${rate},${stripes},scale=${WIDTH}:180:flags=neighbor`],
    ...['-re', '-f', 'lavfi', '-i', 'sine=frequency=440'],
    ...'-c:v libx264 -preset ultrafast -tune zerolatency -pix_fmt yuv420p -threads 1 -c:a aac'.split(' '),
    ...['-g', String(2 * rate), '-f', 'flv', `rtmp://127.0.0.1:${port}/live/${key}`],
  ];
  let last = { at: 0, time: 0 };
  let stopped = false;
  let child: ChildProcess;
  // One whose connection fails tries again, as OBS does.
  const push = () => {
    last = { at: 0, time: 0 };
    child = spawn(ffmpeg.path, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const [, micro] = [...text.matchAll(/out_time_(?:us|ms)=(\d+)/g)].at(-1) ?? [];
      if (micro !== undefined) last = { at: Date.now(), time: Number(micro) / 1e6 };
    });
    child.once('exit', () => {
      if (!stopped) setTimeout(push, 1000);
    });
  };
  push();
  return {
    sent: () => (last.at === 0 ? 0 : last.time + (Date.now() - last.at) / 1000),
    hold: (held) => void child.kill(held ? 'SIGSTOP' : 'SIGCONT'),
    stop: async () => {
      stopped = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** The clock that is in the picture now (seconds); null: there is no picture. */
export function clockInPicture(page: Page, pictureRate = RATE): Promise<number | null> {
  return page.evaluate(
    ({ bits, rate }) => {
      const film = document.querySelector('video');
      if (film === null || film.videoWidth === 0) return null;
      const canvas = document.createElement('canvas');
      canvas.width = film.videoWidth;
      canvas.height = film.videoHeight;
      const pen = canvas.getContext('2d');
      if (pen === null) return null;
      pen.drawImage(film, 0, 0);
      const stripe = canvas.width / bits;
      let frame = 0;
      for (let bit = 0; bit < bits; bit += 1) {
        const [light = 0] = pen.getImageData(Math.floor((bit + 0.5) * stripe), canvas.height / 2, 1, 1).data;
        if (light > 127) frame += 2 ** bit;
      }
      return frame / rate;
    },
    { bits: BITS, rate: pictureRate },
  );
}
