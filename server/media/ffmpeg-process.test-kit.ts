import { runFfmpeg } from './ffmpeg.ts';

// A process that runs an FFmpeg which takes long, to be killed by a test: `ffmpeg-process.test-kit.ts <ffmpeg> <output>`.
if (import.meta.main) {
  const [, , path = '', output = ''] = process.argv;
  const endless = ['-re', '-f', 'lavfi', '-i', 'testsrc=s=64x64:r=5', '-c:v', 'mpeg4', '-f', 'matroska', '-y', output];
  await runFfmpeg(path, endless, { progress: () => process.stdout.write('runs\n') });
}
