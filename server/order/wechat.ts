import {
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { DAY } from '#rules/clock/china-day.ts';
import { fenFrom } from '#rules/order/money.ts';
import { askProvider, fieldIn, jsonFrom, type ProviderAnswer, textIn } from './ask-provider.ts';
import { type BillLine, type PaymentProvider, ProviderAway, ProviderRefused, type RefundSaid } from './provider.ts';

/** A merchant's account at WeChat Pay. Keys are PEM texts. */
export interface WechatSettings {
  mchId: string;
  appId: string;
  /** 32 bytes, by which messages are encrypted. */
  apiV3Key: string;
  privateKey: string;
  /** The serial number of the merchant's own certificate. */
  certSerial: string;
  /** What WeChat signs with, several at once while keys change: certificates, whose id is their serial number, and public keys with theirs (`PUB_KEY_ID_…`). */
  platformKeys: readonly { id: string | null; pem: string }[];
  endpoint: string;
  /** How people and WeChat reach this server. */
  publicUrl: string;
}

/** A message that is older or newer than this is refused (milliseconds; pay.weixin.qq.com "签名验证"). */
const FRESH = 5 * 60_000;

interface PlatformKey {
  key: KeyObject;
  /** When its certificate ends (epoch milliseconds); null: a public key does not. */
  endsAt: number | null;
}

/** Reads the platform's keys by their ids. @throws an Error with a sentence where one is none */
function readPlatformKeys(given: WechatSettings['platformKeys']): Map<string, PlatformKey> {
  const keys = new Map<string, PlatformKey>();
  for (const { id, pem } of given) {
    if (pem.includes('BEGIN CERTIFICATE')) {
      const certificate = new X509Certificate(pem);
      keys.set(certificate.serialNumber.toUpperCase(), {
        key: certificate.publicKey,
        endsAt: Date.parse(certificate.validTo),
      });
    } else if (id !== null) keys.set(id, { key: createPublicKey(pem), endsAt: null });
    else throw new Error('a public key of WeChat Pay needs its id: PUB_KEY_ID_…=file');
  }
  return keys;
}

/** Refusals of WeChat that pass: what was asked is asked again with the same number. */
const PASSING =
  /^(SYSTEM_ERROR|SYSTEMERROR|FREQUENCY_LIMITED|FREQUENCY_LIMIT_EXCEED|RATELIMIT_EXCEEDED|NOT_ENOUGH|BIZERR_NEED_RETRY|BANK_ERROR)$/;

/**
 * WeChat Pay, Native (a code to scan), API v3. Requests are signed RSA-SHA256 with the merchant's key; answers are believed only
 * with a signature of one of the platform's keys over their raw bytes (pay.weixin.qq.com/doc/v3/merchant/4012365342).
 */
export function wechatPay(settings: WechatSettings): PaymentProvider {
  const { mchId, appId, certSerial, endpoint } = settings;
  const privateKey = createPrivateKey(settings.privateKey);
  const platform = readPlatformKeys(settings.platformKeys);
  /** Named in requests, so that answers are signed with a key that is here. */
  const publicKeyId = [...platform.keys()].findLast((id) => id.startsWith('PUB_KEY_ID_'));

  function authorization(method: string, target: string, body: string): string {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const nonce = randomBytes(16).toString('hex');
    const signed = `${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`;
    const signature = createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64');
    return (
      `WECHATPAY2-SHA256-RSA2048 mchid="${mchId}",nonce_str="${nonce}",signature="${signature}",` +
      `timestamp="${timestamp}",serial_no="${certSerial}"`
    );
  }

  /** @returns `unknownKey`: it is signed with a key that is not here */
  function verify(said: (name: string) => string, body: Buffer): 'right' | 'wrong' | 'unknownKey' {
    const serial = said('wechatpay-serial');
    const signature = said('wechatpay-signature');
    const [timestamp, nonce] = [said('wechatpay-timestamp'), said('wechatpay-nonce')];
    if (!/^\d{1,12}$/.test(timestamp) || nonce === '' || signature === '' || serial === '') return 'wrong';
    // Probes: WeChat sends wrong signatures on purpose and looks whether they are taken (doc 4016241880).
    if (signature.startsWith('WECHATPAY/SIGNTEST/')) return 'wrong';
    const found = platform.get(serial.startsWith('PUB_KEY_ID_') ? serial : serial.toUpperCase());
    if (!found) return 'unknownKey';
    const verifier = createVerify('RSA-SHA256').update(`${timestamp}\n${nonce}\n`).update(body).update('\n');
    return verifier.verify(found.key, signature, 'base64') ? 'right' : 'wrong';
  }

  async function ask(
    method: 'GET' | 'POST',
    target: string,
    content?: object,
  ): Promise<ProviderAnswer & { json: unknown }> {
    const body = content === undefined ? '' : JSON.stringify(content);
    const answer = await askProvider(`${endpoint}${target}`, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'lixue',
        authorization: authorization(method, target, body),
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...(publicKeyId === undefined ? {} : { 'wechatpay-serial': publicKeyId }),
      },
      ...(content === undefined ? {} : { body }),
    });
    // Money may have moved although the answer cannot be believed: it is asked again by its number, nothing is tried anew.
    if (verify((name) => answer.headers.get(name) ?? '', answer.body) !== 'right')
      throw new ProviderAway(`an answer of status ${answer.status} is not signed by WeChat Pay`);
    const json = jsonFrom(answer.body.toString('utf8'));
    if (answer.status < 300) return { ...answer, json };
    const code = textIn(json, 'code');
    const message = `${code}: ${textIn(json, 'message')}`.slice(0, 300);
    if (answer.status >= 500 || answer.status === 429 || PASSING.test(code)) throw new ProviderAway(message);
    throw new ProviderRefused(code, message);
  }

  const query: PaymentProvider['query'] = async (outTradeNo) => {
    try {
      const { json } = await ask('GET', `/v3/pay/transactions/out-trade-no/${outTradeNo}?mchid=${mchId}`);
      if (
        textIn(json, 'out_trade_no') !== outTradeNo ||
        textIn(json, 'mchid') !== mchId ||
        textIn(json, 'appid') !== appId
      )
        throw new ProviderAway('an answer is about another payment');
      const state = textIn(json, 'trade_state');
      if (state === 'CLOSED' || state === 'REVOKED') return { state: 'closed' };
      if (state !== 'SUCCESS' && state !== 'REFUND') return { state: 'open' };
      const total = fieldIn(fieldIn(json, 'amount'), 'total');
      if (!Number.isSafeInteger(total)) throw new ProviderAway('an answer has no amount');
      const paidAt = Date.parse(textIn(json, 'success_time'));
      return {
        state: 'paid',
        amount: total as number,
        providerNo: textIn(json, 'transaction_id'),
        paidAt: Number.isNaN(paidAt) ? null : paidAt,
      };
    } catch (error) {
      if (error instanceof ProviderRefused && /^ORDER_?NOT_?EXIST$/.test(error.code)) return { state: 'none' };
      throw error;
    }
  };

  const refundSaid = (json: unknown): RefundSaid => {
    const status = textIn(json, 'status');
    if (status === 'SUCCESS') return { state: 'done' };
    if (status === 'PROCESSING') return { state: 'waiting' };
    if (status === 'CLOSED' || status === 'ABNORMAL') return { state: 'failed', said: status };
    throw new ProviderAway('an answer says nothing of the refund');
  };

  return {
    channel: 'wechat',
    query,
    begin: async ({ outTradeNo, amount, title, expiresAt }) => {
      const { json } = await ask('POST', '/v3/pay/transactions/native', {
        appid: appId,
        mchid: mchId,
        // At most 127 bytes or signs, by two of its pages: 40 signs fit both.
        description: [...title].slice(0, 40).join(''),
        out_trade_no: outTradeNo,
        time_expire: `${new Date(expiresAt).toISOString().slice(0, 19)}+00:00`,
        notify_url: `${settings.publicUrl}/notify/wechat`,
        amount: { total: amount, currency: 'CNY' },
      });
      const codeUrl = textIn(json, 'code_url');
      if (!codeUrl.startsWith('weixin://')) throw new ProviderAway('an answer has no code');
      return { codeUrl };
    },
    close: async (outTradeNo) => {
      try {
        await ask('POST', `/v3/pay/transactions/out-trade-no/${outTradeNo}/close`, { mchid: mchId });
        return 'closed';
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        if (/^ORDER_?PAID$/.test(error.code)) return 'paid';
        if (/^ORDER_?(CLOSED|NOT_?EXIST)$/.test(error.code)) return 'closed';
        throw new ProviderAway(error.message);
      }
    },
    refund: async ({ outTradeNo, outRefundNo, amount, paid, reason }) =>
      refundSaid(
        (
          await ask('POST', '/v3/refund/domestic/refunds', {
            out_trade_no: outTradeNo,
            out_refund_no: outRefundNo,
            reason: [...reason].slice(0, 25).join(''),
            notify_url: `${settings.publicUrl}/notify/wechat`,
            amount: { refund: amount, total: paid, currency: 'CNY' },
          })
        ).json,
      ),
    queryRefund: async ({ outRefundNo }) => {
      try {
        return refundSaid((await ask('GET', `/v3/refund/domestic/refunds/${outRefundNo}`)).json);
      } catch (error) {
        if (error instanceof ProviderRefused && /NOT_?EXISTS?$/.test(error.code)) return { state: 'none' };
        throw error;
      }
    },
    bill: async (day) => {
      let found: unknown;
      try {
        found = (await ask('GET', `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL`)).json;
      } catch (error) {
        if (error instanceof ProviderRefused && error.code === 'NO_STATEMENT_EXIST') return [];
        throw error;
      }
      const url = new URL(textIn(found, 'download_url'));
      // What is signed with the merchant's key goes to WeChat alone.
      if (url.origin !== new URL(endpoint).origin) throw new ProviderAway('the bill lies at another host');
      const target = url.pathname + url.search;
      const file = await askProvider(
        `${endpoint}${target}`,
        { method: 'GET', headers: { authorization: authorization('GET', target, '') } },
        { bill: true },
      );
      const hash = createHash('sha1').update(file.body).digest('hex');
      if (file.status !== 200 || hash !== textIn(found, 'hash_value').toLowerCase())
        throw new ProviderAway('the bill did not come whole');
      return wechatBill(file.body.toString('utf8'));
    },
    readNotice: ({ body, headers, now }) => {
      const said = (name: string) => String(headers[name] ?? '');
      const refused = { ok: false, unknownKey: false } as const;
      if (Math.abs(now - Number(said('wechatpay-timestamp')) * 1000) > FRESH) return refused;
      const signature = verify(said, body);
      if (signature !== 'right') return { ok: false, unknownKey: signature === 'unknownKey' };
      const resource = fieldIn(jsonFrom(body.toString('utf8')), 'resource');
      const opened = jsonFrom(openResource(resource, settings.apiV3Key) ?? '');
      const outTradeNo = textIn(opened, 'out_trade_no');
      const outRefundNo = textIn(opened, 'out_refund_no');
      if (outTradeNo === '' || textIn(opened, 'mchid') !== mchId) return refused;
      if (outRefundNo !== '') return { ok: true, outTradeNo, outRefundNo };
      if (textIn(opened, 'appid') !== appId || textIn(opened, 'trade_state') !== 'SUCCESS') return refused;
      return { ok: true, outTradeNo, outRefundNo: null };
    },
    keysEndIn: (now) => {
      const ends = [...platform.values()].flatMap(({ endsAt }) => endsAt ?? []);
      // The newest counts: an old one beside it is only there until its last answers have come.
      return ends.length === 0 || publicKeyId !== undefined ? null : Math.floor((Math.max(...ends) - now) / DAY);
    },
  };
}

