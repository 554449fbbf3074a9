import websocket from '@fastify/websocket';
import Fastify from 'fastify';

/**
 * The control of `live-chat`: a WebSocket fan-out without anything. Whoever opens `/` hears what is posted to it, as it is, numbered as it
 * came. No database, no session, no rules. Prints its port.
 */
const app = Fastify();
await app.register(websocket);
let seq = 0;
app.get('/', { websocket: true }, (socket) => {
  socket.on('error', () => socket.terminate());
});
app.post('/say', async (request) => {
  seq += 1;
  const text = JSON.stringify({ events: [{ seq, ...(request.body as object) }], state: null });
  for (const client of app.websocketServer.clients) client.send(text);
  return { seq };
});
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.stdout.write(`${typeof address === 'object' ? address?.port : address}\n`);
