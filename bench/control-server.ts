import { createServer } from 'node:http';

/**
 * The control of the benches: a plain node:http server without anything. POST reads and parses a JSON body and answers a
 * small one; GET /bytes?n= answers so many bytes that were made before. Prints its port.
 */
const bodies = new Map<number, Buffer>();

const server = createServer((request, reply) => {
  if (request.method === 'GET') {
    const count = Number(/n=(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    let body = bodies.get(count);
    if (!body) {
      body = Buffer.from(
        JSON.stringify({ code: 200, data: 'x'.repeat(count) })
          .slice(0, count)
          .padEnd(count),
      );
      bodies.set(count, body);
    }
    reply.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
    reply.end(body);
    return;
  }
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    const input = JSON.parse(text) as { seq: number };
    const body = JSON.stringify({ code: 200, msg: '', data: { savedAt: Date.now(), seq: input.seq, stale: false } });
    reply.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    reply.end(body);
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : address}\n`);
});
