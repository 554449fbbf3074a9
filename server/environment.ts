import type { Site } from '#contract/site.ts';
import { captchaRegions } from '#contract/values/user.ts';
import type { SmsBudget } from '#rules/user/limits.ts';
import type { S3Settings } from './s3-files.ts';
import type { SrsSettings } from './srs-settings.ts';

/** Of `NODE_ENV`; any other is a slip of the pen, and must not be taken for a demo. */
const MODES = ['production', 'development', 'test'] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Characters of a line at the end of every page. */
const SHORT = 100;

/** What reaches this machine alone, as `HOST` or as the host of an address. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** What the environment variables say, read and checked once. */
export interface Environment {
  port: number;
  host: string;
  /** Where encoders of live lessons come to; null: nowhere. */
  rtmpPort: number | null;
  dataDir: string;
  /** Seals identity numbers; null: a file in `dataDir` has it. */
  identitySecret: string | null;
  databaseUrl: string | null;
  redisUrl: string | null;
  publicUrl: string | null;
  demo: boolean;
  /** `/docs` and `/openapi.json`: the calls described. */
  apiDocs: boolean;
  /** `/metrics`, for programs on this machine. */
  metrics: boolean;
  trustProxies: number;
  logLevel: (typeof LOG_LEVELS)[number];
  site: Site;
  smsBudget: SmsBudget;
  sms:
    | { provider: 'console' }
    | {
        provider: 'aliyun';
        accessKeyId: string;
        accessKeySecret: string;
        signName: string;
        templateCode: string;
        endpoint: string;
      };
  /** A provider's captcha for strangers; null: none. */
  captcha: {
    accessKeyId: string;
    accessKeySecret: string;
    sceneId: string;
    prefix: string;
    region: (typeof captchaRegions)[number];
    endpoint: string;
  } | null;
  /** Key files are paths. */
  wechatPay: {
    mchId: string;
    appId: string;
    apiV3Key: string;
    privateKey: string;
    certSerial: string;
    platformKeys: { id: string | null; path: string }[];
    endpoint: string;
  } | null;
  alipay: {
    appId: string;
    sellerId: string | null;
    privateKey: string;
    publicKeys: string[];
    endpoint: string;
  } | null;
  /** The cashier that moves no money. */
  sandboxPay: boolean;
  /** A store for files that speaks S3; null: a folder of this machine. */
  s3: S3Settings | null;
  /** The SRS that takes the streams of live lessons; null: they come to this server. */
  srs: SrsSettings | null;
  /** The FFmpeg to convert videos with; null: the one that is found. */
  ffmpegPath: string | null;
  /** The share of a lesson's media that has to be seen, 0 to 1. */
  lessonShare: number;
}

/** A variable that is wrong: the message says which one and why. */
export class WrongEnvironment extends Error {}

/**
 * Reads the configuration; throws `WrongEnvironment` with one sentence per mistake.
 * Production (`NODE_ENV=production`) refuses to start with demo accounts or the console SMS sender on. Without it, demo
 * accounts and shown codes are there by themselves only where nobody else can come: one sign of a real site (another
 * `HOST`, `PUBLIC_URL`, a proxy in front, a true SMS provider), and the start asks the operator to say which it is. What a
 * request says of host and address decides nothing here.
 */
