import {
  createCipheriv,
  createSign,
  createVerify,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AlipaySettings, alipayPage, alipayText } from './alipay.ts';
import { type WechatSettings, wechatPay } from './wechat.ts';

/** What a provider of tests knows of one number. Sums are fen. */
export interface Trade {
  amount: number;
  state: 'open' | 'paid' | 'closed';
  /** From when on it takes no money any more (`time_expire`), epoch milliseconds. */
  endsAt: number;
  refunds: Map<string, { amount: number; status: 'SUCCESS' | 'PROCESSING' | 'ABNORMAL' }>;
}

/** A stand-in for a provider: it behaves as its documentation says, signs with keys that were made for it, and can be made to fail. */
interface PayServer<S> {
  settings: S;
  trades: Map<string, Trade>;
  /** How often each kind of question was asked. */
  asked: Map<string, number>;
  /** While set, every question gets this instead of its answer; `lost`: what was asked for is done, and the line breaks before its answer. */
  fault: 'hangs' | 'error' | 'unsigned' | 'lost' | null;
  /** Bytes of the bill that it gives. */
  bill: Buffer;
  /** What refunds become at once. */
  refundStatus: 'SUCCESS' | 'PROCESSING' | 'ABNORMAL';
  close(): Promise<void>;
}

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (key: KeyObject, type: 'pkcs8' | 'spki') => key.export({ type: type as 'spki', format: 'pem' }).toString();
const yuan = (fen: number) => `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`;

