import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkDigitOf } from '#rules/user/id-card.ts';
import { makePack } from '#server/course/pack.test-kit.ts';
import { soldPack } from '#server/order/order.test-kit.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { setPassword } from '#server/user/admin.ts';
import { createSession } from '#server/user/session.ts';
import { codeFor, newPhone } from '#server/user/sign-in.test-kit.ts';
import { publishAgreement } from './publish.ts';
import { payGate } from './standing.ts';

describe.each(databases)('agreements on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  let edition = 0;
  /** A text that nobody has seen yet. */
  const publish = async (document: 1 | 2 | 3) => {
    edition += 1;
    t.time.now += 1000;
    const published = await publishAgreement(t.db, { document, text: `## 第 ${edition} 稿\n\n正文` }, t.time.now);
    if (!published.ok) throw new Error(published.faults.join());
    return published.version;
  };
  const standing = async (as?: TestUser) => {
    const { list, ...rest } = await t.ok('GET /app/user/agreement', {}, { as });
    return { ...rest, agreed: Object.fromEntries(list.map(({ id, agreed }) => [id, agreed])), list };
  };
  const agree = (as: TestUser, input: Record<string, unknown>) =>
    t.raw('POST /app/user/agreement_agree', input, { as });
  const mayPay = (as: TestUser) => payGate(t.db.query)(as.userId, t.time.now);

  it('asks for nothing and stops nobody where the school has published nothing', async () => {
    const as = await t.user();
    expect(await standing(as)).toMatchObject({ list: [], minor: 0, guardianNeeded: 0 });
    expect(await t.refused('GET /app/user/agreement_text', { id: 1 })).toBe('notFound');
    expect(await t.refused('POST /app/user/agreement_agree', { resourceId: 1 }, { as })).toBe('notFound');
    expect(await mayPay(as)).toBeNull();
  });

  describe('once there are texts', () => {
    beforeEach(async () => {
      await publish(1);
      await publish(2);
    });

    it('shows them to visitors, as safe HTML with the hash of the text', async () => {
      const text = '## 标题\n\n<script>alert(1)</script>\n\n[链接](javascript:alert(1)) **粗**';
      expect(await publishAgreement(t.db, { document: 1, text }, t.time.now)).toMatchObject({ ok: true });
      const shown = await t.ok('GET /app/user/agreement_text', { id: 1 });
      expect(shown.html).not.toMatch(/<script|href/);
      expect(shown.html).toContain('<strong>粗</strong>');
      expect((await standing()).list[0]).toMatchObject({ id: 1, hash: shown.hash, agreed: 0, asked: 1 });
    });

    it('keeps who agreed to which text, and asks again about a new one', async () => {
      const as = await t.user();
      expect(await mayPay(as)).toBe('agreementNeeded');
      for (const { id, hash } of (await standing(as)).list)
        expect((await agree(as, { resourceId: id, hash })).code).toBe(200);
      expect(await standing(as)).toMatchObject({ agreed: { 1: 1, 2: 1 } });
      expect(await mayPay(as)).toBeNull();
      // Twice is as once: the time of the first stays.
      t.time.now += 5000;
      await agree(as, { resourceId: 1 });
      await publish(1);
      const after = await standing(as);
      expect(after.list[0]).toMatchObject({ id: 1, agreed: 0, agreedBefore: 1 });
      expect(after.list[1]).toMatchObject({ id: 2, agreed: 1 });
      expect(await mayPay(as)).toBe('agreementNeeded');
      const kept = await t.db.query
        .selectFrom('agreement_consents')
        .selectAll()
        .where('user_id', '=', as.userId)
        .execute();
      expect(kept).toHaveLength(2);
      expect(kept.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
    });

    it('does not take consent to a text that has been replaced while it was read', async () => {
      const as = await t.user();
      const [text] = (await standing(as)).list;
      await publish(1);
      expect(await agree(as, { resourceId: 1, hash: text?.hash })).toMatchObject({
        code: 409,
        data: { why: 'agreementChanged' },
      });
      expect((await standing(as)).agreed[1]).toBe(0);
    });

    it('does not publish the very text twice, nor one that is empty or has a picture', async () => {
      const text = '一样的\r\n文本';
      expect(await publishAgreement(t.db, { document: 2, text }, 1)).toMatchObject({ ok: true, same: false });
      expect(await publishAgreement(t.db, { document: 2, text: '一样的\n文本' }, 2)).toMatchObject({ same: true });
      expect(await publishAgreement(t.db, { document: 2, text: ' \n' }, 1)).toMatchObject({ ok: false });
      expect(await publishAgreement(t.db, { document: 2, text: '![](a.png)' }, 1)).toMatchObject({ ok: false });
    });

    it('publishes texts that come at once one after the other, and the same one once', async () => {
      const at = t.time.now;
      const publish = async (...texts: string[]) => {
        const all = await Promise.all(texts.map((text) => publishAgreement(t.db, { document: 2, text }, at)));
        return all.map((one) => (one.ok ? one : { version: 0, same: null }));
      };
      const others = await publish('甲稿', '乙稿', '丙稿');
      expect(new Set(others.map(({ version }) => version)).size).toBe(3);
      // With another one among them it would count which comes first.
      const alike = await publish('丁稿', '丁稿', '丁稿');
      expect(new Set(alike.map(({ version }) => version)).size).toBe(1);
      expect(alike.filter(({ same }) => !same)).toHaveLength(1);
    });

    it('lets nobody join or order before they agreed', async () => {
      const as = await t.user();
      const { packId } = await makePack(t, { enrol: 'open' });
      expect(await t.refused('POST /api/course/course_join', { packId }, { as })).toBe('agreementNeeded');
      for (const resourceId of [1, 2]) await agree(as, { resourceId });
      await t.ok('POST /api/course/course_join', { packId }, { as });
    });

    it('is closed to visitors and other sites', async () => {
      const as = await t.user();
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect(await t.refused('POST /app/user/agreement_agree', { resourceId: 1 })).toBe('notSignedIn');
      expect(await t.refused('POST /app/user/agreement_agree', { resourceId: 1 }, { as, headers })).toBe('crossSite');
    });
  });

  describe('who is under 14', () => {
    const guardian = (as: TestUser, input: Record<string, unknown>) =>
      t.raw('POST /app/user/guardian_consent', { name: '王父', ...input }, { as });

    it('needs a guardian, who proves their own number', async () => {
      await publish(1);
      await publish(2);
      await publish(3);
      const as = await t.user();
      expect(await guardian(as, { phone: newPhone(), smsCode: '123456' })).toMatchObject({
        data: { why: 'guardianNotNeeded' },
      });
      for (const resourceId of [1, 2]) await agree(as, { resourceId, minor: 1 });
      expect(await standing(as)).toMatchObject({ minor: 1, guardianNeeded: 1 });
      expect(await mayPay(as)).toBe('guardianNeeded');
      // Nobody says afterwards that they are older.
      await agree(as, { resourceId: 1, minor: 0 });
      expect((await standing(as)).minor).toBe(1);

      // An identity number is checked for its form alone: one of a grown-up, made up, frees nobody.
      await setPassword(t.db, as.phone, 'quite-1-secret');
      const { token } = await createSession(t.db.query, t.parts.random, as.userId, t.time.now);
      as.token = token;
      const grown = `11010519800101${String(process.pid % 1000).padStart(3, '0')}`;
      const identity = { userName: '王小明', idNumber: grown + checkDigitOf(grown), password: 'quite-1-secret' };
      expect(await t.refused('POST /api/user/identity', identity, { as })).toBe('identityNotGrown');
      expect(await mayPay(as)).toBe('guardianNeeded');

      expect(await guardian(as, { phone: as.phone, smsCode: '1' })).toMatchObject({ data: { why: 'guardianSelf' } });
      const phone = newPhone();
      const smsCode = await codeFor(t, phone, 'guardian', as);
      expect(await guardian(as, { phone: newPhone(), smsCode })).toMatchObject({ data: { why: 'smsCodeWrong' } });
      expect(await guardian(as, { phone, smsCode, name: ' ' })).toMatchObject({ data: { why: 'realNameWrong' } });
      expect((await guardian(as, { phone, smsCode })).code).toBe(200);
      expect(await standing(as)).toMatchObject({ minor: 1, guardianNeeded: 0 });
      expect(await mayPay(as)).toBeNull();
      // A code is good once.
      expect(await guardian(as, { phone, smsCode })).toMatchObject({ data: { why: 'smsCodeWrong' } });
      // Another text for guardians asks the guardian again.
      await publish(3);
      expect(await mayPay(as)).toBe('guardianNeeded');
      t.time.now += 61_000;
      await guardian(as, { phone, smsCode: await codeFor(t, phone, 'guardian', as) });
      expect(await t.ok('POST /api/user/identity', identity, { as })).toEqual({});
      expect((await standing(as)).minor).toBe(0);
    });
  });

  describe('whose account is to be closed', () => {
    it('joins and buys nothing until that is taken back', async () => {
      const as = await t.user();
      for (const resourceId of [1, 2]) await agree(as, { resourceId });
      const closing = (closes_at: number | null) =>
        t.db.changePeople((trx) => trx.updateTable('users').set({ closes_at }).where('id', '=', as.userId).execute());
      await closing(t.time.now + 1000);
      expect(await mayPay(as)).toBe('accountClosing');
      const { packId } = await makePack(t, { enrol: 'open' });
      expect(await t.refused('POST /api/course/course_join', { packId }, { as })).toBe('accountClosing');
      const sold = await soldPack(t);
      const order = { packId: sold, userCouponId: null, requestId: 'a-closing-press' };
      expect(await t.refused('POST /api/order/create_order', order, { as })).toBe('accountClosing');
      await closing(null);
      expect(await mayPay(as)).toBeNull();
      await t.ok('POST /api/order/create_order', order, { as });
    });
  });
});
