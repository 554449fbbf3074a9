import { Agree, GetAgreement, GetAgreementText, GuardianConsent } from '#contract/agreement.ts';
import { type AgreementDocument, forEverybody } from '#contract/values/agreement.ts';
import { limits } from '#rules/user/limits.ts';
import { checkRealName } from '#rules/user/nickname.ts';
import { readPhone } from '#rules/user/phone.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { askerOf } from '#server/user/asker.ts';
import { countEvent } from '#server/user/rate-limit.ts';
import { CodeGone, spendCode, tryCode } from '#server/user/sms-code.ts';
import { findUser } from '#server/user/store.ts';
import { standingOf, textForGuardians } from './standing.ts';
import { addConsent, addGuardianConsent, declareMinor, findInForce, readInForce, type VersionHead } from './store.ts';

/** Binds the calls of contract/agreement.ts. */
export function agreementRoutes(serve: Serve, { db }: Pick<Parts, 'db'>): void {
  const shown = (
    { document, version, hash, published_at }: VersionHead,
    { agreed, agreedBefore }: { agreed: ReadonlySet<number>; agreedBefore: ReadonlySet<number> },
  ) => ({
    ...{ id: document, version, hash, publishedAt: published_at },
    asked: forEverybody.includes(document) ? 1 : 0,
    agreed: agreed.has(document) ? 1 : 0,
    agreedBefore: agreedBefore.has(document) ? 1 : 0,
  });

  serve(GetAgreement, async ({ user, arrivedAt }) => {
    if (user === null) {
      const nothing = { agreed: new Set<number>(), agreedBefore: new Set<number>() };
      const list = (await readInForce(db.query)).map((text) => shown(text, nothing));
      return { list, minor: 0, guardianNeeded: 0 };
    }
    const standing = await standingOf(db.query, user.userId, arrivedAt);
    return {
      list: standing.inForce.map((text) => shown(text, standing)),
      minor: standing.minor ? 1 : 0,
      guardianNeeded: standing.minor && !standing.guardian ? 1 : 0,
    };
  });

  serve(GetAgreementText, async ({ input: { id } }) => {
    const text = await findInForce(db.query, id as AgreementDocument);
    if (!text) return refuse('notFound');
    const { document, version, hash, html, is_sample, published_at } = text;
    return { id: document, version, hash, html, sample: is_sample, publishedAt: published_at };
  });

  serve(Agree, async ({ input: { resourceId, hash, minor }, user: { userId }, arrivedAt }) => {
    const text = await findInForce(db.query, resourceId as AgreementDocument);
    if (!text) return refuse('notFound');
    if (hash !== undefined && hash !== text.hash) return refuse('agreementChanged');
    await db.transaction(async (trx) => {
      await addConsent(trx, userId, text, arrivedAt);
      if (minor === 1) await declareMinor(trx, userId, arrivedAt);
    });
    return {};
  });

  serve(GuardianConsent, async (ask) => {
    const { input, arrivedAt: now } = ask;
    const { userId } = ask.user;
    const user = await findUser(db.query, userId);
    if (!user) return refuse('notSignedIn');
    const { inForce, minor } = await standingOf(db.query, userId, now);
    if (!minor) return refuse('guardianNotNeeded');
    const text = textForGuardians(inForce);
    if (!text) return refuse('notFound');
    if (input.hash !== undefined && input.hash !== text.hash) return refuse('agreementChanged');
    const name = checkRealName(input.name);
    if (!name.ok || name.name === '') return refuse('realNameWrong', 'name');
    const read = readPhone(input.phone);
    if (!read.ok) return refuse(read.why, 'phone');
    if (read.phone === user.phone) return refuse('guardianSelf', 'phone');
    const counted = await countEvent(db.query, `proof:${userId}`, limits.proofByUser, now);
    if (!counted.ok) return refuse('tooMany');
    const owner = { phone: read.phone, purpose: 'guardian', asker: askerOf(ask) };
    const code = await tryCode(db.query, owner, input.smsCode, now);
    if (!code) return refuse('smsCodeWrong', 'smsCode');
    try {
      await db.transaction(async (trx) => {
        await spendCode(trx, code);
        const { document, version, hash } = text;
        await addGuardianConsent(trx, {
          ...{ user_id: userId, name: name.name, phone: read.phone, document, version, hash, agreed_at: now },
        });
      });
    } catch (error) {
      if (error instanceof CodeGone) return refuse('smsCodeWrong', 'smsCode');
      throw error;
    }
    await counted.undo();
    return {};
  });
}
