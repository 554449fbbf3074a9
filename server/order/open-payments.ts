import { readFileSync } from 'node:fs';
import type { Environment } from '#server/environment.ts';
import { alipayPage } from './alipay.ts';
import type { PaymentProvider } from './provider.ts';
import { wechatPay } from './wechat.ts';

/** A key file that cannot be used; the message names the setting. */
export class WrongPaymentKey extends Error {}

/** Makes the providers that the environment names, with the keys out of their files. @throws WrongPaymentKey */
export function openPayments({
  wechatPay: wechat,
  alipay,
  publicUrl,
}: Pick<Environment, 'wechatPay' | 'alipay' | 'publicUrl'>): PaymentProvider[] {
  const providers: PaymentProvider[] = [];
  const made = (named: string, make: () => PaymentProvider) => {
    try {
      providers.push(make());
    } catch (error) {
      throw new WrongPaymentKey(`${named}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const read = (path: string) => readFileSync(path, 'utf8');
  if (wechat)
    made('WECHAT_PAY_PRIVATE_KEY or WECHAT_PAY_PLATFORM_KEYS cannot be used', () =>
      wechatPay({
        ...wechat,
        privateKey: read(wechat.privateKey),
        platformKeys: wechat.platformKeys.map(({ id, path }) => ({ id, pem: read(path) })),
        publicUrl: publicUrl ?? '',
      }),
    );
  if (alipay)
    made('ALIPAY_PRIVATE_KEY or ALIPAY_PUBLIC_KEYS cannot be used', () =>
      alipayPage({
        ...alipay,
        privateKey: read(alipay.privateKey),
        publicKeys: alipay.publicKeys.map(read),
        publicUrl: publicUrl ?? '',
      }),
    );
  return providers;
}
