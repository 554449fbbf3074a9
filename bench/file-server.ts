import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';

/** The control of `media-segments`: a plain node:http server that streams parts of one file, `/<first>-<last>`. Prints its port. */
const [, , path = ''] = process.argv;
statSync(path);
const server = createServer((request, reply) => {
  const [, first = '0', last = '0'] = /^\/(\d+)-(\d+)$/.exec(request.url ?? '') ?? [];
  const [start, end] = [Number(first), Number(last)];
  reply.writeHead(200, { 'content-type': 'video/mp2t', 'content-length': end - start + 1 });
  createReadStream(path, { start, end }).pipe(reply);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : address}\n`);
});
