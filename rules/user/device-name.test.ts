import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceName, roughPlace } from './device-name.ts';

describe('deviceName', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
      'Chrome',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36 Edg/126.0',
      'Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari',
      'iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; PJD110) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/122.0 Mobile Safari/537.36 MicroMessenger/8.0.49',
      'WeChat',
      'Android',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    ['curl/8.5.0', '', ''],
    ['<script>alert(1)</script>', '', ''],
    ['', '', ''],
  ])('%s', (text, browser, system) => expect(deviceName(text)).toEqual({ browser, system }));
});

describe('roughPlace', () => {
  it.each([
    ['203.0.113.7', '203.0.*.*'],
    ['::ffff:203.0.113.7', '203.0.*.*'],
    ['2001:db8:85a3::8a2e:370:7334', '2001:db8:*'],
    ['fe80::1%eth0', 'fe80:0:*'],
    ['::1', ''],
    ['', ''],
    ['unix', ''],
  ])('%s is shown as %s', (ip, shown) => expect(roughPlace(ip)).toBe(shown));
  it('never shows the end of an address', () =>
    fc.assert(fc.property(fc.ipV4(), (ip) => roughPlace(ip).endsWith('.*.*'))));
});
