import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { checkDigitOf } from '#rules/user/id-card.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { readSetting } from '#server/db/settings-store.ts';
import { buyer, ordersLike, soldPack } from '#server/order/order.test-kit.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { setPassword } from '#server/user/admin.ts';
import { idNumberHash } from '#server/user/identity.ts';
import { hashToFind } from '#server/user/password-hash.ts';
import { createSession } from '#server/user/session.ts';
import { codeFor, newPhone, ticketFor, wrongCode } from '#server/user/sign-in.test-kit.ts';
import { readPeople } from '#server/user/store.ts';

const DAY = 86_400_000;
const PASSWORD = 'quite-1-secret';
let drawn = process.pid % 100_000;
/** An identity number that no other test has. */
function newIdNumber(): string {
  drawn += 1;
  const first = `110105${String(19_500_101 + (drawn % 28))}${String(drawn % 1000).padStart(3, '0')}`;
  return first + checkDigitOf(first);
}

/** The texts of a zip by their names. */
async function unzip(bytes: Buffer): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-zip-'));
  const path = join(folder, 'a.zip');
  writeFileSync(path, bytes);
  const texts = new Map<string, string>();
  const zip = await yauzl.openPromise(path);
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    texts.set(entry.fileName, Buffer.concat(pieces).toString());
  }
  rmSync(folder, { recursive: true });
  return texts;
}

