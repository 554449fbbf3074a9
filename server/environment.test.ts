import { describe, expect, it } from 'vitest';
import { NO_SITE } from '#contract/site.ts';
import { readEnvironment, WrongEnvironment } from './environment.ts';

const ALIYUN = {
  SMS_PROVIDER: 'aliyun',
  SMS_ACCESS_KEY_ID: 'LTAI-key',
  SMS_ACCESS_KEY_SECRET: 'the-secret',
  SMS_SIGN_NAME: '砺学',
  SMS_TEMPLATE_CODE: 'SMS_1',
};

const CAPTCHA = {
  CAPTCHA_PROVIDER: 'aliyun',
  CAPTCHA_ACCESS_KEY_ID: 'LTAI-key',
  CAPTCHA_ACCESS_KEY_SECRET: 'the-secret',
  CAPTCHA_SCENE_ID: 'scene1',
  CAPTCHA_PREFIX: 'abc123',
};

function sentences(env: Record<string, string>): string[] {
  try {
    readEnvironment(env);
  } catch (error) {
    if (error instanceof WrongEnvironment) return error.message.split('\n');
    throw error;
  }
  return [];
}

const WECHAT = {
  PUBLIC_URL: 'https://lixue.example.cn',
  WECHAT_PAY_MCH_ID: '1900000001',
  WECHAT_PAY_APP_ID: 'wx1',
  WECHAT_PAY_API_V3_KEY: 'k'.repeat(32),
  WECHAT_PAY_PRIVATE_KEY: '/etc/lixue/apiclient_key.pem',
  WECHAT_PAY_CERT_SERIAL: '5157F09EFDC096DE15EBE81A47057A72',
  WECHAT_PAY_PLATFORM_KEYS: 'PUB_KEY_ID_0119=/etc/lixue/pub.pem, /etc/lixue/cert.pem',
};

describe('payments', () => {
  const school = { ...ALIYUN, NODE_ENV: 'production' };
  it('a school has no cashier that moves no money, and takes none without a provider', () => {
    expect(readEnvironment(school)).toMatchObject({ sandboxPay: false, wechatPay: null, alipay: null });
    expect(sentences({ ...school, PAY_SANDBOX: '1' })).toEqual([expect.stringContaining('PAY_SANDBOX=1')]);
    expect(readEnvironment({ PAY_SANDBOX: '0' }).sandboxPay).toBe(false);
    expect(readEnvironment({ ...ALIYUN, DEMO: '0' }).sandboxPay).toBe(false);
  });

  it('reads the accounts at the providers, with several keys of the platform', () => {
    const alipay = { ALIPAY_APP_ID: '2021', ALIPAY_PRIVATE_KEY: '/k', ALIPAY_PUBLIC_KEYS: '/a,/b' };
    expect(readEnvironment({ ...school, ...WECHAT, ...alipay })).toMatchObject({
      wechatPay: {
        mchId: '1900000001',
        platformKeys: [
          { id: 'PUB_KEY_ID_0119', path: '/etc/lixue/pub.pem' },
          { id: null, path: '/etc/lixue/cert.pem' },
        ],
        endpoint: 'https://api.mch.weixin.qq.com',
      },
      alipay: { appId: '2021', sellerId: null, publicKeys: ['/a', '/b'] },
    });
  });

  it.each([
    [{ WECHAT_PAY_MCH_ID: '' }, ['WECHAT_PAY_MCH_ID']],
    [{ WECHAT_PAY_API_V3_KEY: 'short' }, ['WECHAT_PAY_API_V3_KEY']],
    [{ PUBLIC_URL: '' }, ['PUBLIC_URL']],
    [{ PUBLIC_URL: 'http://lixue.example.cn' }, ['PUBLIC_URL']],
    [{ ALIPAY_APP_ID: '2021' }, ['ALIPAY_PRIVATE_KEY', 'ALIPAY_PUBLIC_KEYS']],
  ])('says what is missing or wrong: %o', (more, named) => {
    const said = sentences({ ...school, ...WECHAT, ...more } as Record<string, string>);
    expect(said.map((line) => line.split(' ')[0])).toEqual(named);
  });

  it('an account at a provider is a sign of a real site', () => {
    expect(sentences(WECHAT)).toEqual([expect.stringContaining('WECHAT_PAY_MCH_ID')]);
  });
});

