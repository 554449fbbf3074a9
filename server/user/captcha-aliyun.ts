import { type AliyunAccount, AliyunAway, callAliyun, wordOf } from './aliyun.ts';
import type { CaptchaProvider, Word } from './captcha-provider.ts';
import { TooBusy, turnstile } from './turnstile.ts';

/** An Aliyun account with a scene of its captcha, as its console names them. */
interface AliyunCaptchaSettings extends AliyunAccount {
  sceneId: string;
  /** 身份标. */
  prefix: string;
  region: 'cn' | 'sgp';
}

/** Milliseconds until a call is given up. */
const TIMEOUT = 3000;
/** So many ask at the same time, so many wait behind them: the last of them has its answer within 12 s. */
const AT_ONCE = 40;
const WAITING = 120;

/** What says that a setting of ours is wrong, at which nobody could pass: no such scene, a scene of another account. */
const OUR_FAULT = ['F005', 'F006'];

/** The device service of each region, which the script asks about the browser. */
const DEVICE = { cn: 'cn-shanghai', sgp: 'ap-southeast-1' } as const;

/**
 * Aliyun's captcha 2.0 (captcha 2023-03-05, VerifyIntelligentCaptcha), client architecture V3: its script gives the page a
 * proof, of which Aliyun says once whether it is a person's. The scene is ours to say, so that a proof of another is none.
 * @see https://help.aliyun.com/zh/captcha/captcha2-0/user-guide/server-integration
 */
export function aliyunCaptcha(settings: AliyunCaptchaSettings, timeout = TIMEOUT): CaptchaProvider {
  const { sceneId, prefix, region } = settings;
  const through = turnstile(AT_ONCE, WAITING);
  const files = ['https://o.alicdn.com', 'https://g.alicdn.com', 'https://x.alicdn.com'];
  const pictures = 'https://static-captcha.aliyuncs.com';
  const ask = async (proof: string): Promise<Word> => {
    const form = { CaptchaVerifyParam: proof, SceneId: sceneId };
    const operation = { action: 'VerifyIntelligentCaptcha', version: '2023-03-05', form };
    return wordIn(await callAliyun(settings, operation, timeout));
  };
  return {
    shown: { sceneId, prefix, region },
    sources: {
      scriptSrc: files,
      styleSrc: files,
      fontSrc: files,
      imgSrc: [...files, pictures],
      connectSrc: [
        pictures,
        ...['captcha-open', 'captcha-open-b'].flatMap((name) => [
          `https://${prefix}.${name}.aliyuncs.com`,
          `https://${prefix}-verify.${name}.aliyuncs.com`,
          `https://upload.${name}.aliyuncs.com`,
        ]),
        `https://cloudauth-device-dualstack.${DEVICE[region]}.aliyuncs.com`,
        `https://${DEVICE[region]}.device.saf.aliyuncs.com`,
      ],
    },
    verify: (proof) =>
      through(() => ask(proof)).catch((error: unknown) => {
        if (error instanceof AliyunAway) return { is: 'away', reason: error.message };
        if (error instanceof TooBusy) return { is: 'away', reason: 'too many proofs wait for their answer' };
        throw error;
      }),
  };
}

/** Reads Aliyun's answer. What is no clear yes or no is none: a proof that a stranger made up gets a no, never an error. */
function wordIn({ status, body }: { status: number; body: Record<string, unknown> }): Word {
  const { Code: code, RequestId: id, Result: result } = body;
  const { VerifyResult: passed, VerifyCode: why }: { VerifyResult?: unknown; VerifyCode?: unknown } =
    typeof result === 'object' && result !== null ? result : {};
  const clear = status === 200 && typeof passed === 'boolean' && !OUR_FAULT.includes(wordOf(why));
  if (clear) return { is: passed ? 'passed' : 'failed' };
  return { is: 'away', reason: `HTTP ${status}, ${wordOf(code)}, ${wordOf(why)}, request ${wordOf(id)}` };
}
