import { createPrivateKey, createPublicKey, createSign, createVerify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { chinaTime } from '#rules/clock/china-day.ts';
import { fenFrom, yuanOf } from '#rules/order/money.ts';
import { askProvider, fieldIn, jsonFrom, textIn } from './ask-provider.ts';
import { type BillLine, type PaymentProvider, ProviderAway, ProviderRefused } from './provider.ts';

/** A merchant's application at Alipay. Keys are PEM texts. */
export interface AlipaySettings {
  appId: string;
  /** The merchant's number (2088…); null: it is not compared. */
  sellerId: string | null;
  privateKey: string;
  /** What Alipay signs with, several at once while keys change. */
  publicKeys: readonly string[];
  /** The gateway, e.g. https://openapi.alipay.com/gateway.do */
  endpoint: string;
  publicUrl: string;
}

/** Refusals of Alipay that pass: what was asked is asked again with the same number. */
const PASSING = /^(20000|10003|ACQ\.SYSTEM_ERROR|aop\..*|isp\..*|ACQ\.SELLER_BALANCE_NOT_ENOUGH)$/;

/** Parameters as Alipay signs them: by name, joined, without those that are empty. */
export function alipayText(parameters: Record<string, string>): string {
  return Object.keys(parameters)
    .filter((name) => name !== 'sign' && parameters[name] !== '')
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&');
}

/**
 * Alipay's page payment (电脑网站支付), RSA2. The student goes there by a link, since the page's policy lets no form leave
 * (decisions §8). Answers are believed only with Alipay's signature over the very text that came.
 */
export function alipayPage(settings: AlipaySettings): PaymentProvider {
  const { appId, endpoint, publicUrl } = settings;
  const privateKey = createPrivateKey(settings.privateKey);
  const publicKeys: readonly KeyObject[] = settings.publicKeys.map((pem) => createPublicKey(pem));
  const isRight = (text: string | Buffer, signature: string) =>
    publicKeys.some((key) => createVerify('RSA-SHA256').update(text).verify(key, signature, 'base64'));

  function signed(method: string, content: object, more: Record<string, string> = {}): URLSearchParams {
    const parameters: Record<string, string> = {
      app_id: appId,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: chinaTime(Date.now()),
      version: '1.0',
      biz_content: JSON.stringify(content),
      ...more,
    };
    const sign = createSign('RSA-SHA256').update(alipayText(parameters)).sign(privateKey, 'base64');
    return new URLSearchParams({ ...parameters, sign });
  }

  async function ask(method: string, content: object): Promise<unknown> {
    const answer = await askProvider(`${endpoint}?charset=utf-8`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
      body: signed(method, content).toString(),
    });
    const text = answer.body.toString('utf8');
    const node = `${method.replaceAll('.', '_')}_response`;
    const json = jsonFrom(text);
    const said = nodeText(text, node);
    if (said === null || !isRight(said, textIn(json, 'sign')))
      throw new ProviderAway(`an answer of status ${answer.status} is not signed by Alipay`);
    const data = fieldIn(json, node);
    const code = textIn(data, 'code');
    if (code === '10000') return data;
    const reason = textIn(data, 'sub_code') || code;
    const message = `${reason}: ${textIn(data, 'sub_msg') || textIn(data, 'msg')}`.slice(0, 300);
    if (code === '20000' || PASSING.test(reason)) throw new ProviderAway(message);
    throw new ProviderRefused(reason, message);
  }

  const query: PaymentProvider['query'] = async (outTradeNo) => {
    try {
      const data = await ask('alipay.trade.query', { out_trade_no: outTradeNo });
      if (textIn(data, 'out_trade_no') !== outTradeNo) throw new ProviderAway('an answer is about another payment');
      const state = textIn(data, 'trade_status');
      if (state === 'TRADE_CLOSED') return { state: 'closed' };
      if (state !== 'TRADE_SUCCESS' && state !== 'TRADE_FINISHED') return { state: 'open' };
      const amount = fenFrom(textIn(data, 'total_amount'));
      if (amount === null) throw new ProviderAway('an answer has no amount');
      const paidAt = Date.parse(`${textIn(data, 'send_pay_date').replace(' ', 'T')}+08:00`);
      return {
        state: 'paid',
        amount,
        providerNo: textIn(data, 'trade_no'),
        paidAt: Number.isNaN(paidAt) ? null : paidAt,
      };
    } catch (error) {
      if (error instanceof ProviderRefused && error.code === 'ACQ.TRADE_NOT_EXIST') return { state: 'none' };
      throw error;
    }
  };

  const queryRefund: PaymentProvider['queryRefund'] = async ({ outTradeNo, outRefundNo }) => {
    try {
      const asked = { out_trade_no: outTradeNo, out_request_no: outRefundNo };
      const data = await ask('alipay.trade.fastpay.refund.query', asked);
      // Without this word it was not made, known or not, and is to be asked for again with the same number and sum.
      return { state: textIn(data, 'refund_status') === 'REFUND_SUCCESS' ? 'done' : 'none' };
    } catch (error) {
      if (error instanceof ProviderRefused && error.code === 'ACQ.TRADE_NOT_EXIST') return { state: 'none' };
      throw error;
    }
  };

  return {
    channel: 'alipay',
    query,
    queryRefund,
    begin: async ({ outTradeNo, amount, title, orderId, expiresAt }) => {
      const content = {
        out_trade_no: outTradeNo,
        product_code: 'FAST_INSTANT_TRADE_PAY',
        total_amount: yuanOf(amount),
        // Signs that Alipay does not take in a subject.
        subject: [...title.replace(/[/=&]/g, ' ')].slice(0, 100).join(''),
        time_expire: chinaTime(expiresAt),
      };
      const back = { notify_url: `${publicUrl}/notify/alipay`, return_url: `${publicUrl}/order/${orderId}` };
      return { payUrl: `${endpoint}?${signed('alipay.trade.page.pay', content, back)}` };
    },
    close: async (outTradeNo) => {
      try {
        await ask('alipay.trade.close', { out_trade_no: outTradeNo });
        return 'closed';
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        // Nobody has opened the address yet; whoever does so later is too late by its `time_expire`.
        if (error.code === 'ACQ.TRADE_NOT_EXIST') return 'closed';
        const { state } = await query(outTradeNo);
        if (state === 'paid' || state === 'closed') return state;
        throw new ProviderAway(error.message);
      }
    },
    refund: async ({ outTradeNo, outRefundNo, amount, reason }) => {
      await ask('alipay.trade.refund', {
        out_trade_no: outTradeNo,
        refund_amount: yuanOf(amount),
        out_request_no: outRefundNo,
        refund_reason: reason.slice(0, 100),
      });
      // Accepted is not done: only the query says so.
      const said = await queryRefund({ outTradeNo, outRefundNo });
      return said.state === 'none' ? { state: 'waiting' } : said;
    },
    bill: async (day) => {
      let data: unknown;
      try {
        data = await ask('alipay.data.dataservice.bill.downloadurl.query', { bill_type: 'trade', bill_date: day });
      } catch (error) {
        if (error instanceof ProviderRefused && /BILL_NOT_EXIST$/i.test(error.code)) return [];
        throw error;
      }
      // The address lives 30 s and carries its own right.
      const file = await askProvider(textIn(data, 'bill_download_url'), { method: 'GET' }, { bill: true });
      if (file.status !== 200) throw new ProviderAway('the bill did not come');
      return alipayBill(await unzipped(file.body));
    },
    readNotice: ({ body }) => {
      const refused = { ok: false, unknownKey: false } as const;
      const fields = formFields(body);
      if (fields === null) return refused;
      const field = (name: string) => fields.get(name)?.toString('latin1') ?? '';
      if (field('sign_type') !== 'RSA2') return refused;
      // Over the bytes as they came, before anything is read as a text: the charset is one of the signed fields.
      const names = [...fields.keys()].filter((name) => name !== 'sign' && name !== 'sign_type').sort();
      const text = (kept: readonly string[]) =>
        Buffer.concat(
          kept.flatMap((name, at) => [
            Buffer.from(`${at === 0 ? '' : '&'}${name}=`, 'latin1'),
            fields.get(name) ?? Buffer.alloc(0),
          ]),
        );
      const filled = names.filter((name) => fields.get(name)?.length);
      if (!isRight(text(names), field('sign')) && !isRight(text(filled), field('sign'))) return refused;
      if (field('app_id') !== appId) return refused;
      if (settings.sellerId !== null && field('seller_id') !== settings.sellerId) return refused;
      const outTradeNo = field('out_trade_no');
      return /^[\w-]{6,64}$/.test(outTradeNo)
        ? { ok: true, outTradeNo, outRefundNo: /^[0-9a-f]{32}$/.test(field('out_biz_no')) ? field('out_biz_no') : null }
        : refused;
    },
  };
}

