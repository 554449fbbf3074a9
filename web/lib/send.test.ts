import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serverClock } from './clock.ts';
import { CallError, onSignInNeeded, retryHelps, send } from './send.ts';

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;
let answers: Answer[] = [];
let seen: string[] = [];
const realFetch = globalThis.fetch;
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    seen.push(`${request.method} ${request.url} ${body}`.trim());
    answers.shift()?.(request, body, response);
  });
});
let base = '';

beforeAll(async () => {
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A browser resolves a path against its page; Node has no page.
  globalThis.fetch = (path, init) => realFetch(base + String(path), init);
});
afterAll(() => {
  globalThis.fetch = realFetch;
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answers = [];
  seen = [];
});
afterEach(() => onSignInNeeded(null));

const reply =
  (code: number, data: unknown, msg = ''): Answer =>
  (_request, _body, response) => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ code, msg, data }));
  };
const text =
  (status: number, body: string): Answer =>
  (_request, _body, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  };
const lost = reply(401, { why: 'notSignedIn' }, '请先登录');

async function failure(work: Promise<unknown>): Promise<CallError> {
  const error = await work.then(
    () => new Error('did not fail'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof CallError) return error;
  throw error;
}

describe('send', () => {
  it('puts a GET into the query, without what has no value, and a POST into the body', async () => {
    answers = [reply(200, { list: [] }), reply(200, { flag: 1 })];
    await send('GET /api/user/exam_list', { pageNum: 1, pageSize: 10, packId: undefined });
    expect(await send('POST /api/exam/flag', { recordId: 3, examId: 4, questionId: 5 })).toEqual({ flag: 1 });
    expect(seen).toEqual([
      'GET /api/user/exam_list?pageNum=1&pageSize=10',
      'POST /api/exam/flag {"recordId":3,"examId":4,"questionId":5}',
    ]);
  });

  it('throws the refusal with its reason, sentence and field', async () => {
    answers = [reply(422, { why: 'phoneWrong', field: 'phone' }, '请输入正确的手机号')];
    const error = await failure(send('POST /api/user/login', { phone: '1' }));
    expect([error.code, error.why, error.msg, error.field]).toEqual([422, 'phoneWrong', '请输入正确的手机号', 'phone']);
  });

  it.each([
    ['a gateway without a server', text(502, '<h1>Bad Gateway</h1>'), 503, 'busy'],
    ['a portal that wants a login', text(200, '<html>welcome to campus wifi</html>'), 0, 'offline'],
    ['a page of another program', text(404, 'not here'), 404, 'broken'],
    ['JSON that is no envelope', text(500, '[]'), 500, 'broken'],
    ['a cut connection', ((request) => request.socket.destroy()) satisfies Answer, 0, 'offline'],
  ] as const)('says what %s means', async (_name, answer, code, why) => {
    answers = [answer];
    const error = await failure(send('GET /api/common/course_list', {}));
    expect([error.code, error.why]).toEqual([code, why]);
    expect(error.msg).not.toBe('');
  });

  it('takes a 401 of somebody between for no word of the session: nobody is asked to sign in', async () => {
    let asked = 0;
    onSignInNeeded(async () => {
      asked += 1;
      return true;
    });
    answers = [text(401, '<h1>Authorization Required</h1>')];
    const error = await failure(send('GET /api/user/course_list', {}));
    expect([error.code, error.why, asked]).toEqual([401, 'broken', 0]);
  });

  it('is offline when no answer comes in time', async () => {
    answers = [() => undefined];
    const error = await failure(send('GET /api/common/course_list', {}, { timeout: 40 }));
    expect([error.code, error.why]).toEqual([0, 'offline']);
  });

  it('ends with the reason of the signal when it is called off', async () => {
    const off = new AbortController();
    answers = [() => off.abort(new Error('left the page'))];
    await expect(send('GET /api/common/course_list', {}, { signal: off.signal })).rejects.toThrow('left the page');
  });

  it('says that a person pressed for it, so that having put signing in off counts no more', async () => {
    const pressed: boolean[] = [];
    onSignInNeeded(async (said) => {
      pressed.push(said);
      return false;
    });
    answers = [lost, lost];
    await failure(send('GET /api/user/course_list', {}));
    await failure(send('GET /api/user/course_list', {}, { pressed: true }));
    expect(pressed).toEqual([false, true]);
  });

  it('asks once to sign in again for many calls, waits, and repeats each of them', async () => {
    let asked = 0;
    answers = [lost, lost, reply(200, { flag: 1 }), reply(200, { flag: 0 })];
    onSignInNeeded(async () => {
      asked += 1;
      return true;
    });
    const both = await Promise.all([
      send('POST /api/exam/flag', { recordId: 1, examId: 1, questionId: 1 }),
      send('POST /api/exam/flag', { recordId: 1, examId: 1, questionId: 2 }),
    ]);
    expect(both).toHaveLength(2);
    expect(seen).toHaveLength(4);
    expect(asked).toBe(1);
  });

  it('fails with the 401 when the person does not sign in, and does not ask twice for one call', async () => {
    answers = [lost];
    onSignInNeeded(async () => false);
    expect((await failure(send('GET /api/user/course_list', {}))).why).toBe('notSignedIn');
    answers = [lost, lost];
    onSignInNeeded(async () => true);
    expect((await failure(send('GET /api/user/course_list', {}))).code).toBe(401);
    expect(seen).toHaveLength(3);
  });

  it('does not ask when the call says so', async () => {
    answers = [lost];
    onSignInNeeded(async () => {
      throw new Error('asked');
    });
    expect((await failure(send('GET /api/user/course_list', {}, { signInAgain: false }))).code).toBe(401);
  });

  it('sets the server clock by any answer that says `now`', async () => {
    const now = Date.now() + 7_200_000;
    answers = [reply(200, { user: null, demo: true, now })];
    await send('GET /api/user/info', {});
    expect(Math.abs(serverClock.now() - now)).toBeLessThan(2_000);
  });
});

it.each([
  [0, 'offline', true],
  [500, 'broken', true],
  [503, 'busy', true],
  [429, 'tooMany', true],
  [401, 'notSignedIn', true],
  [403, 'notAllowed', false],
  [403, 'notEnrolled', false],
  [404, 'notFound', false],
  [400, 'badInput', false],
] as const)('whether 重试 is offered after %i %s: %s', (code, why, helps) => {
  expect(retryHelps(new CallError(code, why, ''))).toBe(helps);
});

describe('what was asked for in the head of the page', () => {
  afterEach(() => {
    globalThis.lixueAhead = undefined;
  });

  it('is taken in the place of a request, once, and is read as any other answer', async () => {
    const text = JSON.stringify({ code: 200, msg: 'ok', data: { demo: false, now: 5, user: null } });
    const received = performance.now();
    globalThis.lixueAhead = {
      windowId: null,
      answers: { '/api/user/info': Promise.resolve({ status: 200, text, sent: received - 5, received }) },
    };
    expect(await send('GET /api/user/info', {})).toEqual({ demo: false, now: 5, user: null });
    expect(seen).toEqual([]);
    answers = [(_request, _body, response) => response.end(text)];
    await send('GET /api/user/info', {});
    expect(seen).toEqual(['GET /api/user/info']);
  });

  it('is not waited for longer than any answer', async () => {
    globalThis.lixueAhead = { windowId: null, answers: { '/api/user/info': new Promise(() => {}) } };
    await expect(send('GET /api/user/info', {}, { timeout: 20 })).rejects.toMatchObject({ why: 'offline' });
  });
});
