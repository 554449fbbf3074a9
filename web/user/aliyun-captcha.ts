import type { Data } from '#web/lib/send.ts';
import { currentLanguage } from '#web/lib/t.ts';

type Shown = NonNullable<Data<'GET /api/captcha/slider'>['provider']>;

/** What Aliyun's script takes (client architecture V3): https://help.aliyun.com/zh/captcha/captcha2-0/user-guide/ */
interface AliyunOptions {
  SceneId: string;
  mode: 'popup';
  element: string;
  button: string;
  language: 'cn' | 'en';
  success: (proof: string) => void;
  onError: () => void;
  getInstance: (instance: { destroyCaptcha?: () => void }) => void;
}

declare global {
  interface Window {
    AliyunCaptchaConfig?: { region: string; prefix: string };
    initAliyunCaptcha?: (options: AliyunOptions) => void;
  }
}

/** Its own rules want it from there, at each visit: what is copied is not renewed. */
const SCRIPT = 'https://o.alicdn.com/captcha-frontend/aliyunCaptcha/AliyunCaptcha.js';
/** Milliseconds until the script counts as not there. */
const PATIENCE = 8000;

let loading: Promise<void> | null = null;

/** Loads the script once; what failed is tried anew by the next who needs it. */
function loadScript({ region, prefix }: Shown): Promise<void> {
  loading ??= new Promise<void>((resolve, reject) => {
    window.AliyunCaptchaConfig = { region, prefix };
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error('the script of the captcha cannot be loaded'));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

interface Hooks {
  /** A click on the button now opens the captcha. */
  onReady: () => void;
  onProof: (proof: string) => void;
  /** It does not work in this browser now: no script, or Aliyun cannot be reached. */
  onBroken: () => void;
}

/**
 * Makes a click on the button with this id open Aliyun's captcha, over everything.
 * @returns what takes it out of the page again
 */
export function bindAliyunCaptcha(shown: Shown, buttonId: string, hooks: Hooks): () => void {
  let over = false;
  let destroy: (() => void) | undefined;
  const place = document.createElement('div');
  place.id = `${buttonId}-captcha`;
  document.body.append(place);
  const end = () => {
    over = true;
    clearTimeout(late);
    destroy?.();
    place.remove();
  };
  const broken = () => {
    if (over) return;
    end();
    hooks.onBroken();
  };
  const late = setTimeout(broken, PATIENCE);
  loadScript(shown)
    .then(() => {
      if (over) return;
      if (!window.initAliyunCaptcha) return broken();
      window.initAliyunCaptcha({
        SceneId: shown.sceneId,
        mode: 'popup',
        element: `#${place.id}`,
        button: `#${buttonId}`,
        language: currentLanguage() === 'en' ? 'en' : 'cn',
        success: (proof) => {
          if (!over) hooks.onProof(proof);
        },
        onError: broken,
        getInstance: (instance) => {
          destroy = () => instance.destroyCaptcha?.();
          if (over) return destroy();
          clearTimeout(late);
          hooks.onReady();
        },
      });
    })
    .catch(broken);
  return end;
}