/** The fields of a form as bytes, decoded once; null: it is none, or names a field twice. */
function formFields(body: Buffer): Map<string, Buffer> | null {
  const fields = new Map<string, Buffer>();
  for (const pair of body.toString('latin1').split('&')) {
    const at = pair.indexOf('=');
    const name = decoded(at === -1 ? pair : pair.slice(0, at)).toString('latin1');
    if (name === '' || fields.has(name) || fields.size >= 200) return null;
    fields.set(name, decoded(at === -1 ? '' : pair.slice(at + 1)));
  }
  return fields;
}

function decoded(text: string): Buffer {
  const plain = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1');
}

/** The text of one node of an answer as it came, over which its signature is; null: there is none. */
function nodeText(text: string, node: string): string | null {
  const name = text.indexOf(`"${node}"`);
  const from = name === -1 ? -1 : text.indexOf('{', name);
  if (from === -1) return null;
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at += 1;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '{') depth += 1;
    else if (sign === '}') {
      depth -= 1;
      if (depth === 0) return text.slice(from, at + 1);
    }
  }
  return null;
}

/** Bytes of one file of a bill at most. */
const LARGEST_FILE = 256 * 1024 * 1024;

/** The file of the single transactions (业务明细) out of a bill's archive. */
async function unzipped(bytes: Buffer): Promise<Buffer> {
  const open = promisify<Buffer, object, ZipFile>(fromBuffer as never);
  // Names are GBK: they are compared as bytes.
  const zip = await open(bytes, { lazyEntries: true, decodeStrings: false }).catch(() => {
    throw new ProviderAway('the bill is no archive');
  });
  const gbk = new TextDecoder('gbk');
  return new Promise<Buffer>((resolve, reject) => {
    const fail = (why: string) => reject(new ProviderAway(why));
    zip.on('error', () => fail('the bill’s archive is broken'));
    zip.on('end', () => fail('the bill has no list of transactions'));
    zip.on('entry', (entry: Entry) => {
      const name = gbk.decode(entry.fileName as unknown as Buffer);
      if (!name.includes('业务明细') || name.includes('汇总')) return zip.readEntry();
      if (entry.uncompressedSize > LARGEST_FILE) return fail('the bill is too long');
      zip.openReadStream(entry, (error, stream) => {
        if (error) return fail('the bill’s archive is broken');
        const pieces: Buffer[] = [];
        stream.on('data', (piece: Buffer) => pieces.push(piece));
        stream.on('error', () => fail('the bill’s archive is broken'));
        stream.on('end', () => resolve(Buffer.concat(pieces)));
      });
    });
    zip.readEntry();
  });
}

/** The lines of a trade bill: GBK, comments with `#` around, sums in yuan, refunds as negative sums. */
function alipayBill(bytes: Buffer): BillLine[] {
  const lines = new TextDecoder('gbk').decode(bytes).split(/\r?\n/);
  const rows = parse(lines.filter((line) => !line.startsWith('#') && line.trim() !== '').join('\n'), {
    relax_column_count: true,
    quote: null,
  }) as string[][];
  const plain = rows.map((row) => row.map((field) => field.trim()));
  const head = plain[0] ?? [];
  const at = (row: string[], name: string) => row[head.findIndex((column) => column.startsWith(name))] ?? '';
  return plain.slice(1).map((row) => {
    const isRefund = at(row, '业务类型') === '退款';
    const amount = fenFrom(at(row, '订单金额').replace(/^-/, ''));
    if (amount === null) throw new ProviderAway('the bill has a line without 订单金额');
    const outTradeNo = at(row, '商户订单号');
    return {
      kind: isRefund ? ('refund' as const) : ('payment' as const),
      outTradeNo,
      outRefundNo: isRefund ? at(row, '退款批次号') : '',
      amount,
    };
  });
}
