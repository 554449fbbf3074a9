import { createServer } from 'node:http';
import { pino } from 'pino';
import { openIngest } from './ingest.ts';

// A server with an ingest, as a process of its own: `ingest-process.test-kit.ts <folder> <key>`. It answers at `/` as the site does,
// `/flv` is a viewer, `/memory` says what it has (MB).
if (import.meta.main) {
  const [, , folder = '', key = ''] = process.argv;
  const ingest = openIngest({
    ...{ port: 0, host: '127.0.0.1', folder, keepFree: 0, log: pino({ level: 'silent' }) },
    authorize: async (asked) => (asked === key ? 'lesson-1' : null),
    onEvent: () => undefined,
  });
  const web = createServer((request, response) => {
    if (request.url === '/memory') {
      globalThis.gc?.();
      response.end(String(process.memoryUsage.rss() / 2 ** 20));
    } else if (request.url === '/flv') {
      const leave = ingest.watch('lesson-1', {
        send: (bytes) => void response.write(bytes),
        waiting: () => response.writableLength,
        end: () => response.destroy(),
      });
      response.once('close', leave);
    } else response.end('ok');
  }).listen(0, '127.0.0.1', () => {
    const ready = setInterval(() => {
      const address = web.address();
      if (ingest.state().trouble !== null || typeof address !== 'object') return;
      clearInterval(ready);
      process.stdout.write(`${JSON.stringify({ rtmp: ingest.state().port, web: address?.port })}\n`);
    }, 20);
  });
}