export function readEnvironment(env: Record<string, string | undefined>): Environment {
  const wrong: string[] = [];
  const text = (name: string) => env[name]?.trim() || null;
  const whole = (name: string, fallback: number, min: number, max: number) => {
    const value = text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (/^\d{1,9}$/.test(value) && number >= min && number <= max) return number;
    wrong.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`);
    return fallback;
  };
  const url = (name: string, protocols: readonly string[]) => {
    const value = text(name);
    if (value === null) return null;
    try {
      if (protocols.includes(new URL(value).protocol)) return value;
    } catch {}
    wrong.push(
      `${name} must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
    return null;
  };
  const short = (name: string) => {
    const value = text(name);
    if (value !== null && value.length > SHORT) wrong.push(`${name} must have at most ${SHORT} characters`);
    return value;
  };
  const modeText = text('NODE_ENV');
  const production = modeText === 'production';
  if (modeText !== null && !MODES.some((mode) => mode === modeText)) {
    wrong.push(`NODE_ENV must be production, development, test or left out, not "${modeText}"`);
  }
  const yesNo = (name: string, fallback: boolean) => {
    const value = text(name);
    if (value !== null && value !== '0' && value !== '1') wrong.push(`${name} must be 0 or 1, not "${value}"`);
    return value === null ? fallback : value === '1';
  };
  const demoText = text('DEMO');
  if (demoText !== null && demoText !== '0' && demoText !== '1') wrong.push(`DEMO must be 0 or 1, not "${demoText}"`);
  if (production && demoText === '1')
    wrong.push('DEMO=1 cannot be used with NODE_ENV=production: it opens demo accounts');
  const demo = !production && demoText !== '0';
  if (demo && demoText === null) {
    const signs = signsOfARealSite(text);
    if (signs.length > 0) {
      wrong.push(
        `${signs.join(' and ')} would open demo accounts and shown SMS codes to others: set NODE_ENV=production for a ` +
          'school’s server, or DEMO=1 where that is wanted',
      );
    }
  }
  const publicUrl = url('PUBLIC_URL', ['http:', 'https:']);
  // The app lives at the root of its host; only the host and the protocol of this address are used.
  if (publicUrl !== null && !/^\/?$/.test(new URL(publicUrl).pathname + new URL(publicUrl).search)) {
    wrong.push('PUBLIC_URL must end after the host, e.g. https://lixue.example.cn');
  }
  const levelText = text('LOG_LEVEL');
  const logLevel = LOG_LEVELS.find((level) => level === levelText);
  if (levelText !== null && !logLevel) {
    wrong.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${levelText}"`);
  }
  const identitySecret = text('IDENTITY_SECRET');
  if (identitySecret !== null && identitySecret.length < 32)
    wrong.push('IDENTITY_SECRET needs 32 characters or more, e.g. what `openssl rand -hex 32` prints');
  const environment: Environment = {
    port: whole('PORT', 3000, 0, 65535),
    host: text('HOST') ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    rtmpPort: whole('RTMP_PORT', 1935, 0, 65535) || null,
    dataDir: text('DATA_DIR') ?? 'data',
    identitySecret,
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    publicUrl: publicUrl?.replace(/\/$/, '') ?? null,
    demo,
    apiDocs: yesNo('API_DOCS', demo),
    metrics: yesNo('METRICS', demo),
    trustProxies: whole('TRUST_PROXIES', 0, 0, 10),
    logLevel: logLevel ?? (demo ? 'warn' : 'info'),
    site: {
      about: url('SITE_ABOUT_URL', ['https:', 'http:']),
      agreement: url('SITE_AGREEMENT_URL', ['https:', 'http:']),
      privacy: url('SITE_PRIVACY_URL', ['https:', 'http:']),
      contact: short('SITE_CONTACT'),
      icp: short('SITE_ICP'),
      police: short('SITE_POLICE'),
      collector: readCollector(url('PLAY_COLLECTOR_URL', ['https:', 'http:']), wrong),
    },
    smsBudget: {
      perHour: whole('SMS_PER_HOUR', 2000, 1, 1_000_000),
      perAddressHour: whole('SMS_PER_ADDRESS_HOUR', 600, 1, 1_000_000),
    },
    sms: readSms(text, url, wrong, demo, production),
    captcha: readCaptcha(text, url, wrong),
    ...readPayments(text, url, wrong, publicUrl),
    sandboxPay: readSandbox(yesNo, wrong, demo, production),
    s3: readS3(text, url, yesNo, wrong),
    srs: readSrs(text, url, wrong),
    ffmpegPath: text('FFMPEG_PATH'),
    lessonShare: whole('LESSON_SEEN_PERCENT', 90, 1, 100) / 100,
  };
  if (wrong.length > 0) throw new WrongEnvironment(wrong.join('\n'));
  return environment;
}