async function body(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What has gone back of a trade, or is on its way, in fen. */
const sumOf = ({ refunds }: Trade) =>
  [...refunds.values()].reduce((sum, { amount, status }) => (status === 'ABNORMAL' ? sum : sum + amount), 0);

const ended = (server: Server) => async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

/** A stand-in for WeChat Pay. */
export async function wechatServer() {
  const [merchant, platform, next] = [pair(), pair(), pair()];
  const apiV3Key = randomBytes(16).toString('hex');
  const server = createServer((request, response) => void answer(request, response));
  const endpoint = await listening(server);
  const settings: WechatSettings = {
    mchId: '1900000001',
    appId: 'wx8888888888888888',
    apiV3Key,
    privateKey: pem(merchant.privateKey, 'pkcs8'),
    certSerial: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
    platformKeys: [
      { id: 'PUB_KEY_ID_0001', pem: pem(platform.publicKey, 'spki') },
      { id: 'PUB_KEY_ID_0002', pem: pem(next.publicKey, 'spki') },
    ],
    endpoint,
    publicUrl: 'https://lixue.example.cn',
  };
  const kit = {
    settings,
    trades: new Map() as Map<string, Trade>,
    asked: new Map() as Map<string, number>,
    fault: null as PayServer<WechatSettings>['fault'],
    bill: Buffer.from(''),
    refundStatus: 'SUCCESS' as PayServer<WechatSettings>['refundStatus'],
    /** The key that it signs with now. */
    signsWith: { id: 'PUB_KEY_ID_0001', key: platform.privateKey },
    nextKey: { id: 'PUB_KEY_ID_0002', key: next.privateKey },
    strangeKey: { id: 'PUB_KEY_ID_9999', key: pair().privateKey },
    close: ended(server),
    provider: () => wechatPay(settings),
    /** A message as WeChat sends it. */
    message,
    paid: (outTradeNo: string, more: object = {}) =>
      message('TRANSACTION.SUCCESS', {
        mchid: settings.mchId,
        appid: settings.appId,
        out_trade_no: outTradeNo,
        trade_state: 'SUCCESS',
        amount: { total: kit.trades.get(outTradeNo)?.amount ?? 1, payer_total: 1, currency: 'CNY' },
        ...more,
      }),
  };

  function signature(text: string, at: number, by = kit.signsWith) {
    const nonce = randomBytes(8).toString('hex');
    const timestamp = String(Math.floor(at / 1000));
    const sign = createSign('RSA-SHA256').update(`${timestamp}\n${nonce}\n${text}\n`).sign(by.key, 'base64');
    return {
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': nonce,
      'wechatpay-serial': by.id,
      'wechatpay-signature': sign,
    };
  }

  function message(type: string, resource: object) {
    return (at: number, by = kit.signsWith) => {
      const nonce = randomBytes(6).toString('hex');
      const cipher = createCipheriv('aes-256-gcm', Buffer.from(apiV3Key), Buffer.from(nonce));
      cipher.setAAD(Buffer.from('transaction'));
      const sealed = Buffer.concat([
        cipher.update(JSON.stringify(resource), 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      // Its order of fields, its blanks and its escapes are its own.
      const text = `{ "id":"EV-1", "event_type" : "${type}",\n "summary":"\\u652f\\u4ed8成功","resource":${JSON.stringify(
        {
          original_type: 'transaction',
          algorithm: 'AEAD_AES_256_GCM',
          ciphertext: sealed.toString('base64'),
          associated_data: 'transaction',
          nonce,
        },
      )}}`;
      return { payload: text, headers: { 'content-type': 'application/json', ...signature(text, at, by) } };
    };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await body(request);
    const url = new URL(request.url ?? '', endpoint);
    const say = (status: number, data: object | null) => {
      if (kit.fault === 'lost') return void response.destroy();
      const said = data === null ? '' : JSON.stringify(data);
      const signed = kit.fault === 'unsigned' ? {} : signature(said, Date.now());
      response.writeHead(status, { 'content-type': 'application/json', ...signed }).end(said);
    };
    const auth = Object.fromEntries(
      [...(request.headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const signed = `${request.method}\n${url.pathname}${url.search}\n${auth.timestamp}\n${auth.nonce_str}\n${text}\n`;
    const right = createVerify('RSA-SHA256')
      .update(signed)
      .verify(merchant.publicKey, auth.signature ?? '', 'base64');
    const kind = url.pathname.includes('/close') ? 'close' : (url.pathname.split('/')[2] ?? '');
    kit.asked.set(kind, (kit.asked.get(kind) ?? 0) + 1);
    if (kit.fault === 'hangs') return;
    if (!right || auth.mchid !== settings.mchId) return say(401, { code: 'SIGN_ERROR', message: '签名错误' });
    if (kit.fault === 'error') return say(500, { code: 'SYSTEM_ERROR', message: '系统错误' });
    if (url.pathname === '/bill') {
      response.writeHead(200).end(kit.bill);
      return;
    }
    if (url.pathname === '/v3/bill/tradebill') {
      const hash = (await import('node:crypto')).createHash('sha1').update(kit.bill).digest('hex');
      return say(200, { hash_type: 'SHA1', hash_value: hash, download_url: `${endpoint}/bill?token=x` });
    }
    const asked = text === '' ? {} : (JSON.parse(text) as Record<string, never>);
    if (url.pathname === '/v3/pay/transactions/native') {
      const { out_trade_no, amount, time_expire } = asked as unknown as {
        out_trade_no: string;
        amount: { total: number };
        time_expire: string;
      };
      const endsAt = Date.parse(time_expire);
      if (!kit.trades.has(out_trade_no))
        kit.trades.set(out_trade_no, { amount: amount.total, state: 'open', endsAt, refunds: new Map() });
      return say(200, { code_url: `weixin://wxpay/bizpayurl?pr=${out_trade_no.slice(0, 8)}` });
    }
    if (url.pathname.startsWith('/v3/pay/transactions/out-trade-no/')) {
      const no = url.pathname.split('/')[5] ?? '';
      const trade = kit.trades.get(no);
      if (!trade) return say(404, { code: 'ORDER_NOT_EXIST', message: '订单不存在' });
      if (url.pathname.endsWith('/close')) {
        if (trade.state === 'paid') return say(400, { code: 'ORDERPAID', message: '订单已支付' });
        trade.state = 'closed';
        return say(204, null);
      }
      const state = { open: 'NOTPAY', closed: 'CLOSED', paid: trade.refunds.size > 0 ? 'REFUND' : 'SUCCESS' }[
        trade.state
      ];
      return say(200, {
        mchid: settings.mchId,
        appid: settings.appId,
        out_trade_no: no,
        trade_state: state,
        transaction_id: `4200${no.slice(0, 20)}`,
        // Its own vouchers lower what the payer gives: only `total` is ours.
        amount: { total: trade.amount, payer_total: Math.max(0, trade.amount - 1), currency: 'CNY' },
      });
    }
    if (url.pathname === '/v3/refund/domestic/refunds') {
      const { out_trade_no, out_refund_no, amount } = asked as unknown as {
        out_trade_no: string;
        out_refund_no: string;
        amount: { refund: number };
      };
      const trade = kit.trades.get(out_trade_no);
      if (trade?.state !== 'paid') return say(404, { code: 'RESOURCE_NOT_EXISTS', message: '订单不存在' });
      if (!trade.refunds.has(out_refund_no)) {
        const sum = sumOf(trade);
        if (sum + amount.refund > trade.amount) return say(400, { code: 'INVALID_REQUEST', message: '超过可退金额' });
        trade.refunds.set(out_refund_no, { amount: amount.refund, status: kit.refundStatus });
      }
      return say(200, { out_refund_no, status: trade.refunds.get(out_refund_no)?.status });
    }
    const refundNo = url.pathname.split('/')[5] ?? '';
    const refund = [...kit.trades.values()].map(({ refunds }) => refunds.get(refundNo)).find(Boolean);
    return refund
      ? say(200, { out_refund_no: refundNo, status: refund.status })
      : say(404, { code: 'RESOURCE_NOT_EXISTS', message: '退款单不存在' });
  }
  return kit;
}

/** A stand-in for Alipay. */
export async function alipayServer() {
  const [merchant, platform, next] = [pair(), pair(), pair()];
  const server = createServer((request, response) => void answer(request, response));
  const origin = await listening(server);
  const settings: AlipaySettings = {
    appId: '2021000000000001',
    sellerId: '2088000000000001',
    privateKey: pem(merchant.privateKey, 'pkcs8'),
    publicKeys: [pem(platform.publicKey, 'spki'), pem(next.publicKey, 'spki')],
    endpoint: `${origin}/gateway.do`,
    publicUrl: 'https://lixue.example.cn',
  };
  const signing: { key: KeyObject } = { key: platform.privateKey };
  const kit = {
    settings,
    trades: new Map() as Map<string, Trade>,
    asked: new Map() as Map<string, number>,
    fault: null as PayServer<AlipaySettings>['fault'],
    bill: Buffer.from(''),
    refundStatus: 'SUCCESS' as PayServer<AlipaySettings>['refundStatus'],
    /** The key that it signs with now. */
    signing,
    nextKey: next.privateKey as KeyObject,
    close: ended(server),
    provider: () => alipayPage(settings),
    /**
     * A student opens the address that they were given: from then on Alipay knows the trade, unless its time is over.
     * @param now epoch milliseconds
     */
    open: (address: string, now = 0) => {
      const parameters = Object.fromEntries(new URL(address).searchParams);
      const right = createVerify('RSA-SHA256')
        .update(alipayText(parameters))
        .verify(merchant.publicKey, parameters.sign ?? '', 'base64');
      if (!right) throw new Error('the address is not signed right');
      const content = JSON.parse(parameters.biz_content ?? '') as {
        out_trade_no: string;
        total_amount: string;
        time_expire: string;
      };
      const amount = Number(content.total_amount.replace('.', ''));
      const endsAt = Date.parse(`${content.time_expire.replace(' ', 'T')}+08:00`);
      if (!kit.trades.has(content.out_trade_no) && now < endsAt)
        kit.trades.set(content.out_trade_no, { amount, state: 'open', endsAt, refunds: new Map() });
      return { outTradeNo: content.out_trade_no, parameters };
    },
    /** A message as Alipay sends it: a form, signed over its values. @param encode into the bytes of its charset */
    message: (
      fields: Record<string, string>,
      {
        charset = 'utf-8',
        encode = (text: string) => Buffer.from(text, 'utf8'),
        key = signing.key,
        signed = (at: string[]) => at,
      } = {},
    ) => {
      const all: Record<string, string> = {
        notify_time: '2026-11-20 18:00:00',
        notify_type: 'trade_status_sync',
        app_id: settings.appId,
        seller_id: settings.sellerId ?? '',
        charset,
        version: '1.0',
        trade_status: 'TRADE_SUCCESS',
        ...fields,
      };
      const names = signed(Object.keys(all).sort());
      const text = Buffer.concat(
        names.flatMap((name, at) => [Buffer.from(`${at === 0 ? '' : '&'}${name}=`), encode(all[name] ?? '')]),
      );
      const sign = createSign('RSA-SHA256').update(text).sign(key, 'base64');
      const escaped = (bytes: Buffer) =>
        [...bytes]
          .map((byte) =>
            /[\w.-]/.test(String.fromCharCode(byte))
              ? String.fromCharCode(byte)
              : byte === 32
                ? '+'
                : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`,
          )
          .join('');
      const payload = [...Object.entries(all), ['sign_type', 'RSA2'], ['sign', sign]]
        .map(([name, value]) => `${name}=${escaped(encode(value ?? ''))}`)
        .join('&');
      return { payload, headers: { 'content-type': `application/x-www-form-urlencoded; charset=${charset}` } };
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await body(request);
    if (request.url?.startsWith('/bill')) {
      response.writeHead(200).end(kit.bill);
      return;
    }
    const parameters = Object.fromEntries(new URLSearchParams(text));
    const method = parameters.method ?? '';
    kit.asked.set(method, (kit.asked.get(method) ?? 0) + 1);
    if (kit.fault === 'hangs') return;
    const say = (data: object) => {
      if (kit.fault === 'lost') return void response.destroy();
      const node = JSON.stringify(data);
      const sign = createSign('RSA-SHA256').update(node).sign(signing.key, 'base64');
      const signed = kit.fault === 'unsigned' ? '' : `,"sign":"${sign}"`;
      response
        .writeHead(200, { 'content-type': 'text/html;charset=utf-8' })
        .end(`{"${method.replaceAll('.', '_')}_response":${node}${signed}}`);
    };
    const no = (sub: string) => say({ code: '40004', msg: 'Business Failed', sub_code: sub, sub_msg: '业务失败 } "' });
    const ok = (data: object) => say({ code: '10000', msg: 'Success', ...data });
    const right = createVerify('RSA-SHA256')
      .update(alipayText(parameters))
      .verify(merchant.publicKey, parameters.sign ?? '', 'base64');
    if (!right) return say({ code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-signature' });
    if (kit.fault === 'error')
      return say({ code: '20000', msg: 'Service Currently Unavailable', sub_code: 'aop.ACQ.SYSTEM_ERROR' });
    const asked = JSON.parse(parameters.biz_content ?? '{}') as Record<string, string>;
    if (method === 'alipay.data.dataservice.bill.downloadurl.query')
      return ok({ bill_download_url: `${origin}/bill?fileId=1` });
    const outTradeNo = asked.out_trade_no ?? '';
    const trade = kit.trades.get(outTradeNo);
    if (!trade) return no('ACQ.TRADE_NOT_EXIST');
    const refund = trade.refunds.get(asked.out_request_no ?? '');
    if (method === 'alipay.trade.query')
      return ok({
        out_trade_no: outTradeNo,
        trade_no: `2026${outTradeNo.slice(0, 20)}`,
        trade_status: { open: 'WAIT_BUYER_PAY', paid: 'TRADE_SUCCESS', closed: 'TRADE_CLOSED' }[trade.state],
        total_amount: yuan(trade.amount),
        buyer_logon_id: '学"员{***',
      });
    if (method === 'alipay.trade.close') {
      if (trade.state === 'paid') return no('ACQ.TRADE_STATUS_ERROR');
      trade.state = 'closed';
      return ok({ out_trade_no: outTradeNo });
    }
    if (method === 'alipay.trade.refund') {
      const amount = Number((asked.refund_amount ?? '').replace('.', ''));
      if (!refund && sumOf(trade) + amount > trade.amount) return no('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL');
      if (!refund) trade.refunds.set(asked.out_request_no ?? '', { amount, status: kit.refundStatus });
      return ok({ out_trade_no: outTradeNo, fund_change: refund ? 'N' : 'Y' });
    }
    return ok(
      refund
        ? {
            out_trade_no: outTradeNo,
            out_request_no: asked.out_request_no,
            ...(refund.status === 'SUCCESS' ? { refund_status: 'REFUND_SUCCESS' } : {}),
          }
        : {},
    );
  }
  return kit;
}