describe('readEnvironment', () => {
  it('is a demo on this machine when nothing is said', () => {
    expect(readEnvironment({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      rtmpPort: 1935,
      dataDir: 'data',
      identitySecret: null,
      databaseUrl: null,
      redisUrl: null,
      publicUrl: null,
      demo: true,
      apiDocs: true,
      metrics: true,
      trustProxies: 0,
      logLevel: 'warn',
      site: NO_SITE,
      smsBudget: { perHour: 2000, perAddressHour: 600 },
      sms: { provider: 'console' },
      captcha: null,
      wechatPay: null,
      alipay: null,
      sandboxPay: true,
      s3: null,
      srs: null,
      ffmpegPath: null,
      lessonShare: 0.9,
    });
  });

  it('reads a school’s server', () => {
    const env = {
      ...ALIYUN,
      NODE_ENV: 'production',
      PORT: '8080',
      DATA_DIR: '/var/lib/lixue',
      IDENTITY_SECRET: '0123456789abcdef0123456789abcdef',
      DATABASE_URL: 'postgres://lixue:pw@db/lixue',
      REDIS_URL: 'rediss://cache:6380',
      PUBLIC_URL: 'https://lixue.example.cn/',
      TRUST_PROXIES: '1',
      SITE_ABOUT_URL: 'https://school.example.cn/about',
      SITE_CONTACT: ' 010-12345678 ',
      RTMP_PORT: '0',
      PLAY_COLLECTOR_URL: 'https://collect.example.cn/in',
      SITE_ICP: '京ICP备12345678号-1',
      SMS_PER_HOUR: '500',
      SMS_PER_ADDRESS_HOUR: '200',
      LESSON_SEEN_PERCENT: '60',
    };
    expect(readEnvironment(env)).toEqual({
      port: 8080,
      host: '0.0.0.0',
      rtmpPort: null,
      dataDir: '/var/lib/lixue',
      identitySecret: '0123456789abcdef0123456789abcdef',
      databaseUrl: 'postgres://lixue:pw@db/lixue',
      redisUrl: 'rediss://cache:6380',
      publicUrl: 'https://lixue.example.cn',
      demo: false,
      apiDocs: false,
      metrics: false,
      trustProxies: 1,
      logLevel: 'info',
      site: {
        ...NO_SITE,
        about: 'https://school.example.cn/about',
        contact: '010-12345678',
        collector: 'https://collect.example.cn/in',
        icp: '京ICP备12345678号-1',
      },
      smsBudget: { perHour: 500, perAddressHour: 200 },
      sms: {
        provider: 'aliyun',
        accessKeyId: 'LTAI-key',
        accessKeySecret: 'the-secret',
        signName: '砺学',
        templateCode: 'SMS_1',
        endpoint: 'https://dysmsapi.aliyuncs.com',
      },
      captcha: null,
      wechatPay: null,
      alipay: null,
      sandboxPay: false,
      s3: null,
      srs: null,
      ffmpegPath: null,
      lessonShare: 0.6,
    });
  });

  it('takes a store for files whole or not at all', () => {
    const S3 = {
      S3_ENDPOINT: 'https://oss-cn-hangzhou.aliyuncs.com',
      S3_BUCKET: 'lixue-files',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    expect(readEnvironment({ ...S3, S3_REGION: 'oss-cn-hangzhou', FFMPEG_PATH: '/opt/ffmpeg' })).toMatchObject({
      ffmpegPath: '/opt/ffmpeg',
      s3: { endpoint: S3.S3_ENDPOINT, bucket: 'lixue-files', region: 'oss-cn-hangzhou', pathStyle: false, prefix: '' },
    });
    expect(readEnvironment({ ...S3, S3_PATH_STYLE: '1', S3_PREFIX: 'a/b/' }).s3).toMatchObject({
      ...{ accessKeyId: 'key', secretAccessKey: 'secret', pathStyle: true, prefix: 'a/b/', region: 'us-east-1' },
    });
    for (const name of Object.keys(S3)) {
      const [meant] = Object.keys(S3).filter((other) => other !== name);
      expect(sentences({ ...S3, [name]: '' })).toEqual([`${name} is needed with ${meant}`]);
    }
    expect(sentences({ ...S3, S3_BUCKET: 'Lixue/..' })).toHaveLength(1);
    expect(sentences({ ...S3, S3_PREFIX: '../' })).toHaveLength(1);
    expect(sentences({ ...S3, S3_ENDPOINT: 'ftp://x' })).toHaveLength(1);
  });

  it('takes an SRS whole or not at all', () => {
    const SRS = {
      SRS_API: 'http://lixue:password@10.0.0.5:1985/',
      SRS_FLV: 'http://10.0.0.5:8080',
      SRS_RTMP: 'rtmp://live.example.cn/live',
      SRS_SECRET: 'a'.repeat(64),
    };
    expect(readEnvironment({ ...SRS, SRS_RECORDINGS: '/srv/lixue-live' }).srs).toEqual({
      ...{ api: 'http://lixue:password@10.0.0.5:1985', flv: SRS.SRS_FLV, rtmp: SRS.SRS_RTMP, secret: SRS.SRS_SECRET },
      recordings: '/srv/lixue-live',
    });
    for (const name of Object.keys(SRS)) {
      const [meant] = Object.keys(SRS).filter((other) => other !== name);
      expect(sentences({ ...SRS, [name]: '' })).toEqual([`${name} is needed with ${meant}`]);
    }
    expect(sentences({ ...SRS, SRS_SECRET: 'short' })).toHaveLength(1);
    expect(sentences({ ...SRS, SRS_SECRET: `${'a'.repeat(40)}&b` })).toHaveLength(1);
    expect(sentences({ ...SRS, SRS_RTMP: 'http://x/live' })).toHaveLength(1);
  });

  it('listens where it is told, demo or not', () => {
    expect(readEnvironment({ HOST: '0.0.0.0', DEMO: '1' })).toMatchObject({ host: '0.0.0.0', demo: true });
    expect(readEnvironment({ ...ALIYUN, DEMO: '0' })).toMatchObject({ host: '0.0.0.0', demo: false });
    expect(readEnvironment({ ...ALIYUN, DEMO: '0', HOST: '10.0.0.2' }).host).toBe('10.0.0.2');
  });

  it.each(['prod', 'Production', 'PRODUCTION', '"production"', 'productoin', '1'])(
    'opens no demo where NODE_ENV=%s was to say production',
    (NODE_ENV) => {
      const wrong = `NODE_ENV must be production, development, test or left out, not "${NODE_ENV}"`;
      expect(sentences({ NODE_ENV })).toEqual([wrong]);
      expect(sentences({ NODE_ENV, DATABASE_URL: 'postgres://lixue@db/lixue' })).toEqual([wrong]);
    },
  );

  it.each(['', 'development', 'test'])('is a demo on this machine with NODE_ENV=%s', (NODE_ENV) => {
    expect(readEnvironment({ NODE_ENV })).toMatchObject({ demo: true, host: '127.0.0.1' });
  });

  it('does without a captcha only where none of its settings is there', () => {
    const { CAPTCHA_PROVIDER, ...rest } = CAPTCHA;
    const school = { ...ALIYUN, NODE_ENV: 'production' };
    const wrong = 'CAPTCHA_PROVIDER is needed with CAPTCHA_ACCESS_KEY_ID';
    expect(sentences({ ...school, ...rest })).toEqual([wrong]);
    expect(sentences({ ...school, ...rest, CAPTCHA_PROVIDR: CAPTCHA_PROVIDER })).toEqual([wrong]);
    expect(readEnvironment({ ...school, CAPTCHA_ACCESS_KEY_ID: '', CAPTCHA_PREFIX: ' ' }).captcha).toBeNull();
  });

  it('takes blank variables as not set', () => {
    expect(readEnvironment({ PORT: '', DEMO: ' ', PUBLIC_URL: '', SMS_PROVIDER: '', LOG_LEVEL: '' })).toMatchObject({
      port: 3000,
      demo: true,
      publicUrl: null,
    });
  });

  it('lets a demo try the real provider', () => {
    expect(readEnvironment({ ...ALIYUN, DEMO: '1', SMS_ENDPOINT: 'http://127.0.0.1:9000' })).toMatchObject({
      demo: true,
      sms: { provider: 'aliyun', endpoint: 'http://127.0.0.1:9000' },
    });
  });

  it.each<[string, Record<string, string>]>([
    ['nothing said', {}],
    ['a HOST of this machine', { HOST: '127.0.0.1' }],
    ['its name', { HOST: 'localhost' }],
    ['by IPv6', { HOST: '::1' }],
    ['a PUBLIC_URL of this machine', { PUBLIC_URL: 'http://localhost:3000' }],
    ['by IPv6', { PUBLIC_URL: 'http://[::1]:3000' }],
    ['no proxy', { TRUST_PROXIES: '0' }],
    ['the console for SMS', { SMS_PROVIDER: 'console' }],
  ])('is a demo by itself where nobody else can come: %s', (_what, env) => {
    expect(readEnvironment(env).demo).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ['HOST=0.0.0.0', { HOST: '0.0.0.0' }],
    ['HOST=::', { HOST: '::' }],
    ['HOST=10.0.0.2', { HOST: '10.0.0.2' }],
    ['HOST=127.0.0.1.evil.example', { HOST: '127.0.0.1.evil.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://lixue.example.cn' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://localhost.example.cn' }],
    ['TRUST_PROXIES', { TRUST_PROXIES: '1' }],
    ['SMS_PROVIDER=aliyun', ALIYUN],
    ['HOST=0.0.0.0 and PUBLIC_URL', { HOST: '0.0.0.0', PUBLIC_URL: 'http://10.0.0.2' }],
  ])('starts no demo that others reach unless DEMO=1 says so: %s', (sign, env) => {
    const said = sentences(env);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`${sign} would open demo accounts`);
    expect(said[0]).toMatch(/NODE_ENV=production .*DEMO=1/);
    expect(readEnvironment({ ...env, DEMO: '1' }).demo).toBe(true);
    expect(readEnvironment({ ...env, ...ALIYUN, DEMO: '0' }).demo).toBe(false);
    expect(readEnvironment({ ...env, ...ALIYUN, NODE_ENV: 'production' }).demo).toBe(false);
  });

  it.each(['API_DOCS', 'METRICS'])('opens %s in a demo, and elsewhere where it is said', (name) => {
    const of = (env: Record<string, string>) => {
      const { apiDocs, metrics } = readEnvironment(env);
      return name === 'METRICS' ? metrics : apiDocs;
    };
    expect([of({}), of({ [name]: '0' })]).toEqual([true, false]);
    const school = { ...ALIYUN, NODE_ENV: 'production' };
    expect([of(school), of({ ...school, [name]: '1' })]).toEqual([false, true]);
    expect(sentences({ [name]: 'yes' })).toEqual([`${name} must be 0 or 1, not "yes"`]);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'a collector that a page’s policy cannot name',
      { PLAY_COLLECTOR_URL: 'https://a.cn/in?x=1' },
      /PLAY_COLLECTOR_URL/,
    ],
    ['PORT', { PORT: 'http' }, /^PORT must be a whole number from 0 to 65535, not "http"$/],
    ['PORT', { PORT: '65536' }, /^PORT /],
    ['PORT', { PORT: '-1' }, /^PORT /],
    ['PORT', { PORT: '1e3' }, /^PORT /],
    ['PORT', { PORT: '0x50' }, /^PORT /],
    ['PORT', { PORT: '80.0' }, /^PORT /],
    ['SMS_PER_HOUR', { SMS_PER_HOUR: '0' }, /^SMS_PER_HOUR must be a whole number from 1/],
    ['SITE_PRIVACY_URL', { SITE_PRIVACY_URL: 'javascript:alert(1)' }, /^SITE_PRIVACY_URL must be an address/],
    ['SITE_ICP', { SITE_ICP: '号'.repeat(101) }, /^SITE_ICP must have at most 100 characters$/],
    ['TRUST_PROXIES', { DEMO: '1', TRUST_PROXIES: 'true' }, /^TRUST_PROXIES /],
    ['TRUST_PROXIES', { DEMO: '1', TRUST_PROXIES: '11' }, /^TRUST_PROXIES /],
    ['DEMO', { DEMO: 'yes' }, /^DEMO must be 0 or 1, not "yes"$/],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }, /^DATABASE_URL .*postgres:\/\//],
    ['DATABASE_URL', { DATABASE_URL: 'lixue' }, /^DATABASE_URL /],
    ['REDIS_URL', { REDIS_URL: 'http://cache' }, /^REDIS_URL .*redis:\/\//],
    ['PUBLIC_URL', { DEMO: '1', PUBLIC_URL: 'lixue.example.cn' }, /^PUBLIC_URL .*https:\/\//],
    ['PUBLIC_URL', { DEMO: '1', PUBLIC_URL: 'https://example.cn/lixue' }, /^PUBLIC_URL must end after the host/],
    ['PUBLIC_URL', { DEMO: '1', PUBLIC_URL: 'https://example.cn/?a=1' }, /^PUBLIC_URL must end after the host/],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of .*, not "loud"$/],
    ['SMS_PROVIDER', { DEMO: '1', SMS_PROVIDER: 'pigeon' }, /^SMS_PROVIDER must be console or aliyun, not "pigeon"$/],
    ['SMS_ENDPOINT', { ...ALIYUN, DEMO: '1', SMS_ENDPOINT: 'dysmsapi' }, /^SMS_ENDPOINT /],
    ['CAPTCHA_PROVIDER', { CAPTCHA_PROVIDER: 'pigeon' }, /^CAPTCHA_PROVIDER must be aliyun or left out/],
    ['CAPTCHA_PREFIX', { ...CAPTCHA, CAPTCHA_PREFIX: 'a; script-src *' }, /^CAPTCHA_PREFIX must be letters and digits/],
    ['CAPTCHA_REGION', { ...CAPTCHA, CAPTCHA_REGION: 'us' }, /^CAPTCHA_REGION must be one of cn, sgp/],
    [
      'demo in production',
      { ...ALIYUN, NODE_ENV: 'production', DEMO: '1' },
      /^DEMO=1 cannot be used with NODE_ENV=production/,
    ],
    ['console SMS in production', { NODE_ENV: 'production' }, /^SMS codes .*SMS_PROVIDER=aliyun with its keys$/],
    ['console SMS in production', { NODE_ENV: 'production', SMS_PROVIDER: 'console' }, /^SMS codes /],
    ['console SMS without DEMO', { DEMO: '0' }, /^SMS codes .*DEMO=1/],
  ])('refuses a wrong setting with one sentence: %s %j', (_what, env, sentence) => {
    const said = sentences(env);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(sentence);
  });

  it.each(['SMS_ACCESS_KEY_ID', 'SMS_ACCESS_KEY_SECRET', 'SMS_SIGN_NAME', 'SMS_TEMPLATE_CODE'])(
    'needs %s for Aliyun',
    (name) => {
      expect(sentences({ ...ALIYUN, DEMO: '1', [name]: ' ' })).toEqual([`${name} is needed with SMS_PROVIDER=aliyun`]);
    },
  );

  it('reads a provider’s captcha, by default of the mainland', () => {
    expect(readEnvironment(CAPTCHA).captcha).toEqual({
      accessKeyId: 'LTAI-key',
      accessKeySecret: 'the-secret',
      sceneId: 'scene1',
      prefix: 'abc123',
      region: 'cn',
      endpoint: 'https://captcha.cn-shanghai.aliyuncs.com',
    });
    expect(readEnvironment({ ...CAPTCHA, CAPTCHA_REGION: 'sgp' }).captcha?.endpoint).toBe(
      'https://captcha.ap-southeast-1.aliyuncs.com',
    );
  });

  it.each(['CAPTCHA_ACCESS_KEY_ID', 'CAPTCHA_ACCESS_KEY_SECRET', 'CAPTCHA_SCENE_ID', 'CAPTCHA_PREFIX'])(
    'needs %s for Aliyun’s captcha',
    (name) => {
      expect(sentences({ ...CAPTCHA, [name]: ' ' })).toEqual([`${name} is needed with CAPTCHA_PROVIDER=aliyun`]);
    },
  );

  it('says every mistake at once', () => {
    expect(sentences({ PORT: 'x', DEMO: 'x', DATABASE_URL: 'x', SMS_PROVIDER: 'aliyun' })).toHaveLength(7);
  });

  it('repeats no secret', () => {
    const said = sentences({
      ...ALIYUN,
      SMS_TEMPLATE_CODE: '',
      DATABASE_URL: 'mysql://lixue:db-password@db',
      REDIS_URL: 'cache:redis-password',
    }).join();
    for (const secret of ['the-secret', 'db-password', 'redis-password']) expect(said).not.toContain(secret);
  });
});
