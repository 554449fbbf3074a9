import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { type CaptchaKey, serveCaptcha } from './captcha.ts';
import type { HashIdNumber } from './identity.ts';
import { serveInfo } from './info.ts';
import { type OwnsOrder, serveLogin } from './login.ts';
import { serveLogout } from './logout.ts';
import { servePassword } from './password.ts';
import { serveSmsCode } from './sms-code.ts';
import { serveUpdate, type TakeAvatar } from './update.ts';

/** Sign-in and the own profile (decisions §2, §7): each call in the file of its name. */
export function userRoutes(
  serve: Serve,
  parts: Parts,
  {
    key,
    hashId,
    takeAvatar,
    ownsOrder,
  }: { key: CaptchaKey; hashId: HashIdNumber; takeAvatar: TakeAvatar; ownsOrder: OwnsOrder },
): void {
  serveCaptcha(serve, parts, key);
  serveSmsCode(serve, parts, key);
  serveLogin(serve, parts, { key, hashId, ownsOrder });
  serveLogout(serve, parts);
  serveInfo(serve, parts);
  serveUpdate(serve, parts, takeAvatar, hashId);
  servePassword(serve, parts);
}
