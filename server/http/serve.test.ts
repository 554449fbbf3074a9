import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '#contract/all.ts';
import { type App, createApp } from '#server/app.ts';
import { type TestApp, testApp } from '#server/test-kit.ts';
import { setPassword } from '#server/user/admin.ts';
import { refuse } from './answer.ts';
import { buildWebServer } from './web-server.ts';

/** What stands before the server, what it says, and whether the cookie is for https alone. */
const CASES: readonly [proxies: number, publicUrl: string | null, proto: string | null, secure: boolean][] = [
  [0, null, null, false],
  [1, null, 'https', true],
  [1, null, 'http', false],
  // Nobody in front is trusted: a header that anyone can send decides nothing.
  [0, null, 'https', false],
  [0, 'https://lixue.example.cn', null, true],
  [1, 'http://lixue.example.cn', 'https', true],
];

describe('the session cookie', () => {
  let t: TestApp;
  let phone = '';
  beforeAll(async () => {
    t = await testApp();
    phone = (await t.user()).phone;
    await setPassword(t.db, phone, 'a-long-password');
  });
  afterAll(() => t.close());

  it.each(CASES)(
    '%i proxies, PUBLIC_URL %s, X-Forwarded-Proto %s: Secure %s',
    async (proxies, publicUrl, proto, secure) => {
      const app: App = await createApp({ ...t.parts, publicUrl }, { trustProxies: proxies });
      const answer = await app.inject({
        method: 'POST',
        url: '/api/user/login',
        payload: { phone, password: 'a-long-password' },
        headers: proto === null ? {} : { 'x-forwarded-proto': proto },
      });
      await app.close();
      expect(answer.statusCode).toBe(200);
      const name = secure ? '__Host-lixue_session' : 'lixue_session';
      const cookie = answer.cookies.find((one) => one.name === name);
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
      expect(cookie?.secure ?? false).toBe(secure);
    },
  );
});

describe('the size of a body', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp();
  });
  afterAll(() => t.close());
  const post = async (url: string, bytes: number, token?: string) =>
    (
      await t.app.inject({
        method: 'POST',
        url,
        payload: JSON.stringify({ filling: 'x'.repeat(bytes - 14) }),
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      })
    ).statusCode;

  it('is small for all but answers, so that nobody can keep the server busy with reading', async () => {
    expect(await post('/api/user/login', 60 * 1024)).toBe(400);
    expect(await post('/api/user/login', 70 * 1024)).toBe(413);
  });

  it('is that of a whole hand-in only for people who are signed in, who are looked up before it is read', async () => {
    const { token } = await t.user();
    expect(await post('/api/exam/submit', 1024 * 1024)).toBe(401);
    expect(await post('/api/exam/submit', 1024 * 1024, 'made-up')).toBe(401);
    expect(await post('/api/exam/submit', 1024 * 1024, token)).toBe(400);
    expect(await post('/api/exam/submit', 3 * 1024 * 1024, token)).toBe(413);
    expect(await post('/api/exam/submit', 1024)).toBe(400);
  });
});

interface Schema {
  type?: string;
  const?: unknown;
  minimum?: number;
  minLength?: number;
  examples?: readonly unknown[];
  minItems?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** A value that fits a schema of the contract. @param more fields that every object in it gets beside its own */
function sample(schema: Schema, more: object): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf?.[0]) return sample(schema.anyOf[0], more);
  if (schema.type === 'array') {
    const { items, minItems = 1 } = schema;
    return items ? Array.from({ length: Math.max(1, minItems) }, () => sample(items, more)) : [];
  }
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.type === 'string') return 'x'.repeat(schema.minLength ?? 1);
  if (schema.type !== 'object') return schema.minimum ?? 1;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sample(field, more)]);
  return { ...more, ...Object.fromEntries(fields) };
}

describe('a field that a call does not declare', () => {
  const MORE = { surplus: ['1', '2'], examIds: { $ne: 1 } };
  let t: TestApp;
  let app: Awaited<ReturnType<typeof buildWebServer>>;
  const seen = new Map<string, unknown>();
  beforeAll(async () => {
    t = await testApp();
    app = await buildWebServer({
      durability: { weak: () => null, chores: [] },
      parts: t.parts,
      findSession: async (token) =>
        token === 'sent along' ? { userId: 1, role: 'teacher', tokenHash: 'of the token' } : null,
      mayOpenPack: async () => ({ ok: true }),
      fileOwners: [],
      routes: (serve) => {
        for (const { call } of calls) {
          serve(call, ({ input, user }) => {
            seen.set(call.name, { input, userId: user?.userId });
            return refuse('notFound');
          });
        }
      },
    });
  });
  afterAll(async () => {
    await app.close();
    await t.close();
  });

  // A form has a test of its own (server/image/upload.test.ts): here everything is sent as JSON.
  it.each(calls.flatMap(({ call }) => (call.form ? [] : [[call.name, call] as const])))(
    'never reaches the handler of %s',
    async (name, call) => {
      const sent = { ...(sample(call.input as Schema, MORE) as object), token: 'sent along' };
      const query = Object.entries(sent).flatMap(([field, value]) =>
        [value].flat().map((one) => [field, String(one)] as [string, string]),
      );
      const answer = await app.inject(
        call.method === 'GET'
          ? { method: 'GET', url: `${call.path}?${new URLSearchParams(query)}` }
          : { method: 'POST', url: call.path, payload: sent },
      );
      expect(answer.statusCode).toBe(404);
      expect(seen.get(name)).toEqual({ input: sample(call.input as Schema, {}), userId: 1 });
    },
  );

  it('changes nothing, be it sent twice or be it the name of another call’s', async () => {
    const as = await t.user();
    for (const field of ['examId=1&examId=2', 'examId=x']) {
      const headers = { authorization: `Bearer ${as.token}` };
      const answer = await t.app.inject({ method: 'GET', url: `/api/user/exam_list?${field}`, headers });
      expect([answer.statusCode, answer.json()]).toMatchObject([200, { data: { total: 0 } }]);
    }
  });
});

describe('a call that gets no answer', () => {
  it('is answered in the end, by what becomes of what it sent', async () => {
    const t = await testApp();
    let answer: () => void = () => undefined;
    const never = new Promise<void>((done) => {
      answer = done;
    });
    const app = await buildWebServer({
      durability: { weak: () => null, chores: [] },
      parts: t.parts,
      answerWithin: 200,
      findSession: async () => ({ userId: 1, role: 'student', tokenHash: 'x' }),
      mayOpenPack: async () => ({ ok: true }),
      fileOwners: [],
      routes: (serve) => {
        // As behind a disk that hangs.
        for (const { call } of calls) serve(call, () => never.then(() => refuse('notFound')));
      },
    });
    const headers = { authorization: 'Bearer any' };
    const save = { examId: 1, recordId: 1, questionId: 1, answer: 'A' };
    const [saved, info] = await Promise.all([
      app.inject({ method: 'POST', url: '/api/exam/save_question', payload: save, headers }),
      app.inject({ method: 'GET', url: '/api/user/info', headers }),
    ]);
    expect([saved.statusCode, saved.json().data.why]).toEqual([503, 'cannotSave']);
    expect([info.statusCode, info.json().data.why]).toEqual([503, 'databaseAway']);
    // What comes after all is nobody's answer any more.
    answer();
    await app.close();
    await t.close();
  });
});