/**
 * An address that a page's policy can name as it is: what stands behind `?` or `#` it cannot, and `;` or `,` would end the directive.
 */
function readCollector(address: string | null, wrong: string[]): string | null {
  if (address === null) return null;
  const { search, hash, username, href } = new URL(address);
  if (search === '' && hash === '' && username === '' && !/[;,\s']/.test(href)) return href;
  wrong.push('PLAY_COLLECTOR_URL must be an address without query, anchor, account, comma and semicolon');
  return null;
}

/** The settings by which others come to this server, each as it was written. */
function signsOfARealSite(text: (name: string) => string | null): string[] {
  const signs: string[] = [];
  const host = text('HOST');
  if (host !== null && !LOOPBACK.test(host)) signs.push(`HOST=${host}`);
  const publicUrl = text('PUBLIC_URL');
  if (publicUrl !== null && !LOOPBACK.test(hostOf(publicUrl))) signs.push('PUBLIC_URL');
  const proxies = text('TRUST_PROXIES');
  if (proxies !== null && Number(proxies) > 0) signs.push('TRUST_PROXIES');
  for (const name of ['WECHAT_PAY_MCH_ID', 'ALIPAY_APP_ID']) if (text(name) !== null) signs.push(name);
  const provider = text('SMS_PROVIDER');
  if (provider !== null && provider !== 'console') signs.push(`SMS_PROVIDER=${provider}`);
  return signs;
}

function hostOf(address: string): string {
  try {
    return new URL(address).hostname;
  } catch {
    return '';
  }
}

function readSms(
  text: (name: string) => string | null,
  url: (name: string, protocols: readonly string[]) => string | null,
  wrong: string[],
  demo: boolean,
  production: boolean,
): Environment['sms'] {
  const provider = text('SMS_PROVIDER') ?? 'console';
  if (provider === 'console') {
    if (!demo) {
      const way = production ? '' : ', or DEMO=1 for a demo';
      wrong.push(`SMS codes can only be written to the console in a demo: set SMS_PROVIDER=aliyun with its keys${way}`);
    }
    return { provider: 'console' };
  }
  if (provider !== 'aliyun') {
    wrong.push(`SMS_PROVIDER must be console or aliyun, not "${provider}"`);
    return { provider: 'console' };
  }
  const need = (name: string) => {
    const value = text(name);
    if (value === null) wrong.push(`${name} is needed with SMS_PROVIDER=aliyun`);
    return value ?? '';
  };
  return {
    provider: 'aliyun',
    accessKeyId: need('SMS_ACCESS_KEY_ID'),
    accessKeySecret: need('SMS_ACCESS_KEY_SECRET'),
    signName: need('SMS_SIGN_NAME'),
    templateCode: need('SMS_TEMPLATE_CODE'),
    endpoint: url('SMS_ENDPOINT', ['https:', 'http:']) ?? 'https://dysmsapi.aliyuncs.com',
  };
}

/** What is of no use without a provider. */
const CAPTCHA_SETTINGS = ['CAPTCHA_ACCESS_KEY_ID', 'CAPTCHA_ACCESS_KEY_SECRET', 'CAPTCHA_SCENE_ID', 'CAPTCHA_PREFIX'];

const CAPTCHA_ENDPOINTS = {
  cn: 'https://captcha.cn-shanghai.aliyuncs.com',
  sgp: 'https://captcha.ap-southeast-1.aliyuncs.com',
} as const;

function readCaptcha(
  text: (name: string) => string | null,
  url: (name: string, protocols: readonly string[]) => string | null,
  wrong: string[],
): Environment['captcha'] {
  const provider = text('CAPTCHA_PROVIDER');
  if (provider === null) {
    // Strangers would pass without it and nobody would notice.
    const meant = CAPTCHA_SETTINGS.find((name) => text(name) !== null);
    if (meant !== undefined) wrong.push(`CAPTCHA_PROVIDER is needed with ${meant}`);
    return null;
  }
  if (provider !== 'aliyun') {
    wrong.push(`CAPTCHA_PROVIDER must be aliyun or left out, not "${provider}"`);
    return null;
  }
  const need = (name: string) => {
    const value = text(name);
    if (value === null) wrong.push(`${name} is needed with CAPTCHA_PROVIDER=aliyun`);
    return value ?? '';
  };
  // It becomes part of a host name in the policy of every page.
  const prefix = need('CAPTCHA_PREFIX');
  if (prefix !== '' && !/^[a-z0-9][a-z0-9-]{0,40}$/i.test(prefix)) {
    wrong.push(`CAPTCHA_PREFIX must be letters and digits, as in Aliyun’s console, not "${prefix}"`);
  }
  const regionText = text('CAPTCHA_REGION') ?? 'cn';
  const region = captchaRegions.find((known) => known === regionText) ?? 'cn';
  if (region !== regionText) {
    wrong.push(`CAPTCHA_REGION must be one of ${captchaRegions.join(', ')}, not "${regionText}"`);
  }
  return {
    accessKeyId: need('CAPTCHA_ACCESS_KEY_ID'),
    accessKeySecret: need('CAPTCHA_ACCESS_KEY_SECRET'),
    sceneId: need('CAPTCHA_SCENE_ID'),
    prefix,
    region,
    endpoint: url('CAPTCHA_ENDPOINT', ['https:', 'http:']) ?? CAPTCHA_ENDPOINTS[region],
  };
}

/** Money that does not move must not open courses at a school. */
function readSandbox(
  yesNo: (name: string, fallback: boolean) => boolean,
  wrong: string[],
  demo: boolean,
  production: boolean,
): boolean {
  const sandbox = yesNo('PAY_SANDBOX', demo);
  if (sandbox && production)
    wrong.push('PAY_SANDBOX=1 cannot be used with NODE_ENV=production: its cashier opens courses and moves no money');
  return sandbox;
}

function readPayments(
  text: (name: string) => string | null,
  url: (name: string, protocols: readonly string[]) => string | null,
  wrong: string[],
  publicUrl: string | null,
): Pick<Environment, 'wechatPay' | 'alipay'> {
  const group = (prefix: string, needed: readonly string[], more: readonly string[]) => {
    const meant = [...needed, ...more].find((name) => text(prefix + name) !== null);
    if (meant === undefined) return false;
    for (const name of needed)
      if (text(prefix + name) === null) wrong.push(`${prefix + name} is needed with ${prefix + meant}`);
    if (publicUrl === null || !publicUrl.startsWith('https:'))
      wrong.push(`PUBLIC_URL must be an https address with ${prefix + meant}: payments are told to it`);
    return true;
  };
  const list = (name: string) => (text(name) ?? '').split(',').flatMap((part) => part.trim() || []);
  const wechat = group(
    'WECHAT_PAY_',
    ['MCH_ID', 'APP_ID', 'API_V3_KEY', 'PRIVATE_KEY', 'CERT_SERIAL', 'PLATFORM_KEYS'],
    ['ENDPOINT'],
  );
  const apiV3Key = text('WECHAT_PAY_API_V3_KEY') ?? '';
  if (wechat && apiV3Key !== '' && Buffer.byteLength(apiV3Key) !== 32)
    wrong.push('WECHAT_PAY_API_V3_KEY must have 32 characters');
  const alipay = group('ALIPAY_', ['APP_ID', 'PRIVATE_KEY', 'PUBLIC_KEYS'], ['SELLER_ID', 'ENDPOINT']);
  return {
    wechatPay: wechat
      ? {
          mchId: text('WECHAT_PAY_MCH_ID') ?? '',
          appId: text('WECHAT_PAY_APP_ID') ?? '',
          apiV3Key,
          privateKey: text('WECHAT_PAY_PRIVATE_KEY') ?? '',
          certSerial: text('WECHAT_PAY_CERT_SERIAL') ?? '',
          platformKeys: list('WECHAT_PAY_PLATFORM_KEYS').map((part) => {
            const at = part.startsWith('PUB_KEY_ID_') ? part.indexOf('=') : -1;
            return at === -1 ? { id: null, path: part } : { id: part.slice(0, at), path: part.slice(at + 1) };
          }),
          endpoint: (url('WECHAT_PAY_ENDPOINT', ['https:', 'http:']) ?? 'https://api.mch.weixin.qq.com').replace(
            /\/$/,
            '',
          ),
        }
      : null,
    alipay: alipay
      ? {
          appId: text('ALIPAY_APP_ID') ?? '',
          sellerId: text('ALIPAY_SELLER_ID'),
          privateKey: text('ALIPAY_PRIVATE_KEY') ?? '',
          publicKeys: list('ALIPAY_PUBLIC_KEYS'),
          endpoint: url('ALIPAY_ENDPOINT', ['https:', 'http:']) ?? 'https://openapi.alipay.com/gateway.do',
        }
      : null,
  };
}

const SRS_SETTINGS = ['SRS_API', 'SRS_FLV', 'SRS_RTMP', 'SRS_SECRET'];

function readSrs(
  text: (name: string) => string | null,
  url: (name: string, protocols: readonly string[]) => string | null,
  wrong: string[],
): SrsSettings | null {
  const meant = [...SRS_SETTINGS, 'SRS_RECORDINGS'].find((name) => text(name) !== null);
  if (meant === undefined) return null;
  for (const name of SRS_SETTINGS) if (text(name) === null) wrong.push(`${name} is needed with ${meant}`);
  const secret = text('SRS_SECRET') ?? '';
  if (secret !== '' && !/^[\w-]{32,128}$/.test(secret))
    wrong.push('SRS_SECRET needs 32 letters and digits or more, e.g. what `openssl rand -hex 32` prints');
  const bare = (address: string | null) => (address ?? '').replace(/\/+$/, '');
  return {
    api: bare(url('SRS_API', ['http:', 'https:'])),
    flv: bare(url('SRS_FLV', ['http:', 'https:'])),
    rtmp: bare(url('SRS_RTMP', ['rtmp:', 'rtmps:'])),
    secret,
    recordings: text('SRS_RECORDINGS'),
  };
}

const S3_SETTINGS = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
/** What a bucket may be called (S3 "Bucket naming rules"): it becomes part of a host name. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

function readS3(
  text: (name: string) => string | null,
  url: (name: string, protocols: readonly string[]) => string | null,
  yesNo: (name: string, fallback: boolean) => boolean,
  wrong: string[],
): S3Settings | null {
  const all = [...S3_SETTINGS, 'S3_REGION', 'S3_PREFIX', 'S3_PATH_STYLE'];
  const meant = all.find((name) => text(name) !== null);
  if (meant === undefined) return null;
  // Half a setting would quietly store files in a folder that is thrown away with its machine.
  const need = (name: string) => {
    const value = text(name);
    if (value === null) wrong.push(`${name} is needed with ${meant}`);
    return value ?? '';
  };
  for (const name of S3_SETTINGS) need(name);
  const bucket = text('S3_BUCKET') ?? '';
  if (bucket !== '' && !BUCKET.test(bucket)) wrong.push(`S3_BUCKET is no name of a bucket: "${bucket}"`);
  const prefix = text('S3_PREFIX') ?? '';
  if (!/^([a-zA-Z0-9_-]+\/)*$/.test(prefix)) {
    wrong.push(`S3_PREFIX must be left out or letters, digits and / that end with /, e.g. lixue/, not "${prefix}"`);
  }
  return {
    endpoint: url('S3_ENDPOINT', ['https:', 'http:']) ?? '',
    bucket,
    region: text('S3_REGION') ?? 'us-east-1',
    accessKeyId: text('S3_ACCESS_KEY_ID') ?? '',
    secretAccessKey: text('S3_SECRET_ACCESS_KEY') ?? '',
    pathStyle: yesNo('S3_PATH_STYLE', false),
    prefix,
  };
}