describe.each(databases)('the own account on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  /** Somebody who has a password. */
  const person = async (role: 'student' | 'teacher' = 'student'): Promise<TestUser> => {
    const user = await t.user(role);
    await setPassword(t.db, user.phone, PASSWORD);
    return again(user);
  };
  const again = async (user: TestUser, from?: { userAgent: string; ip: string }): Promise<TestUser> => {
    const { token } = await createSession(t.db.query, t.parts.random, user.userId, t.time.now, from);
    return { ...user, token };
  };
  const signedIn = async (as: TestUser) => (await t.ok('GET /api/user/info', {}, { as })).user !== null;
  const row = (userId: number) =>
    t.db.query.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();

  describe('devices', () => {
    it('lists the own ones without addresses or tokens, and ends one at once', async () => {
      const user = await t.user();
      const phone = await again(user, {
        userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile Safari/604.1',
        ip: '203.0.113.77',
      });
      const stranger = await t.user();
      const { list } = await t.ok('GET /api/user/session_list', {}, { as: user });
      expect(list).toHaveLength(2);
      expect(list.filter(({ current }) => current === 1)).toHaveLength(1);
      const other = list.find(({ current }) => current === 0);
      expect(other).toMatchObject({ browser: 'Safari', system: 'iPhone', place: '203.0.*.*' });
      expect(JSON.stringify(list)).not.toMatch(/203\.0\.113|Mozilla/);
      const sessionId = other?.sessionId ?? '';
      // Another person's id is none.
      expect(await t.refused('POST /api/user/session_end', { sessionId }, { as: stranger })).toBe('notFound');
      expect(await signedIn(phone)).toBe(true);
      expect(await t.ok('POST /api/user/session_end', { sessionId }, { as: user })).toEqual({ ended: 1 });
      expect(await signedIn(phone)).toBe(false);
      expect(await signedIn(user)).toBe(true);
      expect(await t.refused('POST /api/user/session_end', { sessionId }, { as: user })).toBe('notFound');
    });

    it('ends all others, and not the one that asks', async () => {
      const user = await t.user();
      const others = [await again(user), await again(user)];
      expect(await t.ok('POST /api/user/session_end', {}, { as: user })).toEqual({ ended: 2 });
      for (const other of others) expect(await signedIn(other)).toBe(false);
      expect(await signedIn(user)).toBe(true);
    });
  });

  describe('the real name', () => {
    const save = (as: TestUser, input: Record<string, unknown>) =>
      t.raw('POST /api/user/identity', { userName: '王小明', password: PASSWORD, ...input }, { as });

    it('is given once with its number, of which only the mask is kept to be shown', async () => {
      const user = await person();
      const idNumber = newIdNumber();
      expect(await t.ok('GET /api/user/identity', {}, { as: user })).toEqual({ identity: null });
      expect(await save(user, { idNumber, password: 'wrong' })).toMatchObject({ data: { why: 'passwordWrong' } });
      expect((await save(user, { idNumber: ` ${idNumber} ` })).code).toBe(200);
      const shown = await t.ok('GET /api/user/identity', {}, { as: user });
      expect(shown.identity).toMatchObject({
        userName: '王小明',
        idNumber: `${idNumber.slice(0, 3)}*************${idNumber.slice(16)}`,
      });
      const stored = await t.db.query
        .selectFrom('identities')
        .selectAll()
        .where('user_id', '=', user.userId)
        .executeTakeFirstOrThrow();
      expect(JSON.stringify(stored)).not.toContain(idNumber.slice(3, 16));
      expect(stored).toMatchObject({ fourteen_on: null, number_hash: expect.stringMatching(/^v2:[0-9a-f]{64}$/) });
      expect(Object.keys(stored)).not.toContain('birth');
      expect(await save(user, { idNumber: newIdNumber() })).toMatchObject({ data: { why: 'identitySet' } });
      expect(await t.refused('POST /api/user/update', { userName: '别人' }, { as: user })).toBe('identitySet');
      expect((await row(user.userId)).user_name).toBe('王小明');
    });

    it('is sealed by a secret that is not in the database, and known again in what was stored before', async () => {
      const user = await person();
      const idNumber = newIdNumber();
      expect((await save(user, { idNumber })).code).toBe(200);
      const sealed = async () =>
        (
          await t.db.query
            .selectFrom('identities')
            .select('number_hash')
            .where('user_id', '=', user.userId)
            .executeTakeFirstOrThrow()
        ).number_hash;
      const right = await sealed();
      // Another secret makes another hash of it; an earlier version had the inner one alone.
      const others = await idNumberHash({ ...t.parts, identitySecret: Buffer.from('another') });
      expect(await others(idNumber)).not.toBe(right);
      const salt = Buffer.from((await readSetting(t.db.query, 'identity_salt')) ?? '', 'hex');
      const set = { number_hash: await hashToFind(idNumber, salt) };
      await t.db.query.updateTable('identities').set(set).where('user_id', '=', user.userId).execute();
      const again = await idNumberHash(t.parts);
      expect(await again(idNumber)).toBe(right);
      expect(await sealed()).toBe(right);
    });

    it('keeps the day on which a child turns 14, until then', async () => {
      const user = await person();
      const first = `11010520150301${String(drawn++ % 1000).padStart(3, '0')}`;
      expect((await save(user, { idNumber: first + checkDigitOf(first) })).code).toBe(200);
      const day = async () =>
        (
          await t.db.query
            .selectFrom('identities')
            .select('fourteen_on')
            .where('user_id', '=', user.userId)
            .executeTakeFirstOrThrow()
        ).fourteen_on;
      expect(await day()).toBe('2029-03-01');
      await t.chore('forget expired sign-in data');
      expect(await day()).toBe('2029-03-01');
      const now = t.time.now;
      t.time.now = Date.UTC(2029, 1, 28, 16);
      await t.chore('forget expired sign-in data');
      expect(await day()).toBe(null);
      t.time.now = now;
    });

    it('belongs to one account, also when two ask at once, and nobody counts numbers through', async () => {
      const [one, two] = [await person(), await person()];
      const idNumber = newIdNumber();
      const answers = await Promise.all([save(one, { idNumber }), save(two, { idNumber })]);
      expect(answers.map(({ code }) => code).sort()).toEqual([200, 409]);
      const loser = answers[0].code === 200 ? two : one;
      const why: unknown[] = [];
      for (let tries = 0; tries < 4; tries++) why.push((await save(loser, { idNumber })).data);
      expect(why.at(0)).toMatchObject({ why: 'identityTaken' });
      expect(why.at(-1)).toMatchObject({ why: 'tooMany' });
    });

    it.each([
      ['', 'idCardRequired'],
      ['1101051949123100', 'idCardLength'],
      ['11010519491231002A', 'idCardDigits'],
      ['99010519491231002X', 'idCardRegion'],
      ['11010519490231002X', 'idCardBirth'],
      ['110105194912310021', 'idCardChecksum'],
    ])('refuses %j as %s', async (idNumber, why) => {
      expect(await save(await t.user(), { idNumber })).toMatchObject({ data: { why, field: 'idNumber' } });
    });
  });

  describe('a copy of the own data', () => {
    it('is made once, however often the button is pressed at once', async () => {
      const user = await person();
      const press = () => t.ok('POST /api/user/export', { password: PASSWORD }, { as: user });
      const asked = await Promise.all([press(), press(), press()]);
      expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
      expect((await t.ok('GET /api/user/export_list', {}, { as: user })).list).toHaveLength(1);
    });

    it('is made with a proof, holds what the person has and nobody else’s, and is theirs alone until it expires', async () => {
      const [user, stranger] = [await person(), await person()];
      const { packId } = await makePack(t, { enrol: 'open' });
      for (const as of [user, stranger]) await t.ok('POST /api/course/course_join', { packId }, { as });
      const write = (as: TestUser, comment: string) => t.raw('POST /app/comment/save', { packId, comment }, { as });
      await write(user, '我的评论');
      await write(stranger, '别人的评论');
      const { list: said } = await t.ok('GET /app/comment/list', { packId }, { as: user });
      const praised = said.find(({ comment }) => comment === '别人的评论')?.id ?? 0;
      await t.raw('POST /app/comment/praise', { id: praised }, { as: user });
      await t.ok('POST /app/exam/study_settings', { packId, dailySize: 50 }, { as: user });
      await t.ok('POST /app/common/notice_topic', { topic: 'live', wanted: 0 }, { as: user });
      const said14 = { user_id: user.userId, declared_at: t.time.now };
      await t.db.query.insertInto('declared_minors').values(said14).execute();
      expect(await t.refused('POST /api/user/export', { password: 'wrong' }, { as: user })).toBe('passwordWrong');
      expect(await t.refused('POST /api/user/export', {}, { as: user })).toBe('passwordWrong');
      const asked = await t.ok('POST /api/user/export', { password: PASSWORD }, { as: user });
      expect(asked).toMatchObject({ state: 'waiting', url: '' });
      // While it is made another press gives the same one.
      expect(await t.ok('POST /api/user/export', { password: PASSWORD }, { as: user })).toMatchObject({ id: asked.id });
      await t.chore('jobs: look for work');
      await t.app.jobs.idle();
      const [made] = (await t.ok('GET /api/user/export_list', {}, { as: user })).list;
      expect(made).toMatchObject({ id: asked.id, state: 'ready' });
      expect((await t.ok('GET /api/user/export_list', {}, { as: stranger })).list).toEqual([]);

      const url = made?.url ?? '';
      const get = (as?: TestUser) =>
        t.app.inject({ url, ...(as && { headers: { authorization: `Bearer ${as.token}` } }) });
      expect((await get()).statusCode).toBe(404);
      expect((await get(stranger)).statusCode).toBe(404);
      const answer = await get(user);
      expect(answer.statusCode).toBe(200);
      const texts = await unzip(answer.rawPayload);
      expect([...texts.keys()]).toContain('说明.txt');
      for (const [name, text] of texts) if (name.endsWith('.json')) expect(Array.isArray(JSON.parse(text))).toBe(true);
      const all = [...texts.values()].join('\n');
      expect(texts.get('账号资料.json')).toContain(user.phone);
      expect(texts.get('课程评论.json')).toContain('我的评论');
      const rowsOf = (name: string) => JSON.parse(texts.get(`${name}.json`) ?? '[]') as unknown[];
      expect(rowsOf('课程评论')).toContainEqual({ id: praised, praisedAt: expect.any(Number) });
      expect(rowsOf('错题与复习设置')).toEqual([
        { packId, leaveAfter: expect.any(Number), examDate: null, dailySize: 50 },
      ]);
      expect(rowsOf('同意过的协议')).toContainEqual({ under14: true, declaredAt: said14.declared_at });
      expect(rowsOf('通知')).toContainEqual({ unwanted: ['live'] });
      expect(all).not.toContain('别人的评论');
      expect(all).not.toContain(stranger.phone);
      expect(all).not.toMatch(/argon2|token_hash|password/);

      t.time.now += 7 * DAY;
      expect((await get(await again(user))).statusCode).toBe(404);
      await t.chore('accounts: forget copies of data');
      const left = await t.db.query.selectFrom('data_exports').select('id').where('id', '=', asked.id).execute();
      expect(left).toEqual([]);
      expect(await t.parts.files.find(url.slice('/files/'.length))).toBeNull();
    });
  });

  describe('closing the account', () => {
    const close = (as: TestUser, input: Record<string, unknown> = { password: PASSWORD }) =>
      t.raw('POST /api/user/close', input, { as });

    it('asks for a proof, signs out everywhere, and can be taken back within 15 days', async () => {
      const user = await person();
      const elsewhere = await again(user);
      expect(await close(user, {})).toMatchObject({ data: { why: 'passwordWrong' } });
      expect(await close(user)).toMatchObject({ code: 200, data: { closesAt: t.time.now + 15 * DAY } });
      for (const session of [user, elsewhere]) expect(await signedIn(session)).toBe(false);
      t.time.now += 14 * DAY;
      await t.chore('accounts: close those that are due');
      const back = await t.ok('POST /api/user/login', { phone: user.phone, password: PASSWORD });
      expect(back.user.closesAt).toBe(t.time.now + DAY);
      const as = { ...user, token: back.token };
      await t.ok('POST /api/user/close_withdraw', {}, { as });
      t.time.now += 2 * DAY;
      await t.chore('accounts: close those that are due');
      expect((await t.ok('GET /api/user/info', {}, { as })).user).toMatchObject({ closesAt: null });
    });

    it('takes what names the person, keeps what they wrote, and gives the number free', async () => {
      const user = await person();
      const { packId } = await makePack(t, { enrol: 'open' });
      await t.ok('POST /api/course/course_join', { packId }, { as: user });
      await t.raw('POST /app/comment/save', { packId, comment: '留下的话' }, { as: user });
      await t.raw('POST /api/user/update', { nickname: '真名露出' }, { as: user });
      await t.raw(
        'POST /api/user/identity',
        { userName: '赵某', idNumber: newIdNumber(), password: PASSWORD },
        { as: user },
      );
      await close(user);
      t.time.now += 15 * DAY;
      await t.chore('accounts: close those that are due');
      expect(await row(user.userId)).toMatchObject({
        ...{ phone: `gone:${user.userId}`, nickname: '已注销用户', user_name: '', avatar_url: '', password_hash: null },
        ...{ disabled: 1, closes_at: null, gone_at: t.time.now },
      });
      const left = await t.db.query
        .selectFrom('identities')
        .select('user_id')
        .where('user_id', '=', user.userId)
        .execute();
      expect(left).toEqual([]);
      expect(await t.refused('POST /api/user/login', { phone: user.phone, password: PASSWORD })).toBe('loginWrong');
      const reader = await t.user();
      await t.ok('POST /api/course/course_join', { packId }, { as: reader });
      const { list } = await t.ok('GET /app/comment/list', { packId }, { as: reader });
      expect(list).toMatchObject([{ comment: '留下的话', nickname: '已注销用户' }]);
      // The number is free again, for somebody new.
      const fresh = await t.ok('POST /api/user/login', {
        phone: user.phone,
        smsCode: await codeFor(t, user.phone, 'login'),
      });
      expect(fresh.user.studentId).not.toBe(user.userId);
    });

    it('leaves nothing in any table that names the person, a day after it', async () => {
      const user = await person();
      const { phone, userId } = user;
      const idNumber = newIdNumber();
      const marks = ['砺石甲乙', '欧阳某某', '某某的公司抬头', 'mark-of-one@example.cn', '因为家里有事', idNumber];
      const [nickname = '', userName = '', title = '', email = '', reason = ''] = marks;
      await t.ok('POST /api/user/update', { nickname }, { as: user });
      await t.ok('POST /api/user/identity', { userName, idNumber, password: PASSWORD }, { as: user });
      const packId = await soldPack(t);
      const own = buyer(t, user);
      const { orderId } = await own.order(packId);
      await own.pay(orderId, 'sandbox');
      await t.ok('POST /api/order/sandbox_pay', { orderId }, { as: user });
      await t.ok('POST /api/order/refund_ask', { orderId, reason }, { as: user });
      await t.ok('POST /api/order/invoice_ask', { orderId, kind: 'personal', title, email }, { as: user });
      await t.ok('POST /api/user/export', { password: PASSWORD }, { as: user });
      await close(user);
      t.time.now += 15 * DAY;
      // A stranger tries the number in the last hour.
      await codeFor(t, phone, 'login');
      expect(await t.refused('POST /api/user/login', { phone, password: 'wrong-1-password' })).toBe('loginWrong');
      await t.chore('accounts: close those that are due');
      expect((await row(userId)).gone_at).toBe(t.time.now);
      // A mask of no number would look like one.
      expect((await readPeople(t.db.query, [userId])).get(userId)).toMatchObject({
        nickname: '已注销用户',
        validPhoneExt: '',
      });
      t.time.now += DAY + 1;
      await t.chore('forget expired sign-in data');
      const found: string[] = [];
      for (const { name } of await t.db.query.introspection.getTables()) {
        const rows = await t.db.query
          .selectFrom(name as 'users')
          .selectAll()
          .execute();
        for (const mark of [...marks, phone])
          if (rows.some((one) => JSON.stringify(one).includes(mark))) found.push(`${name}: ${mark}`);
      }
      expect(found).toEqual([]);
    }, 120_000);

    it('goes on past any number of accounts that cannot be closed', async () => {
      const [first, behind] = [await t.user(), await t.user()];
      const { orderId } = await buyer(t, first).order(await soldPack(t));
      await buyer(t, first).pay(orderId, 'sandbox');
      const stuck = [first.userId, ...(await ordersLike(t, orderId, 55))];
      // Nobody can be asked about their payments: they stay until those have ended.
      await t.db.query.updateTable('payments').set({ channel: 'wechat' }).execute();
      const closes = (ids: number[], closes_at: number) =>
        t.db.changePeople((trx) => trx.updateTable('users').set({ closes_at }).where('id', 'in', ids).execute());
      await closes(stuck, t.time.now);
      await closes([behind.userId], t.time.now + 1);
      t.time.now += 2000;
      const gone = async () =>
        (
          await t.db.query
            .selectFrom('users')
            .select('id')
            .where('id', 'in', [...stuck, behind.userId])
            .where('gone_at', 'is not', null)
            .execute()
        ).map(({ id }) => id);
      await t.chore('accounts: close those that are due');
      expect(await gone()).toEqual([behind.userId]);
      t.time.now += 30 * 60_000;
      await t.chore('accounts: close those that are due');
      expect(await gone()).toHaveLength(57);
    }, 60_000);

    it('does not let the last teacher go, nor the last two at once', async () => {
      await t.db.changePeople((trx) =>
        trx.updateTable('users').set({ disabled: 1 }).where('role', '=', 'teacher').execute(),
      );
      const [one, two] = [await person('teacher'), await person('teacher')];
      const answers = await Promise.all([close(one), close(two)]);
      expect(answers.map(({ code }) => code).sort()).toEqual([200, 409]);
      expect(answers.find(({ code }) => code === 409)).toMatchObject({ data: { why: 'lastTeacher' } });
    });
  });

  describe('a number that may have changed hands', () => {
    const unused = async () => {
      const user = await person();
      await t.db.changePeople((trx) =>
        trx
          .updateTable('users')
          .set({ last_used_at: t.time.now - 91 * DAY, phone_proven_at: t.time.now - 91 * DAY })
          .where('id', '=', user.userId)
          .execute(),
      );
      return user;
    };
    const login = (input: Record<string, unknown>) => t.raw('POST /api/user/login', input);

    it('needs a second fact beside the code, which stays good meanwhile', async () => {
      const user = await unused();
      const smsCode = await codeFor(t, user.phone, 'login');
      const asked = { phone: user.phone, smsCode };
      expect(await login(asked)).toMatchObject({ code: 403, data: { why: 'secondFactNeeded' } });
      expect(await login({ ...asked, secondPassword: 'wrong' })).toMatchObject({ data: { why: 'secondFactWrong' } });
      expect(await login({ ...asked, secondPassword: PASSWORD })).toMatchObject({
        data: { user: { studentId: user.userId } },
      });
    });

    it('takes the identity number as one', async () => {
      const user = await unused();
      const idNumber = newIdNumber();
      await t.raw('POST /api/user/identity', { userName: '王', idNumber, password: PASSWORD }, { as: user });
      const smsCode = await codeFor(t, user.phone, 'login');
      const asked = { phone: user.phone, smsCode };
      expect(await login({ ...asked, idNumber: newIdNumber() })).toMatchObject({ data: { why: 'secondFactWrong' } });
      expect(await login({ ...asked, idNumber })).toMatchObject({ data: { user: { studentId: user.userId } } });
    });

    it('gives its new holder an account of their own, and keeps the old one for its person', async () => {
      const user = await unused();
      const smsCode = await codeFor(t, user.phone, 'login');
      const fresh = await t.ok('POST /api/user/login', { phone: user.phone, smsCode, startAnew: 1 });
      expect(fresh.user.studentId).not.toBe(user.userId);
      expect(await row(user.userId)).toMatchObject({ phone: `released:${user.userId}`, gone_at: null });
      // It is asked once: the new account is in use.
      t.time.now += 61_000;
      const later = await login({ phone: user.phone, smsCode: await codeFor(t, user.phone, 'login') });
      expect(later).toMatchObject({ data: { user: { studentId: fresh.user.studentId } } });
    });

    it('does not ask who is in use, was never used, or comes by password; startAnew changes nothing then', async () => {
      const user = await person();
      const smsCode = await codeFor(t, user.phone, 'login');
      expect(await login({ phone: user.phone, smsCode, startAnew: 1 })).toMatchObject({
        data: { user: { studentId: user.userId } },
      });
      const old = await unused();
      expect(await login({ phone: old.phone, password: PASSWORD })).toMatchObject({
        data: { user: { studentId: old.userId } },
      });
      const phone = newPhone();
      await t.db.query
        .insertInto('users')
        .values({ phone, nickname: '学校加的', created_at: 1, password_hash: null })
        .execute();
      expect(await login({ phone, smsCode: await codeFor(t, phone, 'login') })).toMatchObject({ code: 200 });
    });

    /** In use by password every day; the number was proven by a code long ago. */
    const usedByPassword = async (more: Record<string, unknown> = {}) => {
      const user = await person();
      await t.db.changePeople((trx) =>
        trx
          .updateTable('users')
          .set({ last_used_at: t.time.now - DAY, phone_proven_at: t.time.now - 91 * DAY, ...more })
          .where('id', '=', user.userId)
          .execute(),
      );
      return user;
    };

    it('is not opened by a code to its new holder while its person uses it by password', async () => {
      const user = await usedByPassword();
      const asked = { phone: user.phone, smsCode: await codeFor(t, user.phone, 'login') };
      expect(await login(asked)).toMatchObject({ code: 403, data: { why: 'secondFactNeeded' } });
      // Its person knows the password; the number is proven by it for another 90 days, on any device.
      expect(await login({ ...asked, secondPassword: PASSWORD })).toMatchObject({ code: 200 });
      t.time.now += 61_000;
      expect(await login({ phone: user.phone, smsCode: await codeFor(t, user.phone, 'login') })).toMatchObject({
        data: { user: { studentId: user.userId } },
      });
    });

    it('counts as proven by a code of any kind, and not by a password', async () => {
      const user = await usedByPassword();
      expect((await login({ phone: user.phone, password: PASSWORD })).code).toBe(200);
      expect((await row(user.userId)).phone_proven_at).toBe(t.time.now - 91 * DAY);
      const smsCode = await codeFor(t, user.phone, 'account', user);
      await t.ok('POST /api/user/export', { smsCode }, { as: user });
      expect((await row(user.userId)).phone_proven_at).toBe(t.time.now);
    });

    it('is not opened either where its person has neither password nor real name: a device of theirs tells a code', async () => {
      const user = await usedByPassword({ password_hash: null });
      const asked = { phone: user.phone, smsCode: await codeFor(t, user.phone, 'login') };
      expect(await login(asked)).toMatchObject({ code: 403, data: { why: 'secondFactNeeded' } });
      const { code, until } = await t.ok('GET /api/user/device_code', {}, { as: user });
      expect(code).toMatch(/^\d{8}$/);
      const other = await person();
      const foreign = await t.ok('GET /api/user/device_code', {}, { as: other });
      expect(foreign.code).not.toBe(code);
      for (const deviceCode of [foreign.code, code.slice(1)])
        expect(await login({ ...asked, deviceCode })).toMatchObject({ data: { why: 'secondFactWrong' } });
      t.time.now = until;
      const late = { phone: user.phone, smsCode: await codeFor(t, user.phone, 'login') };
      expect(await login({ ...late, deviceCode: code })).toMatchObject({ data: { why: 'secondFactWrong' } });
      const { code: next } = await t.ok('GET /api/user/device_code', {}, { as: user });
      const typed = `${next.slice(0, 4)} ${next.slice(4)}`;
      expect(await login({ ...late, deviceCode: typed })).toMatchObject({ data: { user: { studentId: user.userId } } });
      expect((await row(user.userId)).phone_proven_at).toBe(t.time.now);
    });

    it('takes the number of an order that its person paid, as the school or the provider calls it', async () => {
      for (const named of ['order_no', 'out_trade_no', 'provider_no'] as const) {
        const user = await usedByPassword({ password_hash: null });
        const as = user;
        const packId = await soldPack(t);
        const { orderId } = await t.ok('POST /api/order/create_order', { packId, requestId: `press-${named}` }, { as });
        await t.ok('POST /api/order/pay', { orderId, channel: 'sandbox' }, { as });
        const line = () =>
          t.db.query
            .selectFrom('orders')
            .innerJoin('payments', 'payments.order_id', 'orders.id')
            .select(['order_no', 'out_trade_no', 'provider_no'])
            .where('orders.id', '=', orderId)
            .executeTakeFirstOrThrow();
        const asked = { phone: user.phone, smsCode: await codeFor(t, user.phone, 'login') };
        // One that waits for its money proves nothing: whoever orders knows its number.
        const waiting = await line();
        expect(await login({ ...asked, orderNo: waiting.order_no })).toMatchObject({
          data: { why: 'secondFactWrong' },
        });
        await t.ok('POST /api/order/sandbox_pay', { orderId }, { as });
        expect(await login({ ...asked, orderNo: 'x' })).toMatchObject({ data: { why: 'secondFactWrong' } });
        const orderNo = ` ${(await line())[named]}`;
        expect(await login({ ...asked, orderNo })).toMatchObject({ data: { user: { studentId: user.userId } } });
      }
    });

    it('lets who has lost the number bind another one with what they know', async () => {
      const user = await usedByPassword();
      await t.ok('POST /api/user/login', {
        phone: user.phone,
        smsCode: await codeFor(t, user.phone, 'login'),
        startAnew: 1,
      });
      const phone = newPhone();
      const newSmsCode = await codeFor(t, phone, 'phone_new', user);
      const bind = (more: object) => t.raw('POST /api/user/update', { phone, newSmsCode, ...more }, { as: user });
      expect(await bind({})).toMatchObject({ data: { why: 'secondFactWrong' } });
      expect(await bind({ oldSmsCode: newSmsCode })).toMatchObject({ data: { why: 'secondFactWrong' } });
      expect(await bind({ password: 'wrong' })).toMatchObject({ data: { why: 'secondFactWrong' } });
      expect(await bind({ password: PASSWORD })).toMatchObject({ code: 200 });
      expect(await row(user.userId)).toMatchObject({ phone, phone_proven_at: t.time.now });
      // Who still has their number needs its code: the password does not stand in for it.
      const other = await person();
      const next = newPhone();
      const code = await codeFor(t, next, 'phone_new', other);
      const input = { phone: next, newSmsCode: code, password: PASSWORD };
      expect(await t.refused('POST /api/user/update', input, { as: other })).toBe('smsCodeWrong');
    });

    it('cannot be tried through: wrong facts count for the account, whatever code they come with', async () => {
      const user = await unused();
      const tryWith = async (smsCode: string, secondPassword: string) =>
        (await login({ phone: user.phone, smsCode, secondPassword })).data;
      const first = await codeFor(t, user.phone, 'login');
      for (const wrong of ['a1', 'a2', 'a3'])
        expect(await tryWith(first, wrong)).toMatchObject({ why: 'secondFactWrong' });
      t.time.now += 61_000;
      const second = await codeFor(t, user.phone, 'login');
      for (const wrong of ['a4', 'a5']) expect(await tryWith(second, wrong)).toMatchObject({ why: 'secondFactWrong' });
      // The sixth within the hour is not looked at, right as it is: its person is not told that it is wrong.
      expect(await tryWith(second, PASSWORD)).toMatchObject({ why: 'tooMany' });
    });

    it('uses up no tries at a right code, however many facts are tried with it: the way to a new account stays open', async () => {
      const user = await unused();
      const asked = { phone: user.phone, smsCode: await codeFor(t, user.phone, 'login') };
      expect(await login(asked)).toMatchObject({ data: { why: 'secondFactNeeded' } });
      for (const secondPassword of ['a1', 'a2', 'a3', 'a4', 'a5'])
        expect(await login({ ...asked, secondPassword })).toMatchObject({ data: { why: 'secondFactWrong' } });
      const fresh = await t.ok('POST /api/user/login', { ...asked, startAnew: 1 });
      expect(fresh.user.studentId).not.toBe(user.userId);
      // Wrong codes are counted as ever.
      t.time.now += 61_000;
      const right = await codeFor(t, user.phone, 'login');
      for (let tries = 0; tries < 3; tries++) await login({ phone: user.phone, smsCode: wrongCode(right) });
      expect(await login({ phone: user.phone, smsCode: right })).toMatchObject({ data: { why: 'ticketNeeded' } });
    });

    it('has no code sent to an account without a number, whose person is signed in still', async () => {
      const user = await usedByPassword();
      const smsCode = await codeFor(t, user.phone, 'login');
      await t.ok('POST /api/user/login', { phone: user.phone, smsCode, startAnew: 1 });
      expect((await t.ok('GET /api/user/info', {}, { as: user })).user?.validPhoneExt).toBe('****');
      const sent = t.sms.length;
      expect(await t.refused('GET /api/captcha/slider', { action: 'sms_code', phone: '****' }, { as: user })).toBe(
        'phoneWrong',
      );
      for (const purpose of ['password', 'account', 'phone_old'] as const) {
        const input = { phone: '****', purpose, ticket: await ticketFor(t, 'sms_code', newPhone(), { as: user }) };
        expect(await t.refused('POST /api/user/sms_code', input, { as: user })).toBe('phoneWrong');
      }
      expect(t.sms).toHaveLength(sent);
    });
  });
});