/** Opens what WeChat encrypted (AES-256-GCM, the tag in the last 16 bytes); null: it cannot be opened. */
function openResource(resource: unknown, apiV3Key: string): string | null {
  if (textIn(resource, 'algorithm') !== 'AEAD_AES_256_GCM') return null;
  const sealed = Buffer.from(textIn(resource, 'ciphertext'), 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(apiV3Key), Buffer.from(textIn(resource, 'nonce')), {
      authTagLength: 16,
    });
    decipher.setAuthTag(sealed.subarray(-16)).setAAD(Buffer.from(textIn(resource, 'associated_data')));
    return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** The lines of a trade bill: sums in yuan, a grave accent before each field, two lines of sums at the end. */
function wechatBill(text: string): BillLine[] {
  const rows = parse(text.replace(/^\uFEFF/, ''), {
    relax_column_count: true,
    quote: null,
    skip_empty_lines: true,
  }) as string[][];
  const plain = rows.map((row) => row.map((field) => field.replace(/^`/, '').trim()));
  const head = plain[0] ?? [];
  const end = plain.findIndex((row) => row[0]?.startsWith('总交易单数'));
  const at = (row: string[], name: string) => row[head.indexOf(name)] ?? '';
  return plain.slice(1, end === -1 ? undefined : end).flatMap((row): BillLine[] => {
    const outTradeNo = at(row, '商户订单号');
    const state = at(row, '交易状态');
    const sum = (...names: string[]) => {
      const name = names.find((one) => head.includes(one)) ?? '';
      const fen = fenFrom(at(row, name));
      if (fen === null) throw new ProviderAway(`the bill has a line without ${names[0]}`);
      return fen;
    };
    if (state === 'SUCCESS')
      return [{ kind: 'payment', outTradeNo, outRefundNo: '', amount: sum('订单金额', '应结订单金额') }];
    if (state !== 'REFUND') return [];
    const amount = sum('申请退款金额', '退款金额');
    return [{ kind: 'refund', outTradeNo, outRefundNo: at(row, '商户退款单号'), amount }];
  });
}
